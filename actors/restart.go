package actors

import (
	"hash/fnv"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
)

// Back-off of device restarts: the first at once, then doubling from minDelay to maxDelay with a tenth of jitter. After
// healthyFor the count begins again. A device that failed downAfter times in a row counts as down. Its restarts never end: a
// device that has been down for slowAfter is tried every slowDelay. It was not down if it lived for livedFor after a restart,
// which is longer than a start takes that comes to nothing.
const (
	minDelay   = 20 * time.Millisecond
	maxDelay   = time.Second
	healthyFor = 10 * time.Second
	downAfter  = 3
	slowAfter  = 30 * time.Second
	slowDelay  = 3 * time.Second
	livedFor   = 2 * time.Second
)

// backoff is the supervision strategy of the hardware supervisor. protoactor's own is linear with nanosecond jitter, and its
// default stops an actor for good. It runs on the hardware executor.
type backoff struct {
	executor clock.Executor
	observer event.Observer
	tries    map[string]*tries
	stopped  atomic.Bool
}

type tries struct {
	count int
	first time.Time // failure since which it has been down
	last  time.Time
	delay time.Duration // of the newest restart
}

// HandleFailure implements actor.SupervisorStrategy.
func (b *backoff) HandleFailure(_ *actor.ActorSystem, s actor.Supervisor, child *actor.PID, _ *actor.RestartStatistics, _, _ any) {
	b.again(child, func() { s.RestartChildren(child) })
}

// again counts a failure of a child and restarts the child when its delay is over.
func (b *backoff) again(child *actor.PID, restart func()) {
	if b.stopped.Load() {
		return
	}
	now := b.executor.Now()
	t := b.tries[child.Id]
	if t == nil {
		t = &tries{}
		b.tries[child.Id] = t
	}
	if t.count == 0 || now.Sub(t.last) > healthyFor {
		t.count, t.first = 0, now
	}
	if now.Sub(t.last) > t.delay+livedFor {
		t.first = now
	}
	t.count++
	t.last, t.delay = now, b.delay(child.Id, t, now)
	delay := t.delay
	b.observer.Observe(event.Retry{Actor: deviceOf(child), Delay: delay, Tries: t.count, Down: t.count >= downAfter})
	b.executor.Timer(func() {
		if !b.stopped.Load() {
			restart()
		}
	}).Set(delay)
}

// delay is the wait before try number t.count. The jitter comes from name and number, so that equal runs are equal.
func (b *backoff) delay(id string, t *tries, now time.Time) time.Duration {
	if t.count == 1 {
		return 0
	}
	if now.Sub(t.first) > slowAfter {
		return slowDelay
	}
	d := min(minDelay<<min(t.count-2, 10), maxDelay)
	h := fnv.New32a()
	_, _ = h.Write([]byte(id))
	_, _ = h.Write([]byte{byte(t.count)})
	return d + d*time.Duration(h.Sum32()%100)/1000
}

// deviceOf is the label of a child of the hardware supervisor.
func deviceOf(pid *actor.PID) string {
	id := pid.Id
	for i := len(id) - 1; i >= 0; i-- {
		if id[i] == '/' {
			return "device/" + id[i+1:]
		}
	}
	return "device/" + id
}

// keepRunning guards the top-level actors: the library's default would stop one for good at its 11th failure in 10 s.
type keepRunning struct{}

// HandleFailure implements actor.SupervisorStrategy.
func (keepRunning) HandleFailure(_ *actor.ActorSystem, s actor.Supervisor, child *actor.PID, _ *actor.RestartStatistics, _, _ any) {
	s.RestartChildren(child)
}
