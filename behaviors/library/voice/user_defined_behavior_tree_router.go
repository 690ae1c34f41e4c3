package voice

import (
	"slices"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
)

// featureReactions is the feature without which nobody's reactions run.
const featureReactions = "UserDefinedBehaviorTree"

// idSelector lets people choose a reaction.
const idSelector = "UserDefinedBehaviorSelector"

// Asked is the data of a question to a UserDefinedBehaviorSelector: the type of the condition whose reaction a person shall choose.
type Asked struct{ Condition string }

// A UserDefinedBehaviorTreeRouter runs the reaction that people chose for a condition, while that is met. Once the edit mode is triggered, the
// next condition that is met leads to the behavior that lets people choose. Without a choice, and outside the edit mode, nothing happens.
type UserDefinedBehaviorTreeRouter struct {
	reactions []routed // in the order in which they are looked at
	edit      condition.Condition
	editing   bool
	to        string // whom the newest question decided for
	by        string // the type of the condition that was met
}

// A routed is a reaction with its condition.
type routed struct {
	*behaviors.Reaction
	met condition.Condition
}

// UserDefinedBehaviorTreeRouterClass is the class UserDefinedBehaviorTreeRouter.
func UserDefinedBehaviorTreeRouterClass() behaviors.Class {
	return behaviors.Class{
		Name:   "UserDefinedBehaviorTreeRouter",
		Doc:    "Runs the reaction that a person chose.",
		New:    func(cfg *behaviors.Config) behaviors.Behavior { return newRouter(cfg, nil) },
		Reacts: newRouter,
	}
}

func newRouter(cfg *behaviors.Config, m *behaviors.ReactionMap) behaviors.Behavior {
	r := &UserDefinedBehaviorTreeRouter{edit: m.EditCondition(cfg)}
	offered := append(m.Options(), idSelector)
	cfg.Link(offered...)
	cfg.MayDelegateTo(offered...)
	for _, conditionType := range m.Conditions() {
		reaction := m.Find(conditionType)
		if met := m.ConditionOf(cfg, reaction); met != nil {
			r.reactions = append(r.reactions, routed{reaction, met})
		}
	}
	return r
}

// OnEnteredScope watches the conditions.
func (r *UserDefinedBehaviorTreeRouter) OnEnteredScope(c *behaviors.Control) { r.watch(c, true) }

// OnLeftScope watches them no more, and ends the edit mode.
func (r *UserDefinedBehaviorTreeRouter) OnLeftScope(c *behaviors.Control) {
	r.watch(c, false)
	r.editing = false
}

func (r *UserDefinedBehaviorTreeRouter) watch(c *behaviors.Control, on bool) {
	for i := range r.reactions {
		c.Vision().SetConditionActive(r.reactions[i].Condition, r.reactions[i].met, on)
	}
	if r.edit != nil {
		c.Vision().SetConditionActive("edit mode", r.edit, on)
	}
}

// Update begins the edit mode.
func (r *UserDefinedBehaviorTreeRouter) Update(c *behaviors.Control) {
	if r.edit != nil && !r.editing && r.edit.Met(c.View()) {
		r.editing = true
	}
}

// WantsToBeActivated is true if a condition is met that has a reaction, or one that is to get one.
func (r *UserDefinedBehaviorTreeRouter) WantsToBeActivated(c *behaviors.Control) bool {
	if !c.View().Features[featureReactions] {
		c.Because("the feature %v is off", featureReactions)
		return false
	}
	r.to = ""
	for i := range r.reactions {
		if reaction := &r.reactions[i]; reaction.met.Met(c.View()) && r.decide(c, reaction) {
			return true
		}
	}
	c.Because("no condition is met that has a willing reaction")
	return false
}

// decide finds who answers a condition that is met.
func (r *UserDefinedBehaviorTreeRouter) decide(c *behaviors.Control, reaction *routed) bool {
	to := c.View().Reactions[reaction.Condition]
	switch {
	case r.editing:
		to = idSelector
	case !slices.Contains(reaction.Options, to): // none, or one of other files
		return false
	}
	if !r.wants(c, to, reaction.Condition) {
		return false
	}
	r.to, r.by = to, reaction.Condition
	return true
}

func (r *UserDefinedBehaviorTreeRouter) wants(c *behaviors.Control, to, conditionType string) bool {
	if to == idSelector && c.TakesData(to) {
		return c.WantsWith(to, Asked{conditionType})
	}
	return c.Wants(to)
}

// OnActivated gives control to the reaction.
func (r *UserDefinedBehaviorTreeRouter) OnActivated(c *behaviors.Control) {
	if r.to == "" || !r.wants(c, r.to, r.by) {
		return
	}
	c.SetState(r.by)
	if r.to == idSelector {
		r.editing = false
	}
	c.DelegateTo(r.to, nil)
}
