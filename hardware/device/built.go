package device

import (
	"math"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
)

// built completes the readings of a driver that is not built in. A driver measures; what it does not tell of wheels,
// places and cells, where silence would be taken for the reference robot, is in the robot's file.
type built struct {
	robot   *profile.Profile
	sensors cliffLayout
	// The completed readings, which are valid until the next one.
	motors  hardware.MotorState
	cliff   hardware.CliffState
	ahead   hardware.RangeState
	battery hardware.BatteryState
	servos  hardware.ServoState
	imu     hardware.IMUState
}

func builtAs(robot *profile.Profile) built {
	b := built{robot: robot}
	if robot.Cliff != nil {
		b.sensors = cliffLayoutOf(robot.Cliff.Sensors)
	}
	return b
}

// complete returns the whole reading of a value that fits its subsystem.
func (b *built) complete(value any) any {
	switch {
	case copied(value, &b.motors):
		b.wheels(&b.motors)
		return &b.motors
	case copied(value, &b.cliff):
		b.edges(&b.cliff)
		return &b.cliff
	case copied(value, &b.ahead):
		b.eye(&b.ahead)
		return &b.ahead
	case copied(value, &b.battery):
		b.cells(&b.battery)
		return &b.battery
	case copied(value, &b.servos):
		b.joints(&b.servos)
		return &b.servos
	case copied(value, &b.imu):
		if a := b.imu.AccelMMPS2; b.imu.PeakAccelMMPS2 == 0 { // it keeps no record between its samples
			b.imu.PeakAccelMMPS2 = math.Sqrt(a[0]*a[0] + a[1]*a[1] + a[2]*a[2])
		}
		return &b.imu
	}
	return value
}

// copied copies a value of a type, or behind a pointer to it, and reports whether it is one.
func copied[T any](value any, to *T) bool {
	switch v := value.(type) {
	case T:
		*to = v
	case *T:
		*to = *v
	default:
		return false
	}
	return true
}

func (b *built) wheels(m *hardware.MotorState) {
	if d := b.robot.Drive; d != nil && m.TreadMM <= 0 {
		m.TreadMM = d.TreadMM
	}
	if m.Body == (hardware.Outline{}) {
		m.Body = outline(b.robot)
	}
	m.Edgeless = m.Edgeless || b.robot.Cliff == nil
}

// edges tells where the sensors of the file are, and whether all of these see no floor, unless the driver has places of its own.
func (b *built) edges(c *hardware.CliffState) {
	if c.Mounts != ([4]hardware.Mount{}) {
		return
	}
	c.Mounts = b.sensors.mounts
	all := len(b.sensors.slots) > 0
	for _, at := range b.sensors.slots {
		for _, k := range at {
			all = all && c.Detected[k]
		}
	}
	c.AllVoid = c.AllVoid || all
}

func (b *built) eye(r *hardware.RangeState) {
	if b.robot.Range == nil {
		return
	}
	mount := lookout(b.robot)
	if r.ConeRad <= 0 {
		r.ConeRad = mount.ConeRad
	}
	if r.FrontMM == 0 {
		r.FrontMM = mount.FrontMM
	}
	r.OnHead = r.OnHead || mount.OnHead
}

// cells tells how many there are, and with that the state of charge; a gauge that tells its cells may well be at 0.
func (b *built) cells(s *hardware.BatteryState) {
	p := b.robot.Battery
	if p == nil {
		return
	}
	if s.Cells == 0 {
		s.Cells = p.Cells
		if s.Ratio == 0 {
			s.Ratio = chargeRatio(s.Volts/float64(s.Cells) - s.Amps*cellOhm)
		}
	}
	if s.LowVolts == 0 {
		s.LowVolts = p.LowVolts / float64(p.Cells) * float64(s.Cells)
	}
}

func (b *built) joints(s *hardware.ServoState) {
	head, lift := b.robot.Head, b.robot.Lift
	s.NoHead, s.NoLift = s.NoHead || head == nil, s.NoLift || lift == nil
	if !s.TopsTold {
		s.TopsTold = true
		if head != nil && s.HeadHighRad == 0 {
			s.HeadHighRad = head.High * math.Pi / 180
		}
		if lift != nil && s.LiftHighMM == 0 {
			s.LiftHighMM = lift.High
		}
	}
	if s.EndsTold {
		return
	}
	s.EndsTold = true
	if head != nil && s.HeadLowRad == 0 {
		s.HeadLowRad = head.Low * math.Pi / 180
	}
	if lift != nil && s.LiftLowMM == 0 {
		s.LiftLowMM = lift.Low
	}
}
