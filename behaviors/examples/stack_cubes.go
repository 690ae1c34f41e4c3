package examples

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/resources"
)

// A StackCubes puts one cube onto another: drive to the first, pick it up, drive to the second, put it down. It may be interrupted
// at any point, and a person may do part of the work. So it does not remember its progress. At every activation it finds the furthest step
// whose preconditions hold, and goes on from there: fast-forward.
type StackCubes struct{ params stackParams }

type stackParams struct {
	First  int `key:"cube" range:"1..65536" doc:"ID of the cube that is put onto the other"`
	Second int `key:"onCube" range:"1..65536" doc:"ID of the other"`
}

// Check runs after the keys were read, for mistakes that lie in two of them.
func (p *stackParams) Check(o *resources.Object, _ *behaviors.Config) {
	if p.First == p.Second && p.First != 0 {
		o.KeyErrorf("onCube", "key-conflict", "a cube cannot be put onto itself")
	}
}

// StackCubesClass is the class StackCubes.
func StackCubesClass() behaviors.Class {
	return behaviors.Class{
		Name: "StackCubes",
		Doc:  "Puts one cube onto another.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			s := &StackCubes{}
			param.ReadConfig(cfg, &s.params)
			return s
		},
	}
}

// stackedMM is the greatest measured distance, half a cube, at which one cube counts as being on the other.
const stackedMM = 22.0

// Modify lets it begin with a cube on the lift.
func (*StackCubes) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOnCharger = true, false
	lookForCubes(m)
}

// A stackStep is one step, with what must hold for it to be done next.
type stackStep struct {
	name  string
	ready func(s *StackCubes, c *behaviors.Control) bool
	do    func(s *StackCubes, c *behaviors.Control)
}

// stackSteps are the steps in their order. Each one's preconditions are what the one before it leaves behind.
func stackSteps() []stackStep {
	return []stackStep{
		{"driving to the first cube", (*StackCubes).knowsBoth, (*StackCubes).driveToFirst},
		{"picking it up", (*StackCubes).atFirst, (*StackCubes).pickUp},
		{"driving to the second cube", (*StackCubes).carries, (*StackCubes).driveToSecond},
		{"putting it down", (*StackCubes).atSecond, (*StackCubes).putDown},
	}
}

// furthest returns the last step whose preconditions hold.
func (s *StackCubes) furthest(c *behaviors.Control) (stackStep, bool) {
	steps := stackSteps()
	for i := len(steps) - 1; i >= 0; i-- {
		if steps[i].ready(s, c) {
			return steps[i], true
		}
	}
	return stackStep{}, false
}

// WantsToBeActivated is true if there is a step to begin with.
func (s *StackCubes) WantsToBeActivated(c *behaviors.Control) bool {
	_, ok := s.furthest(c)
	return ok
}

// OnActivated starts the furthest step.
func (s *StackCubes) OnActivated(c *behaviors.Control) {
	if step, ok := s.furthest(c); ok {
		c.SetState(step.name)
		step.do(s, c)
	}
}

// knowsBoth is true if both cubes are known and the one does not stand on the other already: the goal is the last step, and
// nothing is left to do after it.
func (s *StackCubes) knowsBoth(c *behaviors.Control) bool {
	first, ok := cube(c, s.params.First)
	second, too := cube(c, s.params.Second)
	if !ok || !too || c.World().Body.Carrying {
		return false
	}
	apart, _ := first.Pose.To(second.Pose.XMM, second.Pose.YMM)
	return apart > stackedMM
}

func (s *StackCubes) atFirst(c *behaviors.Control) bool {
	return s.knowsBoth(c) && atFork(c, s.params.First)
}

func (s *StackCubes) carries(c *behaviors.Control) bool {
	_, second := cube(c, s.params.Second)
	return second && c.World().Body.Carrying
}

func (s *StackCubes) atSecond(c *behaviors.Control) bool {
	return s.carries(c) && atFork(c, s.params.Second)
}

func (s *StackCubes) driveToFirst(c *behaviors.Control) {
	c.Act(driveTo(s.params.First), s.then(1))
}

func (s *StackCubes) pickUp(c *behaviors.Control) {
	c.Act(lift(carryingMM), s.then(2))
}

func (s *StackCubes) driveToSecond(c *behaviors.Control) {
	c.Act(driveTo(s.params.Second), s.then(3))
}

func (s *StackCubes) putDown(c *behaviors.Control) { c.Act(lift(loweredMM), nil) }

// then returns the callback that goes on with a step, if the step before left what it needs. If not, the behavior ends, and its next
// activation finds the furthest step again.
func (s *StackCubes) then(i int) behaviors.Callback {
	return func(c *behaviors.Control, o behaviors.Outcome) {
		if step := stackSteps()[i]; o.Succeeded() && step.ready(s, c) {
			c.SetState(step.name)
			step.do(s, c)
			return
		}
		c.SetState("failed")
	}
}
