package motion

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/hardware"
)

// StraightParams configure a DriveStraight.
type StraightParams struct {
	// DistanceMM is signed: negative backs up. Zero succeeds at once.
	DistanceMM float64
	// SpeedMMPS defaults to that of the motion profile, else to 100 forward and 80 backward. It is clipped to the cliff-safe
	// 170.
	SpeedMMPS float64
	// AccelMMPS2 defaults to that of the motion profile, else to 200.
	AccelMMPS2 float64
	// AllowOnCharger lets the robot move while it stands on the charger.
	AllowOnCharger bool
	// Retreat allows motion while the cliff sensors see an edge or nothing at all: away from it, on request.
	Retreat bool
	// StopAtMM ends a forward drive with FAILED_TRAVERSING_PATH when something is nearer than this ahead; 0 = never.
	StopAtMM float64
}

// A DriveStraight drives along the heading by a distance that the wheel encoders measure. A retry drives what is left of it.
type DriveStraight struct {
	refusal
	params StraightParams
	asked  StraightParams // as given; the profile fills in zero speeds
	seg    segment
	left   odometer
}

// NewDriveStraight returns the action.
func NewDriveStraight(p StraightParams) *DriveStraight {
	d := &DriveStraight{params: p, asked: p, left: odometer{leftMM: p.DistanceMM}}
	d.refusal = actions.Finite(
		actions.Num("DistanceMM", p.DistanceMM), actions.Num("SpeedMMPS", p.SpeedMMPS), actions.Num("AccelMMPS2", p.AccelMMPS2), actions.Num("StopAtMM", p.StopAtMM),
	)
	d.pace(actions.Profile{}, CliffSafeMMPS)
	return d
}

// pace fills in the speeds that were not asked for.
func (d *DriveStraight) pace(p actions.Profile, fastest float64) {
	usual := orDefault(p.DriveMMPS, defaultSpeed(d.asked.DistanceMM))
	if d.asked.DistanceMM < 0 {
		usual = orDefault(p.BackMMPS, defaultSpeed(d.asked.DistanceMM))
	}
	d.params.SpeedMMPS = min(orDefault(d.asked.SpeedMMPS, usual), fastest)
	d.params.AccelMMPS2 = orDefault(d.asked.AccelMMPS2, orDefault(p.AccelMMPS2, AccelMMPS2))
}

func defaultSpeed(distanceMM float64) float64 {
	if distanceMM < 0 {
		return ReverseMMPS
	}
	return DriveMMPS
}

// Name is DriveStraight.
func (*DriveStraight) Name() string { return "DriveStraight" }

// Type is DRIVE_STRAIGHT.
func (*DriveStraight) Type() actions.Type { return actions.TypeDriveStraight }

// Tracks is the body.
func (*DriveStraight) Tracks() actions.Tracks { return actions.Body }

// FailOffTreads is true: wheels in the air measure nothing.
func (*DriveStraight) FailOffTreads() bool { return true }

// Timeout is the default, or twice the time of a long drive.
func (d *DriveStraight) Timeout() time.Duration {
	return max(actions.DefaultTimeout, driveTime(d.params.DistanceMM, d.params.SpeedMMPS))
}

// Init checks motors and charger and gives the segment.
func (d *DriveStraight) Init(env *actions.Env) actions.Result {
	if d.refusal != "" {
		return actions.Abort
	}
	d.left.resume(env, d.seg.id)
	if d.left.done(d.params.DistanceMM) {
		return actions.Success
	}
	if res := canDrive(env, d.params.AllowOnCharger); res != actions.Success {
		return res
	}
	if d.blocked(env) {
		return actions.FailedTraversingPath
	}
	d.pace(env.Profile, fastest(env))
	d.seg.begin(env, hardware.Drive{
		Kind: hardware.Straight, DistanceMM: d.left.leftMM, SpeedMMPS: d.params.SpeedMMPS,
		AccelMMPS2: d.params.AccelMMPS2, Retreat: d.params.Retreat,
	})
	return actions.Success
}

// CheckIfDone follows the segment.
func (d *DriveStraight) CheckIfDone(env *actions.Env) actions.Result {
	if !d.seg.active() {
		return actions.Success
	}
	d.left.measure(env)
	if d.blocked(env) {
		d.seg.drop(env)
		return actions.FailedTraversingPath
	}
	return d.seg.step(env)
}

// Stop ends a segment that still runs.
func (d *DriveStraight) Stop(env *actions.Env) { d.seg.drop(env) }

// Reset keeps the rest of the way, and the number of the segment by which the next attempt knows that nothing else drove meanwhile.
func (d *DriveStraight) Reset() { d.seg = segment{id: d.seg.id} }

func (d *DriveStraight) blocked(env *actions.Env) bool {
	return d.params.DistanceMM > 0 && blocked(env, d.params.StopAtMM)
}

// driveTime is twice the time that a motion should take.
func driveTime(distance, speed float64) time.Duration {
	if distance < 0 {
		distance = -distance
	}
	return time.Duration(2 * distance / speed * float64(time.Second))
}
