package engine

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/hardware"
)

// FeatureFeedback is the feature that turns the feedback lights on (data/4.5e).
const FeatureFeedback = "ActiveIntentFeedback"

// feedbackTime is how long feedback lasts that goes off by itself.
const feedbackTime = 5 * time.Second

// feedback are the back lights that show that an intent is active. They belong to the behavior that turned them on first
// (B-26).
type feedback struct {
	core  *core
	owner *Cell
	until time.Time // zero = as long as the intent is active
}

// show turns the lights on for c, unless they are on for another behavior.
func (f *feedback) show(c *Cell, want behaviors.Feedback) {
	if !want.Show || f.owner != nil || !f.core.view.Features[FeatureFeedback] {
		return
	}
	f.owner, f.until = c, time.Time{}
	if want.AutoOff {
		f.until = f.core.view.Now.Add(feedbackTime)
	}
}

// feedbackColors is what the back lights show meanwhile.
var feedbackColors = [5]hardware.RGB{{G: 80, B: 160}, {G: 80, B: 160}, {G: 80, B: 160}, {G: 80, B: 160}, {G: 80, B: 160}}

// end turns the lights off if they are on for c.
func (f *feedback) end(c *Cell) {
	if c != nil && f.owner == c {
		f.owner, f.until = nil, time.Time{}
	}
}

// age turns the lights off when their time is over.
func (f *feedback) age() {
	if u := f.until; !u.IsZero() && !f.core.view.Now.Before(u) {
		f.end(f.owner)
	}
}
