package barrier

import (
	"testing"
	"time"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/hardware"
)

// A hook whose incarnation was lost in a nested hook is unwound, and requests of its deferred functions are refused, in the life
// and in its replay.
// Rules: Q-8.
func TestReplayUnwindsRecordedHook(t *testing.T) {
	cat := actorstest.Authors(t, []string{"R", "A"}, func(id string) *actorstest.Authored {
		if id == "R" {
			return &actorstest.Authored{Update: func(c *behaviors.Control) {
				if c.InControl() && c.Tick() == 2 && c.Wants("A") {
					c.DelegateTo("A", nil)
				}
			}}
		}
		return &actorstest.Authored{
			Start: func(c *behaviors.Control) {
				defer c.Suggest("late")
				c.CancelSelf()
			},
			End: func(*behaviors.Control) { panic("boom") },
		}
	})
	b, stop := start(t, patient)
	defer stop()
	rec := &tape.Tape{}
	eng, err := engine.New(engine.Options{Catalog: cat, Hooks: b, Recorder: tape.NewRecorder(rec.Add)})
	if err != nil {
		t.Fatal(err)
	}
	if err := eng.Start(actorstest.Epoch); err != nil {
		t.Fatal(err)
	}
	for tick := range 4 {
		now := actorstest.Epoch.Add(time.Duration(tick+1) * period)
		eng.Step(engine.Input{Tick: uint64(tick + 1), Now: now, World: hardware.Snapshot{Now: now}, Seed: 1})
		b.EndTick()
	}
	if n := b.Stats().Panics; n != 1 || len(eng.View().Suggestions) > 0 {
		t.Errorf("%d panics, suggestions %v", n, eng.View().Suggestions)
	}
	replayHang(t, cat, rec, eng)
}
