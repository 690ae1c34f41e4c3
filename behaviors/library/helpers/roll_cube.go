package helpers

import (
	"fmt"
	"math"

	"github.com/robotd/robotd/actions/hands"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// maxRolls bring any side up.
const maxRolls = 3

// A RollCube rolls a cube onto another side, or until a wanted one is up: after the first roll it knows where each side of a cube that is numbered
// as a die is, and goes to the face from which the wanted one comes up. Three rolls are enough for any side, if there is room at the faces; after
// three it fails. What stands on it is taken off by other helpers, a pick-up and a putting down; if one of them
// fails, it tries again, and then without them (HLP-3, HLP-6).
type RollCube struct {
	task
	params  rollParams
	cleared int   // attempts
	spent   int   // attempts that it has not
	first   uint8 // the side that was up at the start, 0 if nobody knew
	rolls   int   // that brought another side up
}

type rollParams struct {
	PickUp string `key:"pickUpBehavior" delegate:"true" default:"" why:"it can do so itself" doc:"helper that takes the cube that is in the way"`
	Put    string `key:"putDownBehavior" delegate:"true" default:"" why:"it can do so itself" doc:"helper that puts it on the ground"`
	Up     int    `key:"sideUp" range:"0..6" default:"0" why:"any other side is a roll" doc:"side of the cube that is up at the end; 0 is any other than at the start"`
}

// RollCubeClass is the class RollCube.
func RollCubeClass() behaviors.Class {
	return behaviors.Class{
		Name: "RollCube",
		Doc:  "Helper: rolls a cube onto another side.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			r := &RollCube{}
			param.ReadConfig(cfg, &r.params)
			return r
		},
	}
}

// WantsToBeActivated is true if it knows a cube and carries none.
func (r *RollCube) WantsToBeActivated(c *behaviors.Control) bool {
	r.given = 0
	return r.wants(c)
}

// WantsToBeActivatedWith takes the cube of the one who asks.
func (r *RollCube) WantsToBeActivatedWith(c *behaviors.Control, data any) bool {
	return r.take(c, data) && r.wants(c)
}

func (r *RollCube) wants(c *behaviors.Control) bool {
	if c.World().Body.Carrying {
		c.Because("it carries a cube")
		return false
	}
	return able(c) && r.choose(c, onGround)
}

// OnActivated clears the cube and rolls it, or is done if the wanted side is up already.
func (r *RollCube) OnActivated(c *behaviors.Control) {
	r.begin(c, 0)
}

// begin begins with fewer attempts than there could be.
func (r *RollCube) begin(c *behaviors.Control, spent int) {
	r.start(c)
	r.cleared, r.spent, r.rolls = 0, spent, 0
	o, _ := c.World().Object(r.cube)
	r.first = o.Up
	r.next(c)
}

// next is the next thing to do: nothing, to clear the cube, or to roll it.
func (r *RollCube) next(c *behaviors.Control) {
	o, known := c.World().Object(r.cube)
	above, loaded := hands.Upon(c.World(), r.cube)
	switch {
	case known && r.wanted(o.Up):
		r.succeed(c)
	case !loaded:
		r.step()
		r.tries = r.spent
		r.roll(c)
	case r.cleared < maxTries-1 && r.params.PickUp != "" && r.params.Put != "" && c.WantsWith(r.params.PickUp, CubeGiven{ID: above.ID}):
		r.cleared++
		c.SetState("asking a helper to take what is on the cube")
		c.DelegateToHelper(r.params.PickUp, r.taken, func(c *behaviors.Control, _ behaviors.Outcome) { r.next(c) })
	default:
		r.clear(c, r.cube, r.roll)
	}
}

// wanted reports whether a side that is up is the wanted one, or with no wish another one than at the start.
func (r *RollCube) wanted(up uint8) bool {
	if r.params.Up != 0 {
		return int(up) == r.params.Up
	}
	return up != 0 && r.first != 0 && up != r.first
}

// again rolls once more after a roll that failed, unless it is seen that it did its work: only the look afterwards failed.
func (r *RollCube) again(c *behaviors.Control) {
	if o, known := c.World().Object(r.cube); known && r.wanted(o.Up) {
		r.succeed(c)
		return
	}
	r.roll(c)
}

// taken backs away and asks the other helper to put the cube on the ground.
func (r *RollCube) taken(c *behaviors.Control, _ behaviors.Outcome) {
	r.away(c, func(c *behaviors.Control) {
		failed := func(c *behaviors.Control, _ behaviors.Outcome) { r.putDown(c, r.next) }
		c.SetState("asking a helper to put it down")
		if !c.Wants(r.params.Put) || !c.DelegateToHelper(r.params.Put, func(c *behaviors.Control, _ behaviors.Outcome) { r.next(c) }, failed) {
			failed(c, behaviors.Outcome{})
		}
	})
}

// roll drives there and rolls; a second attempt pulls farther.
func (r *RollCube) roll(c *behaviors.Control) {
	r.drive(c, r.cube, func(c *behaviors.Control) {
		c.SetState("rolling the cube")
		was, _ := c.World().Object(r.cube)
		c.Act(hands.NewRoll(hands.RollParams{ID: r.cube, Deep: r.tries > 0}), func(c *behaviors.Control, o behaviors.Outcome) {
			if !o.Succeeded() {
				r.missed(c, r.cube, o, r.again)
				return
			}
			r.rolled(c, was.Up)
		})
	})
}

// rolled follows a roll: it is done, or another one follows.
func (r *RollCube) rolled(c *behaviors.Control, was uint8) {
	now, known := c.World().Object(r.cube)
	r.rolls++
	switch {
	case r.params.Up == 0, known && int(now.Up) == r.params.Up:
		r.succeed(c)
	case r.rolls == maxRolls:
		r.fail(c, fmt.Sprintf("side %d is not up after %d rolls", r.params.Up, maxRolls))
	default:
		r.step()
		r.tries = r.spent
		if known {
			r.aim(c, now, was)
		}
		r.roll(c)
	}
}

// aim leaves only the face of a cube from which the next roll is of most use, if the robot can stand there.
func (r *RollCube) aim(c *behaviors.Control, o hardware.KnownObject, was uint8) {
	robot := c.World().Body.Pose
	direction, ok := hands.RollFrom(uint8(r.params.Up), was, o.Up, robot.HeadingRad+math.Pi)
	if !ok {
		return
	}
	s, co := math.Sincos(direction)
	face := hands.NearestFace(o.Pose, hardware.Pose{XMM: o.Pose.XMM + hands.CubeMM*co, YMM: o.Pose.YMM + hands.CubeMM*s})
	for f := range hands.Faces {
		if f != face {
			r.not = append(r.not, f)
		}
	}
	if len(hands.PreActions(c.World(), o, r.not...)) == 0 {
		r.not = r.not[:0]
	}
}
