package barrier

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
)

// Whatever a hook does with its thread, the engine's goroutine gets out of the worker and the tick goes on: the runtime would end the
// process if a goroutine that is locked to its thread switched to another one.
// Rules: Q-8.
func TestHookThatLocksItsThreadHoldsNothing(t *testing.T) {
	for name, strike := range map[string]func(c *behaviors.Control){
		"and returns": func(*behaviors.Control) { lockThread() },
		"and asks": func(c *behaviors.Control) {
			lockThread()
			c.Wants("B")
			c.CancelSelf()
		},
		"and panics":                     func(*behaviors.Control) { lockThread(); panic("boom") },
		"and ends its goroutine":         func(*behaviors.Control) { lockThread(); runtime.Goexit() },
		"asks, and ends its goroutine":   func(c *behaviors.Control) { lockThread(); c.Wants("B"); runtime.Goexit() },
		"and unlocks it after a request": func(c *behaviors.Control) { lockThread(); c.Wants("B"); unlockThread() },
	} {
		for _, who := range []string{"A", "C"} { // in the walk, in the in-scope pass
			t.Run(who+" "+name, func(t *testing.T) {
				s := newStage(t)
				calls := 0
				s.script[who] = func(c *behaviors.Control) {
					if calls++; calls == 2 {
						strike(c)
					}
				}
				for range 8 {
					s.step()
				}
				if st := s.barrier.Stats(); calls < 6 || st.Hangs+uint64(st.Zombies) > 0 {
					t.Errorf("%d calls, %+v", calls, st)
				}
			})
		}
	}
}

func lockThread() {
	for range threadLocks {
		runtime.LockOSThread()
	}
}

// A hook that hangs with its thread locked is a zombie like any other, and none any more when it returns.
// Rules: T-10.
func TestZombieThatLocksItsThreadReturns(t *testing.T) {
	s := newStage(t)
	s.barrier.load = idle()
	s.barrier.SetBudget(lenient)
	release := make(chan struct{})
	s.script["B"] = func(*behaviors.Control) { lockThread(); <-release }
	if failed := s.step(); len(failed) != 1 {
		t.Fatalf("failed %v", failed)
	}
	close(release)
	for s.barrier.Stats().Zombies > 0 {
		runtime.Gosched()
	}
	s.step()
}

// A request is a switch to the engine's goroutine and one back: it wakes no other goroutine, which is what makes it cheap.
// Rules: goal/M1b.
func TestRequestWakesNobody(t *testing.T) {
	s := newStage(t)
	asked := 0
	s.script["A"] = func(c *behaviors.Control) { asked++; c.Wants("B"); c.Wants("C") }
	s.script["C"] = func(c *behaviors.Control) { asked++; c.Wants("B") }
	calm := 0
	for range 50 { // on a loaded machine the watchdog may look in any of them
		for _, w := range s.barrier.free {
			w.end()
		}
		s.barrier.free = nil
		s.step()
		called := slices.ContainsFunc(s.barrier.free, func(w *worker) bool { return w.deputy != nil })
		if len(s.barrier.free) > 0 && !called {
			calm++
		}
	}
	if calm == 0 || asked != 100 {
		t.Errorf("%d ticks with %d requests, %d of them woke nobody", 50, 3*asked/2, calm)
	}
}

// A request that finds the engine's goroutine on its way out for something else waits in the queue of signals.
func TestRequestWaitsBehindASignal(t *testing.T) {
	s := newStage(t)
	var refusal error
	s.script["A"] = func(c *behaviors.Control) {
		if w := s.barrier.waits.Swap(nil); w != nil { // a look has won the wait, if none has really
			go func() {
				for len(s.barrier.signals) == 0 {
					runtime.Gosched()
				}
				w.relieve()
			}()
		}
		refusal = plead(c)
	}
	if failed := s.step(); len(failed) > 0 || refusal != nil {
		t.Errorf("failed %v, refused %v", failed, refusal)
	}
}

// A ringing server is slow: looks of the watchdog are due when it has answered.
type ringing struct {
	engine.Server
	b *Barrier
}

func (r ringing) Serve(c *engine.Cell, f *engine.Frame, req *behaviors.Request) {
	r.Server.Serve(c, f, req)
	for range 4 {
		r.b.ring()
	}
}

// A hook has its answer before it may be given up: whoever waits in the coroutine would never come back.
// Rules: T-10.
func TestHookIsAnsweredBeforeItIsGivenUp(t *testing.T) {
	for _, who := range []string{"A", "C"} { // in the walk, in the in-scope pass
		t.Run(who, func(t *testing.T) {
			for range 50 { // on a loaded machine another hook may be given up before its turn comes
				if givenUpAfterRequest(t, who) {
					return
				}
			}
			t.Error("another hook was given up each time")
		})
	}
}

// givenUpAfterRequest gives the hooks of a behavior up while they have an answer, and wants them to return. It reports false if the behavior
// had no turn.
func givenUpAfterRequest(t *testing.T, who string) bool {
	s := newStage(t)
	s.barrier.load = idle()
	s.barrier.Bind(ringing{s.barrier.server, s.barrier})
	s.barrier.SetBudget(time.Microsecond)
	release := make(chan struct{})
	s.script[who] = func(c *behaviors.Control) { c.Wants("B"); <-release } // of a fresh incarnation too
	had := slices.Contains(s.step(), who)
	s.barrier.SetBudget(time.Minute)
	close(release)
	for range 10_000 {
		if s.barrier.Stats().Zombies == 0 {
			return had
		}
		s.step() // refuses a request that came too late
		runtime.Gosched()
	}
	t.Fatalf("%d hooks did not return", s.barrier.Stats().Zombies)
	return had
}

// A shy puppet answers questions by a script, with no.
type shy struct {
	puppet
	answers script
}

func (p *shy) WantsToBeActivated(c *behaviors.Control) bool {
	if f := p.answers[p.id]; f != nil {
		f(c)
	}
	return false
}

// hearing counts the jobs that the engine's goroutine knows to be done.
type hearing struct{ n atomic.Int64 }

func (h *hearing) trace(s step) {
	if s.kind == stepHears {
		h.n.Add(1)
	}
}

// A goroutine beside a hook has its answer although the hook has ended meanwhile, and ended its goroutine.
// Rules: M-12.
func TestRequestBesideAHookOutlivesIt(t *testing.T) {
	for name, end := range map[string]func(){"returns": func() {}, "ends its goroutine": runtime.Goexit} {
		for _, looks := range []int{0, 3} {
			t.Run(fmt.Sprintf("%s, %d looks", name, looks), func(t *testing.T) {
				s := &stage{t: t, script: script{}}
				answers, heard := script{}, &hearing{}
				s.start(func(id string) behaviors.Behavior { return &shy{puppet{id, s.script}, answers} })
				for _, w := range s.barrier.free {
					w.end()
				}
				s.barrier.free, s.barrier.tracer = nil, heard
				answered, asked := make(chan struct{}), make(chan struct{})
				s.script["A"] = func(c *behaviors.Control) { c.Wants("B") }
				answers["B"] = func(c *behaviors.Control) {
					port := behaviors.PortOf(c)
					go func() {
						defer close(answered)
						port.Do(&behaviors.Request{Kind: behaviors.ReqAsk, ID: "C"})
					}()
					<-asked
					end()
				}
				answers["C"] = func(*behaviors.Control) {
					for n := heard.n.Load(); heard.n.Load() == n; { // until B's hook has ended
						select {
						case asked <- struct{}{}:
						default:
							runtime.Gosched()
						}
					}
					for range looks {
						s.barrier.ring()
					}
				}
				s.step()
				<-answered
				clear(s.script)
				clear(answers)
				for range 3 {
					s.barrier.ring()
					s.step()
				}
				if st := s.barrier.Stats(); st.Zombies > 0 || st.Stale > 0 || s.barrier.waits.Load() != nil {
					t.Errorf("%+v, waits in %v", st, s.barrier.waits.Load())
				}
			})
		}
	}
}

// Signals that come at any time, also when the engine's goroutine is on its way into a worker or out of it, end no tick and hold none.
// Rules: Q-8.
func TestSignalsAtAnyTimeHoldNoTick(t *testing.T) {
	s := newStage(t)
	var kept atomic.Pointer[behaviors.Port]
	s.script["A"] = func(c *behaviors.Control) {
		port := behaviors.PortOf(c)
		kept.Store(&port)
		c.Wants("B")
	}
	s.script["B"] = func(*behaviors.Control) { runtime.Gosched() }
	s.script["C"] = func(c *behaviors.Control) { c.Wants("B") }
	var beside sync.WaitGroup
	stop := make(chan struct{})
	for _, f := range []func(){
		func() { // the watchdog; it would come again by a timer if there was no room
			if len(s.barrier.signals) < cap(s.barrier.signals)/2 {
				s.barrier.ring()
			}
			runtime.Gosched()
		},
		func() { // a goroutine that an author started: its requests are refused or served, and always answered
			if port := kept.Load(); port != nil {
				(*port).Do(&behaviors.Request{Kind: behaviors.ReqAsk, ID: "B"})
			}
			runtime.Gosched()
		},
	} {
		beside.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					f()
				}
			}
		})
	}
	for range 500 {
		s.step()
	}
	close(stop)
	answered := make(chan struct{})
	go func() { beside.Wait(); close(answered) }()
	for {
		select {
		case <-answered:
			return
		default:
			s.step() // a request that came after the last hook is refused in the next tick
		}
	}
}
