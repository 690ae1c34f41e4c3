package why

import (
	"time"

	"github.com/robotd/robotd/behaviors/engine"
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
type Layer struct {
	ID, State string
	SinceS    float64
}

// An Acting is one action that runs.
type Acting struct{ Name, Owner string }

// A Device is the quality of its newest reading.
type Device struct {
	Name    string
	Quality hardware.Quality
	Cause   string // of its last failure
}

// Fill takes what the engine knows, between two ticks; the rest is the caller's. It allocates only to grow.
func (s *Situation) Fill(e *engine.Engine, start time.Time) {
	v := e.View()
	b := &v.World.Body
	*s = Situation{
		AtS: v.Now.Sub(start).Seconds(), Layers: s.Layers[:0], Actions: s.Actions[:0], Devices: s.Devices[:0], Disabled: s.Disabled[:0],
		Treads: b.Treads, Battery: b.Battery, Volts: v.World.Battery.Value.Volts, Charging: b.Charging, NoCharger: !b.CanCharge, Drained: b.Drained, Latched: v.World.Motors.Value.CliffLatched,
		Missed: s.Missed, Recorder: s.Recorder,
	}
	if v.Intent.Active != nil {
		s.Intent = v.Intent.Active.Tag
	}
	layers := e.Stack().Layers()
	for i := range layers {
		c := layers[i].Node().Data.(*engine.Cell)
		s.Layers = append(s.Layers, Layer{c.Node.ID, c.State(), c.Since().Sub(start).Seconds()})
	}
	for _, a := range e.Actions().Running() {
		s.Actions = append(s.Actions, Acting{a.Name, a.Owner})
	}
	for _, name := range hardware.Names {
		s.Devices = append(s.Devices, Device{Name: name, Quality: v.World.QualityOf(name)})
	}
	for _, c := range e.Cells() {
		if c.Node.Disabled() {
			s.Disabled = append(s.Disabled, c.Node.ID)
		}
	}
}
