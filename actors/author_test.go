package actors

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/actors/barrier"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
)

// awaitTick waits for a completed tick in which a lifecycle event happens, and returns it.
func awaitTick(t testing.TB, w *watcher, prefix string) tickSeen {
	t.Helper()
	deadline := time.After(testPatience)
	for {
		select {
		case tick := <-w.ticks:
			if len(tick.violations) > 0 {
				t.Fatalf("tick %d: %v", tick.timing.N, tick.violations)
			}
			if prefix == "" || slices.ContainsFunc(tick.events, func(e string) bool { return strings.HasPrefix(e, prefix) }) {
				return tick
			}
		case <-deadline:
			t.Fatalf("no tick with %q", prefix)
		}
	}
}

// A hang in Modify loses the incarnation: at the start of the robot, and in a fresh incarnation later.
// Rules: B-5.
func TestHangInModifyLosesIncarnation(t *testing.T) {
	for _, when := range []int32{1, 3} { // 1: at the start; 3: of the second incarnation, as each calls it twice
		t.Run(fmt.Sprint("call ", when), func(t *testing.T) {
			release := make(chan struct{})
			defer close(release)
			var calls atomic.Int32
			var struck atomic.Bool
			cat := actorstest.Authors(t, []string{"R", "A"}, func(id string) *actorstest.Authored {
				if id != "A" {
					return &actorstest.Authored{}
				}
				return &actorstest.Authored{
					Modify: func(func(string) behaviors.Modifiers) {
						if calls.Add(1) == when {
							<-release
						}
					},
					Update: func(*behaviors.Control) {
						if when > 1 && struck.CompareAndSwap(false, true) {
							panic("boom")
						}
					},
				}
			})
			w := newWatcher()
			live(t, cat, w, testPeriod, testBudget)
			awaitTick(t, w, "A.Modify failed: hang")
			awaitTick(t, w, "")
			if b := w.blamed(); b[len(b)-1].Actor != "behavior/A" || b[len(b)-1].Where != "Modify" || b[len(b)-1].Reason != "hang" {
				t.Errorf("blamed %+v", b)
			}
		})
	}
}

// stuckAction hangs in one of its methods, getters included, until released.
type stuckAction struct {
	in      string
	release <-chan struct{}
	endless bool // never done
	begun   bool
}

func (a *stuckAction) at(where string) {
	if a.in == where {
		<-a.release
	}
}

func (a *stuckAction) Name() string { a.at("Name"); return "Stuck" }
func (a *stuckAction) Type() actions.Type {
	if a.begun {
		a.at("Type")
	}
	return actions.TypeWait
}
func (a *stuckAction) Tracks() actions.Tracks    { a.at("Tracks"); return actions.Head }
func (a *stuckAction) Timeout() time.Duration    { a.at("Timeout"); return time.Minute }
func (a *stuckAction) StartDelay() time.Duration { a.at("StartDelay"); return 0 }
func (a *stuckAction) CheckDelay() time.Duration { a.at("CheckDelay"); return 0 }
func (a *stuckAction) FailOffTreads() bool       { a.at("FailOffTreads"); return false }
func (a *stuckAction) Payload() any              { a.at("Payload"); return nil }
func (a *stuckAction) Status() string            { a.at("Status"); return "" }
func (a *stuckAction) Reset()                    { a.at("Reset") }
func (a *stuckAction) Stop(*actions.Env)         { a.at("Stop") }
func (a *stuckAction) SuppressTracks(bool)       { a.at("SuppressTracks") }

func (a *stuckAction) Init(*actions.Env) actions.Result {
	a.begun = true
	a.at("Init")
	return actions.Success
}

func (a *stuckAction) CheckIfDone(*actions.Env) actions.Result {
	a.at("CheckIfDone")
	switch {
	case a.endless:
		return actions.Running
	case a.in == "Reset":
		return actions.Retry
	}
	return actions.Success
}

// When any method of an action hangs, getters included, the tick goes on, the failure names the action, the action ends, its
// tracks are free, and its owner gets its callback. A hang in Name loses the hook that queues the action.
// Rules: Q-5, OA-3.
func TestHangInAnyActionMethodIsContained(t *testing.T) {
	for _, in := range []string{
		"SuppressTracks", "Tracks", "Timeout", "StartDelay", "CheckDelay", "FailOffTreads", "Init", "Type", "Status",
		"CheckIfDone", "Reset", "Payload", "Stop", "Name",
	} {
		t.Run(in, func(t *testing.T) {
			release := make(chan struct{})
			defer close(release)
			heard := make(chan actions.Completion, 1)
			var once atomic.Bool
			cat := actorstest.Authors(t, []string{"R"}, func(string) *actorstest.Authored {
				return &actorstest.Authored{Update: func(c *behaviors.Control) {
					if c.InControl() && once.CompareAndSwap(false, true) {
						c.ActRetrying(&stuckAction{in: in, release: release}, 1, func(_ *behaviors.Control, o behaviors.Outcome) { heard <- o.Completion })
					}
				}}
			})
			w := newWatcher()
			live(t, cat, w, testPeriod, testBudget)
			if in == "Name" {
				awaitTick(t, w, "R.Update failed: hang")
				return
			}
			select {
			case done := <-heard:
				if ended := in == "Payload" || in == "Stop"; !ended && done.Result != actions.Abort || !done.Hung || !strings.Contains(done.Detail, "hang: Stuck.") {
					t.Errorf("completion %+v", done)
				}
			case <-time.After(testPatience):
				t.Fatal("the owner never heard of it")
			}
			awaitTick(t, w, "")
			if b := w.blamed(); len(b) != 1 || b[0].Actor != "action/Stuck" || b[0].Reason != "hang" {
				t.Errorf("blamed %+v", b)
			}
		})
	}
}

// many makes a robot with n behaviors of which each blocks once, in the tick after the first.
func many(t *testing.T, n int, release <-chan struct{}) *catalog.Catalog {
	ids := []string{"R"}
	for i := range n {
		ids = append(ids, fmt.Sprintf("H%03d", i))
	}
	struck := make([]atomic.Bool, n)
	return actorstest.Authors(t, ids, func(id string) *actorstest.Authored {
		var i int
		if _, err := fmt.Sscanf(id, "H%d", &i); err != nil {
			return &actorstest.Authored{}
		}
		return &actorstest.Authored{Update: func(c *behaviors.Control) {
			if c.Tick() >= 2 && struck[i].CompareAndSwap(false, true) {
				<-release
			}
		}}
	})
}

// Many hooks hang in one tick: each behavior is replaced in it.
// Rules: T-10.
func TestManyHangsOfOneTickAreReplacedInIt(t *testing.T) {
	const n = 20
	release := make(chan struct{})
	defer close(release)
	w := newWatcher()
	live(t, many(t, n, release), w, testPeriod, testBudget)
	tick := awaitTick(t, w, "H000.Update failed: hang")
	lost := 0
	for _, e := range tick.events {
		if strings.HasSuffix(e, ".replaced") {
			lost++
		}
	}
	if lost != n {
		t.Errorf("%d of %d were replaced in the tick", lost, n)
	}
}

// At the limit of zombies no hook is called any more, everything is made safe, and Fatal is called once.
// Rules: Q-8.
func TestTooManyZombiesCallFatal(t *testing.T) {
	release := make(chan struct{})
	w, r := newWatcher(), &recorder{}
	fatal, safe := make(chan error, 8), make(chan string, 64)
	s, err := Start(Config{
		Catalog: many(t, barrier.MaxZombies+20, release), Period: testPeriod, Budget: testBudget,
		Observer: event.Tee{w, r}, Ticks: []TickObserver{w}, Fatal: func(err error) { fatal <- err },
		Devices: []DeviceSpec{fakeBattery(&fakeWorld{start: time.Now()}, func(reason string) { safe <- reason })},
	})
	if err != nil {
		t.Fatal(err)
	}
	err = <-fatal
	if !strings.Contains(err.Error(), "32 hooks never returned") {
		t.Errorf("told %v", err)
	}
	if reason := madeSafe(safe); reason != "mind" {
		t.Errorf("made safe because of %q", reason)
	}
	if n := s.BarrierStats().Hangs; n != barrier.MaxZombies {
		t.Errorf("%d hooks were given up, want %d", n, barrier.MaxZombies)
	}
	close(release)
	if err := s.Stop(context.Background()); err != nil {
		t.Error(err)
	}
	z := count[event.Zombies](r)
	if len(z) == 0 || z[len(z)-1] != (event.Zombies{N: barrier.MaxZombies, Limit: barrier.MaxZombies}) || len(fatal) > 0 {
		t.Errorf("zombies told: %+v; fatal told %d times more", z, len(fatal))
	}
}

// A zombie that returns is not counted any more, and the new count is reported.
// Rules: T-10.
func TestReturnedZombiesAreNoLongerCounted(t *testing.T) {
	release := make(chan struct{})
	w, r := newWatcher(), &recorder{}
	s, err := Start(Config{Catalog: many(t, 3, release), Period: testPeriod, Budget: testBudget, Observer: event.Tee{w, r}, Ticks: []TickObserver{w}})
	if err != nil {
		t.Fatal(err)
	}
	awaitTick(t, w, "H002.Update failed")
	close(release)
	z := count[event.Zombies](r)
	for len(z) < 2 || z[len(z)-1].N != 0 { // they return when they get a turn; the watcher may hold ticks of before
		awaitTick(t, w, "")
		z = count[event.Zombies](r)
	}
	if err := s.Stop(context.Background()); err != nil {
		t.Error(err)
	}
	if z[0].N != 3 || s.BarrierStats().Zombies != 0 {
		t.Errorf("told %+v", z)
	}
}
