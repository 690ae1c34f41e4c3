package examples

import (
	"fmt"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/dispatch"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// An Activity is a task that spans several behaviors: it stays activated while they come and go, and keeps what must last longer
// than each of them. This one counts them, and owns the lights on the back: they say what it is at. How it chooses is the business of the
// list that it embeds; when it begins and ends is said in its file:
//
//	"wantsToBeActivatedCondition": …   it may begin when this is met
//	"wantsToCancelSelfCondition": …    and goes on until this is met
//
// Below a dispatcher that does not interrupt, that makes it sticky: it goes on although a more important one could begin.
type Activity struct {
	*dispatch.StrictPriority
	params activityParams
	did    int    // behaviors begun in this activation
	last   string // the one that has control
}

type activityParams struct{ light hardware.RGB }

// ActivityClass is the class Activity. Its keys are those of DispatcherStrictPriority, and the color of its light.
func ActivityClass() behaviors.Class {
	return behaviors.Class{
		Name: "Activity",
		Doc:  "A task that spans the behaviors of its list.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			return &Activity{
				StrictPriority: dispatch.NewStrictPriority(cfg),
				params:         activityParams{light: readColor(cfg.Object, "light")},
			}
		},
	}
}

// readColor reads a color, each part from 0 to 255.
func readColor(o *resources.Object, key string) hardware.RGB {
	c := o.Object(key)
	if c == nil {
		return hardware.RGB{}
	}
	defer c.Finish()
	part := func(key string) uint8 { return uint8(c.IntRange(key, 0, 255)) }
	return hardware.RGB{R: part("r"), G: part("g"), B: part("b")}
}

// OnActivated lights the lights for as long as the activity lasts, whatever its behaviors do: their animations leave the lights
// alone. The engine undoes a Smart function at the deactivation.
func (a *Activity) OnActivated(c *behaviors.Control) {
	a.did, a.last = 0, ""
	var all behaviors.LightPattern
	for i := range all.On {
		all.On[i] = a.params.light
	}
	c.Lights().Show(hardware.LightsBackpack, all)
	a.StrictPriority.OnActivated(c)
}

// Update lets the list choose, and notes what it chose.
func (a *Activity) Update(c *behaviors.Control) {
	if c.Delegate() == "" {
		a.last = "" // it ended; the same one may begin again
	}
	a.StrictPriority.Update(c)
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
