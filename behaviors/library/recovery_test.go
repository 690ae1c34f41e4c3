package library_test

import (
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/dispatch"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/hardware"
)

// ResetState stops, waits, lowers the lift, forgets place and sightings, and ends. Then the boot behavior is the base again (L-42).
// Rules: L-42, data/2.3c.
func TestResetStateMakesSafeAndEnds(t *testing.T) {
	for name, c := range map[string]struct {
		lifted bool
		pause  time.Duration
	}{"on treads": {false, 500 * time.Millisecond}, "off treads": {true, 3 * time.Second}} {
		t.Run(name, func(t *testing.T) {
			classes := slices.Concat(dispatch.Classes(), library.Classes(), []behaviors.Class{behaviortest.ProbeClass()})
			e := behaviortest.New(t, behaviortest.Options{Classes: behaviors.NewRegistry(classes...), Seed: 3, Files: `
-- Base.json --
{"behaviorClass": "Wait", "behaviorID": "Base"}
-- Safe.json --
{"behaviorClass": "ResetState", "behaviorID": "Safe"}
`})
			e.Body.Held = c.lifted
			e.For(2 * time.Second)
			e.Command(engine.Command{Kind: engine.RunBehavior, ID: "Safe"})
			e.Step(1)
			begin := e.Now()
			if !slices.Contains(e.Out.Commands, hardware.Command(hardware.StopWheels{})) {
				t.Error("the wheels were not stopped")
			}
			e.Until(5*time.Second, "the lift", func() bool { return e.State("Safe") == "lower the lift" })
			if took := e.Now().Sub(begin); took < c.pause || took > c.pause+200*time.Millisecond {
				t.Errorf("it waited %v, want %v", took, c.pause)
			}
			origin := e.World().Body.Origin
			e.Until(5*time.Second, "the end", func() bool { return !e.Active("Safe") })
			e.Step(1)
			if e.World().Body.Origin == origin {
				t.Error("it still believes in its place")
			}
			if !e.Active("Base") {
				t.Error("the boot behavior is not the base again")
			}
			e.NoRefusals()
		})
	}
}
