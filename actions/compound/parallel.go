package compound

import "github.com/robotd/robotd/actions"

// A Parallel runs its children side by side. Two children that need one track do not wait for each other: the later one
// fails with TRACKS_LOCKED (PAR-5).
type Parallel struct{ group }

// NewParallel returns a parallel compound. An empty one succeeds at once.
func NewParallel(p Params) *Parallel {
	a := &Parallel{}
	a.init(p, "Parallel")
	return a
}

// CheckIfDone updates every child in the order of their addition (PAR-1). A failure ends the compound before the later
// children get their update (PAR-2).
func (a *Parallel) CheckIfDone(env *actions.Env) actions.Result {
	if !a.tick(env) {
		return actions.UpdateDerivedFailed
	}
	for i := 0; i < len(a.children); {
		res, over := a.step(env, a.children[i])
		switch {
		case over && a.params.EndWithFirst:
			return actions.Success
		case over:
		case res == actions.Running:
			i++
		default:
			return res
		}
	}
	if len(a.children) == 0 {
		return actions.Success
	}
	return actions.Running
}
