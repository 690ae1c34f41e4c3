package hardware

import (
	"math"
	"time"
)

// A Command tells a device what to do. The tick sends it.
type Command interface {
	// Target is the name of the device.
	Target() string
}

// TargetOf returns the name of the device that c is for. It is empty for a nil Command and for one that holds a nil pointer.
func TargetOf(c Command) (device string) {
	defer func() { _ = recover() }()
	return c.Target()
}

// SegmentKind says how the wheels move.
type SegmentKind uint8

// The kinds of motion.
const (
	Wheels   SegmentKind = iota // free-running wheel speeds until replaced
	Straight                    // DistanceMM at SpeedMMPS, signed distance
	Turn                        // AngleRad in place at SpeedRadPS, signed angle
)

// Drive gives the wheels a motion segment, or, with the ID of the running one, renews its lease. Without renewal the
// wheels stop when the lease (250 ms by default) runs out. The motor driver controls the wheels by their encoders and
// reports the result in MotorState.Phase.
type Drive struct {
	ID                  uint64
	Kind                SegmentKind
	LeftMMPS, RightMMPS float64 // Wheels
	DistanceMM          float64 // Straight
	SpeedMMPS           float64 // Straight, > 0
	AngleRad            float64 // Turn
	SpeedRadPS          float64 // Turn, > 0
	AccelMMPS2          float64 // 0 = 200
	// Retreat allows motion although the cliff sensors are stale or show a cliff: driving away on request.
	Retreat bool
}

// StopWheels ends the running segment at once.
type StopWheels struct{}

// AckCliff re-arms the wheels after the cliff reflex stopped them.
type AckCliff struct{}

// MoveHead moves the head to an angle. Limits -22° to +45°.
type MoveHead struct {
	ID                 uint64
	AngleRad, MaxRadPS float64 // MaxRadPS 0 = as fast as possible
}

// MoveLift moves the lift to a height, 32 to 92 mm.
type MoveLift struct {
	ID                uint64
	HeightMM, MaxMMPS float64
}

// SetLights sets the five back lights.
type SetLights struct{ Colors [5]RGB }

// ShowFace puts a named expression on the display.
type ShowFace struct {
	Face string
	// GazeX and GazeY are where the eyes look, from -1 to 1: to the robot's left, and up. Zero is straight ahead.
	GazeX, GazeY float64
	// Lid is how far the upper lids come down: 0 as the expression has them, 1 closed.
	Lid float64
	// Shape changes the eyes of the expression.
	Shape Shape
	// Breath moves them while nothing else does.
	Breath Breath
}

// A Shape changes how the eyes of an expression are drawn. Each part goes from -1 to 1, and the zero value changes nothing.
type Shape struct {
	// Tall and Wide are their height and width: 1 is half as much again, -1 half.
	Tall, Wide float64
	// Slant tilts the upper lids: 1 brings the inner corners down, as anger does, and -1 the outer ones, as sorrow does.
	Slant float64
	// Cheek raises the lower lids, as a smile does; below 0 it lowers those of an expression that has them raised.
	Cheek float64
}

// A Breath moves the eyes slowly up and down. The driver of the display does it by its own clock, so that breathing costs the robot's mind
// no command. The zero value is none.
type Breath struct {
	// PerMinute is how many breaths a minute has.
	PerMinute float64
	// Depth is how far the eyes move, from 0 to 1.
	Depth float64
}

// maxBreaths is the fastest breath, per minute.
const maxBreaths = 60

// Limited is what a display can do of a command: everything is within its range, and what is no number is 0.
func (c ShowFace) Limited() ShowFace {
	s := &c.Shape
	return ShowFace{
		Face: c.Face, GazeX: within(c.GazeX, -1, 1), GazeY: within(c.GazeY, -1, 1), Lid: within(c.Lid, 0, 1),
		Shape:  Shape{Tall: within(s.Tall, -1, 1), Wide: within(s.Wide, -1, 1), Slant: within(s.Slant, -1, 1), Cheek: within(s.Cheek, -1, 1)},
		Breath: Breath{PerMinute: within(c.Breath.PerMinute, 0, maxBreaths), Depth: within(c.Breath.Depth, 0, 1)},
	}
}

// within puts v between least and most. What is no number is 0.
func within(v, least, most float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return min(max(v, least), most)
}

// PlaySound plays a named clip, or says Text if that is not empty, for Duration.
type PlaySound struct {
	ID       uint64
	Clip     string
	Text     string
	Duration time.Duration
}

// DimFace dims the display, or makes it bright again.
type DimFace struct{ On bool }

// StopSound silences the speaker.
type StopSound struct{}

// Target implementations.
func (Drive) Target() string      { return Motors }
func (StopWheels) Target() string { return Motors }
func (AckCliff) Target() string   { return Motors }
func (MoveHead) Target() string   { return Servos }
func (MoveLift) Target() string   { return Servos }
func (SetLights) Target() string  { return Lights }
func (ShowFace) Target() string   { return Display }
func (DimFace) Target() string    { return Display }
func (PlaySound) Target() string  { return Speaker }
func (StopSound) Target() string  { return Speaker }
