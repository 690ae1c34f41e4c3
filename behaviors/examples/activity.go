package examples

import (
	"fmt"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/dispatch"
)

// An Activity is a task that spans several behaviors: it stays activated while they come and go, and keeps what must last longer
// than each of them. This one counts them, and keeps the lights on the back for itself. How it chooses is the business of the
// list that it embeds; when it begins and ends is said in its file:
//
//	"wantsToBeActivatedCondition": …   it may begin when this is met
//	"wantsToCancelSelfCondition": …    and goes on until this is met
//
// Below a dispatcher that does not interrupt, that makes it sticky: it goes on although a more important one could begin.
type Activity struct {
	*dispatch.StrictPriority
	did  int    // behaviors begun in this activation
	last string // the one that has control
}

// lockLights is the key under which an Activity keeps animations off the lights.
const lockLights = "activity"

// ActivityClass is the class Activity. Its keys are those of DispatcherStrictPriority.
func ActivityClass() behaviors.Class {
	return behaviors.Class{
		Name: "Activity",
		Doc:  "A task that spans the behaviors of its list.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			return &Activity{StrictPriority: dispatch.NewStrictPriority(cfg)}
		},
	}
}

// OnActivated takes what lasts as long as the activity. A Smart function needs nobody to give it back.
func (a *Activity) OnActivated(c *behaviors.Control) {
	a.did, a.last = 0, ""
	c.SmartLockTracks(lockLights, actions.Backpack)
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
