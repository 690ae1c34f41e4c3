package hardware

import "time"

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
