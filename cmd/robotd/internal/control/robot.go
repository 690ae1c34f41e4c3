package control

import (
	"context"
	"errors"
	"time"

	"github.com/robotd/robotd/hardware"
)

// A Robot is what the API acts on. All methods are safe for concurrent use. The texts that they return are for people; an
// error wrapped in [ErrRefused] is the caller's mistake, every other one the daemon's.
type Robot interface {
	// Feed returns the feed of state views.
	Feed() *Feed
	// Past answers what was; nil if the robot keeps no history.
	Past() Past
	Watcher
	// Intent makes a user intent pending.
	Intent(ctx context.Context, name string, data map[string]string) (string, error)
	// Hear makes the intent pending that a message of a cloud or an app stands for.
	Hear(ctx context.Context, m Message) (string, error)
	// Wake acts as if the trigger word was heard.
	Wake(ctx context.Context) (string, error)
	// RunBehavior makes a behavior the base until it has ended that many times; 0 = once, negative = until canceled.
	RunBehavior(ctx context.Context, id string, times int) (string, error)
	// Stage changes the stage of the robot's life, which chooses its base behavior.
	Stage(ctx context.Context, name string) (string, error)
	// SelfTest begins or ends the self test.
	SelfTest(ctx context.Context, on bool) (string, error)
	// Checks switches the check of the invariants after each tick.
	Checks(ctx context.Context, on bool) (string, error)
	// SetVar gives a console variable a value, for the condition ConsoleVar.
	SetVar(ctx context.Context, name string, value int32) (string, error)
	// Actions lists the actions that Do knows, those that run or wait, and how the newest of the operator ended.
	Actions(ctx context.Context) (ActionsState, error)
	// Do queues an action.
	Do(ctx context.Context, q ActionRequest) (string, error)
	// CancelAction ends the action of a tag; 0 ends those of the operator.
	CancelAction(ctx context.Context, tag uint64) (string, error)
	// Drive moves wheels, head and lift directly for a moment.
	Drive(ctx context.Context, q DriveRequest) (string, error)
	// Feature switches a feature on or off whatever the files say ("Enabled", "Disabled"), or leaves it to them ("Default").
	Feature(ctx context.Context, name, override string) (string, error)
	// Reaction makes a behavior the reaction to a type of condition; an empty ID means none.
	Reaction(ctx context.Context, conditionType, id string) (string, error)
	// Cancel goes back to the configured base behavior.
	Cancel(ctx context.Context) (string, error)
	// Act does to the robot what a person would do. Simulated robots only.
	Act(ctx context.Context, a Act) (string, error)
	// Fault breaks a device for d, or until ClearFaults if d is 0. Simulated robots only.
	Fault(ctx context.Context, device, kind string, d time.Duration) (string, error)
	// ClearFaults heals what Fault broke.
	ClearFaults(ctx context.Context) (string, error)
	// Faults lists what is broken now.
	Faults(ctx context.Context) ([]FaultState, error)
	// EStop stops everything that moves at once, without waiting for a tick; the stop latches. It returns the number of the stop.
	EStop() (stop uint64)
	// Resume ends the emergency stop of that number. It is refused if a later one came.
	Resume(ctx context.Context, stop uint64) (string, error)
	// Detect takes what a vision or speech process found.
	Detect(ctx context.Context, d Detections) (string, error)
	// Alive is the health of the tick, Ready that of the robot: nil, or the names of the checks that fail.
	Alive() []string
	Ready() []string
}

// ErrRefused marks an error that the caller can correct, such as an unknown name or an invalid act.
var ErrRefused = errors.New("refused")

// Refuse marks err as the caller's mistake. Its text stays as it is.
func Refuse(err error) error {
	if err == nil {
		return nil
	}
	return refused{err}
}

type refused struct{ error }

func (r refused) Is(target error) bool { return target == ErrRefused }
func (r refused) Unwrap() error        { return r.error }

// An Act is something that a person does to the robot. Act is one of [Acts]; the other fields belong to some of them.
type Act struct {
	Act        string  `json:"act"`
	Seconds    float64 `json:"seconds,omitempty"` // of what lasts; 0 = 2 s (10 s for beat, dark, heat and pet), until hideface for face
	Name       string  `json:"name,omitempty"`    // face: who, empty = a stranger; motion: where; point: what; habitat: what is so
	ID         int     `json:"id,omitempty"`      // cube, person: which; 0 = the cube nearest to the new place
	XMM        float64 `json:"x_mm,omitempty"`    // carry, cube, person, place; in the world frame
	YMM        float64 `json:"y_mm,omitempty"`
	HeadingRad float64 `json:"heading_rad,omitempty"`
}

// Acts lists what a person can do, sorted.
func Acts() []string {
	return []string{
		"beat", "button", "carry", "cube", "dark", "edge", "face", "habitat", "heat", "hideface", "motion", "palm", "person", "pet", "pickup", "place",
		"point", "poke", "putdown", "shake", "tap", "touch", "twist",
	}
}

// A FaultState is one injected fault.
type FaultState struct {
	Device string  `json:"device"`
	Kind   string  `json:"kind"`
	LeftS  float64 `json:"left_s"` // 0 = until cleared
}

// Detections are what an external vision or speech process found. Bearings are relative to the robot's heading
// when the image was taken. Each process posts by a source of its own: a post replaces what the same source posted before, and what other
// sources found stays. A post is one image, seen once, at the place where the robot was when the image was taken: 3.8 s ago at most.
// Distances are from 0 to 20000 mm, angles from -2π to 2π.
type Detections struct {
	// Source is the name of the process: at most 32 letters, digits, dots, dashes and underlines. Processes that give none share one source.
	Source string  `json:"source"`
	AgeMS  float64 `json:"age_ms"` // time since the image was taken
	// HoldMS is how long this post holds after the image was taken, at most 10 s; a newer one of the source replaces it earlier. 0 = three
	// times the time between the newest two images of the source, from 300 ms to 1.5 s; 1.5 s for its first one.
	HoldMS float64 `json:"hold_ms"`
	// Faces may be an empty list, and so may objects, points and pets: a camera that found none says so. From the first post with one of these, with
	// motion, light, habitat or error on, the source counts as a camera. Without a camera a real robot sees nothing.
	Faces []hardware.Face `json:"faces"`
	// Objects tell what is missing, too. A source that never sent this list does not look for objects.
	Objects     []hardware.Object `json:"objects"`
	TriggerWord bool              `json:"trigger_word"` // the wake word was heard
	// CubeConnected says that a cube answers by radio, Carrying that the lift holds an object. Both hold as long as the post,
	// so the process repeats them; its silence counts as the loss of the connection.
	CubeConnected bool `json:"cube_connected"`
	Carrying      bool `json:"carrying"`
	// CubeTapped says that somebody tapped the cube: once for each tap.
	CubeTapped bool `json:"cube_tapped"`
	// Motion is how much of the picture moves, against the image before. What follows holds as long as the faces.
	Motion MotionState `json:"motion"`
	// Points are places in the picture that are worth a look.
	Points []hardware.SalientPoint `json:"points"`
	Pets   []hardware.Pet          `json:"pets"`
	// Light is how bright it is: Unknown (or empty), Illuminated or Darkened.
	Light string `json:"light"`
	// Beat is what is heard of music: None (or empty), Possible or Steady.
	Beat string `json:"beat"`
	// TempoBPM is its number of beats a minute, 30 to 300; 0 if it is not known. BeatAgeMS is the time since the newest beat.
	TempoBPM  float64 `json:"tempo_bpm"`
	BeatAgeMS float64 `json:"beat_age_ms"`
	// Habitat is whether the robot is in its habitat: Unknown (or empty: nothing is told), InHabitat or NotInHabitat.
	Habitat string `json:"habitat"`
	// Error is why the picture is of no use: empty, ImageQualityTooDark or ImageQualityTooBright.
	Error string `json:"error"`
}
