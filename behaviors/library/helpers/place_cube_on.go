package helpers

import (
	"github.com/robotd/robotd/actions/hands"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/hardware"
)

// A PlaceCubeOn puts what is on the lift on another cube.
type PlaceCubeOn struct {
	task
	carried int // when it began
}

// PlaceCubeOnClass is the class PlaceCubeOn.
func PlaceCubeOnClass() behaviors.Class {
	return behaviors.Class{
		Name: "PlaceCubeOn",
		Doc:  "Helper: puts what it carries on another cube.",
		New:  func(*behaviors.Config) behaviors.Behavior { return &PlaceCubeOn{} },
	}
}

// WantsToBeActivated is true with a cube on the lift and another one that has room.
func (p *PlaceCubeOn) WantsToBeActivated(c *behaviors.Control) bool {
	p.given = 0
	return p.wants(c)
}

// WantsToBeActivatedWith takes the cube below of the one who asks.
func (p *PlaceCubeOn) WantsToBeActivatedWith(c *behaviors.Control, data any) bool {
	return p.take(c, data) && p.wants(c)
}

func (p *PlaceCubeOn) wants(c *behaviors.Control) bool {
	w := c.World()
	if !w.Body.Carrying {
		c.Because("it carries nothing")
		return false
	}
	free := func(o *hardware.KnownObject) bool {
		_, taken := hands.Upon(w, o.ID)
		return !taken && onGround(o)
	}
	if !able(c) || !p.choose(c, free) {
		return false
	}
	if o, _ := w.Object(p.cube); !free(&o) || p.cube == w.Body.CarriedID {
		c.Because("cube %d has no room for another one", p.cube)
		return false
	}
	return true
}

// OnActivated drives there and places.
func (p *PlaceCubeOn) OnActivated(c *behaviors.Control) {
	p.start(c)
	p.carried = c.World().Body.CarriedID
	p.place(c)
}

// place begins again with the pick-up if the cube fell.
func (p *PlaceCubeOn) place(c *behaviors.Control) {
	b := &c.World().Body
	switch {
	case !b.Carrying && p.carried != 0:
		p.pick(c, p.carried, p.place)
		return
	case !b.Carrying:
		p.fail(c, "it lost the cube")
		return
	}
	p.drive(c, p.cube, func(c *behaviors.Control) {
		c.SetState("placing the cube")
		c.Act(hands.NewPlaceOn(hands.PlaceOnParams{ID: p.cube}), func(c *behaviors.Control, o behaviors.Outcome) {
			if o.Succeeded() {
				p.succeed(c)
				return
			}
			p.missed(c, p.cube, o, p.place)
		})
	})
}
