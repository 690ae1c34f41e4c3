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

// place begins again with the pick-up if the cube fell. An attempt that failed after the cube stood where it should is a success.
func (p *PlaceCubeOn) place(c *behaviors.Control) {
	b := &c.World().Body
	switch {
	case p.stands(c):
		p.succeed(c)
		return
	case !b.Carrying && p.carried != 0:
		p.away(c, p.fetch) // right before the cubes the camera may not see where the upper one is
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

// fetch takes the cube again, unless it stands on the other one.
func (p *PlaceCubeOn) fetch(c *behaviors.Control) {
	if p.stands(c) {
		p.succeed(c)
		return
	}
	p.pick(c, p.carried, func(c *behaviors.Control) {
		p.not = p.not[:0] // they are faces of this cube, not of the one below
		p.place(c)
	})
}

// stands reports whether the cube was seen on the other one since this behavior began. A cube on the lift is not seen.
func (p *PlaceCubeOn) stands(c *behaviors.Control) bool {
	above, ok := hands.Upon(c.World(), p.cube)
	return ok && above.ID == p.carried && above.SeenAt.After(p.began)
}
