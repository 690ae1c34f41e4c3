package examples

import (
	"fmt"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
)

// An Approach drives to the nearest cube and is happy there. The callbacks are the chain of steps (drive, arrive, be happy).
// Update checks the only reason to break the chain: the robot sees a cube that is nearer than the one that it drives to.
type Approach struct {
	params approachParams
	target int // ID of the cube
}

type approachParams struct {
	NearerMM float64 `key:"nearer_mm" range:"0..1000" doc:"a cube must be nearer by this much to change the plan"`
	Clip     string  `key:"clip" ref:"clip" doc:"played at the cube"`
}

// ApproachClass is the class Approach.
func ApproachClass() behaviors.Class {
	return behaviors.Class{
		Name: "Approach",
		Doc:  "Drives to the nearest cube and is happy there.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			a := &Approach{}
			param.ReadConfig(cfg, &a.params)
			return a
		},
	}
}

// Modify looks for cubes.
func (*Approach) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	lookForCubes(m)
}

// WantsToBeActivated is true if it knows a cube. It says why not: `robotd why` and the page show that.
func (*Approach) WantsToBeActivated(c *behaviors.Control) bool {
	if len(cubes(c)) > 0 {
		return true
	}
	c.Because("none of %v known objects is a cube", len(c.World().Objects))
	return false
}

// OnActivated drives to the nearest one.
func (a *Approach) OnActivated(c *behaviors.Control) { a.approach(c) }

func (a *Approach) approach(c *behaviors.Control) {
	known := cubes(c)
	if len(known) == 0 {
		return
	}
	a.target = known[0].ID
	c.SetState(fmt.Sprintf("driving to cube %d", a.target))
	c.Act(driveTo(a.target), a.arrived)
}

func (a *Approach) arrived(c *behaviors.Control, o behaviors.Outcome) {
	a.target = 0
	if !o.Succeeded() {
		c.SetState("did not get there")
		return
	}
	c.SetState("happy")
	c.Act(gesture.Play(a.params.Clip), nil)
}

// UpdateWhileActivated breaks the chain for a nearer cube. The cancelled action does not call back, so the old chain does not go on.
func (a *Approach) UpdateWhileActivated(c *behaviors.Control) {
	if a.target == 0 {
		return
	}
	goal, known := cube(c, a.target)
	nearest := cubes(c)
	if !known || nearest[0].ID == a.target || distance(c, nearest[0]) > distance(c, goal)-a.params.NearerMM {
		return
	}
	c.CancelDelegates()
	a.approach(c)
}
