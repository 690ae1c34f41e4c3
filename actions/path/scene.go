package path

import (
	"math"
	"slices"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/hardware"
	"gonum.org/v1/gonum/spatial/r2"
)

// A scene is what a plan must keep away from, and how far.
type scene struct {
	obstacles []placed
	start     r2.Vec
	goals     []r2.Vec
	reachMM   float64 // around a goal, where the objects to get near to count as far away as it
	keepMM    float64 // distance to everything
}

// A placed obstacle knows how far start and goals are from it.
type placed struct {
	obstacle
	fromStart float64
	fromGoals []float64
	near      bool // the robot wants to get near it
}

// newScene collects what is known in a fixed order: objects, the map, and what the asker met.
func newScene(o *actions.PathOrder) *scene {
	s := &scene{start: vec(o.From), reachMM: o.Question.ReachMM}
	for _, g := range o.Question.Goals {
		s.goals = append(s.goals, vec(g))
	}
	for i := range o.Objects {
		if k := &o.Objects[i]; k.ID != o.Carried || o.Carried == 0 {
			s.add(ofObject(k), slices.Contains(o.Question.Near, k.ID))
		}
	}
	if o.Map != nil {
		s.addMarks(o.Map.Marks, o.Objects)
	}
	s.addMarks(o.Question.Met, o.Objects)
	return s
}

func (s *scene) addMarks(marks []hardware.Mark, objects []hardware.KnownObject) {
	for i := range marks {
		if !known(&marks[i], objects) {
			s.add(ofMark(&marks[i]), false)
		}
	}
}

func (s *scene) add(o obstacle, near bool) {
	p := placed{obstacle: o, near: near, fromStart: o.distance(s.start)}
	for _, g := range s.goals {
		p.fromGoals = append(p.fromGoals, o.distance(g))
	}
	s.obstacles = append(s.obstacles, p)
}

// slackMM is by how much a way out of a tight start may come nearer to what is there, for the cells of the grid.
const slackMM = 2.0

// free reports whether the middle of the axle may be at p: far enough from everything. Near the start it may be as near to
// something as the start is, and near a goal as near as that.
func (s *scene) free(p r2.Vec) bool {
	for i := range s.obstacles {
		o := &s.obstacles[i]
		if math.Abs(p.X-o.at.X) > o.reach()+s.keepMM {
			continue
		}
		d := o.distance(p)
		if d < s.keepMM && !s.excepted(o, p, d) {
			return false
		}
	}
	return true
}

func (s *scene) excepted(o *placed, p r2.Vec, d float64) bool {
	if d >= o.fromStart-slackMM && r2.Norm(r2.Sub(p, s.start)) < exceptMM {
		return true
	}
	for k, g := range s.goals {
		within := exceptMM
		if o.near {
			within = max(s.reachMM, exceptMM)
		}
		if d >= o.fromGoals[k]-slackMM && r2.Norm(r2.Sub(p, g)) < within {
			return true
		}
	}
	return false
}

// reachable reports whether a goal lies far enough from everything but what the robot wants to get near to. Near a goal that does not, nothing
// is excepted.
func (s *scene) reachable(k int, narrowMM float64) bool {
	for i := range s.obstacles {
		if o := &s.obstacles[i]; !o.near && o.fromGoals[k] < narrowMM {
			for i := range s.obstacles {
				s.obstacles[i].fromGoals[k] = math.Inf(1)
			}
			return false
		}
	}
	return true
}

// stepMM is the distance of the points at which a straight way is tested.
const stepMM = 8.0

// clear reports whether the way from a to b is free.
func (s *scene) clear(a, b r2.Vec) bool {
	d := r2.Sub(b, a)
	n := int(math.Ceil(r2.Norm(d) / stepMM))
	for i := 1; i <= n; i++ {
		if !s.free(r2.Add(a, r2.Scale(float64(i)/float64(n), d))) {
			return false
		}
	}
	return true
}
