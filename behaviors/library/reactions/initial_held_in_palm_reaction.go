package reactions

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/param"
)

// An InitialHeldInPalmReaction is the first reaction to a palm: its own anonymous behavior, the reaction to a jolt if there is one
// meanwhile, and nothing as soon as something more important wants control.
type InitialHeldInPalmReaction struct {
	params    palmParams
	reaction  string
	important *behaviors.Candidates
	jolted    bool
}

type palmParams struct {
	Important []string `key:"interruptingBehaviors" ref:"behavior" default:"" why:"a first reaction may be played whatever else there is" doc:"what ends the reaction by wanting control"`
}

// Names that are fixed.
const (
	namePalmReaction = "InitialHeldInPalmReactionInternal"
	idJoltInPalm     = "ReactToJoltInPalm"
)

// InitialHeldInPalmReactionClass is the class InitialHeldInPalmReaction.
func InitialHeldInPalmReactionClass() behaviors.Class {
	return behaviors.Class{
		Name: "InitialHeldInPalmReaction",
		Doc:  "Reacts when it comes into a palm.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			p := &InitialHeldInPalmReaction{reaction: cfg.Own(namePalmReaction)}
			param.ReadConfig(cfg, &p.params)
			cfg.MayDelegateTo(p.reaction, idJoltInPalm)
			cfg.Link(p.params.Important...)
			p.important = behaviors.NewCandidates(p.params.Important...)
			return p
		},
	}
}

// Modify lets it run in the hand.
func (*InitialHeldInPalmReaction) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenOffTreads = true
}

// WantsToBeActivated is true on a palm.
func (p *InitialHeldInPalmReaction) WantsToBeActivated(c *behaviors.Control) bool {
	if c.World().Body.InPalm {
		return true
	}
	c.Because("it does not lie on a palm")
	return false
}

// OnActivated begins the reaction.
func (p *InitialHeldInPalmReaction) OnActivated(c *behaviors.Control) {
	p.jolted = false
	c.SetState("reacting to the palm")
	if c.Wants(p.reaction) {
		c.DelegateTo(p.reaction, nil)
	}
}

// UpdateWhileActivated gives way to what is more important, and reacts to a jolt.
func (p *InitialHeldInPalmReaction) UpdateWhileActivated(c *behaviors.Control) {
	switch {
	case len(p.important.IDs) > 0 && c.FirstWanting(p.important) >= 0:
		c.SetState("gives way to " + p.important.IDs[first(p.important.Wants)])
		c.CancelSelf()
	case !p.jolted && c.Wants(idJoltInPalm):
		p.jolted = true
		c.SetState("jolted")
		c.CancelAndDelegateIfWanted(idJoltInPalm, nil)
	}
}

// first is the index of the first true.
func first(list []bool) int {
	for i, on := range list {
		if on {
			return i
		}
	}
	return 0
}
