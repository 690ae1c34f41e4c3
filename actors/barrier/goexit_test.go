package barrier

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// failures keeps the failures that are reported.
type failures []event.Failure

func (s *failures) Observe(r event.Record) {
	if f, ok := r.(event.Failure); ok {
		*s = append(*s, f)
	}
}

// exiting is a panic value whose Error method ends the goroutine.
type exiting struct{}

func (exiting) Error() string { runtime.Goexit(); return "" }

// quitter is an action that ends its goroutine.
type quitter struct{ chaoticAction }

func (*quitter) Name() string { return "quitter" }

func (*quitter) CheckIfDone(*actions.Env) actions.Result {
	runtime.Goexit()
	return actions.Success
}

// Author code that ends its goroutine is told as that, at once and not as a hang, wherever it is. It leaves no zombie, and the
// life goes on.
// Rules: Q-8.
func TestGoexitIsToldAsWhatItIs(t *testing.T) {
	const exited = "ended its goroutine with runtime.Goexit"
	var calls int // of Update; the second one strikes
	for _, c := range []struct {
		name               string
		strike             func(c *behaviors.Control)
		actor, where, text string
	}{
		{"hook", func(*behaviors.Control) { runtime.Goexit() }, "behavior/A", "Update", exited},
		{"step of an action", func(c *behaviors.Control) { c.Act(&quitter{}, nil) }, "action/quitter", "CheckIfDone", exited},
		{"method of a panic value", func(*behaviors.Control) { panic(exiting{}) }, "behavior/A", "Update", exited},
		{"deferred function that panics", func(*behaviors.Control) {
			defer panic("boom")
			runtime.Goexit()
		}, "behavior/A", "Update", "panic: boom"},
	} {
		t.Run(c.name, func(t *testing.T) {
			calls = 0
			cat := actorstest.Authors(t, []string{"A"}, func(string) *actorstest.Authored {
				return &actorstest.Authored{Update: func(ctl *behaviors.Control) {
					if calls++; calls == 2 {
						c.strike(ctl)
					}
				}}
			})
			var seen failures
			b, stop := start(t, patient, &seen)
			defer stop()
			eng, err := engine.New(engine.Options{Catalog: cat, Hooks: b})
			if err != nil {
				t.Fatal(err)
			}
			if err := eng.Start(actorstest.Epoch); err != nil {
				t.Fatal(err)
			}
			for tick := range uint64(6) {
				now := actorstest.Epoch.Add(time.Duration(tick+1) * period)
				eng.Step(engine.Input{Tick: tick + 1, Now: now, World: hardware.Snapshot{Now: now}, Seed: 1})
				b.EndTick()
			}
			if len(seen) != 1 || seen[0].Actor != c.actor || seen[0].Where != c.where || seen[0].Text != c.text {
				t.Errorf("told %+v", seen)
			}
			if s := b.Stats(); s.Hangs > 0 || s.Zombies > 0 || calls < 4 {
				t.Errorf("%+v, %d calls of Update", s, calls)
			}
		})
	}
}

// A constructor that ends its goroutine is told as that, and the next one runs.
// Rules: Q-8.
func TestGoexitInConstructorIsToldAsWhatItIs(t *testing.T) {
	strike := false
	cat := actorstest.Authors(t, []string{"A"}, func(string) *actorstest.Authored {
		if strike {
			runtime.Goexit()
		}
		return &actorstest.Authored{}
	})
	b, stop := start(t, patient)
	defer stop()
	eng, err := engine.New(engine.Options{Catalog: cat, Hooks: b})
	if err != nil {
		t.Fatal(err)
	}
	c := eng.Cells()[0]
	strike = true
	if err := b.Fresh(c); err == nil || err.Error() != errGoexit.text {
		t.Errorf("%v", err)
	}
	strike = false
	if err := b.Fresh(c); err != nil || c.Inc == nil || b.Stats().Zombies > 0 {
		t.Errorf("%v, incarnation %v, %+v", err, c.Inc, b.Stats())
	}
}

// A hook that ends its goroutine after it was given up is a zombie no more, and no later item of its job runs.
// Rules: T-10.
func TestZombieThatEndsItsGoroutineIsNotCounted(t *testing.T) {
	var zombies, spinners atomic.Int64
	zombies.Store(1)
	spinners.Store(1)
	w := &worker{zombies: &zombies, spinners: &spinners}
	w.begin(&crossing{signals: make(chan signal, 1)}, w)
	j := &w.delivery.job
	j.w = w
	late := &exitingActor{job: j}
	m := &mailbox{invoker: late}
	j.items, j.spins = []item{{mailbox: m, msg: "hook"}, {mailbox: m, msg: "next"}}, true
	go w.enter()
	for zombies.Load() > 0 {
		runtime.Gosched()
	}
	if late.calls != 1 {
		t.Errorf("%d items ran", late.calls)
	}
}

// exitingActor gives its job up and ends its goroutine.
type exitingActor struct {
	invoker
	job   *job
	calls int
}

func (a *exitingActor) InvokeUserMessage(any) {
	a.calls++
	a.job.state.Or(abandoned)
	runtime.Goexit()
}
