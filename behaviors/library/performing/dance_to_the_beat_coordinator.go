package performing

import (
	"slices"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// Named timers and delegates of a DanceToTheBeatCoordinator.
const (
	timerDancing   = "DancingCooldown"
	timerListening = "ListenForBeatsCooldown"

	idDriveOff = "DriveOffChargerStraight"
	idGoHome   = "FindAndGoToHome"
	idExplore  = "Exploring"
)

// After a dance the robot does not listen for a while, and after music that had no beat for a shorter one.
const (
	restAfterDance  = 10 * time.Minute
	restAfterListen = time.Minute
)

// A DanceToTheBeatCoordinator listens when there may be music, and dances to it when there is: on the charger where it stands, or, with
// charge enough to leave it, beside it.
type DanceToTheBeatCoordinator struct {
	params danceParams
	asked  bool // it wants control only when somebody asks for a dance
}

type danceParams struct {
	Listen     string `key:"listeningBehavior" delegate:"true" doc:"listens when there may be music"`
	ListenLong string `key:"longListeningBehavior" delegate:"true" doc:"listens when somebody asked for a dance"`
	OffCharger string `key:"offChargerDancingBehavior" delegate:"true" doc:"dances off the charger"`
	OnCharger  string `key:"onChargerDancingBehavior" delegate:"true" doc:"dances on the charger"`
}

// DanceToTheBeatCoordinatorClass is the class DanceToTheBeatCoordinator.
func DanceToTheBeatCoordinatorClass() behaviors.Class {
	return behaviors.Class{
		Name: "DanceToTheBeatCoordinator",
		Doc:  "Listens for music, then dances.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			d := &DanceToTheBeatCoordinator{}
			d.asked = slices.Contains(cfg.Keys(), "respondToUserIntents")
			param.ReadConfig(cfg, &d.params)
			cfg.MayDelegateTo(idDriveOff, idGoHome, idExplore)
			return d
		},
	}
}

// WantsToBeActivated is true if there may be music and it has rested, or if somebody asked.
func (d *DanceToTheBeatCoordinator) WantsToBeActivated(c *behaviors.Control) bool {
	if d.asked { // and somebody does: that gate comes first
		return true
	}
	v := c.View()
	dance, listen := v.Timers[timerDancing], v.Timers[timerListening]
	switch {
	case c.World().Around.Beat == hardware.NoBeat:
		c.Because("it hears no music")
	case !dance.IsZero() && c.Now().Sub(dance) <= restAfterDance:
		c.Because("it danced %v ago, and dances again in %v", dance, dance.Add(restAfterDance))
	case !listen.IsZero() && c.Now().Sub(listen) <= restAfterListen:
		c.Because("it listened %v ago in vain, and listens again in %v", listen, listen.Add(restAfterListen))
	default:
		return true
	}
	return false
}

// OnActivated listens.
func (d *DanceToTheBeatCoordinator) OnActivated(c *behaviors.Control) {
	listener := d.params.Listen
	if d.asked {
		listener = d.params.ListenLong
	}
	c.SetState("listening")
	d.delegate(c, listener, d.listened)
}

// listened dances if there is a beat.
func (d *DanceToTheBeatCoordinator) listened(c *behaviors.Control, _ behaviors.Outcome) {
	b := &c.World().Body
	switch {
	case c.World().Around.Beat != hardware.SteadyBeat:
		c.SetState("no beat")
		c.ResetTimer(timerListening)
	case !b.OnContacts:
		d.danceHere(c, d.params.OffCharger, nil)
	case b.Battery != hardware.BatteryLow && c.Wants(idDriveOff):
		c.SetState("leaving the charger")
		c.DelegateTo(idDriveOff, d.left)
	default:
		d.danceHere(c, d.params.OnCharger, nil)
	}
}

// left dances where it stands now.
func (d *DanceToTheBeatCoordinator) left(c *behaviors.Control, _ behaviors.Outcome) {
	if c.World().Body.OnContacts {
		d.danceHere(c, d.params.OnCharger, nil)
		return
	}
	d.danceHere(c, d.params.OffCharger, d.danced)
}

func (d *DanceToTheBeatCoordinator) danceHere(c *behaviors.Control, dancer string, then behaviors.Callback) {
	c.SetState("dancing")
	c.ResetTimer(timerDancing)
	d.delegate(c, dancer, then)
}

// danced goes back to the charger, or on a walk if the way home is not wanted.
func (d *DanceToTheBeatCoordinator) danced(c *behaviors.Control, _ behaviors.Outcome) {
	c.SetState("going home")
	if !d.delegate(c, idGoHome, nil) {
		c.SetState("exploring")
		d.delegate(c, idExplore, nil)
	}
}

// delegate gives control to a behavior that wants it.
func (d *DanceToTheBeatCoordinator) delegate(c *behaviors.Control, id string, then behaviors.Callback) bool {
	return c.Wants(id) && c.DelegateTo(id, then)
}
