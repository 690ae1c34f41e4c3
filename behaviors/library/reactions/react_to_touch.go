package reactions

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
)

// A ReactToTouch purrs while its back is stroked. It goes on for a moment after each stroke, because another may follow.
type ReactToTouch struct {
	params   touchParams
	touched  time.Time // when it last felt the hand
	blissful bool      // the hand is gone; it plays the last animation
}

type touchParams struct {
	MinTouch time.Duration `key:"minTouchTime_s" doc:"a shorter touch is no stroke"`
	Linger   time.Duration `key:"linger_s" doc:"how long it goes on after the last touch"`
	Clip     string        `key:"purrClip" ref:"clip" doc:"played while it is stroked"`
	EndClip  string        `key:"endClip" ref:"clip" doc:"played at the end"`
}

// ReactToTouchClass is the class ReactToTouch.
func ReactToTouchClass() behaviors.Class {
	return behaviors.Class{
		Name: "ReactToTouch",
		Doc:  "Purrs while it is stroked.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			t := &ReactToTouch{}
			param.ReadConfig(cfg, &t.params)
			return t
		},
	}
}

// Modify lets it purr on the charger too, but not while the robot is held, because a hand always touches it then.
func (*ReactToTouch) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOffTreads, m.WhenOnCharger = true, false, true
}

// WantsToBeActivated is true after a touch of some time.
func (t *ReactToTouch) WantsToBeActivated(c *behaviors.Control) bool {
	switch b := &c.World().Body; {
	case !c.World().Touch.OK():
		c.Because("the touch sensor does not work")
	case !b.Touched:
		c.Because("nobody touches its back")
	case c.Now().Sub(b.TouchedSince) <= t.params.MinTouch:
		c.Because("a hand lies on its back for %v, not long enough", b.TouchedSince)
	default:
		return true
	}
	return false
}

// OnActivated purrs until Update ends it.
func (t *ReactToTouch) OnActivated(c *behaviors.Control) {
	t.touched = c.Now()
	t.purr(c)
}

func (t *ReactToTouch) purr(c *behaviors.Control) {
	t.blissful = false
	c.SetState("purring")
	c.CancelAndAct(gesture.Loop(t.params.Clip), nil)
}

// UpdateWhileActivated watches the hand.
func (t *ReactToTouch) UpdateWhileActivated(c *behaviors.Control) {
	felt := c.World().Touch.OK() && c.World().Body.Touched
	switch {
	case felt && t.blissful:
		t.touched = c.Now()
		t.purr(c)
	case felt:
		t.touched = c.Now()
	case !t.blissful && c.Now().Sub(t.touched) >= t.params.Linger:
		t.blissful = true
		c.SetState("blissful")
		c.CancelAndAct(gesture.PlayStill(t.params.EndClip), nil)
	}
}
