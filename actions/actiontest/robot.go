// Package actiontest is for tests of actions: a kinematic robot that turns commands into the next World, a rig that
// runs a list against it, stub actions and hosts, and the interpreter of the trace files in actions/testdata. It is
// imported by tests only.
package actiontest

import (
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
)

// Speeds of the fake's servos.
const (
	headRadPS = 3.0
	liftMMPS  = 100.0
	leaseTime = 250 * time.Millisecond
)

// A Robot is an ideal body: wheels that follow their segments exactly except for Slip, servos with constant speed,
// a speaker with a clock. It applies a command at once and moves in Step.
type Robot struct {
	World hardware.World
	Sent  []hardware.Command // everything, in order

	// Deaf makes the wheels ignore orders: acknowledgements never arrive.
	Deaf bool
	// Refuses makes wheels and servos refuse every new order.
	Refuses bool
	// Slip is the share of each turn that is lost, 0 to 1.
	Slip float64
	// WallMM puts something ahead at this distance from the start of the robot; 0 = nothing.
	WallMM float64
	// Dock closes the contacts when the robot is within DockTolMM and 12° of it.
	Dock      *hardware.Pose
	DockTolMM float64

	drive     hardware.Drive
	left      float64 // of the segment, signed
	lease     time.Time
	head      hardware.MoveHead
	lift      hardware.MoveLift
	soundEnds time.Time
}

// NewRobot returns a robot at the origin at which every device works.
func NewRobot(now time.Time) *Robot {
	r := &Robot{DockTolMM: 8}
	w := &r.World
	for _, q := range []*hardware.Quality{
		&w.Battery.Quality, &w.Snapshot.Charger.Quality, &w.Cliff.Quality, &w.Display.Quality, &w.IMU.Quality, &w.Lights.Quality,
		&w.Motors.Quality, &w.Range.Quality, &w.Servos.Quality, &w.Speaker.Quality, &w.Touch.Quality, &w.Vision.Quality,
	} {
		*q = hardware.OK
	}
	w.Now, w.Servos.Value.LiftMM, w.Body.Origin = now, 32, 1
	w.Body.CanDrive, w.Body.CanSee, w.Body.CanFeelEdges = true, true, true
	return r
}

// Send carries out one command.
func (r *Robot) Send(c hardware.Command) {
	r.Sent = append(r.Sent, c)
	if r.Refuses && r.refuse(c) {
		return
	}
	m, now := &r.World.Motors.Value, r.World.Now
	switch c := c.(type) {
	case hardware.Drive:
		switch {
		case r.Deaf:
		case c.ID == m.Segment:
			r.lease = now.Add(leaseTime)
			r.drive.LeftMMPS, r.drive.RightMMPS = c.LeftMMPS, c.RightMMPS
		default:
			r.drive, r.lease = c, now.Add(leaseTime)
			m.Segment, m.Phase, m.Reason = c.ID, hardware.PhaseMoving, ""
			r.left = c.DistanceMM
			if c.Kind == hardware.Turn {
				r.left = c.AngleRad
			}
		}
	case hardware.StopWheels:
		if m.Phase == hardware.PhaseMoving {
			r.Abort("replaced")
		}
	case hardware.MoveHead:
		r.head, r.World.Servos.Value.HeadID = c, c.ID
	case hardware.MoveLift:
		r.lift, r.World.Servos.Value.LiftID = c, c.ID
	case hardware.PlaySound:
		r.World.Speaker.Value = hardware.SpeakerState{Playing: c.Clip + c.Text, ID: c.ID, Busy: true}
		r.soundEnds = now.Add(c.Duration)
	case hardware.StopSound:
		r.World.Speaker.Value.Busy = false
	case hardware.ShowFace:
		r.World.Display.Value.Face = c.Face
	case hardware.SetLights:
		r.World.Lights.Value.Colors = c.Colors
	}
}

// refuse reports that an order is refused, as the drivers do.
func (r *Robot) refuse(c hardware.Command) bool {
	m, s := &r.World.Motors.Value, &r.World.Servos.Value
	switch c := c.(type) {
	case hardware.Drive:
		m.Segment, m.Phase, m.Reason = c.ID, hardware.PhaseAborted, "refused"
	case hardware.MoveHead:
		s.RefusedID = c.ID
	case hardware.MoveLift:
		s.RefusedID = c.ID
	default:
		return false
	}
	return true
}

// Abort ends the segment for a reason.
func (r *Robot) Abort(reason string) {
	m := &r.World.Motors.Value
	m.Phase, m.Reason, m.LeftMMPS, m.RightMMPS = hardware.PhaseAborted, reason, 0, 0
	m.CliffLatched = reason == "cliff"
}

// Step lets d pass.
func (r *Robot) Step(d time.Duration) {
	r.World.Now = r.World.Now.Add(d)
	dt := d.Seconds()
	r.roll(dt)
	s := &r.World.Servos.Value
	s.HeadRad, s.HeadMoving = approach(s.HeadRad, r.head.AngleRad, headRadPS*dt, s.HeadID != 0)
	s.LiftMM, s.LiftMoving = approach(s.LiftMM, r.lift.HeightMM, liftMMPS*dt, s.LiftID != 0)
	if !r.World.Now.Before(r.soundEnds) {
		r.World.Speaker.Value.Busy = false
	}
	r.sense()
}

func (r *Robot) roll(dt float64) {
	m, p := &r.World.Motors.Value, &r.World.Body.Pose
	if m.Phase != hardware.PhaseMoving {
		return
	}
	if r.World.Now.After(r.lease) {
		r.Abort("lease")
		return
	}
	if r.drive.Kind == hardware.Wheels {
		r.wheels(dt)
		return
	}
	speed := r.drive.SpeedMMPS
	if r.drive.Kind == hardware.Turn {
		speed = r.drive.SpeedRadPS
	}
	step := math.Copysign(min(math.Abs(r.left), speed*dt), r.left)
	r.left -= step
	switch r.drive.Kind {
	case hardware.Turn:
		p.HeadingRad = hardware.WrapRad(p.HeadingRad + step*(1-r.Slip))
		r.World.IMU.Value.YawRad += step * (1 - r.Slip)
	case hardware.Straight:
		p.XMM += step * math.Cos(p.HeadingRad)
		p.YMM += step * math.Sin(p.HeadingRad)
		if r.WallMM > 0 {
			r.WallMM -= min(step, r.WallMM)
		}
		m.LeftMM += step
		m.RightMM += step
	}
	m.LeftMMPS, m.RightMMPS = 50, 50
	if r.left == 0 {
		m.Phase, m.LeftMMPS, m.RightMMPS = hardware.PhaseDone, 0, 0
	}
}

// wheels rolls with the speeds of the wheels.
func (r *Robot) wheels(dt float64) {
	m, p := &r.World.Motors.Value, &r.World.Body.Pose
	m.LeftMMPS, m.RightMMPS = r.drive.LeftMMPS, r.drive.RightMMPS
	left, right := m.LeftMMPS*dt, m.RightMMPS*dt
	turn := (right - left) / m.Tread() * (1 - r.Slip)
	p.XMM += (left + right) / 2 * math.Cos(p.HeadingRad+turn/2)
	p.YMM += (left + right) / 2 * math.Sin(p.HeadingRad+turn/2)
	p.HeadingRad = hardware.WrapRad(p.HeadingRad + turn)
	r.World.IMU.Value.YawRad += turn
	m.LeftMM, m.RightMM = m.LeftMM+left, m.RightMM+right
	r.WallMM -= min((left+right)/2, max(r.WallMM, 0))
}

func (r *Robot) sense() {
	b := &r.World.Body
	if r.Dock != nil {
		d, _ := b.Pose.To(r.Dock.XMM, r.Dock.YMM)
		turn := math.Abs(hardware.WrapRad(b.Pose.HeadingRad - r.Dock.HeadingRad))
		b.OnContacts = d <= r.DockTolMM && turn < 12*math.Pi/180
	}
	v := &r.World.Range.Value
	v.DistanceMM, v.Found = r.WallMM, r.WallMM > 0 && r.WallMM < 400
	for i := range r.World.Faces {
		f := &r.World.Faces[i]
		f.DistanceMM, f.BearingRad = b.Pose.To(f.XMM, f.YMM)
	}
}

// approach moves a servo and says whether it still moves.
func approach(now, goal, step float64, ordered bool) (float64, bool) {
	switch {
	case !ordered, now == goal:
		return now, false
	case math.Abs(goal-now) <= step:
		return goal, false
	}
	return now + math.Copysign(step, goal-now), true
}
