// Package charging holds the behaviors of the charger: leaving it, finding it, driving home, and life on it.
package charging

import (
	"time"

	"github.com/robotd/robotd/actions/charger"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// Cues for the direction in which the robot leaves. The charger has one open side, so the robot first drives straight off it and then
// turns by the first cue that applies. "cube" and "micDirection" never apply, because the robot remembers no direction of a cube and has
// no microphone array.
const (
	cueFace               = "face"
	cueStraight           = "straight"
	cueProceduralStraight = "proceduralStraight"
	cueLeft               = "left"
	cueRight              = "right"
	cueRandomly           = "randomly"
)

const (
	// maxLeaveAttempts bounds the drives of one activation (data/2.3.1a).
	maxLeaveAttempts = 10
	// leavePause separates two attempts, so that a robot that cannot move does not try every tick.
	leavePause = 500 * time.Millisecond
	// sideTurnDeg is the angle of the turns "left" and "right".
	sideTurnDeg = 60.0
)

// A LeaveCharger drives off the charger, then turns by a cue. While a person holds the robot it waits. If it cannot leave it gives up, and does not
// want control for a minute.
type LeaveCharger struct {
	params   leaveParams
	attempts int
	turned   bool      // the cue was followed
	paused   bool      // between two attempts
	failedAt time.Time // when it gave up last
}

type leaveParams struct {
	Cues       []string      `key:"driveDirectionCues" words:"face|cube|micDirection|straight|left|right|randomly|proceduralStraight" length:"1.." doc:"where it turns; the first that applies"`
	ExtraMM    float64       `key:"extraDistanceToDrive_mm" range:"0..500" doc:"drives so much further than it must"`
	MaxFaceAge time.Duration `key:"maxFaceAge_s" doc:"an older sighting of a face is no cue"`
}

// LeaveChargerClass is the class LeaveCharger.
func LeaveChargerClass() behaviors.Class {
	return behaviors.Class{
		Name: "LeaveCharger",
		Doc:  "Drives straight off the charger and turns by a cue.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			d := &LeaveCharger{}
			param.ReadConfig(cfg, &d.params)
			return d
		},
	}
}

// Modify lets it run on the charger, with something on the lift too, and wait off treads. It looks for faces, because it may turn to people.
func (*LeaveCharger) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOffTreads, m.WhenOnCharger, m.AlwaysDelegates = true, true, true, false
	m.LookActive = hardware.LookFor(hardware.SeeFaces, hardware.Low)
}

// WantsToBeActivated is true on the charger platform, if the wheels work and it has not given up in the last minute.
func (d *LeaveCharger) WantsToBeActivated(c *behaviors.Control) bool {
	switch {
	case !onCharger(c):
		c.Because("it is not on the charger")
	case !c.World().Body.CanDrive:
		c.Because(cannotDrive)
	case c.Now().Sub(d.failedAt) < retryAfter:
		c.Because("it gave up %v ago, again in %v", d.failedAt, d.failedAt.Add(retryAfter))
	default:
		return true
	}
	return false
}

func onCharger(c *behaviors.Control) bool {
	b := &c.World().Body
	return b.OnPlatform || b.OnContacts
}

// OnActivated starts the first attempt.
func (d *LeaveCharger) OnActivated(c *behaviors.Control) {
	d.attempts, d.turned, d.paused = 0, false, false
	d.next(c, behaviors.Outcome{})
}

// UpdateWhileActivated waits while a person holds the robot, and goes on afterwards.
func (d *LeaveCharger) UpdateWhileActivated(c *behaviors.Control) {
	switch {
	case c.World().Body.Treads != hardware.OnTreads:
		c.SetState("waiting to be put down")
		c.CancelDelegates()
	case !c.World().Body.CanDrive:
		c.SetState("waiting for the wheels")
		c.CancelDelegates()
	case !c.IsControlDelegated():
		d.next(c, behaviors.Outcome{})
	}
}

// next drives while the robot is on the charger, then follows the cue, then ends.
func (d *LeaveCharger) next(c *behaviors.Control, _ behaviors.Outcome) {
	switch {
	case c.World().Body.Treads != hardware.OnTreads:
		return
	case onCharger(c) && d.attempts >= maxLeaveAttempts:
		d.failedAt = c.Now()
		c.SetState("gave up")
		c.CancelSelf()
	case onCharger(c) && d.attempts > 0 && !d.paused:
		c.SetState("pausing")
		d.paused = true
		c.Act(gesture.Wait(leavePause), d.next)
	case onCharger(c):
		c.SetState("driving off")
		d.attempts++
		d.paused = false
		c.Act(charger.NewDriveOff(charger.LeaveParams{DistanceMM: charger.LeaveMM + d.params.ExtraMM}), d.next)
	case !d.turned:
		d.turned = true
		d.turn(c)
	default:
		c.CancelSelf()
	}
}

// turn follows the first cue that applies.
func (d *LeaveCharger) turn(c *behaviors.Control) {
	for _, cue := range d.params.Cues {
		if d.follow(c, cue) {
			return
		}
	}
	d.next(c, behaviors.Outcome{})
}

// follow begins the turn of a cue; false if it does not apply.
func (d *LeaveCharger) follow(c *behaviors.Control, cue string) bool {
	var angle float64
	switch cue {
	case cueStraight, cueProceduralStraight:
		d.next(c, behaviors.Outcome{})
		return true
	case cueFace:
		face, ok := c.World().Face(d.params.MaxFaceAge)
		if !ok {
			return false
		}
		c.SetState("turning to a face")
		c.Act(motion.NewTurnTowards(motion.TowardsParams{
			Target: motion.FaceTarget{ID: face.ID, MaxAge: d.params.MaxFaceAge}, MaxTurnRad: param.Rad(sideTurnDeg * 2),
		}), d.next)
		return true
	case cueLeft:
		angle = param.Rad(sideTurnDeg)
	case cueRight:
		angle = param.Rad(-sideTurnDeg)
	case cueRandomly:
		angle = param.Rad(sideTurnDeg) * (2*c.Rand().Float64() - 1)
	default:
		return false
	}
	c.SetState("turning")
	c.Act(gesture.Turn(angle), d.next)
	return true
}
