// Package observing holds behaviors that look around: on the charger, on the spot, and on the move.
package observing

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/library/param"
	"github.com/robotd/robotd/hardware"
)

// An ObservingOnCharger looks up and down with random delays. It moves only the head, so it may run on the charger and off it. It
// goes on until another behavior takes over.
type ObservingOnCharger struct{ params observingParams }

type observingParams struct {
	upRad, downRad float64
	up, down       param.Times // how long it looks in that direction
}

// ObservingOnChargerClass is the class ObservingOnCharger.
func ObservingOnChargerClass() behaviors.Class {
	return behaviors.Class{
		Name: "ObservingOnCharger",
		Doc:  "Looks up and down with random delays, moving only the head.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			return &ObservingOnCharger{observingParams{
				upRad:   param.Head(cfg.Object, "lookUp_deg", 30),
				downRad: param.Head(cfg.Object, "lookDown_deg", -5),
				up:      param.Seconds(cfg.Object, "lookUpMin_s", "lookUpMax_s", param.Times{Min: 3 * time.Second, Max: 8 * time.Second}),
				down:    param.Seconds(cfg.Object, "lookDownMin_s", "lookDownMax_s", param.Times{Min: 2 * time.Second, Max: 5 * time.Second}),
			}}
		},
	}
}

// Modify allows it on the charger, and on treads only.
func (*ObservingOnCharger) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenOffTreads, m.WhenOnCharger = false, true
	m.LookActive = hardware.LookFor(hardware.SeeFaces, hardware.Low)
}

// OnActivated looks up first: people are taller.
func (o *ObservingOnCharger) OnActivated(c *behaviors.Control) { o.lookUp(c, behaviors.Outcome{}) }

func (o *ObservingOnCharger) lookUp(c *behaviors.Control, _ behaviors.Outcome) {
	c.SetState("looking up")
	c.Act(gesture.InTurn("LookUp", gesture.Head(o.params.upRad), gesture.Wait(o.params.up.Draw(c))), o.lookDown)
}

func (o *ObservingOnCharger) lookDown(c *behaviors.Control, _ behaviors.Outcome) {
	c.SetState("looking down")
	c.Act(gesture.InTurn("LookDown", gesture.Head(o.params.downRad), gesture.Wait(o.params.down.Draw(c))), o.lookUp)
}
