package control

import "github.com/robotd/robotd/hardware"

// A State is the state view that the page and `robotd ctl stack` show: one consistent state of one tick. The daemon publishes one
// at most every 50 ms. It is immutable.
type State struct {
	Tick      uint64        `json:"tick"`
	TimeS     float64       `json:"time_s"` // robot time since start
	PeriodMS  float64       `json:"period_ms"`
	Robot     string        `json:"robot"` // profile name
	Version   string        `json:"version"`
	Simulated bool          `json:"simulated"`
	View      bool          `json:"view,omitempty"` // this is a recording, not a running robot
	EStop     bool          `json:"estop"`          // mind or line is stopped
	Stop      StopState     `json:"stop"`           // each of them
	Stage     string        `json:"stage"`          // of the robot's life; one of Stages
	Boot      string        `json:"boot"`           // the behavior that belongs at the bottom of the stack
	Checks    bool          `json:"checks"`         // the invariants are checked after each tick
	SelfTest  bool          `json:"self_test"`      // the self test runs
	Run       RunState      `json:"run"`            // what an operator made the base
	Sentence  SentenceState `json:"sentence"`       // what it does, and why
	Banner    []BannerState `json:"banner"`         // what holds it back, the weightiest first
	Stack     []StackEntry  `json:"stack"`          // base first
	Scope     []ScopeEntry  `json:"scope"`          // in activatable scope, not on the stack, in the order in which they are asked
	Behaviors []string      `json:"behaviors"`      // all IDs, sorted
	Intents   []string      `json:"intents"`        // all intent tags, sorted
	Stages    []string      `json:"stages"`         // all stages, in their order
	Intent    IntentState   `json:"intent"`
	Feature   FeatureState  `json:"feature"`
	Settings  SettingsState `json:"settings"`
	Mood      MoodState     `json:"mood"`
	Stats     []StatState   `json:"stats"`   // declared ones by name, then BehaviorActivated
	Actions   []ActionState `json:"actions"` // running and pending, by slot
	Tracks    []TrackState  `json:"tracks"`  // every track, locked or not
	Devices   []DeviceState `json:"devices"` // by name
	Parts     PartState     `json:"parts"`   // what the robot lacks, and what can be done to it
	Body      BodyState     `json:"body"`
	Senses    SenseState    `json:"senses"`
	Map       MapState      `json:"map"`
	Services  ServicesState `json:"services"`
	Latency   LatencyState  `json:"latency"`
	Counters  CounterState  `json:"counters"`
	Troubles  TroubleState  `json:"troubles"`
	Log       []LogEntry    `json:"log"`             // newest last, at most 50
	World     *WorldState   `json:"world,omitempty"` // nil on a real robot

	// Definitions stands for the definitions of the behaviors: they changed if it did. Recordings of older versions have none.
	Definitions string `json:"definitions,omitempty"`
}

// StopState is the emergency stop. Mind and line are stopped one after the other, so for a moment only one of them is.
type StopState struct {
	Number uint64 `json:"number"` // of the newest stop, whether or not it has ended; a resume names it
	Mind   bool   `json:"mind"`   // one behavior holds the stack, and no action starts
	Line   bool   `json:"line"`   // the enable line of the motors is held low
}

// A StackEntry is one layer.
type StackEntry struct {
	ID        string  `json:"id"`
	Class     string  `json:"class"`
	State     string  `json:"state"`    // debug state name
	ActiveS   float64 `json:"active_s"` // since activation
	InControl bool    `json:"in_control"`
}

// A ScopeEntry is one behavior that may be chosen now.
type ScopeEntry struct {
	ID    string `json:"id"`
	Class string `json:"class"`
	// Wants is the newest answer: "yes", "no", or "" if it was not asked in the last second.
	Wants string `json:"wants"`
	Why   string `json:"why"`   // first gate that said no
	Asker string `json:"asker"` // who asks it
}

// IntentState is the user intent.
type IntentState struct {
	Pending string `json:"pending"`
	Active  string `json:"active"`
}

// RunState is the behavior that an operator made the base.
type RunState struct {
	ID    string `json:"id"`    // empty if there is none
	Again int    `json:"again"` // runs after the present one; -1 for ever
}

// FeatureState is the product feature that is active.
type FeatureState struct {
	Name    string  `json:"name"` // "NoFeature" if none is
	Run     uint64  `json:"run"`  // grows with each change
	ActiveS float64 `json:"active_s"`
	Source  string  `json:"source"` // "AI", or who uttered the intent that led to it
}

// SettingsState is what people set for good.
type SettingsState struct {
	Features  []GateState     `json:"features"`  // every declared one, by name
	Reactions []ReactionState `json:"reactions"` // every condition of the map of reactions, in its order
}

// GateState is whether a feature is on.
type GateState struct {
	Name     string `json:"name"`
	Enabled  bool   `json:"enabled"`
	InFiles  bool   `json:"in_files"` // what the files say
	Override string `json:"override"` // Default, Enabled or Disabled; it wins over the files
}

// ReactionState is the reaction to a condition.
type ReactionState struct {
	Condition string   `json:"condition"` // its type
	Behavior  string   `json:"behavior"`  // that was chosen; empty for none
	Options   []string `json:"options"`
}

// MoodState is the robot's mood.
type MoodState struct {
	Simple   string             `json:"simple"`   // LowStim, MedStim, HighStim, Frustrated
	Emotions map[string]float64 `json:"emotions"` // -1 to 1
}

// A StatState is one behavior stat since start.
type StatState struct {
	Name  string `json:"name"`
	Count uint64 `json:"count"`
}

// An ActionState is one runner.
type ActionState struct {
	Tag    uint64   `json:"tag"`
	Slot   int      `json:"slot"`
	Name   string   `json:"name"`
	Status string   `json:"status"` // "pending", "running", with phase text
	ForS   float64  `json:"for_s"`
	Tracks []string `json:"tracks"`
	Owner  string   `json:"owner"` // behavior ID
}

// A TrackState is one body part.
type TrackState struct {
	Name    string   `json:"name"`
	Holders []string `json:"holders"`
}

// A DeviceState is one device actor.
type DeviceState struct {
	Name     string  `json:"name"`
	Quality  string  `json:"quality"` // ok, stale, failed, absent
	AgeMS    float64 `json:"age_ms"`
	Restarts uint64  `json:"restarts"`
	Reinits  uint64  `json:"reinits"`
	Retries  uint64  `json:"retries"`
	Errors   uint64  `json:"errors"`
	Cause    string  `json:"cause"` // of the last failure
	Fault    string  `json:"fault"` // injected fault kind, if any
	Value    string  `json:"value"` // short text of the newest reading
	// Why a fresh reading is stale: the distance sensor nods with the head, which looks elsewhere. Then there is no value.
	Why string `json:"why,omitempty"`
}

// PartState tells how the robot differs from R1, the robot sim, which has every part. It never changes.
type PartState struct {
	// Lacks are parts that the robot has not: battery, charger, cliff, display, head, imu, lift, lights, motors, range, speaker, touch, vision.
	Lacks  []string `json:"lacks,omitempty"`
	Breaks []string `json:"breaks,omitempty"` // devices that POST /v1/fault takes; none of a real robot
	Acts   []string `json:"acts,omitempty"`   // acts that POST /v1/world takes
	// The outline of the robot, of which BackMM reaches behind the middle of its axle.
	LengthMM float64 `json:"length_mm,omitempty"`
	WidthMM  float64 `json:"width_mm,omitempty"`
	BackMM   float64 `json:"back_mm,omitempty"`
}

// BodyState is what the robot believes.
type BodyState struct {
	Pose      hardware.Pose `json:"pose"`
	Treads    string        `json:"treads"`
	Battery   string        `json:"battery"`
	Volts     float64       `json:"volts"`
	Charge    float64       `json:"charge"` // 0 to 1
	Charging  bool          `json:"charging"`
	OnCharger bool          `json:"on_charger"`
	Touched   bool          `json:"touched"`
	// What the display shows: an expression, where its eyes look (to the robot's left, and up, from -1 to 1; at most four changes a second),
	// and how far the upper lids come down over it (0 as the expression has them, 1 closed: a blink is 1 for about 0.1 s). Shape changes the
	// expression's eyes: their height and width (1 is half as much again, -1 half), the slant of the upper lids (1 as anger has it, -1 as
	// sorrow) and the lower lids (1 raised as a smile has them). Breath is how often a minute and how deep (0 to 1) the eyes go up and down.
	// FaceLayer says whose it is: that of a running action ("clip"), of a behavior ("held"), or of nobody ("idle").
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
	Sensors   SensorState     `json:"sensors"`
}

// SenseState is what the robot perceives of hands, heat and surroundings.
type SenseState struct {
	Held    bool   `json:"held"`    // a person holds it: it is picked up and sways
	InPalm  bool   `json:"in_palm"` // it lies flat on a palm
	Pressed bool   `json:"pressed"` // the power button is held down
	Habitat string `json:"habitat"` // Unknown, InHabitat or NotInHabitat
	Night   bool   `json:"night"`   // by the robot's clock: 22:00 to 6:00
	Light   string `json:"light"`   // Unknown, Illuminated or Darkened; unknown while no behavior asks for it
	Beat    string `json:"beat"`    // of music: None, Possible or Steady
	// TempoBPM is its number of beats a minute; 0 if it is not known.
	TempoBPM float64 `json:"tempo_bpm"`
	Error    string  `json:"error"`  // the newest complaint of the vision process; empty for none
	Pets     int     `json:"pets"`   // seen within a minute
	Points   int     `json:"points"` // in the picture, worth a look
	// Motion is how much of the picture moves.
	Motion MotionState `json:"motion"`
	// Temperatures in °C; 0 if nothing measures them. Hot means 55 °C or more of the battery, or 90 °C of the processor.
	BatteryC      float64 `json:"battery_c"`
	ProcessorC    float64 `json:"processor_c"`
	Hot           bool    `json:"hot"`
	ChargeStalled bool    `json:"charge_stalled"` // the charger pauses because the battery is too warm
}

// SensorState is what sensors report, for drawing: the newest good readings. Whether one may be used is told by the quality of its
// device in State.Devices.
type SensorState struct {
	Cliff   [4]bool `json:"cliff"`    // an edge is reported: front left, front right, back left, back right
	RangeMM float64 `json:"range_mm"` // measured distance ahead, 0 if nothing was found
	LeftMM  float64 `json:"left_mm"`  // travel of the wheels by the encoders
	RightMM float64 `json:"right_mm"`
	Sound   uint64  `json:"sound"` // number of the newest sound; tells two equal ones apart
}

// LatencyState is tick timing over the last minute.
type LatencyState struct {
	LastUS    float64   `json:"last_us"`
	P50US     float64   `json:"p50_us"`
	P99US     float64   `json:"p99_us"`
	MaxUS     float64   `json:"max_us"`
	LateP99US float64   `json:"late_p99_us"`
	Missed    uint64    `json:"missed"`     // ticks that took longer than a period, since start
	Skipped   uint64    `json:"skipped"`    // ticks that were skipped because of that
	HistoryUS []float64 `json:"history_us"` // last 120 ticks, oldest first
}

// CounterState counts failures and achievements since start.
type CounterState struct {
	Panics     uint64  `json:"panics"`
	Hangs      uint64  `json:"hangs"`
	Refusals   uint64  `json:"refusals"`
	Misuses    uint64  `json:"misuses"` // of facilities of the body
	Warnings   uint64  `json:"warnings"`
	Cycles     uint64  `json:"cycles"`  // behaviors that handed control back and forth quickly
	Resumed    uint64  `json:"resumed"` // activations that went on after an interrupt
	Restarts   uint64  `json:"restarts"`
	Violations uint64  `json:"violations"`
	Falls      uint64  `json:"falls"`
	Dockings   uint64  `json:"dockings"`
	DistanceM  float64 `json:"distance_m"`
}

// TroubleState is what failed, was slow, refused or lost since start.
type TroubleState struct {
	Failures  []FailureState `json:"failures"`   // by kind, newest first, at most 16
	SlowHooks []SlowState    `json:"slow_hooks"` // slowest first, at most 8
	Warnings  []WarningState `json:"noted"`      // by kind and what, in order
	TroubleCounts
}

// TroubleCounts are totals since start, but for the zombies, which are those of now.
type TroubleCounts struct {
	Zombies     int    `json:"zombies"`      // goroutines lost in hooks that never returned
	ZombieLimit int    `json:"zombie_limit"` // number at which the process ends; 0 before the first zombie
	Stale       uint64 `json:"stale"`        // requests made outside of a running hook
	StaleBy     string `json:"stale_by"`     // the behavior of the newest
	Dropped     uint64 `json:"dropped"`      // events beyond the limit
	DeadLetters uint64 `json:"dead_letters"` // messages without a receiver, or from an unauthorized sender
	Slow        uint64 `json:"slow"`         // hooks that took a good part of their budget
}

// A FailureState is one kind of failure.
type FailureState struct {
	Actor  string  `json:"actor"` // "behavior/GreetFace", "device/motors"
	Where  string  `json:"where"` // hook or operation
	Reason string  `json:"reason"`
	Count  uint64  `json:"count"`
	LastS  float64 `json:"last_s"` // robot time of the newest
	Text   string  `json:"text"`   // of the newest
}

// A WarningState is one line of the warning log: a refusal, misuse, warning or cycle of one kind. It is not a failure of code.
type WarningState struct {
	Kind  string `json:"kind"` // "cycle", "misuse", "refusal", "warning"
	What  string `json:"what"` // the reason, "custom lights: already set"
	Count uint64 `json:"count"`
	Text  string `json:"text"` // the newest, with who did it
}

// A SlowState is one hook that ended, but slowly.
type SlowState struct {
	Actor   string  `json:"actor"`
	Where   string  `json:"where"`
	Count   uint64  `json:"count"`
	WorstMS float64 `json:"worst_ms"`
}

// A LogEntry is one line for people.
type LogEntry struct {
	TimeS float64 `json:"time_s"`
	Level string  `json:"level"`
	Text  string  `json:"text"`
}

// WorldState is the simulated world as it really is, for drawing. Millimeters, radians, world frame.
type WorldState struct {
	Table     [][2]float64  `json:"table"`           // polygon
	Walls     bool          `json:"walls,omitempty"` // it is a floor with walls, not a table with edges
	Robot     WorldRobot    `json:"robot"`
	Charger   hardware.Pose `json:"charger"`
	Cubes     []WorldCube   `json:"cubes"`
	Obstacles []WorldBox    `json:"obstacles"`
	Faces     []WorldFace   `json:"faces"`    // people present
	RangeMM   float64       `json:"range_mm"` // true distance ahead, 0 if nothing
	Cliffs    [][2]float64  `json:"cliffs"`   // positions of the four sensors
	// Believed is where the robot believes to be, in this frame: its odometry since its frame last began, added to where it really was
	// then.
	Believed hardware.Pose `json:"believed"`
}

// MapState is what the robot believes of its surroundings, in the odometry frame of its body's pose.
type MapState struct {
	MapBelief
	Marks   []MapMark   `json:"marks"`   // met longest ago first
	Objects []MapObject `json:"objects"` // cubes and charger, by number
}

// MapBelief is what the robot believes of itself on the map.
type MapBelief struct {
	Origin   uint64  `json:"origin"`    // of the frame; grows each time the robot loses its place
	Version  uint64  `json:"version"`   // of the marks
	SigmaMM  float64 `json:"sigma_mm"`  // standard deviation of the believed place, along the longer axis of its ellipse
	AcrossMM float64 `json:"across_mm"` // along the shorter axis
	AxisRad  float64 `json:"axis_rad"`  // direction of the longer axis, -π/2 to π/2
	SigmaRad float64 `json:"sigma_rad"` // and of the believed heading
}

// A MapMark is a place where the robot met something.
type MapMark struct {
	Kind string `json:"kind"` // "edge", "obstacle", "bump"
	hardware.Pose
	RadiusMM float64 `json:"radius_mm"`
	Met      int     `json:"met"`  // how often
	MetS     float64 `json:"at_s"` // robot time at which it was met last
}

// A MapObject is where the robot believes an object to be.
type MapObject struct {
	ID   int    `json:"id"`
	Kind string `json:"kind"`
	hardware.Pose
	SigmaMM float64 `json:"sigma_mm"` // of its place relative to the robot's
}

// A WorldCube is a cube on the table, on another cube, or on the lift.
type WorldCube struct {
	hardware.Pose
	ID      int     `json:"id"`                // 1, 2, …; stays with the cube
	BaseMM  float64 `json:"base_mm,omitempty"` // height of its lower side over the table
	Up      uint8   `json:"up,omitempty"`      // its upper side, 1 to 6; 1 is upright
	Carried bool    `json:"carried,omitempty"` // by the robot's lift
}

// A WorldRobot is where the robot really is.
type WorldRobot struct {
	hardware.Pose
	Held     bool    `json:"held"`
	Fallen   bool    `json:"fallen"`
	LengthMM float64 `json:"length_mm"`
	WidthMM  float64 `json:"width_mm"`
	// PitchRad is positive with the nose up, RollRad with the left side up. Both are 0 of a robot that fell.
	PitchRad float64 `json:"pitch_rad,omitempty"`
	RollRad  float64 `json:"roll_rad,omitempty"`
	// BackMM is how far its outline reaches behind the middle of its axle.
	BackMM float64 `json:"back_mm,omitempty"`
	// Lacks are the parts of R1 that it has not: head, lift, display, lights, touch, cliff, range, charger.
	Lacks []string `json:"lacks,omitempty"`
}

// A WorldBox is a box obstacle.
type WorldBox struct {
	hardware.Pose
	LengthMM float64 `json:"length_mm"`
	WidthMM  float64 `json:"width_mm"`
}

// A WorldFace is a person.
type WorldFace struct {
	ID   int     `json:"id"`
	Name string  `json:"name"`
	XMM  float64 `json:"x_mm"`
	YMM  float64 `json:"y_mm"`
}
