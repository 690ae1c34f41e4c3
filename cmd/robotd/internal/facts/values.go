package facts

import (
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware"
)

// The values of the topics. JSON names are those of /v1/state where it has the same. Seconds count from the robot's start.

// lifeValue never changes.
type lifeValue struct {
	PeriodMS  float64  `json:"period_ms"`
	Robot     string   `json:"robot"`
	Version   string   `json:"version"`
	Simulated bool     `json:"simulated"`
	Behaviors []string `json:"behaviors"`
	Classes   []string `json:"classes"` // of each behavior
	Intents   []string `json:"intents"`
	Stages    []string `json:"stages"`
	// Parts is empty in recordings of older versions.
	Parts control.PartState `json:"parts"`
	// Definitions is control.State's. It is empty in recordings of older versions.
	Definitions string `json:"definitions,omitempty"`
}

// bootValue is what belongs at the bottom of the stack.
type bootValue struct {
	Stage    string           `json:"stage"`
	Boot     string           `json:"boot"`
	Checks   bool             `json:"checks"`
	SelfTest bool             `json:"self_test"`
	Run      control.RunState `json:"run"`
}

type stackValue struct {
	Layers []layerValue `json:"layers"` // base first
}

type layerValue struct {
	ID     string  `json:"id"`
	Class  string  `json:"class"`
	State  string  `json:"state"`
	SinceS float64 `json:"since_s"`
}

type scopeValue struct {
	IDs    []string `json:"ids"`    // in the order in which they are asked
	Askers []string `json:"askers"` // of each
}

type actionValue struct {
	Tag    uint64   `json:"tag"`
	Slot   int      `json:"slot"`
	Name   string   `json:"name"`
	Status string   `json:"status"`
	SinceS float64  `json:"since_s"`
	Tracks []string `json:"tracks"`
	Owner  string   `json:"owner"`
	Result string   `json:"result,omitempty"` // it has ended so, in this tick
	Detail string   `json:"detail,omitempty"`
}

type tracksValue struct {
	Tracks []control.TrackState `json:"tracks"`
}

type deviceValue struct {
	Name     string  `json:"name"`
	Quality  string  `json:"quality"`
	AtS      float64 `json:"at_s,omitempty"` // of the newest reading, if that is not fresh
	Restarts uint64  `json:"restarts"`
	Reinits  uint64  `json:"reinits"`
	Retries  uint64  `json:"retries"`
	Errors   uint64  `json:"errors"`
	Cause    string  `json:"cause"`
	Fault    string  `json:"fault"`
	Why      string  `json:"why,omitempty"` // a fresh reading is stale
}

// bodyValue is BodyState without the pose.
type bodyValue struct {
	Treads    string          `json:"treads"`
	Battery   string          `json:"battery"`
	Volts     float64         `json:"volts"`
	Charge    float64         `json:"charge"`
	Charging  bool            `json:"charging"`
	OnCharger bool            `json:"on_charger"`
	Touched   bool            `json:"touched"`
	Face      string          `json:"face"`
	Gaze      [2]float64      `json:"gaze"`
	Lid       float64         `json:"lid"`
	Shape     [4]float64      `json:"shape"`
	Breath    [2]float64      `json:"breath"`
	FaceLayer string          `json:"face_layer"`
	Says      string          `json:"says"`
	Lights    [5]hardware.RGB `json:"lights"`
	HeadRad   float64         `json:"head_rad"`
	LiftMM    float64         `json:"lift_mm"`
}

// The keys of the map.
type (
	mapMarks struct {
		Marks []control.MapMark `json:"marks"`
	}
	mapObjects struct {
		Objects []control.MapObject `json:"objects"`
	}
)

// sensesValue is what the robot perceives of hands, heat and surroundings.
type sensesValue = control.SenseState

// A poseValue is the believed pose: a foxglove.PoseInFrame in meters, with the odometry of /v1/state.
type poseValue struct {
	Timestamp  stamp   `json:"timestamp"`
	FrameID    string  `json:"frame_id"`
	Pose       pose3   `json:"pose"`
	XMM        float64 `json:"x_mm"`
	YMM        float64 `json:"y_mm"`
	HeadingRad float64 `json:"heading_rad"`
	// Believed is the same place in the frame of the world, of which Pose is the drawing; on a real robot the world is its odometry.
	Believed hardware.Pose `json:"believed"`
}

// The parts of the world that move, by key.
type (
	worldRobot struct {
		hardware.Pose
		Held     bool    `json:"held"`
		Fallen   bool    `json:"fallen"`
		RangeMM  float64 `json:"range_mm"`
		PitchRad float64 `json:"pitch_rad,omitempty"`
		RollRad  float64 `json:"roll_rad,omitempty"`
	}
	worldCubes struct {
		Cubes []control.WorldCube `json:"cubes"`
	}
	worldFaces struct {
		Faces []control.WorldFace `json:"faces"`
	}
)

// worldStatic is the part of the world that stays.
type worldStatic struct {
	Table     [][2]float64       `json:"table"`
	Obstacles []control.WorldBox `json:"obstacles"`
	LengthMM  float64            `json:"length_mm"` // of the robot
	WidthMM   float64            `json:"width_mm"`
	BackMM    float64            `json:"back_mm,omitempty"`
	Lacks     []string           `json:"lacks,omitempty"`
	Walls     bool               `json:"walls,omitempty"`
	Cliffs    [][2]float64       `json:"cliffs"` // the four sensors, in the robot's frame
}

type featureValue struct {
	Name   string  `json:"name"`
	Run    uint64  `json:"run"`
	SinceS float64 `json:"since_s"` // 0 if there was none yet
	Source string  `json:"source"`
}

type statsValue struct {
	Stats []control.StatState `json:"stats"`
}

type failuresValue struct {
	Failures []control.FailureState `json:"failures"` // newest first
}

type slowValue struct {
	SlowHooks []control.SlowState `json:"slow_hooks"` // slowest first
}

// timingValue are the ticks of about a second.
type timingValue struct {
	AtS        []float64 `json:"at_s"`
	DurationUS []float64 `json:"duration_us"`
	LateUS     []float64 `json:"late_us"`
	Missed     uint64    `json:"missed"`  // since start
	Skipped    uint64    `json:"skipped"` // since start
}

// An eventValue is something that happened.
type eventValue struct {
	Kind string `json:"kind"`
	Who  string `json:"who"`
	Text string `json:"text"`
}

// A logValue is a foxglove.Log with the time of /v1/state.
type logValue struct {
	Timestamp stamp   `json:"timestamp"`
	Level     int     `json:"level"` // 1 debug, 2 info, 3 warn, 4 error
	Message   string  `json:"message"`
	Name      string  `json:"name"`
	File      string  `json:"file"`
	Line      uint32  `json:"line"`
	TimeS     float64 `json:"time_s"`
}

// seconds since start, to a millisecond.
func seconds(d time.Duration) float64 {
	return float64(d.Round(time.Millisecond)/time.Millisecond) / 1000
}
