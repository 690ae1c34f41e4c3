package reactions

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// A ReactToPickup is surprised to be lifted, looks around in the hand, wriggles now and then, and ends when the robot
// stands on its treads again.
type ReactToPickup struct {
	params pickupParams
	looks  int // since the last wriggle
	down   bool
}

type pickupParams struct {
	Clip        string      `key:"pickupClip" ref:"clip" doc:"played when it is lifted"`
	WriggleClip string      `key:"wriggleClip" ref:"clip" doc:"played now and then while it is held"`
	DownClip    string      `key:"putDownClip" ref:"clip" doc:"played when it stands again"`
	Head        param.Span  `key:"headMin_deg,headMax_deg" range:"headMin..headMax" doc:"angles between which it looks around"`
	Pause       param.Times `key:"lookPauseMin_s,lookPauseMax_s" doc:"how long it looks in one direction"`
	Looks       int         `key:"looksBeforeWriggle" range:"1..100" doc:"looks around between two wriggles"`
}

// ReactToPickupClass is the class ReactToPickup.
func ReactToPickupClass() behaviors.Class {
	return behaviors.Class{
		Name: "ReactToPickup",
		Doc:  "Looks around and wriggles while it is held, until it is put down.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			p := &ReactToPickup{}
			param.ReadConfig(cfg, &p.params)
			return p
		},
	}
}

// Modify lets it start off treads, and on the charger, from which people pick robots up.
func (*ReactToPickup) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOffTreads, m.WhenOnCharger = true, true, true
}

// WantsToBeActivated is true off treads.
func (*ReactToPickup) WantsToBeActivated(c *behaviors.Control) bool {
	if c.World().Body.Treads != hardware.OnTreads {
		return true
	}
	c.Because("it stands on its treads")
	return false
}

// OnActivated is surprised.
func (p *ReactToPickup) OnActivated(c *behaviors.Control) {
	p.looks, p.down = 0, false
	c.SetState("picked up")
	c.Act(gesture.PlayStill(p.params.Clip), p.look)
}

// UpdateWhileActivated notes that the robot was put down.
func (p *ReactToPickup) UpdateWhileActivated(c *behaviors.Control) {
	switch on := c.World().Body.Treads == hardware.OnTreads; {
	case on && !p.down:
		p.down = true
		c.SetState("put down")
		c.CancelAndAct(gesture.PlayStill(p.params.DownClip), nil)
	case !on && p.down: // lifted again at once
		p.down = false
		c.CancelDelegates()
		p.look(c, behaviors.Outcome{})
	}
}

// look moves the head somewhere, and wriggles after some looks.
func (p *ReactToPickup) look(c *behaviors.Control, _ behaviors.Outcome) {
	if p.looks >= p.params.Looks {
		p.looks = 0
		c.SetState("wriggling")
		c.Act(gesture.PlayStill(p.params.WriggleClip), p.look)
		return
	}
	p.looks++
	c.SetState("looking around: " + c.World().Body.Treads.String())
	c.Act(gesture.InTurn("LookAround", gesture.Head(p.params.Head.Draw(c)), gesture.Wait(p.params.Pause.Draw(c))), p.look)
}
