package engine

import (
	"cmp"
	"slices"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
)

// analyses puts the results of the analyzers into the view (T-21).
type analyses struct{ core *core }

// take takes the result of an analyzer whose hook has ended. A lost one and one that left scope has none.
func (a *analyses) take(c *Cell, hook stack.Hook, lost bool) {
	name := c.Entry.Analyzer
	if lost || hook == stack.HookLeftScope {
		a.set(name, nil)
		return
	}
	if hook != stack.HookEnteredScope && hook != stack.HookUpdate {
		return
	}
	if value, ok := c.Inc.Inst.Analysis(); ok {
		a.set(name, &condition.Analysis{Name: name, Value: value, Tick: a.core.view.Tick})
	}
}

// set replaces the result of one analyzer, or removes it. Views that were handed out keep what they have.
func (a *analyses) set(name string, result *condition.Analysis) {
	old := a.core.view.Analyses
	i, there := slices.BinarySearchFunc(old, name, func(x condition.Analysis, name string) int { return cmp.Compare(x.Name, name) })
	if !there && result == nil {
		return
	}
	list := slices.Clone(old)
	switch {
	case result == nil:
		list = slices.Delete(list, i, i+1)
	case there:
		list[i] = *result
	default:
		list = slices.Insert(list, i, *result)
	}
	a.core.change(func(v *condition.View) { v.Analyses = list })
}
