package barrier

import (
	"iter"
	"runtime"
	"sync/atomic"

	"github.com/robotd/robotd/behaviors"
)

// A crossing is how the engine's goroutine gets to a worker and back. A worker is a coroutine: the engine's goroutine enters it,
// which costs no scheduling and wakes no idle processor, and waits in it until somebody lets it go on. That is the worker, when its
// job is done or the hook has a request, the worker's deputy when a signal comes, or the lookout when the hook hangs. So a hook that
// never returns does not hold the engine's goroutine.
//
// Whoever lets it go on must first win waits, by compare-and-swap. It is set by the goroutine that the engine's goroutine has
// switched to, because only then does that wait. A glance of the lookout wins it too, and gives it back.
type crossing struct {
	signals chan signal
	sent    atomic.Int64           // signals that were sent and not taken; for a moment less, if one is taken before it is counted
	waits   atomic.Pointer[worker] // the worker that the engine's goroutine waits in; nil: it runs, is about to, or is being looked at
}

// signalKind says what reaches the engine's goroutine while it waits.
type signalKind uint8

const (
	signalNone signalKind = iota
	signalDone
	signalCall
	signalPoll
	signalStuck
)

type signal struct {
	kind   signalKind
	handed bool // by a switch: whoever has handed a request over waits in the coroutine until it is answered
	spins  bool // what is stuck burns processor time
	job    *job
	port   *hookPort
	req    *behaviors.Request
	state  uint64 // of the job that is stuck
}

// reply answers a request. Only the engine's goroutine replies.
func (s *signal) reply(v verdict) {
	if s.handed {
		s.job.w.verdict = v
	} else {
		s.port.answers <- v
	}
}

// tell sends a signal to the engine's goroutine.
func (c *crossing) tell(s signal) {
	c.signals <- s
	c.told()
}

// told wakes the engine's goroutine for a signal that was sent. Either it sees here that the engine's goroutine waits, or the
// goroutine that reports that it waits ([coroutine.arrive]) sees the signal.
func (c *crossing) told() {
	c.sent.Add(1)
	c.wake()
}

// take is the next signal, if there is one. Only the engine's goroutine takes.
func (c *crossing) take() (s signal, ok bool) {
	select {
	case s = <-c.signals:
		c.sent.Add(-1)
		return s, true
	default:
		return s, false
	}
}

// wake lets the engine's goroutine go on if it waits. The worker's deputy waits in its place: the caller may be a hook, which has
// more to do, and may be locked to its thread.
func (c *crossing) wake() {
	if w := c.claim(); w != nil {
		w.relieve()
	}
}

// claim returns the worker that the engine's goroutine waits in. The caller must let it go on, or give the wait back (arrive). It is nil if
// the engine's goroutine runs, or somebody else has claimed the wait.
func (c *crossing) claim() *worker {
	if w := c.waits.Load(); w != nil && c.waits.CompareAndSwap(w, nil) {
		return w
	}
	return nil
}

// A coroutine is that of a worker. While the engine's goroutine runs, one goroutine waits in the coroutine to be switched to: the
// worker's own, one with a request, or the deputy, which has relieved the engine's.
type coroutine struct {
	crossing *crossing
	w        *worker
	next     func() (struct{}, bool) // switches to the goroutine that waits in the coroutine, which the caller does now
	stop     func()
	give     func(struct{}) bool // the same for all goroutines but the engine's; false: the coroutine has ended
	handed   signal              // why the engine's goroutine goes on; none: there is a signal to take
	verdict  verdict             // the answer to a request that was handed over
	deputy   chan struct{}       // what the deputy is called by; nil before the first call

	// The worker could not report by a switch, because somebody else had claimed the wait of the engine's goroutine. Its
	// goroutine waits for the next job outside the coroutine. Used by the engine's goroutine only.
	apart bool
	jobs  chan struct{} // the next job, for a worker that is apart

	exited bool          // an item ended the worker's goroutine; another one has the rest of the job, and the worker is not used again
	ended  chan struct{} // closed when the goroutine that was ended may leave the coroutine
}

// begin makes the coroutine of w. Its goroutine waits for the first job.
func (c *coroutine) begin(crossing *crossing, w *worker) {
	c.crossing, c.w, c.jobs = crossing, w, make(chan struct{}, 1)
	c.next, c.stop = iter.Pull(func(give func(struct{}) bool) {
		c.give = give
		makeRoom(0)
		if give(struct{}{}) {
			c.live()
		}
	})
	c.next()
}

// A panic and the constructor after it need a deeper stack than other hooks. A worker makes room for them at its begin, at once
// instead of by doubling in the middle of a tick.
const workerStack = 16 << 10

//go:noinline
func makeRoom(at int) byte {
	var room [workerStack]byte
	room[at] = 1
	return room[workerStack-1-at]
}

// enter lets the worker run, or go on, until its job is done or it has a request, which enter returns, or a signal was sent. Only the
// engine's goroutine enters.
func (c *coroutine) enter() signal {
	c.next()
	s := c.handed
	c.handed = signal{}
	return s
}

// visit enters for the sake of a goroutine beside the hook that waits for its answer, although the job is done, and comes back: as if there
// were a signal, the deputy is called at once, unless there is another request.
func (c *coroutine) visit() signal {
	c.crossing.sent.Add(1)
	defer c.crossing.sent.Add(-1)
	return c.enter()
}

// hand lets the engine's goroutine go on for s, which is a request, and returns with the answer. It reports false if somebody else
// has claimed its wait. It unlocks its goroutine from the thread, up to [threadLocks] times.
func (c *coroutine) hand(s signal) (verdict, bool) {
	if !c.crossing.waits.CompareAndSwap(c.w, nil) {
		return verdictGo, false
	}
	s.handed = true
	c.handed = s
	unlockThread()
	c.give(struct{}{}) // the engine's goroutine comes back before it does anything else with this worker
	v := c.verdict
	c.arrive()
	return v, true
}

// ready readies the worker for its next job, which the next enter begins.
func (c *coroutine) ready() {
	if c.apart {
		c.apart = false
		c.jobs <- struct{}{}
	}
}

// live runs jobs until the worker is abandoned or the barrier closes. A hook that ends its goroutine costs the goroutine alone:
// another one has the rest of the job. The one that was ended may leave the coroutine only when the engine's goroutine is not in
// it, which would end too.
func (c *coroutine) live() {
	returned := false
	defer func() {
		if !returned {
			c.exited, c.ended = true, make(chan struct{})
			go c.carryOn()
			<-c.ended
		}
		unlockThread()
	}()
	for c.arrive(); c.w.finish() && c.report(); {
	}
	returned = true
}

// carryOn runs the rest of a job whose goroutine an item has ended.
func (c *coroutine) carryOn() {
	returned := false
	defer func() {
		if !returned {
			go c.carryOn()
		}
	}()
	if c.w.finish() {
		c.report()
	} else {
		close(c.ended) // abandoned: the engine's goroutine never comes back
	}
	returned = true
}

// arrive is what a goroutine does that the engine's goroutine has switched to: it tells that that waits.
func (c *coroutine) arrive() {
	c.crossing.waits.Store(c.w)
	if c.crossing.sent.Load() > 0 {
		c.crossing.wake()
	}
}

// report tells the engine's goroutine that the job is done, and returns with the next job. It reports false if there will be none.
func (c *coroutine) report() bool {
	unlockThread()
	if !c.crossing.waits.CompareAndSwap(c.w, nil) { // somebody else has claimed it
		c.crossing.tell(signal{kind: signalDone, job: &c.w.delivery.job})
		_, more := <-c.jobs
		return more
	}
	c.handed = signal{kind: signalDone, handed: true, job: &c.w.delivery.job}
	if !c.give(struct{}{}) {
		return false
	}
	c.arrive()
	return true
}

// relieve calls the deputy. Whoever calls it has won the wait in this worker, so nobody else does.
func (c *coroutine) relieve() {
	if c.deputy == nil {
		c.deputy = make(chan struct{}, 1)
		go c.deputize()
	}
	c.deputy <- struct{}{}
}

// deputize waits in the coroutine in place of the engine's goroutine, each time until that comes back.
func (c *coroutine) deputize() {
	for range c.deputy {
		if !c.stand() {
			break
		}
	}
}

// stand lets the engine's goroutine go on, and waits in its place until that comes back. It reports false if the worker's goroutine has left
// the coroutine instead. Whoever calls it has won the wait in this worker, and is not locked to its thread.
func (c *coroutine) stand() bool {
	if !c.give(struct{}{}) {
		return false
	}
	c.arrive()
	return true
}

// standIn is stand for the lookout. If the worker was given up, its deputy has nobody to stand in for any more.
func (c *coroutine) standIn() {
	if !c.stand() && c.deputy != nil && c.w.delivery.job.state.Load()&abandoned != 0 {
		close(c.deputy)
	}
}

// end ends the worker of a finished job.
func (c *coroutine) end() {
	close(c.jobs)
	if c.deputy != nil {
		close(c.deputy)
	}
	switch {
	case c.exited:
		close(c.ended)
	case !c.apart:
		c.stop()
	}
}

// threadLocks is how many times a hook may have locked its thread and not unlocked it. A goroutine that is locked to its thread
// cannot switch to another one: the runtime ends the process.
const threadLocks = 8

// unlockThread undoes what a hook did with runtime.LockOSThread and has not undone at its end, or when it makes a request.
func unlockThread() {
	for range threadLocks {
		runtime.UnlockOSThread()
	}
}
