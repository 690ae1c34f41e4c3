package helpers

import (
	"math"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/hands"
	"github.com/robotd/robotd/actions/look"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/hardware"
)

const (
	// maxTries and maxTime bound a helper (HLP-7).
	maxTries = 3
	maxTime  = 60 * time.Second
	// knownAge is how old the sighting of a cube may be that a helper chooses by itself.
	knownAge = 2 * time.Minute
	// awayMM is the way back that makes room.
	awayMM = 70.0
)

// A CubeGiven is the data with which a helper is asked to work on one cube.
type CubeGiven struct{ ID int }

// task is what all helpers have in common: the cube, the time and the attempts. Its callbacks are those of the newest step.
type task struct {
	given, cube int // IDs; 0 if there is none
	began       time.Time
	searched    int
	tries       int   // of the step
	not         []int // faces of the cube that did not work
}

// HelpsWithTask marks a helper.
func (*task) HelpsWithTask() {}

// Modify looks for cubes, and allows a cube on the lift.
func (*task) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.AlwaysDelegates, m.WhenCarryingObject = false, true
	m.LookActive = hardware.LookFor(hardware.SeeMarkers, hardware.High)
}

// take remembers the cube of a question with data, and reports false for other data.
func (t *task) take(c *behaviors.Control, data any) bool {
	given, ok := data.(CubeGiven)
	if !ok {
		c.Because("it is given no cube")
		return false
	}
	t.given = given.ID
	return true
}

// able reports whether the robot has what a task needs, and says why not.
func able(c *behaviors.Control) bool {
	b := &c.World().Body
	switch {
	case !b.CanDrive:
		c.Because("the wheels cannot drive now")
	case !b.CanSee:
		c.Because("it sees nothing now")
	case !b.CanLift:
		c.Because("the lift does not answer")
	default:
		return true
	}
	return false
}

// start begins the time of the task.
func (t *task) start(c *behaviors.Control) {
	t.began, t.searched = c.Now(), 0
	t.step()
}

// step begins the attempts of a step.
func (t *task) step() { t.tries, t.not = 0, t.not[:0] }

// UpdateWhileActivated ends the task when its time is over.
func (t *task) UpdateWhileActivated(c *behaviors.Control) {
	if c.Now().Sub(t.began) >= maxTime {
		t.fail(c, "it took too long")
	}
}

// fail ends the task without success; why is for people (HLP-2).
func (t *task) fail(c *behaviors.Control, why string) {
	c.SetState("failed: " + why)
	c.CancelSelf()
}

// succeed ends the task.
func (t *task) succeed(c *behaviors.Control) {
	c.SetState("done")
	c.Succeed()
}

// missed decides what follows an action that failed: again is the next attempt, if one is worth it. A cube that is not seen is looked for.
func (t *task) missed(c *behaviors.Control, id int, o behaviors.Outcome, again func(c *behaviors.Control)) {
	res := o.Completion.Result
	t.tries++
	switch {
	case t.tries >= maxTries, !res.IsFailure():
		t.fail(c, res.String())
	case res == actions.BadObject, res == actions.VisualObservationFailed:
		t.search(c, id, again)
	case res.Category() == actions.CategoryRetry, res == actions.PathPlanningFailedAbort, res == actions.PickupObjectUnexpectedlyMoving,
		res == actions.SendMessageToRobotFailed, res == actions.Timeout:
		if p, ok := o.Completion.Payload.(hands.Payload); ok && res == actions.PickupObjectUnexpectedlyNotMoving {
			t.not = append(t.not, p.Face)
		}
		again(c)
	default:
		t.fail(c, res.String())
	}
}

// search looks to where the cube was and then all around, and goes on as soon as it sees it.
func (t *task) search(c *behaviors.Control, id int, then func(c *behaviors.Control)) {
	if t.searched++; t.searched > maxTries {
		t.fail(c, "the cube is gone")
		return
	}
	c.SetState("looking for the cube")
	c.Act(look.NewSearch(look.SearchParams{ID: id, Kind: hardware.KindCube}), func(c *behaviors.Control, o behaviors.Outcome) {
		if o.Succeeded() {
			then(c)
			return
		}
		t.fail(c, "the cube is not found")
	})
}

// drive drives to a face of a cube.
func (t *task) drive(c *behaviors.Control, id int, then func(c *behaviors.Control)) {
	c.SetState("driving to the cube")
	c.Act(hands.NewDrive(hands.DriveParams{ID: id, Not: t.not}), func(c *behaviors.Control, o behaviors.Outcome) {
		if o.Succeeded() {
			then(c)
			return
		}
		t.missed(c, id, o, func(c *behaviors.Control) { t.drive(c, id, then) })
	})
}

// pick drives to a cube and takes it.
func (t *task) pick(c *behaviors.Control, id int, then func(c *behaviors.Control)) {
	if b := &c.World().Body; b.Carrying && (b.CarriedID == id || b.CarriedID == 0) {
		then(c)
		return
	}
	t.drive(c, id, func(c *behaviors.Control) {
		c.SetState("picking the cube up")
		c.Act(hands.NewPickUp(hands.PickUpParams{ID: id}), func(c *behaviors.Control, o behaviors.Outcome) {
			if o.Succeeded() {
				then(c)
				return
			}
			t.missed(c, id, o, func(c *behaviors.Control) { t.pick(c, id, then) })
		})
	})
}

// putDown puts what is on the lift where the ground is free; where it is not, it backs away first.
func (t *task) putDown(c *behaviors.Control, then func(c *behaviors.Control)) {
	c.SetState("putting the cube down")
	c.Act(hands.NewPutDown(), func(c *behaviors.Control, o behaviors.Outcome) {
		if o.Succeeded() {
			then(c)
			return
		}
		again := func(c *behaviors.Control) {
			if !c.World().Body.Carrying {
				then(c)
				return
			}
			t.putDown(c, then)
		}
		if o.Completion.Result == actions.PlacementGoalNotFree && t.tries < maxTries {
			t.tries++
			t.away(c, again)
			return
		}
		t.missed(c, 0, o, again)
	})
}

// clear takes what stands on a cube off it and puts it on the ground (HLP-3).
func (t *task) clear(c *behaviors.Control, id int, then func(c *behaviors.Control)) {
	above, loaded := hands.Upon(c.World(), id)
	if !loaded {
		then(c)
		return
	}
	t.step()
	t.pick(c, above.ID, func(c *behaviors.Control) {
		t.step()
		t.away(c, func(c *behaviors.Control) {
			t.putDown(c, func(c *behaviors.Control) {
				t.step()
				then(c)
			})
		})
	})
}

// away backs away from a cube, to have room for the one on the lift.
func (t *task) away(c *behaviors.Control, then func(c *behaviors.Control)) {
	c.SetState("backing away")
	c.Act(motion.NewDriveStraight(motion.StraightParams{DistanceMM: -awayMM, SpeedMMPS: hands.DockMMPS}),
		func(c *behaviors.Control, _ behaviors.Outcome) { then(c) })
}

// nearest is the nearest cube that was seen lately and fits; 0 if there is none.
func nearest(c *behaviors.Control, fits func(o *hardware.KnownObject) bool) int {
	w := c.World()
	id, least := 0, math.Inf(1)
	for i := range w.Objects {
		o := &w.Objects[i]
		if o.Kind != hardware.KindCube || o.Origin != w.Body.Origin || c.Now().Sub(o.SeenAt) > knownAge || w.Body.Carrying && o.ID == w.Body.CarriedID {
			continue
		}
		if d, _ := w.Body.Pose.To(o.Pose.XMM, o.Pose.YMM); d < least && fits(o) {
			id, least = o.ID, d
		}
	}
	return id
}

// choose is the given cube, if it is known, or the nearest that fits. It says why there is none.
func (t *task) choose(c *behaviors.Control, fits func(o *hardware.KnownObject) bool) bool {
	t.cube = t.given
	if t.given == 0 {
		t.cube = nearest(c, fits)
	}
	if o, ok := c.World().Object(t.cube); !ok || o.Kind != hardware.KindCube {
		if t.given != 0 {
			c.Because("it does not know cube %d", t.given)
		} else {
			c.Because("it knows no cube that fits")
		}
		return false
	}
	return true
}

func anyCube(*hardware.KnownObject) bool { return true }

// onGround is a cube that stands on the ground.
func onGround(o *hardware.KnownObject) bool { return o.BaseMM < hands.CubeMM/2 }
