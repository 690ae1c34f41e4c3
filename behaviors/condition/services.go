package condition

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// Services holds the state of the shared facilities of the robot at one moment of a tick. Behaviors change it through their Control.
type Services struct {
	// Look holds the vision modes of this tick: the union of all subscriptions at the end of the last one (T-2).
	Look hardware.Look
	// Cube is the state of the connection to the cube.
	Cube CubeState
	// Response is what the robot does when it hears the trigger word: the topmost one that a behavior pushed, nil if none.
	// Not to be modified.
	Response *Response
	// Deaf names a behavior that disabled the response to the trigger word; empty if none did.
	Deaf string
	// PowerSave says that the robot saves power.
	PowerSave bool
	// FaceLocked says that a behavior keeps the eyes from blinking and looking around.
	FaceLocked bool
	// GetIn says that the animation that answers the trigger word is still expected to play.
	GetIn bool
	// Feature is the product feature that was active at the end of the last tick; empty or NoFeature for none.
	Feature string
	// Stream is the stream of the microphone to whatever recognizes speech.
	Stream Stream
	// Alarm is the timer that people set.
	Alarm Alarm
}

// A Stream is open while the robot listens for a command. The process that recognizes speech, if there is one, reads it here; without one
// commands come from the page and the command line, and close it just the same.
type Stream struct {
	Open  bool
	Since time.Time // of its newest opening; zero if it never was open
	What  string    // what is listened for; empty after the trigger word
}

// An Alarm is set until somebody clears it, also while it rings.
type Alarm struct {
	SetAt, RingsAt time.Time // zero without one
}

// Set reports whether there is one.
func (a Alarm) Set() bool { return !a.RingsAt.IsZero() }

// Rings reports whether its time has come.
func (a Alarm) Rings(now time.Time) bool { return a.Set() && !now.Before(a.RingsAt) }

// CubeState is the state of the connection to the cube (B-24).
type CubeState uint8

// The states of the connection.
const (
	CubeIdle         CubeState = iota // no behavior wants a cube
	CubeConnecting                    // wanted, and not connected yet
	CubeBackground                    // connected, its lights are not used
	CubeInteractable                  // connected for play
)

// CubeStateNames are the names of the states, by state.
var CubeStateNames = []string{"idle", "connecting", "background", "interactable"}

func (s CubeState) String() string { return CubeStateNames[s] }

// A Response is what the robot does when it hears the trigger word (data/4.5c). The empty one does nothing visible.
type Response struct {
	// GetIn is the clip that is played at once; empty for none.
	GetIn string
	// Sound is the clip that is played with it; empty for none.
	Sound string
	// MinStreaming is how long a speech process shall listen at least; negative leaves that to it.
	MinStreaming time.Duration
	// Effect is what happens to the audio stream and the lights.
	Effect StreamEffect
}

// Silent reports whether the response neither shows nor plays anything.
func (r *Response) Silent() bool { return r.GetIn == "" && r.Sound == "" }

// StreamEffect is what happens to the audio stream and the lights after the trigger word.
type StreamEffect uint8

// The effects.
const (
	StreamingEnabled StreamEffect = iota
	StreamingDisabled
	StreamingDisabledButWithLight
)

// StreamEffectNames are the names as behavior files write them, by effect.
var StreamEffectNames = []string{"StreamingEnabled", "StreamingDisabled", "StreamingDisabledButWithLight"}

func (e StreamEffect) String() string { return StreamEffectNames[e] }
