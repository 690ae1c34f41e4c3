package helpers

import (
	"math"

	"github.com/robotd/robotd/actions/hands"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/hardware"
)

// A PlaceGiven is the data with which a helper is asked to put a cube at a place: where its middle shall be.
type PlaceGiven struct{ XMM, YMM float64 }

const (
	// sides is from how many directions a place is driven to.
	sides = 8
	// placeTolMM and placeTolRad are how exactly the robot stands before a place.
	placeTolMM, placeTolRad = 15.0, 20 * math.Pi / 180
)

// A PutDownBlockAtPose puts what is on the lift at the place that it is given, and where the ground is free if that place is taken or cannot be
// reached. Without a place it is a [PutDownBlock].
type PutDownBlockAtPose struct {
	PutDownBlock
	place PlaceGiven
	there bool // a place is given
}

// PutDownBlockAtPoseClass is the class PutDownBlockAtPose.
func PutDownBlockAtPoseClass() behaviors.Class {
	return behaviors.Class{
		Name: "PutDownBlockAtPose",
		Doc:  "Helper: puts down what it carries, at a place that it is given.",
		New:  func(*behaviors.Config) behaviors.Behavior { return &PutDownBlockAtPose{} },
	}
}

// WantsToBeActivated is true with something on the lift. The place is then where it stands.
func (p *PutDownBlockAtPose) WantsToBeActivated(c *behaviors.Control) bool {
	p.there = false
	return p.PutDownBlock.WantsToBeActivated(c)
}

// WantsToBeActivatedWith takes the place of the one who asks, or the cube.
func (p *PutDownBlockAtPose) WantsToBeActivatedWith(c *behaviors.Control, data any) bool {
	if p.place, p.there = data.(PlaceGiven); !p.there {
		return p.PutDownBlock.WantsToBeActivatedWith(c, data)
	}
	return p.PutDownBlock.WantsToBeActivated(c)
}

// OnActivated drives to the place and puts it down.
func (p *PutDownBlockAtPose) OnActivated(c *behaviors.Control) {
	p.start(c)
	if !c.World().Body.Carrying || !p.there {
		p.PutDownBlock.OnActivated(c)
		return
	}
	c.SetState("driving to the place")
	c.Act(motion.NewDriveToPose(motion.PoseParams{
		Goals: before(p.place), ToleranceMM: placeTolMM, ToleranceRad: placeTolRad, SpeedMMPS: hands.DockMMPS,
	}), func(c *behaviors.Control, o behaviors.Outcome) {
		if !o.Succeeded() {
			p.putDown(c, p.succeed)
			return
		}
		c.SetState("putting the cube at its place")
		c.Act(hands.NewPlaceOnGround(), func(c *behaviors.Control, o behaviors.Outcome) {
			if o.Succeeded() {
				p.succeed(c)
				return
			}
			p.putDown(c, p.succeed)
		})
	})
}

// before are the poses of a robot that has a place right in front of it.
func before(p PlaceGiven) []hardware.Pose {
	all := make([]hardware.Pose, sides)
	for i := range all {
		heading := hardware.WrapRad(float64(i) * 2 * math.Pi / sides)
		sin, cos := math.Sincos(heading)
		all[i] = hardware.Pose{XMM: p.XMM - hands.DockMM*cos, YMM: p.YMM - hands.DockMM*sin, HeadingRad: heading}
	}
	return all
}
