// Package observing holds behaviors that look around: on the charger, on the spot, and on the move.
package observing

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// An ObservingOnCharger looks up and down with random delays. It moves only the head, so it may run on the charger and off it. It
// goes on until another behavior takes over.
type ObservingOnCharger struct{ params observingParams }

type observingParams struct {
	UpAngle   param.Angle `key:"lookUp_deg" range:"headMin..headMax" doc:"angle of the head when it looks up"`
	DownAngle param.Angle `key:"lookDown_deg" range:"headMin..headMax" doc:"angle of the head when it looks down"`
	Up        param.Times `key:"lookUpMin_s,lookUpMax_s" doc:"how long it looks up"`
	Down      param.Times `key:"lookDownMin_s,lookDownMax_s" doc:"how long it looks down"`
}

// ObservingOnChargerClass is the class ObservingOnCharger.
func ObservingOnChargerClass() behaviors.Class {
	return behaviors.Class{
		Name: "ObservingOnCharger",
		Doc:  "Looks up and down with random delays, moving only the head.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			o := &ObservingOnCharger{}
			param.ReadConfig(cfg, &o.params)
			return o
		},
	}
}

// Modify allows it on the charger, and on treads only.
func (*ObservingOnCharger) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenOffTreads, m.WhenOnCharger, m.WhenCarryingObject = false, true, true
	m.LookActive = hardware.LookFor(hardware.SeeFaces, hardware.Low)
}

// OnActivated looks up first: people are taller.
func (o *ObservingOnCharger) OnActivated(c *behaviors.Control) { o.lookUp(c, behaviors.Outcome{}) }

func (o *ObservingOnCharger) lookUp(c *behaviors.Control, _ behaviors.Outcome) {
	c.SetState("looking up")
	c.Act(gesture.InTurn("LookUp", gesture.Head(o.params.UpAngle.Rad()), gesture.Wait(o.params.Up.Draw(c))), o.lookDown)
}

func (o *ObservingOnCharger) lookDown(c *behaviors.Control, _ behaviors.Outcome) {
	c.SetState("looking down")
	c.Act(gesture.InTurn("LookDown", gesture.Head(o.params.DownAngle.Rad()), gesture.Wait(o.params.Down.Draw(c))), o.lookUp)
}
