package helpers

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
)

// A PickUpCube takes a cube on the lift. What stands on it is put on the ground first.
type PickUpCube struct {
	task
	params pickUpParams
}

type pickUpParams struct {
	Retries int  `key:"retryCount" range:"0..255" default:"2" why:"a cube that slips is worth another attempt" doc:"how often it tries again; never more than twice"`
	Still   bool `key:"skipInitialReactionAnim" default:"false" why:"it shows what it sees" doc:"begin without showing that it sees the cube"`
}

// seesCubeClip shows that it sees a cube.
const seesCubeClip = "look_curious"

// PickUpCubeClass is the class PickUpCube.
func PickUpCubeClass() behaviors.Class {
	return behaviors.Class{
		Name: "PickUpCube",
		Doc:  "Helper: picks a cube up.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			p := &PickUpCube{}
			param.ReadConfig(cfg, &p.params)
			return p
		},
	}
}

// WantsToBeActivated is true if it knows a cube, or carries one.
func (p *PickUpCube) WantsToBeActivated(c *behaviors.Control) bool {
	p.given = 0
	return p.wants(c)
}

// WantsToBeActivatedWith takes the cube of the one who asks.
func (p *PickUpCube) WantsToBeActivatedWith(c *behaviors.Control, data any) bool {
	return p.take(c, data) && p.wants(c)
}

// wants is false with another cube on the lift (HLP-8).
func (p *PickUpCube) wants(c *behaviors.Control) bool {
	switch b := &c.World().Body; {
	case b.Carrying && (p.given == 0 || p.given == b.CarriedID):
		p.cube = b.CarriedID
		return true
	case b.Carrying:
		c.Because("it carries another cube")
		return false
	}
	return able(c) && p.choose(c, anyCube)
}

// OnActivated succeeds if the cube is on the lift already, or begins.
func (p *PickUpCube) OnActivated(c *behaviors.Control) {
	p.start(c)
	p.tries = max(maxTries-1-p.params.Retries, 0)
	if b := &c.World().Body; b.Carrying && (b.CarriedID == p.cube || b.CarriedID == 0) {
		p.succeed(c)
		return
	}
	if p.params.Still {
		p.begin(c)
		return
	}
	c.SetState("showing that it sees the cube")
	c.Act(gesture.PlayStill(seesCubeClip), func(c *behaviors.Control, _ behaviors.Outcome) { p.begin(c) })
}

func (p *PickUpCube) begin(c *behaviors.Control) {
	p.clear(c, p.cube, func(c *behaviors.Control) { p.pick(c, p.cube, p.succeed) })
}
