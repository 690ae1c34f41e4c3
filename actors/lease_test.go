package actors

import (
	"errors"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/resources"
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

// stage is an engine with its joint, without a pacer: the base A lists B and C.
type stage struct {
	t      *testing.T
	script script
	eng    *engine.Engine
	joint  *Joint
	tick   uint64
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{t: t, script: script{}}
	reg := behaviors.NewRegistry(behaviors.Class{Name: "Puppet", New: func(cfg *behaviors.Config) behaviors.Behavior {
		cfg.DelegateList("next")
		return &puppet{id: cfg.ID(), script: s.script}
	}})
	var docs []*resources.Document
	for id, next := range map[string]string{"A": `["B","C"]`, "B": `[]`, "C": `[]`} {
		doc, diags := resources.Parse(id+".json", []byte(`{"behaviorClass":"Puppet","behaviorID":"`+id+`","next":`+next+`}`))
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		docs = append(docs, doc)
	}
	boot, _ := resources.Parse("behavior_config.json", []byte(`{"normalBaseBehavior":"A","fallbackBehavior":"A","userIntents":[]}`))
	cat, diags := behaviors.NewCatalog(docs, boot, reg)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	sys := actor.NewActorSystem(actor.WithLoggerFactory(silent))
	j, err := newJoint(sys, time.Minute, event.Tee(nil))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.close(); sys.Shutdown() })
	s.joint = j
	if s.eng, err = engine.New(engine.Options{Catalog: cat, Hooks: j}); err != nil {
		t.Fatal(err)
	}
	if err := s.eng.Start(epoch); err != nil {
		t.Fatal(err)
	}
	s.step()
	return s
}

// step runs a tick and returns who failed in it.
func (s *stage) step() (failed []string) {
	s.t.Helper()
	s.tick++
	out := s.eng.Step(engine.Input{Tick: s.tick, Now: epoch.Add(time.Duration(s.tick) * DefaultPeriod)})
	s.joint.rest()
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

// plead asks for something that shows, and returns the refusal.
func plead(c *behaviors.Control) error {
	c.ResetTimer("nap")
	return c.CancelSelf()
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

// Whoever was given up asks in vain, also while somebody else's hook may ask; and it reads for ever the tick in which it
// hung, although the memory of other ticks is used again.
func TestWhoWasGivenUpAsksInVainAndReadsItsOwnTick(t *testing.T) {
	for _, hung := range []string{"A", "B"} { // in the walk, in the in-scope pass
		t.Run(hung, func(t *testing.T) {
			s := newStage(t)
			s.joint.load = load{waiting: func(int64) bool { return true }, cpu: func() time.Duration { return 0 }}
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
			s.joint.budget = 5 * time.Millisecond
			if failed := s.step(); len(failed) != 1 || failed[0] != hung {
				t.Fatalf("failed %v", failed)
			}
			s.joint.budget = time.Minute
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

// A goroutine of an author's that keeps a Control asks in vain while the hook of somebody else runs, in the walk or in the
// same batch, and between two ticks.
// Rules: M-12.
func TestAControlIsOfNoUseOutsideItsHook(t *testing.T) {
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

// A tick in which nothing changes allocates nothing (goal/M1): with everybody in scope at work or idle, with a stack of
// behaviors at work, called directly or each an actor.
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
