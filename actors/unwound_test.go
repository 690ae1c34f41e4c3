package actors

import (
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// A hook whose incarnation was lost in a nested hook is unwound, and what it defers asks in vain, in the life and in its replay.
// Rules: Q-8.
func TestReplayOfAnUnwoundHook(t *testing.T) {
	cat := catalogOf(t, []string{"R", "A"}, func(id string) *authored {
		if id == "R" {
			return &authored{update: func(c *behaviors.Control) {
				if c.InControl() && c.Tick() == 2 && c.Wants("A") {
					c.DelegateTo("A", nil)
				}
			}}
		}
		return &authored{
			start: func(c *behaviors.Control) {
				defer c.Suggest("late")
				c.CancelSelf()
			},
			end: func(*behaviors.Control) { panic("boom") },
		}
	})
	sys := actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger {
		return slog.New(slog.NewTextHandler(io.Discard, nil))
	}))
	j, err := newJoint(sys, testPatience, event.Tee(nil))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { j.close(); sys.Shutdown() }()
	tape := &engine.Tape{}
	eng, err := engine.New(engine.Options{Catalog: cat, Hooks: j, Recorder: engine.NewRecorder(tape.Add)})
	if err != nil {
		t.Fatal(err)
	}
	if err := eng.Start(epoch); err != nil {
		t.Fatal(err)
	}
	for tick := range 4 {
		now := epoch.Add(time.Duration(tick+1) * DefaultPeriod)
		eng.Step(engine.Input{Tick: uint64(tick + 1), Now: now, World: hardware.Snapshot{Now: now}, Seed: 1})
		j.rest()
	}
	if n := j.Stats().Panics; n != 1 || len(eng.View().Suggestions) > 0 {
		t.Errorf("%d panics, suggestions %v", n, eng.View().Suggestions)
	}
	replayHang(t, cat, tape, eng)
}
