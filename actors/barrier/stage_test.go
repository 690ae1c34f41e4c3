package barrier

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
)

// A script is what puppets do in their Updates, by ID.
type script map[string]func(c *behaviors.Control)

// A puppet does in its Update what its script says.
type puppet struct {
	id     string
	script script
}

func (p *puppet) Update(c *behaviors.Control) {
	if f := p.script[p.id]; f != nil {
		f(c)
	}
}

func (p *puppet) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

// lenient is a budget that a busy machine hardly makes any hook exceed but one that waits: the others of the tick in which that one is
// given up, and the first of its fresh incarnation, are to return in time.
const lenient = 100 * ms

// stage is an engine with its barrier, without a pacer: the base A lists B and C.
type stage struct {
	t       *testing.T
	script  script
	eng     *engine.Engine
	barrier *Barrier
	tick    uint64
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{t: t, script: script{}}
	s.start(func(id string) behaviors.Behavior { return &puppet{id: id, script: s.script} })
	return s
}

// start runs the first tick.
func (s *stage) start(puppet func(id string) behaviors.Behavior) {
	t := s.t
	t.Helper()
	reg := behaviors.NewRegistry(behaviors.Class{Name: "Puppet", New: func(cfg *behaviors.Config) behaviors.Behavior {
		cfg.DelegateList("next")
		return puppet(cfg.ID())
	}})
	list := func(id string, next ...string) string { return actorstest.Listing("Puppet", id, next...) }
	cat := actorstest.Catalog(t, reg, "A", "A", list("A", "B", "C"), list("B"), list("C"))
	b, stop := start(t, time.Minute)
	t.Cleanup(stop)
	s.barrier = b
	var err error
	if s.eng, err = engine.New(engine.Options{Catalog: cat, Hooks: b}); err != nil {
		t.Fatal(err)
	}
	if err := s.eng.Start(actorstest.Epoch); err != nil {
		t.Fatal(err)
	}
	s.step()
}

// step runs a tick and returns the behaviors that failed in it.
func (s *stage) step() (failed []string) {
	s.t.Helper()
	s.tick++
	out := s.eng.Step(engine.Input{Tick: s.tick, Now: actorstest.Epoch.Add(time.Duration(s.tick) * period)})
	s.barrier.EndTick()
	if len(out.Violations) > 0 {
		s.t.Fatal(out.Violations)
	}
	for _, ev := range out.Events {
		if ev.Kind == stack.EventFault {
			failed = append(failed, ev.ID)
		}
	}
	return failed
}

// plead makes requests with a visible effect, and returns the refusal.
func plead(c *behaviors.Control) error {
	c.ResetTimer("nap")
	return actorstest.Refusal(c, c.CancelSelf())
}

func (s *stage) wantRefused(err error) {
	s.t.Helper()
	if refusal := (*stack.Refusal)(nil); !errors.As(err, &refusal) || refusal.Reason != stack.Stale {
		s.t.Errorf("the answer is %v, want stale", err)
	}
	if n := len(s.eng.View().Timers); n != 0 {
		s.t.Errorf("%d timers were reset", n)
	}
}

// The requests of an abandoned hook are refused, also while another hook may make requests. It goes on reading the tick in
// which it hung, although the memory of later ticks is used again.
func TestAbandonedHookIsRefusedAndKeepsItsTickBuffers(t *testing.T) {
	for _, hung := range []string{"A", "B"} { // in the walk, in the in-scope pass
		t.Run(hung, func(t *testing.T) {
			s := newStage(t)
			s.barrier.load = idle()
			release, answer, ticks := make(chan struct{}), make(chan error), make(chan uint64, 2)
			s.script[hung] = func(c *behaviors.Control) {
				world := c.World()
				ticks <- c.Tick()
				<-release
				if !world.Now.Equal(c.World().Now) {
					t.Error("another world")
				}
				ticks <- c.Tick()
				answer <- plead(c)
			}
			s.barrier.SetBudget(lenient)
			if failed := s.step(); len(failed) != 1 || failed[0] != hung {
				t.Fatalf("failed %v", failed)
			}
			s.barrier.SetBudget(time.Minute)
			before := <-ticks
			s.script[hung] = nil
			for range 4 {
				s.step()
			}
			s.script["C"] = func(*behaviors.Control) {
				release <- struct{}{}
				err := <-answer
				s.wantRefused(err)
			}
			s.step()
			if after := <-ticks; before != 2 || after != 2 {
				t.Errorf("hung in tick %d, then read tick %d", before, after)
			}
		})
	}
}

// A goroutine that an author started and that keeps a Control is refused while the hook of another behavior runs, in the walk
// or in the same batch, and between two ticks.
// Rules: M-12.
func TestControlIsRefusedOutsideItsHook(t *testing.T) {
	for _, running := range []string{"A", "C", ""} {
		t.Run(running, func(t *testing.T) {
			s := newStage(t)
			var kept *behaviors.Control
			s.script["B"] = func(c *behaviors.Control) { kept = c }
			s.step()
			s.script["B"] = nil
			ask := func() {
				answer := make(chan error)
				go func() { answer <- plead(kept) }()
				s.wantRefused(<-answer)
			}
			if running == "" {
				ask()
				return
			}
			s.script[running] = func(*behaviors.Control) { ask() }
			if failed := s.step(); len(failed) > 0 {
				t.Fatalf("failed %v", failed)
			}
		})
	}
}

// A tick in which nothing changes allocates nothing (goal/M1): with all behaviors in scope at work or idle, with a stack of
// behaviors at work, called directly or through actors.
func TestSteadyTickAllocatesNothing(t *testing.T) {
	trees := map[string]string{
		"in scope": scopeOf(161, ""), "idle": scopeOf(161, "~"),
		"on the stack": "A! > B X\nB! > C Y\nC! > D\nD! > E\nE! > F Z\nF\nX\nY\nZ",
	}
	for name, tree := range trees {
		for _, direct := range []bool{true, false} {
			how := map[bool]string{true: "direct", false: "actors"}[direct]
			t.Run(name+"/"+how, func(t *testing.T) {
				step, done := bench(t, tree, direct, nil)
				defer done()
				n := uint64(0)
				tick := func() { n++; step(n) }
				for range 4 { // both memories, every buffer
					tick()
				}
				allocs := 1.0
				for range 50 { // the watchdog allocates when a loaded machine makes a tick late
					if allocs = testing.AllocsPerRun(10, tick); allocs == 0 {
						break
					}
				}
				if allocs != 0 {
					t.Errorf("%v allocations in a tick", allocs)
				}
			})
		}
	}
}

// A tick in which a behavior asks its list allocates nothing either: it is what a dispatcher does in each tick (goal/M1b).
func TestAskingTickAllocatesNothing(t *testing.T) {
	s := newStage(t)
	list := behaviors.NewCandidates("B", "C")
	asked := 0
	s.script["A"] = func(c *behaviors.Control) { asked++; c.FirstWanting(list) }
	for range 4 {
		s.step()
	}
	allocs := 1.0
	for range 50 { // as above
		if allocs = testing.AllocsPerRun(10, func() { s.step() }); allocs == 0 {
			break
		}
	}
	if allocs != 0 || asked < 10 {
		t.Errorf("%v allocations in a tick, asked in %d", allocs, asked)
	}
}

// The actor of a hook that hangs is discarded: its name is free again, and messages to it are dropped. The fresh incarnation
// has an actor of the next generation.
// Rules: Q-8.
func TestDiscardedActorLeavesTheRegistry(t *testing.T) {
	s := newStage(t)
	s.barrier.load = idle()
	names := s.barrier.parent.system.ProcessRegistry
	registered := func(id string) bool {
		_, ok := names.GetLocal("parent/" + id)
		return ok
	}
	if !registered("b-B-0") {
		t.Fatal("no actor b-B-0 before the hang")
	}
	release := make(chan struct{})
	defer close(release)
	s.script["B"] = func(*behaviors.Control) { <-release }
	s.barrier.SetBudget(lenient)
	if failed := s.step(); !slices.Equal(failed, []string{"B"}) {
		t.Fatalf("failed %v, want B", failed)
	}
	if registered("b-B-0") || !registered("b-B-1") {
		t.Errorf("b-B-0 is registered: %v, b-B-1: %v", registered("b-B-0"), registered("b-B-1"))
	}
}

// Hooks that were left out because of too many zombies stay left out: their behaviors are lost, so the tick is not whole
// although a zombie returns before its end.
func TestReturnedZombieDoesNotMakeTickWhole(t *testing.T) {
	s := newStage(t)
	s.barrier.zombies.Store(MaxZombies)
	called := false
	s.script["A"] = func(*behaviors.Control) { called = true }
	failed := s.step()
	if called || !slices.Contains(failed, "A") {
		t.Fatalf("failed %v; hook called: %v", failed, called)
	}
	s.barrier.zombies.Add(-1)
	if !s.barrier.Exhausted() {
		t.Error("the tick is taken for whole")
	}
}
