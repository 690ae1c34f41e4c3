package barrier

import (
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/condition"
)

// An analyzer that hangs costs itself its incarnation after the budget of a hook, like a behavior, and nobody else anything. A replay, which
// does not run what hung, decides the same.
// Rules: T-21, Q-8.
func TestHangOfAnalyzerIsContained(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	stuck := behaviors.NewAnalysis("Stuck", "Hangs in the third tick.", func() func(v *condition.View) uint64 {
		return func(v *condition.View) uint64 {
			if v.Tick == 3 {
				<-release
			}
			return v.Tick
		}
	})
	missing := []uint64{}
	class := behaviors.Class{Name: "Reader", Analyzers: []behaviors.Analyzer{stuck}, New: func(*behaviors.Config) behaviors.Behavior {
		return &onUpdate{func(c *behaviors.Control) {
			if made, ok := stuck.Of(c.View()); !ok {
				missing = append(missing, c.Tick())
			} else if made != c.Tick() {
				t.Errorf("in tick %d the result is that of %d", c.Tick(), made)
			}
		}}
	}}
	b, stop := start(t, 20*time.Millisecond)
	defer stop()
	env := behaviortest.New(t, behaviortest.Options{
		Classes: behaviors.NewRegistry(class), Files: "-- Base.json --\n" + `{"behaviorClass": "Reader", "behaviorID": "Base"}` + "\n",
		Hooks: b, Rest: b.EndTick, Taped: true, Faults: true,
	})
	env.Step(8)
	if len(missing) != 2 || missing[0] != 3 || missing[1] != 3 { // live, and in the replay
		t.Errorf("without a result in the ticks %v, want 3 in both lives", missing)
	}
	if s := b.Stats(); s.Hangs != 1 {
		t.Errorf("%d hangs, want 1", s.Hangs)
	}
}

// onUpdate is a behavior that stays activated and runs a function in each Update.
type onUpdate struct{ f func(c *behaviors.Control) }

func (u *onUpdate) Update(c *behaviors.Control) { u.f(c) }

func (*onUpdate) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}
