package behaviortest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// sums is a scenario with an analyzer that adds up the numbers of the ticks that it sees. Base has Outer and Rest in scope. Outer, while it
// is activated, has Reader in scope, whose class reads the sum.
type sums struct {
	*behaviortest.Env
	log   []string
	begun int // incarnations of the analyzer
	fail  map[uint64]bool
	sum   *behaviors.Analysis[uint64]
}

type reader struct {
	s    *sums
	wait bool
}

func (r *reader) note(c *behaviors.Control, hook string) {
	sum, ok := r.s.sum.Of(c.View())
	r.s.log = append(r.s.log, fmt.Sprintf("%d %s %d %v", c.Tick(), hook, sum, ok))
}

func (r *reader) OnEnteredScope(c *behaviors.Control) { r.note(c, "enter") }
func (r *reader) Update(c *behaviors.Control)         { r.note(c, "update") }

func (r *reader) WantsToBeActivated(c *behaviors.Control) bool {
	r.note(c, "wants")
	return !r.wait
}

const sumFiles = `
-- Base.json --
{"behaviorClass": "Lister", "behaviorID": "Base", "behaviors": ["Outer", "Rest"]}
-- Outer.json --
{"behaviorClass": "Lister", "behaviorID": "Outer", "behaviors": ["Reader"]}
-- Rest.json --
{"behaviorClass": "Probe", "behaviorID": "Rest"}
-- Reader.json --
{"behaviorClass": "Reader", "behaviorID": "Reader"}
`

// lister gives control to the first behavior of its list that wants it, whenever it has control.
type lister struct {
	ids  []string
	wait bool
	end  bool
}

func (l *lister) WantsToBeActivated(*behaviors.Control) bool { return !l.wait }

func (l *lister) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

func (l *lister) Update(c *behaviors.Control) {
	switch {
	case !c.Activated():
	case l.end:
		l.end = false
		c.CancelSelf()
	case !c.IsControlDelegated():
		for _, id := range l.ids {
			if c.Wants(id) {
				c.DelegateTo(id, nil)
				return
			}
		}
	}
}

func newSums(t *testing.T, o behaviortest.Options) *sums {
	t.Helper()
	s := &sums{fail: map[uint64]bool{}}
	s.sum = behaviors.NewAnalysis("Sum", "Adds up the ticks.", func() func(v *condition.View) uint64 {
		s.begun++
		total := uint64(0)
		return func(v *condition.View) uint64 {
			if s.fail[v.Tick] {
				panic("boom")
			}
			total += v.Tick
			s.log = append(s.log, fmt.Sprintf("%d analyze", v.Tick))
			return total
		}
	}).Looking(hardware.LookFor(hardware.SeeFaces, hardware.High))
	o.Files = sumFiles
	o.Classes = behaviors.NewRegistry(behaviortest.ProbeClass(),
		behaviors.Class{Name: "Lister", New: func(cfg *behaviors.Config) behaviors.Behavior {
			return &lister{ids: cfg.DelegateList("behaviors")}
		}},
		behaviors.Class{
			Name: "Reader", Analyzers: []behaviors.Analyzer{s.sum},
			New: func(*behaviors.Config) behaviors.Behavior { return &reader{s: s, wait: true} },
		})
	s.Env = behaviortest.New(t, o)
	s.log = nil
	return s
}

// took returns the log since the last call.
func (s *sums) took() string {
	log := strings.Join(s.log, ", ")
	s.log = nil
	return log
}

// Rules: T-21.
func TestAnalyzerRunsOnceATickBeforeAnyBehaviorIsAsked(t *testing.T) {
	s := newSums(t, behaviortest.Options{})
	s.Step(1) // Base enters Outer and asks it; its push brings Reader, and with it the analyzer, into scope
	if got, want := s.took(), "1 enter 0 false, 1 analyze, 1 wants 1 true, 1 update 1 true"; got != want {
		t.Errorf("first tick: %s\nwant %s", got, want)
	}
	s.Step(1)
	if got, want := s.took(), "2 analyze, 2 wants 3 true, 2 update 3 true"; got != want {
		t.Errorf("second tick: %s\nwant %s", got, want)
	}
	s.NoRefusals()
}

// Rules: T-21, L-20.
func TestAnalyzerRunsOnlyWhileABehaviorThatReadsItIsInScope(t *testing.T) {
	s := newSums(t, behaviortest.Options{})
	s.Step(2)
	if !s.Engine.Look().Or(hardware.Look{}).Sees(hardware.SeeFaces) {
		t.Error("nobody looks for what the analyzer needs")
	}
	s.took()
	outer := s.Impl("Outer").(*lister)
	outer.wait, outer.end = true, true
	s.Step(1)
	s.took()
	s.Step(2)
	if got := s.took(); got != "" {
		t.Errorf("out of scope: %s", got)
	}
	if _, ok := s.sum.Of(s.Engine.View()); ok {
		t.Error("its result stayed in the view")
	}
	if !s.Engine.Look().Empty() {
		t.Error("its look stayed")
	}
	outer.wait = false
	s.Impl("Rest").(*behaviortest.Probe).End = true
	s.Until(behaviortest.Period*5, "the analyzer runs again", func() bool { return len(s.log) > 0 })
	if sum, _ := s.sum.Of(s.Engine.View()); sum != s.Tick() || s.begun != 2 {
		t.Errorf("in tick %d the sum is %d after %d beginnings; want a fresh sum of one tick", s.Tick(), sum, s.begun)
	}
}

// A panic costs the analyzer its incarnation and its result. The behaviors go on, and the next tick has a result.
// Rules: T-21.
func TestPanicInAnalyzerLosesItsResultForATick(t *testing.T) {
	for _, taped := range []bool{false, true} {
		s := newSums(t, behaviortest.Options{Taped: taped, Faults: true})
		s.fail[3] = true
		s.Step(2)
		s.took()
		s.Step(1)
		if !taped {
			if got, want := s.took(), "3 wants 0 false, 3 update 0 false"; got != want {
				t.Errorf("tick of the panic: %s\nwant %s", got, want)
			}
		}
		if n := len(s.Out.Events); !slices.ContainsFunc(s.Out.Events, func(e stack.Event) bool { return e.ID == "analyzer:Sum" }) {
			t.Errorf("none of %d events tells of the fault", n)
		}
		s.Step(2)
		if sum, ok := s.sum.Of(s.Engine.View()); !ok || sum != 9 {
			t.Errorf("taped %v: the sum is %d, %v; want 4+5", taped, sum, ok)
		}
	}
}

// Rules: T-21, goal/M8.
func TestReplayOfAnalyzersIsEqual(t *testing.T) {
	s := newSums(t, behaviortest.Options{Taped: true, Faults: true}) // Env compares each tick
	for i := range 40 {
		if i == 20 {
			s.fail[s.Tick()+1] = true
		}
		s.Step(1)
	}
}

func TestAnalyzerIsNeverRunByHand(t *testing.T) {
	s := newSums(t, behaviortest.Options{})
	s.Command(engine.Command{Kind: engine.RunBehavior, ID: "analyzer:Sum"})
	s.Step(1)
	if r := s.Out.Replies[0]; r.Err != "analyzer:Sum is an analyzer and never has control" {
		t.Errorf("the reply is %+v", r)
	}
}

func TestTwoAnalyzersOfOneNamePanic(t *testing.T) {
	one := func() *behaviors.Analysis[int] {
		return behaviors.NewAnalysis("Room", "", func() func(*condition.View) int { return func(*condition.View) int { return 0 } })
	}
	class := func(name string, a behaviors.Analyzer) behaviors.Class {
		return behaviors.Class{Name: name, Analyzers: []behaviors.Analyzer{a}, New: func(*behaviors.Config) behaviors.Behavior { return nil }}
	}
	same := one()
	if n := len(behaviors.NewRegistry(class("A", same), class("B", same)).Analyzers()); n != 1 {
		t.Errorf("%d analyzers, want 1", n)
	}
	defer func() {
		if r := fmt.Sprint(recover()); !strings.Contains(r, "two analyzers of the name Room") {
			t.Errorf("panic is %s", r)
		}
	}()
	behaviors.NewRegistry(class("A", one()), class("B", one()))
}
