package charger

import (
	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
)

// LeaveParams configure a DriveOff.
type LeaveParams struct {
	DistanceMM float64 // 0 = 110
	SpeedMMPS  float64 // 0 = 100
}

// A DriveOff drives straight forward off the charger. If the robot is off it already, the action succeeds at once. It
// ends with STILL_ON_CHARGER if the contacts stay closed.
type DriveOff struct {
	params LeaveParams
	sub    actions.SubAction
}

// NewDriveOff returns the action.
func NewDriveOff(p LeaveParams) *DriveOff {
	if p.DistanceMM <= 0 {
		p.DistanceMM = LeaveMM
	}
	return &DriveOff{params: p}
}

// Name is DriveOffCharger.
func (*DriveOff) Name() string { return "DriveOffCharger" }

// Type is DRIVE_STRAIGHT.
func (*DriveOff) Type() actions.Type { return actions.TypeDriveStraight }

// Tracks is the body.
func (*DriveOff) Tracks() actions.Tracks { return actions.Body }

// FailOffTreads is true.
func (*DriveOff) FailOffTreads() bool { return true }

// Init begins the drive if the robot is on the charger.
func (d *DriveOff) Init(env *actions.Env) actions.Result {
	if b := env.World.Body; b.OnContacts || b.OnPlatform {
		d.sub.Begin(env, motion.NewDriveStraight(motion.StraightParams{
			DistanceMM: d.params.DistanceMM, SpeedMMPS: d.params.SpeedMMPS, AllowOnCharger: true,
		}))
	}
	return actions.Success
}

// CheckIfDone drives.
func (d *DriveOff) CheckIfDone(env *actions.Env) actions.Result {
	res := d.sub.Step(env)
	if res == actions.Success && env.World.Body.OnContacts {
		return actions.StillOnCharger
	}
	return res
}

// Stop ends the drive.
func (d *DriveOff) Stop(env *actions.Env) { d.sub.Stop(env) }
