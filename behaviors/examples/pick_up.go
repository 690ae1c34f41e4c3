package examples

import (
	"fmt"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/param"
)

// A PickUp is a helper: it takes a cube onto the lift, with as many actions as that needs, and its caller learns only whether it worked.
// It is asked with a [CubeToTake], since its callers want different cubes; the question without data is refused.
type PickUp struct {
	params pickUpParams
	cube   int
	tried  int
}

type pickUpParams struct {
	Attempts int `key:"attempts" range:"1..10" doc:"tries before it gives up"`
}

// A CubeToTake is the data of the question to a [PickUp].
type CubeToTake struct{ ID int }

// PickUpClass is the class PickUp.
func PickUpClass() behaviors.Class {
	return behaviors.Class{
		Name: "PickUp",
		Doc:  "Takes a cube onto the lift: a helper.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			p := &PickUp{}
			param.ReadConfig(cfg, &p.params)
			return p
		},
	}
}

// HelpsWithTask makes it a helper.
func (*PickUp) HelpsWithTask() {}

// Modify lets it be asked while carrying, when it has nothing to do.
func (*PickUp) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOnCharger = true, false
	lookForCubes(m)
}

// WantsToBeActivatedWith remembers the cube, and is true if the cube is known or on the lift already.
func (p *PickUp) WantsToBeActivatedWith(c *behaviors.Control, data any) bool {
	want, ok := data.(CubeToTake)
	if !ok {
		return false
	}
	p.cube = want.ID
	_, known := cube(c, p.cube)
	return known || c.World().Body.Carrying
}

// OnActivated has succeeded already if the robot carries something; otherwise it makes the first attempt.
func (p *PickUp) OnActivated(c *behaviors.Control) {
	p.tried = 0
	if c.World().Body.Carrying {
		c.Succeed()
		return
	}
	p.try(c, behaviors.Outcome{})
}

// try lowers the lift first. Without an attempt left it starts no action, so the helper ends and has failed.
func (p *PickUp) try(c *behaviors.Control, _ behaviors.Outcome) {
	if p.tried == p.params.Attempts {
		c.SetState("giving up")
		return
	}
	p.tried++
	c.SetState(fmt.Sprintf("attempt %d", p.tried))
	c.Act(lift(loweredMM), p.drive)
}

func (p *PickUp) drive(c *behaviors.Control, _ behaviors.Outcome) {
	c.Act(driveTo(p.cube), p.raise)
}

func (p *PickUp) raise(c *behaviors.Control, _ behaviors.Outcome) {
	c.Act(lift(carryingMM), p.look)
}

// look decides by the lift, and not by the results of the actions.
func (p *PickUp) look(c *behaviors.Control, o behaviors.Outcome) {
	if c.World().Body.Carrying {
		c.Succeed()
		return
	}
	p.try(c, o)
}
