package simple

import (
	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
)

// An AnimSequence plays animations one after the other, the whole list as often as asked.
type AnimSequence struct {
	params animParams
	passes int // finished in this activation
}

type animParams struct {
	clips []string // animNames
	loops int      // num_loops; 0 = forever
	say   string   // said after the last pass
}

const maxLoops = 1000

// AnimSequenceClass is the class AnimSequence.
func AnimSequenceClass() behaviors.Class {
	return behaviors.Class{
		Name: "AnimSequence",
		Doc:  "Plays animations one after the other.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			a := &AnimSequence{params: animParams{
				clips: cfg.Refs("animNames", behaviors.RefClip),
				loops: cfg.IntRangeOr("num_loops", 1, 0, maxLoops),
				say:   cfg.StringOr("say", ""),
			}}
			if len(a.params.clips) == 0 {
				cfg.KeyErrorf("animNames", "key-range", "names no animation")
			}
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
	if len(a.params.clips) > 0 {
		return true
	}
	c.Because("its list of clips is empty")
	return false
}

// AlwaysWants implements behaviors.AlwaysWanter.
func (a *AnimSequence) AlwaysWants() bool { return len(a.params.clips) > 0 }

// OnActivated starts the first pass.
func (a *AnimSequence) OnActivated(c *behaviors.Control) {
	a.passes = 0
	a.play(c)
}

func (a *AnimSequence) play(c *behaviors.Control) {
	c.SetState("playing")
	parts := make([]actions.Action, len(a.params.clips))
	for i, clip := range a.params.clips {
		parts[i] = gesture.Play(clip)
	}
	c.Act(gesture.InTurn("AnimSequence", parts...), a.played)
}

// played starts the next pass, or says the closing words after the last one.
func (a *AnimSequence) played(c *behaviors.Control, _ behaviors.Outcome) {
	a.passes++
	switch {
	case a.params.loops == 0 || a.passes < a.params.loops:
		a.play(c)
	case a.params.say != "":
		c.SetState("saying")
		c.Act(gesture.Say(a.params.say), nil)
	}
}
