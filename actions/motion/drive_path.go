package motion

import (
	"fmt"
	"math"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/hardware"
)

// A PathSegment is one part of a path: a line, an arc, or a turn in place.
type PathSegment struct {
	// DistanceMM is the length of a line or an arc; negative backs up. 0 is a turn in place.
	DistanceMM float64
	// AngleRad is by how much the heading changes: the turn, or that of the arc; 0 is a line.
	AngleRad float64
	// SpeedMMPS defaults to that of the motion profile, else to 100 forward and 80 backward; SpeedRadPS of a turn to that of the profile, else to 2.
	SpeedMMPS, SpeedRadPS float64
}

// arcLagS is for how many seconds the wheels roll on after an arc was ended.
const arcLagS = 0.09

// A DrivePath drives segments one after the other, each from where the one before ended. It plans nothing and goes around nothing: something ahead
// nearer than 60 mm ends it with FAILED_TRAVERSING_PATH, and so does a segment that the motors do not begin within a second (FLT-2).
type DrivePath struct {
	refusal
	segments []PathSegment
	next     int // the segment that runs
	sub      actions.SubAction
	arc      arc
	since    time.Time
	before   uint64
	began    bool
	status   string // of segment told, counted from 1
	told     int
}

// arc is the segment of wheels with different speeds.
type arc struct {
	seg  segment
	from float64 // heading
	left odometer
	on   bool
}

// NewDrivePath returns the action.
func NewDrivePath(segments []PathSegment) *DrivePath {
	d := &DrivePath{segments: segments}
	for i, s := range segments {
		if d.refusal != "" {
			break
		}
		name := func(key string) string { return fmt.Sprintf("Segments[%d].%s", i, key) }
		d.refusal = actions.Finite(actions.Num(name("DistanceMM"), s.DistanceMM), actions.Num(name("AngleRad"), s.AngleRad),
			actions.Num(name("SpeedMMPS"), s.SpeedMMPS), actions.Num(name("SpeedRadPS"), s.SpeedRadPS))
	}
	return d
}

// Name is DrivePath.
func (*DrivePath) Name() string { return "DrivePath" }

// Type is DRIVE_PATH.
func (*DrivePath) Type() actions.Type { return actions.TypeDrivePath }

// Tracks is the body.
func (*DrivePath) Tracks() actions.Tracks { return actions.Body }

// FailOffTreads is true.
func (*DrivePath) FailOffTreads() bool { return true }

// Timeout is twice the time of all segments, at least the default.
func (d *DrivePath) Timeout() time.Duration {
	all := time.Duration(0)
	for i := range d.segments {
		s := &d.segments[i]
		all += driveTime(s.DistanceMM, orDefault(s.SpeedMMPS, ReverseMMPS)) + driveTime(s.AngleRad, orDefault(s.SpeedRadPS, 1)) + time.Second
	}
	return max(actions.DefaultTimeout, all)
}

// Status is the segment, once the motors began it.
func (d *DrivePath) Status() string {
	if !d.began {
		return "waiting to begin"
	}
	if d.told != d.next+1 {
		d.told = d.next + 1
		d.status = fmt.Sprintf("following, segment %d of %d", d.told, len(d.segments))
	}
	return d.status
}

// Init checks motors and charger.
func (d *DrivePath) Init(env *actions.Env) actions.Result {
	if d.refusal != "" {
		return actions.Abort
	}
	if len(d.segments) == 0 {
		return actions.NoGoalSet
	}
	res := canDrive(env, false)
	if res == actions.Success && d.next < len(d.segments) {
		d.begin(env)
	}
	return res
}

// begin begins the next segment.
func (d *DrivePath) begin(env *actions.Env) {
	s := d.segments[d.next]
	d.since, d.before, d.began, d.arc.on = env.Now, env.World.Motors.Value.Segment, false, false
	switch {
	case s.DistanceMM == 0:
		d.sub.Begin(env, NewTurnInPlace(TurnParams{AngleRad: s.AngleRad, SpeedRadPS: s.SpeedRadPS}))
	case s.AngleRad == 0:
		d.sub.Begin(env, NewDriveStraight(StraightParams{DistanceMM: s.DistanceMM, SpeedMMPS: s.SpeedMMPS, StopAtMM: ObstacleMM}))
	default:
		d.arc = arc{from: env.World.Body.Pose.HeadingRad, left: odometer{leftMM: s.DistanceMM}, on: true}
		d.arc.left.resume(env, 0)
	}
}

// CheckIfDone follows the segments, without an idle tick between them.
func (d *DrivePath) CheckIfDone(env *actions.Env) actions.Result {
	for d.next < len(d.segments) {
		m := env.World.Motors
		d.began = d.began || m.OK() && m.Value.Segment != d.before
		if !d.began && env.Now.Sub(d.since) >= confirmTime {
			return actions.FailedTraversingPath
		}
		var res actions.Result
		if d.arc.on {
			res = d.curve(env, d.segments[d.next])
		} else {
			res = d.sub.Step(env)
		}
		if res != actions.Success {
			return res
		}
		if d.next++; d.next < len(d.segments) {
			d.begin(env)
		}
	}
	return actions.Success
}

// curve drives an arc: both wheels at their own speed until the length is driven.
func (d *DrivePath) curve(env *actions.Env, s PathSegment) actions.Result {
	a := &d.arc
	if s.DistanceMM > 0 && blocked(env, ObstacleMM) {
		a.seg.drop(env)
		return actions.FailedTraversingPath
	}
	a.left.measure(env)
	speed := min(orDefault(s.SpeedMMPS, orDefault(env.Profile.DriveMMPS, defaultSpeed(s.DistanceMM))), fastest(env))
	turn := math.Abs(s.AngleRad / s.DistanceMM * speed)
	speed *= min(1, TurnRadPS/turn)
	if math.Abs(a.left.leftMM) <= speed*arcLagS || a.left.leftMM*s.DistanceMM <= 0 {
		if a.seg.active() {
			a.seg.drop(env) // and then it comes to rest
			return actions.Running
		}
		if m := env.World.Motors.Value; m.Phase == hardware.PhaseMoving || !standing(m) {
			return actions.Running
		}
		return actions.Success
	}
	v := math.Copysign(speed, s.DistanceMM)
	// The turn that is left over the way that is left, so that slip is made good.
	rest := hardware.WrapRad(a.from + s.AngleRad - env.World.Body.Pose.HeadingRad)
	if math.Abs(s.AngleRad) > math.Pi/2 { // more than the heading alone tells
		rest = s.AngleRad * a.left.leftMM / s.DistanceMM
	}
	off := v * rest / a.left.leftMM * env.World.Motors.Value.Tread() / 2
	drive := hardware.Drive{ID: a.seg.id, Kind: hardware.Wheels, LeftMMPS: v - off, RightMMPS: v + off}
	if a.seg.active() {
		a.seg.cmd = drive
	} else {
		a.seg.begin(env, drive)
	}
	return a.seg.step(env)
}

// Stop ends the segment that runs.
func (d *DrivePath) Stop(env *actions.Env) {
	d.sub.Stop(env)
	d.arc.seg.drop(env)
}

// Reset goes on with the segment that failed, from where the robot stands.
func (d *DrivePath) Reset() {}
