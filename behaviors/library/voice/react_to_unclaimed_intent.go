package voice

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
)

// clipCannot is the animation of something that the robot cannot do.
const clipCannot = "sad_no_face"

// A ReactToUnclaimedIntent shows that the robot cannot do what was asked, once for each time that an intent was lost because no behavior
// took it. Losses while it is out of scope or has control count as one, and wait for it.
type ReactToUnclaimedIntent struct {
	seen uint64 // losses that it has reacted to
}

// ReactToUnclaimedIntentClass is the class ReactToUnclaimedIntent.
func ReactToUnclaimedIntentClass() behaviors.Class {
	return behaviors.Class{
		Name: "ReactToUnclaimedIntent",
		Doc:  "Shows that it cannot do what was asked.",
		New:  func(*behaviors.Config) behaviors.Behavior { return &ReactToUnclaimedIntent{} },
	}
}

// Modify lets it run in the hand and with something in it.
func (*ReactToUnclaimedIntent) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOffTreads = true, true
}

// WantsToBeActivated is true after a loss.
func (r *ReactToUnclaimedIntent) WantsToBeActivated(c *behaviors.Control) bool {
	if c.View().Intent.Unclaimed > r.seen {
		return true
	}
	c.Because("every intent was taken")
	return false
}

// OnActivated shows it.
func (r *ReactToUnclaimedIntent) OnActivated(c *behaviors.Control) {
	r.seen = c.View().Intent.Unclaimed
	c.SetState("cannot do that")
	c.Act(gesture.Play(clipCannot), nil)
}
