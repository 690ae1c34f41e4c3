package hardware

import (
	"fmt"
	"math"
	"time"
)

// A Reading is the newest value of one device, with its age and quality.
type Reading[T any] struct {
	Value   T
	At      time.Time // zero if never read
	Seq     uint64
	Quality Quality
}

// OK reports whether the reading is fresh and good. Control code must use no other readings.
func (r *Reading[T]) OK() bool { return r.Quality == OK }

// Age is the time since the reading was taken.
func (r *Reading[T]) Age(now time.Time) time.Duration { return now.Sub(r.At) }

// A Snapshot is the newest reading of every device at one instant. It is immutable once a tick has begun.
type Snapshot struct {
	Now     time.Time
	Night   bool // by the robot's clock: 22:00 to 6:00, see [NightAt]
	Battery Reading[BatteryState]
	Charger Reading[ChargerState]
	Cliff   Reading[CliffState]
	Display Reading[DisplayState]
	IMU     Reading[IMUState]
	Lights  Reading[LightsState]
	Motors  Reading[MotorState]
	Range   Reading[RangeState]
	Servos  Reading[ServoState]
	Speaker Reading[SpeakerState]
	Touch   Reading[TouchState]
	Vision  Reading[Detections]
}

// Put stores s in its place, and keeps no reference to it, nor to its value unless that has slices. A value of the wrong type for its device is a programmer error and panics.
func (n *Snapshot) Put(s *Sample) {
	switch s.Device {
	case Battery:
		put(&n.Battery, s)
	case Charger:
		put(&n.Charger, s)
	case Cliff:
		put(&n.Cliff, s)
	case Display:
		put(&n.Display, s)
	case IMU:
		put(&n.IMU, s)
	case Lights:
		put(&n.Lights, s)
	case Motors:
		put(&n.Motors, s)
	case Range:
		put(&n.Range, s)
	case Servos:
		put(&n.Servos, s)
	case Speaker:
		put(&n.Speaker, s)
	case Touch:
		put(&n.Touch, s)
	case Vision:
		put(&n.Vision, s)
	default:
		panic(fmt.Sprintf("hardware: sample of unknown device %q", s.Device))
	}
}

// Fits reports whether a value is a reading of a device, as [Snapshot.Put] wants it.
func Fits(device string, value any) bool {
	switch device {
	case Battery:
		return fits[BatteryState](value)
	case Charger:
		return fits[ChargerState](value)
	case Cliff:
		return fits[CliffState](value)
	case Display:
		return fits[DisplayState](value)
	case IMU:
		return fits[IMUState](value)
	case Lights:
		return fits[LightsState](value)
	case Motors:
		return fits[MotorState](value)
	case Range:
		return fits[RangeState](value)
	case Servos:
		return fits[ServoState](value)
	case Speaker:
		return fits[SpeakerState](value)
	case Touch:
		return fits[TouchState](value)
	case Vision:
		return fits[Detections](value)
	default:
		return false
	}
}

func fits[T any](value any) bool {
	switch v := value.(type) {
	case T:
		return true
	case *T:
		return v != nil
	}
	return false
}

// put keeps the last good value when a device reports a failure, so that its age stays visible.
func put[T any](r *Reading[T], s *Sample) {
	if s.Quality != OK {
		r.Quality = s.Quality
		return
	}
	if v, ok := s.Value.(*T); ok {
		r.Value = *v
	} else {
		r.Value = s.Value.(T)
	}
	r.At, r.Seq, r.Quality = s.At, s.Seq, s.Quality
}

// MotorState is the state of the wheels and of their motion segment.
type MotorState struct {
	LeftMMPS, RightMMPS float64 // wheel speed from the encoders; see Reckoned
	LeftMM, RightMM     float64 // distance since Open, signed
	// TreadMM is the distance between the wheels by which the driver turns. 0, as in old recordings, is that of R1: see [MotorState.Tread].
	TreadMM float64
	// Body is how far the robot reaches around the middle of its axle. All zero, as in old recordings, is as R1: see [MotorState.Outline].
	Body Outline
	// Reckoned means that there are no encoders: speeds and distances follow from what was commanded, and nobody knows whether the wheels
	// turned.
	Reckoned bool
	// Edgeless means that the robot has no sensors that look down, so that the wheels turn without them.
	Edgeless bool
	// Drained means that the battery of a robot without a charger is empty: the wheels do not turn until it was changed or charged.
	Drained      bool
	Enabled      bool   // MOTOR_EN is high
	Segment      uint64 // ID of the last accepted segment
	Phase        Phase  // of that segment
	Reason       string // why Phase is Aborted: "cliff", "lease", "heartbeat", "blind", "stall", "replaced", "fault", "refused", "battery"
	CliffLatched bool   // stopped by the cliff reflex; wheels refuse until AckCliff
}

// R1TreadMM is the distance between the wheels of the reference robot.
const R1TreadMM = 46.0

// Tread is the distance between the wheels.
func (m *MotorState) Tread() float64 {
	if m.TreadMM > 0 {
		return m.TreadMM
	}
	return R1TreadMM
}

// An Outline is the rectangle of a robot around the middle of its axle, in whole millimeters.
type Outline struct{ FrontMM, BackMM, WidthMM int16 }

// R1Outline is the outline of the reference robot.
var R1Outline = Outline{FrontMM: 35, BackMM: 55, WidthMM: 60}

// Outline is the outline of the robot.
func (m *MotorState) Outline() Outline {
	if m.Body == (Outline{}) {
		return R1Outline
	}
	return m.Body
}

// Phase is the progress of a motion segment.
type Phase uint8

// The phases of a segment.
const (
	PhaseIdle Phase = iota
	PhaseMoving
	PhaseDone
	PhaseAborted
)

// ServoState is the measured position of head and lift. Angles grow upward.
type ServoState struct {
	HeadRad, LiftMM        float64
	HeadMoving, LiftMoving bool
	HeadID, LiftID         uint64 // IDs of the last accepted commands
	RefusedID              uint64 // ID of the last command that the driver refused
	NoHead, NoLift         bool   // the robot has no such joint
	// HeadReckoned and LiftReckoned mean that nothing measures the joint: it is believed to be where it was sent. False, as in old recordings, says
	// that it is measured, or that nobody told.
	HeadReckoned, LiftReckoned bool
	// HeadLowRad and LiftLowMM are the lower ends of the travel, if EndsTold; without, as in old recordings, they are those of R1: see
	// [ServoState.Low].
	HeadLowRad, LiftLowMM float64
	EndsTold              bool
	// HeadHighRad and LiftHighMM are the upper ends, if TopsTold; without, as in old recordings, they are those of R1: see [ServoState.High].
	HeadHighRad, LiftHighMM float64
	TopsTold                bool
}

// The ends of the travel of head and lift of the reference robot.
const (
	R1HeadLowRad  = -22 * math.Pi / 180
	R1HeadHighRad = 45 * math.Pi / 180
	R1LiftLowMM   = 32.0
	R1LiftHighMM  = 92.0
)

// Low is the lower end of the travel of head and lift.
func (s *ServoState) Low() (headRad, liftMM float64) {
	if !s.EndsTold {
		return R1HeadLowRad, R1LiftLowMM
	}
	return s.HeadLowRad, s.LiftLowMM
}

// High is the upper end of the travel of head and lift.
func (s *ServoState) High() (headRad, liftMM float64) {
	if !s.TopsTold {
		return R1HeadHighRad, R1LiftHighMM
	}
	return s.HeadHighRad, s.LiftHighMM
}

// CliffState holds the four downward sensors in the order front left, front right, back left, back right.
type CliffState struct {
	Raw      [4]float64 // reflectance, 0 (void) to 1000
	Detected [4]bool
	// AllVoid means that every sensor that is there sees no floor, for a robot that has fewer than four.
	AllVoid bool
	// Mounts is where the sensors are. All zero, as in old recordings, is as on R1: see [CliffState.Mount].
	Mounts [4]Mount
}

// A Mount is a place on the body in whole millimeters, X forward and Y left of the middle of the axle.
type Mount struct{ XMM, YMM int16 }

// R1Cliffs are the places of the cliff sensors of the reference robot.
var R1Cliffs = [4]Mount{{30, 22}, {30, -22}, {-45, 22}, {-45, -22}}

// Mount is the place of a sensor.
func (c *CliffState) Mount(i int) Mount {
	if c.Mounts == ([4]Mount{}) {
		return R1Cliffs[i]
	}
	return c.Mounts[i]
}

// Any reports whether any sensor sees no floor.
func (c *CliffState) Any() bool { return c.Detected != [4]bool{} }

// Count is the number of sensors that see no floor.
func (c *CliffState) Count() int {
	n := 0
	for _, d := range c.Detected {
		if d {
			n++
		}
	}
	return n
}

// RangeState is the forward distance sensor.
type RangeState struct {
	DistanceMM float64
	Found      bool // an object between 30 and 400 mm
	// FrontMM is how far in front of the middle of the axle the sensor is, and ConeRad half the angle of its cone. A cone of 0, as in old
	// recordings, is as on R1: see [RangeState.Front] and [RangeState.Cone].
	FrontMM, ConeRad float64
	// OnHead means that the sensor nods with the head. With the head up it looks over what is ahead: see [RangeState.LooksAhead].
	OnHead bool
}

// Where the reference robot has its distance sensor in front of the middle of the axle, and half the angle of its cone.
const (
	R1RangeMM = 35.0
	R1ConeRad = 12 * math.Pi / 180
)

// Front is how far in front of the middle of the axle the sensor is. Recordings that tell no cone tell places only in front of it.
func (r *RangeState) Front() float64 {
	if r.ConeRad > 0 || r.FrontMM > 0 {
		return r.FrontMM
	}
	return R1RangeMM
}

// Cone is half the angle of the sensor's cone.
func (r *RangeState) Cone() float64 {
	if r.ConeRad > 0 {
		return r.ConeRad
	}
	return R1ConeRad
}

// LooksAhead reports whether the sensor looks ahead with the head at an angle: half of its cone, or more, on either side of the level.
func (r *RangeState) LooksAhead(headRad float64) bool {
	return !r.OnHead || math.Abs(headRad) <= r.Cone()/2
}

// IMUState is one inertial sample plus the yaw integrated since Open.
type IMUState struct {
	AccelMMPS2        [3]float64 // x forward, y left, z up; about (0, 0, 9810) at rest
	GyroRadPS         [3]float64
	YawRad            float64 // integrated, bias removed, not wrapped
	PitchRad, RollRad float64
	PeakAccelMMPS2    float64 // largest magnitude since the previous sample was published
	// Learning means that the offset of the gyroscope is not known yet, so that the yaw drifts: the robot must stand still for a moment.
	Learning bool
}

// BatteryState is the power monitor. Amps are positive while charging.
type BatteryState struct {
	Volts, Amps float64
	Ratio       float64 // state of charge estimated from the rest voltage, 0 to 1
	Cells       int     // in series; 0, as in old recordings, is one
	LowVolts    float64 // below it, averaged, the battery is low; 0, as in old recordings, is what R1 has
	// Temperatures of battery and processor in °C; 0 if nothing measures them.
	TempC, CPUTempC float64
}

// ChargerState is the state of the charging contacts.
type ChargerState struct {
	OnContacts, Charging bool
}

// TouchState is the back sensor, and the power button beside it.
type TouchState struct {
	Touched      bool
	Since        time.Time // of the last change
	Pressed      bool      // the power button is held down
	PressedSince time.Time // of the last change
}

// LightsState is what the lights show.
type LightsState struct{ Colors [5]RGB }

// RGB is one light, 0 to 255 a channel.
type RGB struct {
	R uint8 `json:"r"`
	G uint8 `json:"g"`
	B uint8 `json:"b"`
}

// DisplayState is what the face shows.
type DisplayState struct {
	Face              string // name of the last image
	GazeX, GazeY, Lid float64
	Shape             Shape
	Breath            Breath
	Frames            uint64 // images since Open
}

// Showing is the state of a display that shows what a command says.
func Showing(c ShowFace, frames uint64) DisplayState {
	return DisplayState{Face: c.Face, GazeX: c.GazeX, GazeY: c.GazeY, Lid: c.Lid, Shape: c.Shape, Breath: c.Breath, Frames: frames}
}

// Shows is the command whose image the display shows.
func (s *DisplayState) Shows() ShowFace {
	return ShowFace{Face: s.Face, GazeX: s.GazeX, GazeY: s.GazeY, Lid: s.Lid, Shape: s.Shape, Breath: s.Breath}
}

// SpeakerState is what the speaker plays.
type SpeakerState struct {
	Playing string // text or clip; empty when silent
	ID      uint64 // of the last accepted command
	Busy    bool
}

// Detections is one processed image, and what is heard beside it, from the simulator's geometry or from a vision process.
type Detections struct {
	CapturedAt time.Time
	Faces      []Face
	Objects    []Object
	Pets       []Pet
	Points     []SalientPoint
	Motion     Motion // against the image before
	Light      Light
	Music              // of a speech process
	Habitat    Habitat // unknown: nothing is told
	Trouble    string  // why the image is of no use: one of EngineErrors
	// CubeConnected means that a cube answers by radio, Carrying that the lift holds an object.
	CubeConnected, Carrying bool
	// CarriedID is the object that the lift holds, as the camera sees it before itself; 0 if none or if nobody knows.
	CarriedID int
	// NoMarkers means that nobody looked for objects in this image, so that none was found says nothing.
	NoMarkers bool
	// Posted means that outside processes see, too, or alone. Then Images are the newest images that hold, one of each camera, oldest first; the
	// sightings above are those of all of them together, and CapturedAt is that of the newest. Without it all of this is one image.
	Posted bool
	Images []Image
	// Blind means that no camera posts: only what is heard, and the cube, is told.
	Blind bool
}

// An Image is what one camera found in one image. One with the same source and instant is the same image.
type Image struct {
	Source     int // number of the camera; 0 is the robot's own
	CapturedAt time.Time
	Faces      []Face
	Objects    []Object
	Pets       []Pet
	Motion     Motion
	Light      Light
	Habitat    Habitat
	Trouble    string
	NoMarkers  bool
}

// Image returns what was found in these detections as one image of the robot's own camera.
func (d *Detections) Image() Image {
	return Image{
		CapturedAt: d.CapturedAt, Faces: d.Faces, Objects: d.Objects, Pets: d.Pets, Motion: d.Motion, Light: d.Light,
		Habitat: d.Habitat, Trouble: d.Trouble, NoMarkers: d.NoMarkers,
	}
}

// A Face as seen: bearing is relative to the robot's heading, elevation to the horizontal.
type Face struct {
	ID           int     `json:"id"`
	Name         string  `json:"name,omitempty"` // empty if not recognized
	DistanceMM   float64 `json:"distance_mm"`
	BearingRad   float64 `json:"bearing_rad"`
	ElevationRad float64 `json:"elevation_rad"`
	EyeContact   bool    `json:"eye_contact,omitempty"` // it looks into the camera
}

// Object kinds.
const (
	KindCube    = "cube"
	KindCharger = "charger"
)

// An Object as seen. HeadingRad is the object's own heading relative to the robot's; a charger's heading points
// out of its open side, so a robot on it looks along the charger's heading.
type Object struct {
	ID         int     `json:"id"`
	Kind       string  `json:"kind"`
	DistanceMM float64 `json:"distance_mm"` // from the middle of the robot's axle to the object's center
	BearingRad float64 `json:"bearing_rad"`
	HeadingRad float64 `json:"heading_rad"`
	// BaseMM is the height of its lower side over the ground on which the robot stands: 0 for one that stands there too.
	BaseMM float64 `json:"base_mm,omitempty"`
	// Up is the side of a cube that is up, 1 to 6; 0 if nobody knows. A cube that was rolled shows another one. Sides are numbered as on a
	// die: opposite ones add up to 7, and 1, 2 and 3 go counterclockwise about the corner where they meet, seen from outside.
	Up uint8 `json:"up,omitempty"`
}

// QualityOf is the quality of one device's newest reading; Absent for an unknown name.
func (n *Snapshot) QualityOf(device string) Quality {
	q, _, _ := n.StatusOf(device)
	return q
}

// StatusOf is quality, instant and sequence number of one device's newest reading.
func (n *Snapshot) StatusOf(device string) (Quality, time.Time, uint64) {
	switch device {
	case Battery:
		return status(&n.Battery)
	case Charger:
		return status(&n.Charger)
	case Cliff:
		return status(&n.Cliff)
	case Display:
		return status(&n.Display)
	case IMU:
		return status(&n.IMU)
	case Lights:
		return status(&n.Lights)
	case Motors:
		return status(&n.Motors)
	case Range:
		return status(&n.Range)
	case Servos:
		return status(&n.Servos)
	case Speaker:
		return status(&n.Speaker)
	case Touch:
		return status(&n.Touch)
	case Vision:
		return status(&n.Vision)
	}
	return Absent, time.Time{}, 0
}

func status[T any](r *Reading[T]) (Quality, time.Time, uint64) { return r.Quality, r.At, r.Seq }

// Qualities are those of the newest readings, by the place of a device in [Names].
func (n *Snapshot) Qualities() [Devices]Quality {
	return [Devices]Quality{
		n.Battery.Quality, n.Charger.Quality, n.Cliff.Quality, n.Display.Quality, n.IMU.Quality, n.Lights.Quality,
		n.Motors.Quality, n.Range.Quality, n.Servos.Quality, n.Speaker.Quality, n.Touch.Quality, n.Vision.Quality,
	}
}

// Expire makes the good readings stale that are older than the limit of their device, by its place in [Names]. A limit of 0 is none.
func (n *Snapshot) Expire(limits *[Devices]time.Duration) {
	expire(&n.Battery, n.Now, limits[0])
	expire(&n.Charger, n.Now, limits[1])
	expire(&n.Cliff, n.Now, limits[2])
	expire(&n.Display, n.Now, limits[3])
	expire(&n.IMU, n.Now, limits[4])
	expire(&n.Lights, n.Now, limits[5])
	expire(&n.Motors, n.Now, limits[6])
	expire(&n.Range, n.Now, limits[7])
	expire(&n.Servos, n.Now, limits[8])
	expire(&n.Speaker, n.Now, limits[9])
	expire(&n.Touch, n.Now, limits[10])
	expire(&n.Vision, n.Now, limits[11])
}

func expire[T any](r *Reading[T], now time.Time, limit time.Duration) {
	if r.Quality == OK && limit > 0 && r.At.Before(now.Add(-limit)) {
		r.Quality = Stale
	}
}

// Degrade lowers the quality of one device's reading, keeping value and instant.
func (n *Snapshot) Degrade(device string, q Quality) { n.Put(&Sample{Device: device, Quality: q}) }
