package compound

import (
	"time"

	"github.com/robotd/robotd/actions"
)

// A Sequential runs its children one after the other. A child starts in the tick in which the one before it ended, but at
// most one such hand-over happens per tick (SEQ-2).
type Sequential struct {
	group
	resume time.Time // earliest start of the next child (SEQ-3)
}

// NewSequential returns a sequence. It may be filled later, even while it runs; an empty one succeeds at once (SEQ-1).
func NewSequential(p Params) *Sequential {
	s := &Sequential{}
	s.init(p, "Sequential")
	return s
}

// CheckIfDone updates the first child, and once it is over the next one.
func (s *Sequential) CheckIfDone(env *actions.Env) actions.Result {
	if !s.tick(env) {
		return actions.UpdateDerivedFailed
	}
	for range 2 { // the running child, and at most one that starts after it
		if len(s.children) == 0 {
			return actions.Success
		}
		if env.Now.Before(s.resume) {
			return actions.Running
		}
		res, over := s.step(env, s.children[0])
		if !over {
			return res
		}
		if s.params.Delay > 0 {
			s.resume = env.Now.Add(s.params.Delay)
		}
	}
	if len(s.children) == 0 {
		return actions.Success
	}
	return actions.Running
}

// Reset also forgets a pause between two children.
func (s *Sequential) Reset() {
	s.resume = time.Time{}
	s.group.Reset()
}
