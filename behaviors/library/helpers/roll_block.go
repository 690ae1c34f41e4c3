package helpers

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// A RollBlock rolls a cube, by itself and with what stands on it taken off. If it matters which side is up, it wants only cubes that lie on
// another side than they are meant to.
type RollBlock struct {
	RollCube
	block blockParams
}

type blockParams struct {
	Matters bool `key:"isBlockRotationImportant" default:"true" why:"an upright cube needs no roll" doc:"roll only cubes that are not upright, until they are"`
	Retries int  `key:"rollRetryCount" range:"0..255" default:"2" why:"a cube that slips is worth another attempt" doc:"how often it tries again; never more than twice"`
}

// uprightSide is the side of a cube that is up if it stands as it is meant to.
const uprightSide = 1

// RollBlockClass is the class RollBlock.
func RollBlockClass() behaviors.Class {
	return behaviors.Class{
		Name: "RollBlock",
		Doc:  "Helper: rolls a cube upright.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			r := &RollBlock{}
			param.ReadConfig(cfg, &r.block)
			if r.block.Matters {
				r.params.Up = uprightSide
			}
			return r
		},
	}
}

// WantsToBeActivated is true if it knows a cube that is worth a roll.
func (r *RollBlock) WantsToBeActivated(c *behaviors.Control) bool {
	if !r.RollCube.WantsToBeActivated(c) {
		return false
	}
	r.cube = nearest(c, func(o *hardware.KnownObject) bool { return onGround(o) && !(r.block.Matters && o.Up == uprightSide) })
	if r.cube == 0 {
		c.Because("every cube that it knows is upright")
	}
	return r.cube != 0
}

// OnActivated rolls it.
func (r *RollBlock) OnActivated(c *behaviors.Control) {
	r.begin(c, max(maxTries-1-r.block.Retries, 0))
}
