package charger

import (
	"math"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
)

const (
	// verifyTime is how long the contacts get to close after the motion ended.
	verifyTime = 250 * time.Millisecond
	// The pitch change of a robot that stands on a charger without power: contacts reached, no voltage.
	unpluggedPitchRad = -7 * rad
	unpluggedTolRad   = 2 * rad
)

// BackUpParams configure a BackUpOnto.
type BackUpParams struct {
	DistanceMM float64 // longest way back; 0 = 165
	SpeedMMPS  float64 // 0 = 40
}

// A BackUpOnto drives backward until the contacts close. Without contacts at the end it fails with
// CHARGER_UNPLUGGED_ABORT if the robot tilted the way the platform tilts it, and else with NOT_ON_CHARGER_RETRY. A
// robot that stayed level is worth another attempt: on a flat platform that is the usual miss.
type BackUpOnto struct {
	params BackUpParams
	sub    actions.SubAction
	pitch  float64
	ended  time.Time
}

// NewBackUpOnto returns the action.
func NewBackUpOnto(p BackUpParams) *BackUpOnto {
	if p.DistanceMM <= 0 {
		p.DistanceMM = PreDockMM + overshootMM
	}
	if p.SpeedMMPS <= 0 {
		p.SpeedMMPS = backUpMMPS
	}
	return &BackUpOnto{params: p}
}

// Name is BackUpOntoCharger.
func (*BackUpOnto) Name() string { return "BackUpOntoCharger" }

// Type is BACKUP_ONTO_CHARGER.
func (*BackUpOnto) Type() actions.Type { return actions.TypeBackupOntoCharger }

// Tracks is the body.
func (*BackUpOnto) Tracks() actions.Tracks { return actions.Body }

// FailOffTreads is true.
func (*BackUpOnto) FailOffTreads() bool { return true }

// Init begins the drive.
func (b *BackUpOnto) Init(env *actions.Env) actions.Result {
	b.ended, b.pitch = time.Time{}, env.World.IMU.Value.PitchRad
	b.sub.Begin(env, motion.NewDriveStraight(motion.StraightParams{
		DistanceMM: -b.params.DistanceMM, SpeedMMPS: b.params.SpeedMMPS, AllowOnCharger: true,
	}))
	return actions.Success
}

// CheckIfDone stops when the contacts close. After the drive it waits for the contacts for verifyTime.
func (b *BackUpOnto) CheckIfDone(env *actions.Env) actions.Result {
	if env.World.Body.OnContacts {
		b.sub.Stop(env)
		return actions.Success
	}
	if b.ended.IsZero() {
		res := b.sub.Step(env)
		switch {
		case res == actions.Running:
			return res
		case res == actions.Success, res.Category() == actions.CategoryRetry: // a stall at the back wall is an arrival
			b.ended = env.Now
		default:
			return res
		}
	}
	if env.Now.Sub(b.ended) < verifyTime {
		return actions.Running
	}
	if i := env.World.IMU; i.OK() && math.Abs(i.Value.PitchRad-b.pitch-unpluggedPitchRad) <= unpluggedTolRad {
		return actions.ChargerUnpluggedAbort
	}
	return actions.NotOnChargerRetry
}

// Stop ends the drive.
func (b *BackUpOnto) Stop(env *actions.Env) { b.sub.Stop(env) }
