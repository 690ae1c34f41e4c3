package why

import (
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware"
)

// A Situation is what sentence and banner rest on. Times are seconds since the robot's start.
type Situation struct {
	AtS     float64
	Layers  []Layer  // base first
	Actions []Acting // that run
	Intent  string   // the active one
	Stop    control.StopState
	Devices []Device
	Treads  hardware.Treads
	Battery hardware.BatteryLevel
	Volts   float64
	// Charging says that the battery fills.
	Charging bool
	// NoCharger says that the robot has none to go home to, Drained that its battery is empty and it does not drive for that.
	NoCharger, Drained bool
	// Latched says that the motors stopped at an edge by themselves.
	Latched   bool
	Unguarded bool     // nothing outside of the process stops the wheels
	Disabled  []string // behaviors that failed too often
	Missed    uint64   // ticks that took longer than a period, since start
	// Recorder says why nothing is recorded; empty if it records, or shall not.
	Recorder string
}

// A Layer is one behavior on the stack.
type Layer struct{ ID, State string }

// An Acting is one action that runs.
type Acting struct{ Name, Owner string }

// A Device is the quality of its newest reading.
type Device struct {
	Name    string
	Quality hardware.Quality
	Cause   string // of its last failure
}
