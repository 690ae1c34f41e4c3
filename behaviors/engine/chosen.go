package engine

import (
	"fmt"
	"maps"
	"slices"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
)

// A Chosen is the reaction that people chose for a condition, as a memory keeps it.
type Chosen struct{ Condition, Behavior string }

// chosen serves Control.ChooseReaction.
func (e *Engine) chosen(c *Cell, r *behaviors.Request) {
	if _, err := e.choose(r.Key, r.ID); err != "" {
		e.refuse(c, r, stack.UnknownName)
	}
}

// choose carries out the command SetReaction: the behavior is the reaction to a condition of that type from now on, in place of the one before.
// Without a behavior there is no reaction. The map of older views stays as it is.
func (e *Engine) choose(conditionType, id string) (text, err string) {
	m := e.catalog.Reactions
	if m == nil {
		return "", "there is no " + behaviors.ReactionsFile + ": nobody can choose reactions"
	}
	r := m.Find(conditionType)
	switch {
	case r == nil:
		return "", unknown("condition with reactions", conditionType, m.Conditions())
	case id != "" && !slices.Contains(r.Options, id):
		return "", unknown("reaction to "+conditionType, id, r.Options)
	}
	before := e.view.Reactions[conditionType]
	next := maps.Clone(e.view.Reactions)
	if next == nil {
		next = map[string]string{}
	}
	if next[conditionType] = id; id == "" {
		delete(next, conditionType)
	}
	e.change(func(v *condition.View) { v.Reactions = next })
	e.settings++
	switch {
	case id == "" && before == "":
		return "nothing is the reaction to " + conditionType + ", as before", ""
	case id == "":
		return fmt.Sprintf("nothing is the reaction to %s, in place of %s", conditionType, before), ""
	case before == "" || before == id:
		return fmt.Sprintf("%s is the reaction to %s", id, conditionType), ""
	}
	return fmt.Sprintf("%s is the reaction to %s, in place of %s", id, conditionType, before), ""
}

// rememberedReactions are the reactions for a memory, by condition. Those that no map offers any more are among them: the files may come back.
func (e *Engine) rememberedReactions() (list []Chosen) {
	for _, name := range slices.Sorted(maps.Keys(e.view.Reactions)) {
		list = append(list, Chosen{name, e.view.Reactions[name]})
	}
	return list
}

// rememberReactions takes up the reactions of an earlier life.
func (e *Engine) rememberReactions(list []Chosen) {
	if len(list) == 0 {
		return
	}
	next := make(map[string]string, len(list))
	for _, c := range list {
		next[c.Condition] = c.Behavior
	}
	e.change(func(v *condition.View) { v.Reactions = next })
}

// Reactions are the conditions that people choose reactions to, in the order of their map; nil without one. Not to be changed.
func (e *Engine) Reactions() []behaviors.Reaction {
	if m := e.catalog.Reactions; m != nil {
		return m.Reactions
	}
	return nil
}
