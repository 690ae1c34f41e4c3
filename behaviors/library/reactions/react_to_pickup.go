package reactions

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/library/param"
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
	clip        string
	wriggleClip string
	downClip    string
	head        param.Span
	pause       param.Times
	looks       int // before each wriggle
}

// ReactToPickupClass is the class ReactToPickup.
func ReactToPickupClass() behaviors.Class {
	return behaviors.Class{
		Name: "ReactToPickup",
		Doc:  "Looks around and wriggles while it is held, until it is put down.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			o := cfg.Object
			return &ReactToPickup{params: pickupParams{
				clip:        param.Clip(o, "pickupClip", "picked_up"),
				wriggleClip: param.Clip(o, "wriggleClip", "shaken_dizzy"),
				downClip:    param.Clip(o, "putDownClip", "look_curious"),
				head:        param.Angles(o, "headMin_deg", "headMax_deg", param.Span{Min: -15, Max: 35}, param.HeadMinDeg, param.HeadMaxDeg),
				pause:       param.Seconds(o, "lookPauseMin_s", "lookPauseMax_s", param.Times{Min: time.Second, Max: 3 * time.Second}),
				looks:       o.IntRangeOr("looksBeforeWriggle", 4, 1, 100),
			}}
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
	c.Act(gesture.PlayStill(p.params.clip), p.look)
}

// Update notes that the robot was put down.
func (p *ReactToPickup) Update(c *behaviors.Control) {
	switch on := c.World().Body.Treads == hardware.OnTreads; {
	case !c.Activated():
	case on && !p.down:
		p.down = true
		c.SetState("put down")
		c.CancelAndAct(gesture.PlayStill(p.params.downClip), nil)
	case !on && p.down: // lifted again at once
		p.down = false
		c.CancelDelegates()
		p.look(c, behaviors.Outcome{})
	}
}

// look moves the head somewhere, and wriggles after some looks.
func (p *ReactToPickup) look(c *behaviors.Control, _ behaviors.Outcome) {
	if p.looks >= p.params.looks {
		p.looks = 0
		c.SetState("wriggling")
		c.Act(gesture.PlayStill(p.params.wriggleClip), p.look)
		return
	}
	p.looks++
	c.SetState("looking around: " + c.World().Body.Treads.String())
	c.Act(gesture.InTurn("LookAround", gesture.Head(p.params.head.Draw(c)), gesture.Wait(p.params.pause.Draw(c))), p.look)
}
