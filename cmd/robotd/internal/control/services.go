package control

import "github.com/robotd/robotd/hardware"

// ServicesState is what behaviors hold of the body's shared facilities, and what they want from processes outside: a vision
// process reads which modes to run, a radio process whether to connect to the cube, a speech process how to listen.
type ServicesState struct {
	Vision   []VisionState  `json:"vision"`   // every mode with the frequency that is wanted, "Never" included
	Watchers []WatcherState `json:"watchers"` // who wants what, by behavior and condition
	Cube     CubeState      `json:"cube"`
	Lights   []LightsState  `json:"lights"` // custom light patterns that are shown
	Word     WordState      `json:"trigger_word"`
	// PowerSave says that the robot saves power, FaceLocked that the eyes do not blink by themselves.
	PowerSave  bool `json:"power_save"`
	FaceLocked bool `json:"face_locked"`
}

// VisionState is the wanted frequency of one vision mode.
type VisionState struct {
	Mode      string `json:"mode"`
	Frequency string `json:"frequency"`
}

// A WatcherState is one subscriber of vision.
type WatcherState struct {
	ID        string        `json:"id"`        // behavior
	Condition string        `json:"condition"` // of the behavior; empty for itself
	Modes     []VisionState `json:"modes"`
}

// CubeState is the connection to the cube.
type CubeState struct {
	State     string   `json:"state"` // idle, connecting, background, interactable; all but idle want a connection
	Connected bool     `json:"connected"`
	Carrying  bool     `json:"carrying"` // the lift holds an object
	Users     []string `json:"users"`
}

// LightsState is one custom light pattern. With off_ms it blinks.
type LightsState struct {
	Object string          `json:"object"` // backpack, cube
	By     string          `json:"by"`
	On     [5]hardware.RGB `json:"on"`
	Off    [5]hardware.RGB `json:"off"`
	OnMS   int64           `json:"on_ms"`
	OffMS  int64           `json:"off_ms"`
}

// WordState is what the robot does when it hears the trigger word.
type WordState struct {
	Pending    bool     `json:"pending"`
	DisabledBy string   `json:"disabled_by"` // empty if it listens
	GetIn      bool     `json:"get_in"`      // the animation that answers is expected to play
	Pushed     []string `json:"pushed"`      // behaviors with a response, the topmost last
	// Response is the topmost one; nil if there is none.
	Response *ResponseState `json:"response,omitempty"`
}

// ResponseState is a response to the trigger word.
type ResponseState struct {
	GetIn          string `json:"get_in"` // clip
	Sound          string `json:"sound"`
	MinStreamingMS int64  `json:"min_streaming_ms"` // -1 = as the speech process likes
	Effect         string `json:"effect"`
}
