package observing

import (
	"math"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// A LookAroundInPlace looks around on the spot, in iterations of seven steps: a glance against the main direction, a pause, the main turn,
// looks up and down, a look down, the last turn, and the count. Without a cone it ends after a revolution; within one it bounces between
// the sides. Where it has finished it does not want to look around again.
type LookAroundInPlace struct {
	params placeParams

	direction float64 // of the main turns: 1 is to the left
	drawn     bool
	center    float64 // heading in the middle of the cone
	swung     float64 // from there to the heading at the newest count, also beyond half a turn
	off       bool    // treads
	start     float64 // heading at the start of the iteration
	middle    float64 // heading at the start of S4
	last      float64 // heading at the newest count
	turned    float64
	sides     int
	idle      int // iterations in a row that turned nothing
	looks     int // of S4 to go
	done      []hardware.KnownObject
}

// LookAroundInPlaceClass is the class LookAroundInPlace.
func LookAroundInPlaceClass() behaviors.Class {
	return behaviors.Class{
		Name: "LookAroundInPlace",
		Doc:  "Looks around on the spot, in a cone or all around.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			l := &LookAroundInPlace{}
			param.ReadConfig(cfg, &l.params)
			return l
		},
	}
}

// maxIdle is how many iterations may fail to turn: on the charger and in a hand the body stays where it is.
const maxIdle = 3

// Modify lets it run in the hand and on the charger, where only the head moves.
func (l *LookAroundInPlace) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOffTreads, m.WhenOnCharger = l.params.Params.Carries, true, true
}

// WantsToBeActivated is true away from the places where it has finished.
func (l *LookAroundInPlace) WantsToBeActivated(c *behaviors.Control) bool {
	b := &c.World().Body
	for i := range l.done {
		d, _ := b.Pose.To(l.done[i].Pose.XMM, l.done[i].Pose.YMM)
		if l.done[i].Origin == b.Origin && d < l.params.Params.Distance {
			c.Because("it has looked around %.0f mm from here", d)
			return false
		}
	}
	return true
}

// OnEnteredScope takes the heading as the middle of the cone until the robot was lifted.
func (l *LookAroundInPlace) OnEnteredScope(c *behaviors.Control) { l.center = heading(c) }

// Update notes where the robot looks when it is put down.
func (l *LookAroundInPlace) Update(c *behaviors.Control) {
	off := c.World().Body.Treads != hardware.OnTreads
	if l.off && !off {
		l.center, l.last, l.swung = heading(c), heading(c), 0
	}
	l.off = off
}

func heading(c *behaviors.Control) float64 { return c.World().Body.Pose.HeadingRad }

// OnActivated draws the main direction, and begins.
func (l *LookAroundInPlace) OnActivated(c *behaviors.Control) {
	k := &l.params.Params
	if k.Redraws || !l.drawn {
		l.drawn, l.direction = true, 1
		if c.Rand().Float64() < k.Clockwise {
			l.direction = -1
		}
	}
	if k.Refaces {
		l.center = heading(c)
	}
	l.last, l.turned, l.sides, l.idle = heading(c), 0, 0, 0
	l.swung = hardware.WrapRad(l.last - l.center)
	if k.LowersLift {
		c.SetState("lowering the lift")
		c.Act(motion.NewMoveLift(motion.LiftParams{HeightMM: motion.LiftMinMM}), l.iterate)
		return
	}
	l.iterate(c, behaviors.Outcome{})
}

// move turns the body to a heading, and the head.
func (l *LookAroundInPlace) move(c *behaviors.Control, to float64, head param.Span, then behaviors.Callback) {
	k := &l.params.Params
	c.Act(gesture.Together("Look",
		motion.NewTurnInPlace(motion.TurnParams{AngleRad: hardware.WrapRad(to), Absolute: true, SpeedRadPS: float64(k.BodySpeed)}),
		motion.NewMoveHead(motion.HeadParams{AngleRad: head.Draw(c), MaxRadPS: float64(k.HeadSpeed)})), then)
}

// pause waits, with an animation if there is one.
func (l *LookAroundInPlace) pause(c *behaviors.Control, d time.Duration, trigger string, then behaviors.Callback) {
	wait := gesture.Wait(d)
	if trigger != "" && trigger != noTrigger {
		wait = gesture.Together("Pause", wait, l.still(c, trigger))
	}
	c.Act(wait, then)
}

func (l *LookAroundInPlace) still(c *behaviors.Control, trigger string) actions.Action {
	if l.params.Params.LocksTreads {
		return gesture.TriggerStill(c, trigger)
	}
	return gesture.Trigger(c, trigger)
}

// iterate is S1: a glance against the main direction.
func (l *LookAroundInPlace) iterate(c *behaviors.Control, _ behaviors.Outcome) {
	k := &l.params.Params
	l.start = heading(c)
	c.SetState("glancing")
	l.move(c, l.start-l.direction*k.Body1.Draw(c), k.Head1, l.wait)
}

// wait is S2.
func (l *LookAroundInPlace) wait(c *behaviors.Control, _ behaviors.Outcome) {
	c.SetState("pausing")
	l.pause(c, l.params.Params.Wait2.Draw(c), l.params.Params.Trigger2, l.turn)
}

// turn is S3: the main turn.
func (l *LookAroundInPlace) turn(c *behaviors.Control, _ behaviors.Outcome) {
	k := &l.params.Params
	c.SetState("turning")
	l.move(c, l.start+l.direction*k.Body3.Draw(c), k.Head3, func(c *behaviors.Control, o behaviors.Outcome) {
		l.middle, l.looks = heading(c), k.Looks4.Draw(c)
		if l.looks == 0 {
			l.turnOn(c, o)
			return
		}
		l.wiggle(c, o)
	})
}

// wiggle is one look of S4: a pause, then the head moves with a little of the body. After the last one comes S5.
func (l *LookAroundInPlace) wiggle(c *behaviors.Control, _ behaviors.Outcome) {
	k := &l.params.Params
	if l.looks == 0 {
		c.SetState("looking down")
		l.move(c, l.middle+k.Body5.DrawEitherWay(c), k.Head5, l.turnOn)
		return
	}
	l.looks--
	c.SetState("looking up and down")
	l.pause(c, k.Wait4.Draw(c), k.Trigger4, func(c *behaviors.Control, _ behaviors.Outcome) {
		l.move(c, l.middle+k.Body4.DrawEitherWay(c), k.Head4, l.wiggle)
	})
}

// turnOn is S6: the last turn.
func (l *LookAroundInPlace) turnOn(c *behaviors.Control, _ behaviors.Outcome) {
	k := &l.params.Params
	c.SetState("turning on")
	l.move(c, l.start+l.direction*k.Body6.Draw(c), k.Head6, l.count)
}

// count is S7: it ends, or begins the next iteration.
func (l *LookAroundInPlace) count(c *behaviors.Control, o behaviors.Outcome) {
	swing := hardware.WrapRad(heading(c) - l.last)
	step := math.Abs(swing)
	l.last, l.swung = heading(c), l.swung+swing
	l.turned += step
	if l.idle++; step > stillRad {
		l.idle = 0
	}
	if l.idle >= maxIdle || l.enough(c) {
		c.SetState("looked around")
		l.remember(c)
		return
	}
	l.iterate(c, o)
}

// stillRad is what an iteration turns at least if it turns at all.
const stillRad = 0.02

// enough reports whether it has turned around, or has seen its cone as often as asked.
func (l *LookAroundInPlace) enough(c *behaviors.Control) bool {
	k := &l.params.Params
	if k.Cone == 0 {
		return l.turned >= 2*math.Pi
	}
	if l.direction*l.swung < float64(k.Cone)/2 {
		return false
	}
	l.sides++
	l.direction = -l.direction
	return k.Scans > 0 && l.sides/2 >= k.Scans
}

// remember keeps the place, and forgets the oldest one.
func (l *LookAroundInPlace) remember(c *behaviors.Control) {
	most := l.params.Params.Remembers
	if most == 0 {
		return
	}
	b := &c.World().Body
	l.done = append(l.done, hardware.KnownObject{Pose: b.Pose, Origin: b.Origin})
	l.done = l.done[max(0, len(l.done)-most):]
}
