package examples

import (
	"fmt"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/dispatch"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// An Activity is a task that spans several behaviors. It stays activated while they come and go, and keeps the state that must outlast
// them. This one counts them, and lights the back while it is activated. The list that it embeds chooses the behaviors. Its file says
// when it begins and ends:
//
//	"wantsToBeActivatedCondition": …   it may begin when this is met
//	"wantsToCancelSelfCondition": …    and goes on until this is met
//
// Below a dispatcher that does not interrupt, these keys make it sticky: it goes on although a more important activity could begin.
type Activity struct {
	*dispatch.StrictPriority
	params activityParams
	did    int    // behaviors begun in this activation
	last   string // the one that has control
}

type activityParams struct {
	Light color `key:"light" doc:"color of the back while it is activated"`
}

type color struct {
	R int `key:"r" range:"0..255" doc:"red"`
	G int `key:"g" range:"0..255" doc:"green"`
	B int `key:"b" range:"0..255" doc:"blue"`
}

// ActivityClass is the class Activity. Its keys are those of DispatcherStrictPriority, and the color of its light.
func ActivityClass() behaviors.Class {
	return behaviors.Class{
		Name: "Activity",
		Doc:  "A task that spans the behaviors of its list.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			a := &Activity{StrictPriority: dispatch.NewStrictPriority(cfg)}
			param.ReadConfig(cfg, &a.params)
			return a
		},
	}
}

func (c color) rgb() hardware.RGB { return hardware.RGB{R: uint8(c.R), G: uint8(c.G), B: uint8(c.B)} }

// OnActivated turns the lights on. They stay on while the activity lasts, because animations leave custom lights alone. The base layer
// turns them off at the end.
func (a *Activity) OnActivated(c *behaviors.Control) {
	a.did, a.last = 0, ""
	var all behaviors.LightPattern
	for i := range all.On {
		all.On[i] = a.params.Light.rgb()
	}
	c.Lights().Show(hardware.LightsBackpack, all)
	a.StrictPriority.OnActivated(c)
}

// UpdateWhileActivated lets the list choose, and records what it chose.
func (a *Activity) UpdateWhileActivated(c *behaviors.Control) {
	if c.Delegate() == "" {
		a.last = "" // it ended; the same one may begin again
	}
	a.StrictPriority.UpdateWhileActivated(c)
	if !c.Activated() {
		return
	}
	if now := c.Delegate(); now != a.last {
		if a.last = now; now != "" {
			a.did++
			c.SetState(fmt.Sprintf("%d: %s", a.did, now))
		}
	}
}
