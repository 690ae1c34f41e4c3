package hardware

import (
	"math"
	"time"
)

// A World holds everything that a tick knows about the robot and its surroundings: the readings, the values fused from
// them, and remembered sightings. The estimator builds it once per tick; it is immutable afterwards.
type World struct {
	Snapshot
	Body    Body
	Around  Around
	Faces   []KnownFace   // newest sighting first
	Objects []KnownObject // by ID
	Map     *Map          // what was met on the way; nil is an empty map
	Views   *Views        // where it looked at the ground; nil: nowhere yet
	// RangeAside is why a fresh reading of the distance sensor is stale here: it nods with the head, which looks elsewhere. Empty otherwise.
	RangeAside string
}

// Treads is how the robot stands or lies.
type Treads uint8

// The treads states.
const (
	OnTreads Treads = iota
	InAir
	OnBack
	OnLeftSide
	OnRightSide
	OnFace
	Falling
)

// TreadsNames are the names of the states as behavior files write them.
var TreadsNames = []string{"OnTreads", "InAir", "OnBack", "OnLeftSide", "OnRightSide", "OnFace", "Falling"}

func (t Treads) String() string { return TreadsNames[t] }

// BatteryLevel is the coarse charge that behaviors decide on.
type BatteryLevel uint8

// The levels. A failed battery monitor reads Low: go home.
const (
	BatteryUnknown BatteryLevel = iota
	BatteryLow
	BatteryNominal
	BatteryFull
)

// BatteryNames are the names of the levels as behavior files write them.
var BatteryNames = []string{"Unknown", "Low", "Nominal", "Full"}

func (b BatteryLevel) String() string { return BatteryNames[b] }

// Pose is a position and heading in the odometry frame of Body.Origin.
type Pose struct {
	XMM        float64 `json:"x_mm"`
	YMM        float64 `json:"y_mm"`
	HeadingRad float64 `json:"heading_rad"`
}

// To returns distance and bearing of a point, relative to p's heading, bearing in (-π, π].
func (p Pose) To(xMM, yMM float64) (distanceMM, bearingRad float64) {
	dx, dy := xMM-p.XMM, yMM-p.YMM
	return math.Hypot(dx, dy), WrapRad(math.Atan2(dy, dx) - p.HeadingRad)
}

// WrapRad wraps an angle to (-π, π].
func WrapRad(a float64) float64 {
	if a > -math.Pi && a <= math.Pi {
		return a
	}
	return wrapped(a)
}

// wrapped is WrapRad of an angle that is beyond, apart so that the look whether one is costs no call.
func wrapped(a float64) float64 {
	if math.Abs(a) >= 2*math.Pi { // below, Mod would return the same after a long division
		a = math.Mod(a, 2*math.Pi)
	}
	switch {
	case a > math.Pi:
		return a - 2*math.Pi
	case a <= -math.Pi:
		return a + 2*math.Pi
	}
	return a
}

// Body holds the values fused from the readings, with the instants since which the flags hold.
type Body struct {
	Pose Pose
	// PoseSigmaMM and HeadingSigmaRad are the standard deviations of Pose. They grow with the way and shrink when something is seen whose
	// place is known; 0, as in old recordings, means that nobody worked them out.
	PoseSigmaMM, HeadingSigmaRad float64
	// The place is least sure in the direction PoseAxisRad, from -π/2 to π/2 in the frame of Pose, where its standard deviation is PoseSigmaMM;
	// across it is PoseAcrossMM, which is not larger.
	PoseAcrossMM, PoseAxisRad float64
	Origin                    uint64 // grows each time the robot loses its place (picked up, put down)
	Treads                    Treads
	TreadsSince               time.Time
	PickedUp                  bool
	Shaken                    bool // picked up and filtered acceleration ≥ 16,000 mm/s² now
	ShakenAt                  time.Time
	Touched                   bool
	TouchedSince              time.Time
	CliffSince                time.Time // since when at least one sensor sees no floor; zero if none
	OnContacts                bool      // charger contacts
	OnPlatform                bool      // on the charger, contacts or not
	Charging                  bool
	Battery                   BatteryLevel
	// Held means that a person holds the robot: it is picked up, was turned since it stood (TRD-3), and sways. HeldSince is when that changed.
	Held      bool
	HeldSince time.Time
	// InPalm means that it lies flat on a palm. PalmSince is when that began, PalmUntil when it was so last, zero if never.
	InPalm               bool
	PalmSince, PalmUntil time.Time
	// Moved means that the body turned otherwise than the wheels did for a while, which ended with this tick: the robot was turned, or is blocked.
	Moved bool
	// ObstacleAt is when something was suddenly ahead, nearer than what was there and than the robot drove; RangeAt when the distance ahead
	// changed without the robot's doing. Zero if never.
	ObstacleAt, RangeAt time.Time
	PokedAt             time.Time // of the newest poke; zero if never
	CubeTappedAt        time.Time // of the newest tap on the connected cube; zero if never
	// Pressed means that the power button is held down, since PressedSince.
	Pressed      bool
	PressedSince time.Time
	// Hot means that processor or battery are hot: HotCPUC, HotBatteryC.
	Hot bool
	// ChargeStalled means that the charger does not charge because the battery is too warm.
	ChargeStalled bool
	// Carrying means that the lift holds an object. It keeps its value while vision is not available.
	Carrying bool
	// CarriedID is the object that the lift holds; 0 if it holds none or nobody knows which.
	CarriedID int
	// CubeConnected means that a cube answers by radio. It is false as soon as the source is not fresh.
	CubeConnected bool
	// Capabilities at this moment. CanDrive: the wheels turn on command. CanFeelEdges and CanFeelAhead: the sensors that look down, and the
	// one that looks ahead, are fresh, and the latter is level if it is on the head. CanNod and CanLift: the joint is there and answers.
	CanDrive, CanSee, CanFeelEdges, CanFeelAhead, CanNod, CanLift bool
	// CanCharge means that the robot has contacts for a charger.
	CanCharge bool
	// Edgeless means that it has no sensors that look down and drives without them, on a floor with walls.
	Edgeless bool
	// Drained means that the battery of a robot without a charger is empty, so that the wheels do not turn.
	Drained bool
	// Reckoned means that the pose is a guess: no encoder tells whether the wheels turned.
	Reckoned bool
}

// A KnownFace is a remembered sighting, placed in the odometry frame.
type KnownFace struct {
	ID           int
	Name         string
	XMM, YMM     float64
	DistanceMM   float64 // from the robot now
	BearingRad   float64 // from the robot now
	ElevationRad float64
	SeenAt       time.Time // capture time of the newest image with it
	EyesAt       time.Time // capture time of the newest image in which it looked into the camera; zero if never
}

// A KnownObject is a remembered sighting, placed in the odometry frame. Its pose is valid only while Origin is the body's.
type KnownObject struct {
	ID     int
	Kind   string
	Pose   Pose
	Origin uint64
	SeenAt time.Time
	// SigmaMM is the standard deviation of its place relative to the robot's.
	SigmaMM float64
	// BaseMM and Up are those of the newest [Object] seen.
	BaseMM float64
	Up     uint8
}

// Object returns a remembered object of the current origin by its ID, if any.
func (w *World) Object(id int) (KnownObject, bool) {
	for _, o := range w.Objects {
		if o.ID == id && o.Origin == w.Body.Origin {
			return o, true
		}
	}
	return KnownObject{}, false
}

// Charger returns the remembered charger of the current origin, if any.
func (w *World) Charger() (KnownObject, bool) {
	for _, o := range w.Objects {
		if o.Kind == KindCharger && o.Origin == w.Body.Origin {
			return o, true
		}
	}
	return KnownObject{}, false
}

// Ahead returns how far before the front of the robot something is. The distance sensor may be behind that front, as on a turret: its reading is
// more. For a sensor before the front it is the reading. It returns false if the sensor finds nothing or has no good reading.
func (w *World) Ahead() (mm float64, found bool) {
	r := &w.Range.Value
	if !w.Range.OK() || !r.Found {
		return 0, false
	}
	return r.DistanceMM - max(0, float64(w.Motors.Value.Outline().FrontMM)-r.Front()), true
}

// Face returns the newest known face not older than maxAge, if any.
func (w *World) Face(maxAge time.Duration) (KnownFace, bool) {
	if len(w.Faces) > 0 && w.Now.Sub(w.Faces[0].SeenAt) <= maxAge {
		return w.Faces[0], true
	}
	return KnownFace{}, false
}
