package path

import (
	"math"
	"slices"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/hardware"
	"gonum.org/v1/gonum/spatial/r2"
)

// Why there is no plan.
const (
	whyNoGoal = "no goal was given"
	whyNotSo  = "a number is not finite"
	whyFar    = "every goal is farther than 100 m"
	whyTaken  = "every goal is where something stands"
	whyNoWay  = "no way leads to a goal"
)

// farMM is the farthest goal that a way is looked for to. It bounds the work: straight ways are tested step by step.
const farMM = 100_000.0

// Plan answers an order. Equal orders have equal answers.
func Plan(o *actions.PathOrder, r Outline) actions.PathAnswer {
	p, why := plan(o, r)
	if why != "" {
		return actions.PathAnswer{ID: o.ID, State: actions.PathImpossible, Path: actions.Path{Why: why}}
	}
	return actions.PathAnswer{ID: o.ID, State: actions.PathReady, Path: p}
}

func plan(o *actions.PathOrder, r Outline) (p actions.Path, why string) {
	switch {
	case len(o.Question.Goals) == 0:
		return p, whyNoGoal
	case !finite(o):
		return p, whyNotSo
	}
	s := newScene(o)
	var goals []int
	for k, g := range s.goals {
		if r2.Norm(r2.Sub(g, s.start)) <= farMM {
			goals = append(goals, k)
		}
	}
	if len(goals) == 0 {
		return p, whyFar
	}
	front := r.FrontMM
	if o.Carried != 0 {
		front = max(front, carryMM)
	}
	sigma := min(o.SigmaMM, maxSigmaMM)
	narrow := r.WidthMM/2 + NarrowMM + sigma
	wide := max(math.Hypot(max(front, r.BackMM), r.WidthMM/2)+WideMM+sigma, narrow)
	goals = slices.DeleteFunc(goals, func(k int) bool { return !s.reachable(k, narrow) })
	if len(goals) == 0 {
		return p, whyTaken
	}
	for _, s.keepMM = range [...]float64{wide, narrow} {
		if way, goal := s.find(goals); way != nil {
			return actions.Path{Goal: goal, Points: points(s.start, way, o.Question.Goals[goal]), ClearMM: s.keepMM}, ""
		}
	}
	return p, whyNoWay
}

// finite reports whether the numbers of an order are usable.
func finite(o *actions.PathOrder) bool {
	sum := o.From.XMM + o.From.YMM + o.SigmaMM + o.Question.ReachMM
	for _, g := range o.Question.Goals {
		sum += g.XMM + g.YMM + g.HeadingRad
	}
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

// find returns a way and the goal that it reaches: the straight one to the nearest goal if it is free, else one over the grid.
func (s *scene) find(goals []int) (way []r2.Vec, goal int) {
	nearest, least := goals[0], math.Inf(1)
	for _, k := range goals {
		if d := r2.Norm(r2.Sub(s.goals[k], s.start)); d < least {
			nearest, least = k, d
		}
	}
	if s.clear(s.start, s.goals[nearest]) {
		return []r2.Vec{s.goals[nearest]}, nearest
	}
	if least < shortMM && len(goals) == 1 {
		return nil, 0
	}
	way, goal = newGrid(s, goals).search()
	return s.shorten(way), goal
}

// shorten leaves out the points between two that see each other.
func (s *scene) shorten(way []r2.Vec) (short []r2.Vec) {
	at := s.start
	for i := 0; i < len(way); {
		k := len(way) - 1
		for k > i && !s.clear(at, way[k]) {
			k--
		}
		short = append(short, way[k])
		at, i = way[k], k+1
	}
	return short
}

// points gives each point of a way the heading of the way to it, and the last one that of the goal.
func points(start r2.Vec, way []r2.Vec, goal hardware.Pose) []hardware.Pose {
	all := make([]hardware.Pose, len(way))
	from := start
	for i, p := range way {
		d := r2.Sub(p, from)
		all[i] = hardware.Pose{XMM: p.X, YMM: p.Y, HeadingRad: math.Atan2(d.Y, d.X)}
		from = p
	}
	all[len(all)-1].HeadingRad = goal.HeadingRad
	return all
}
