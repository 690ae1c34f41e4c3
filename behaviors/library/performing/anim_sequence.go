// Package performing holds the behaviors that play animations: in sequence, in loops, to a person or an object, while they speak or count.
package performing

import (
	"slices"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/express"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/resources"
)

// An AnimSequence plays animations one after the other, the whole list as often as asked.
type AnimSequence struct {
	params sequenceParams
	passes int                           // finished in this activation
	after  func(c *behaviors.Control)    // what follows the last pass; nil: nothing
	before func(*behaviors.Control) bool // what comes before the first pass, if it returns true; nil: nothing
}

type sequenceParams struct {
	Triggers []string `key:"animTriggers" ref:"trigger" default:"" why:"animNames may name clips instead" doc:"animation triggers, played in this order"`
	Clips    []string `key:"animNames" ref:"clip" default:"" why:"animTriggers may name triggers instead" doc:"clips, played in this order"`
	Loops    int      `key:"num_loops" range:"0..1000" default:"1" why:"most animations are played once" doc:"how often all of them are played; 0: until interrupted"`
	Skip     []string `key:"tracksToLock" words:"@tracks" default:"" why:"an animation plays whole" doc:"tracks that the animations leave alone"`
	EyeHue   bool     `key:"renderInEyeHue" default:"true" why:"the display has one color" doc:"for displays of many colors; without effect on this one"`
	Say      string   `key:"say" default:"" why:"most sequences end in silence" doc:"said after the last pass"`

	skip actions.Tracks
}

// Check wants one of the two lists.
func (p *sequenceParams) Check(o *resources.Object, _ *behaviors.Config) {
	p.skip = behaviors.TracksOf(p.Skip)
	const triggers, clips = "animTriggers", "animNames"
	hasTriggers, hasClips := o.Has(triggers), o.Has(clips)
	switch {
	case len(p.Triggers) > 0 && len(p.Clips) > 0:
		o.KeyErrorf(clips, "key-conflict", "stands beside %s: want one of them", triggers)
	case hasTriggers && isEmpty(o, triggers):
		o.KeyErrorf(triggers, resources.CodeKeyRange, "names no animation")
	case hasClips && isEmpty(o, clips):
		o.KeyErrorf(clips, resources.CodeKeyRange, "names no animation")
	case !hasTriggers && !hasClips && slices.ContainsFunc(o.Keys(), func(key string) bool { return resources.DidYouMean(key, []string{clips}) != "" }):
		o.Required(clips)
	case !hasTriggers && !hasClips:
		o.Required(triggers)
	}
}

// isEmpty reports whether a list is there and has no element. One whose elements are wrong was reported already.
func isEmpty(o *resources.Object, key string) bool {
	v, _ := o.Optional(key)
	list, ok := v.Array()
	return ok && len(list) == 0
}

// AnimSequenceClass is the class AnimSequence.
func AnimSequenceClass() behaviors.Class {
	return behaviors.Class{
		Name: "AnimSequence",
		Doc:  "Plays animations one after the other.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			a := &AnimSequence{}
			param.ReadConfig(cfg, &a.params)
			return a
		},
	}
}

// Modify lets it play anywhere.
func (*AnimSequence) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOffTreads, m.WhenOnCharger = true, true, true
}

// WantsToBeActivated is true if the list is not empty.
func (a *AnimSequence) WantsToBeActivated(c *behaviors.Control) bool {
	if a.length() > 0 {
		return true
	}
	c.Because("its list of animations is empty")
	return false
}

// AlwaysWants implements behaviors.AlwaysWanter: true for the plain class, which asks for nothing but its list.
func (a *AnimSequence) AlwaysWants() bool { return a.before == nil && a.length() > 0 }

func (a *AnimSequence) length() int { return len(a.params.Triggers) + len(a.params.Clips) }

// OnActivated starts the first pass.
func (a *AnimSequence) OnActivated(c *behaviors.Control) {
	a.passes = 0
	if a.before == nil || !a.before(c) {
		a.play(c)
	}
}

// play plays one pass; of a single animation all passes at once.
func (a *AnimSequence) play(c *behaviors.Control) {
	c.SetState("playing")
	p := express.AnimParams{TracksToLock: a.params.skip, LiftSafe: true}
	if a.length() == 1 {
		p.Loops, a.passes = a.params.Loops, max(0, a.params.Loops-1)
		if p.Loops == 0 {
			p.Loops = express.Forever
		}
	}
	parts := make([]actions.Action, 0, a.length())
	for _, trigger := range a.params.Triggers {
		parts = append(parts, gesture.TriggerWith(c, trigger, p))
	}
	for _, clip := range a.params.Clips {
		p.Clip = clip
		parts = append(parts, express.NewPlayAnimation(p))
	}
	c.Act(gesture.InTurn("AnimSequence", parts...), a.played)
}

// played starts the next pass, or does what follows the last one.
func (a *AnimSequence) played(c *behaviors.Control, _ behaviors.Outcome) {
	a.passes++
	switch {
	case a.params.Loops == 0 || a.passes < a.params.Loops:
		a.play(c)
	case a.params.Say != "":
		c.SetState("saying")
		c.Act(gesture.Say(a.params.Say), a.said)
	default:
		a.said(c, behaviors.Outcome{})
	}
}

func (a *AnimSequence) said(c *behaviors.Control, _ behaviors.Outcome) {
	if a.after != nil {
		a.after(c)
	}
}
