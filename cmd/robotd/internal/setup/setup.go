package setup

import (
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/robotd/robotd/actors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/hardware/sim"
	"github.com/robotd/robotd/metrics/record"
	"github.com/robotd/robotd/resources"
)

// Options are what live and headless runs share.
type Options struct {
	Catalog *catalog.Catalog
	// Robot is the robot; nil is R1.
	Robot *profile.Profile
	// Real says that the drivers use the buses and lines of this machine.
	Real bool
	// Drivers take the place of built-in drivers of the robot's devices.
	Drivers device.Drivers
	// Named are drivers that the robot asks for by their words.
	Named device.NamedDrivers
	// Foreign says that the catalog was loaded leniently.
	Foreign bool
	Base    string // overrides the base behavior of the boot configuration
	Stage   engine.Stage
	// Memory is what an earlier life left, and MemoryFile keeps what this one leaves; empty for nowhere.
	Memory     *engine.Memory
	MemoryFile string
	// Calibration is what was measured of the robot, and CalibrationFile keeps what its devices learn; empty for nowhere.
	Calibration     profile.Calibration
	CalibrationFile string
	// Learned is told what a device measured of the robot. It must not block. Nil: nobody is.
	Learned func(key string, value float64)
	// StageFile keeps the stage of the robot's life from one start to the next; empty for none.
	StageFile string
	Period    time.Duration
	Budget    time.Duration // of one hook; 0 = a sixth of the period
	Seed      uint64
	People    sim.People // who comes to a simulated robot, and what they do
	Log       *slog.Logger
	Version   string
	Tree      *record.Tree // what the catalog was made from, for recordings; may be nil
	Recording Recording
	Tape      engine.Recorder // notes what a replay needs; nil: nothing does
	// Read opens the resource tree as it is now, and Build reads and checks one; nil: the definitions do not change.
	Read func() (Tree, error)
	// Edits is the folder that edits are written to, and Overlay says that its files stand over the built-in ones; empty: nowhere.
	Edits   string
	Overlay bool
	Build   func(Tree) (*catalog.Catalog, resources.Diagnostics)
	// Changes returns the change of definitions that a tick asks for.
	Changes func(c *engine.Command) (*catalog.Change, error)
	// Reference writes the reference of the behavior files; nil: there is none.
	Reference func() ([]byte, error)
	Traces    string   // live: folder of the execution traces of missed deadlines; empty for none
	Speak     []string // live: program with arguments that speaks: text at stdin, WAV file at stdout; nil: words are captions
	Realtime  bool     // live: a real-time thread wakes the ticks, if the process may have one
}

// A WrongOption is an option that makes no sense.
type WrongOption struct {
	Flag string // of robotd run, without dashes
	Err  error
}

func (w *WrongOption) Error() string { return w.Err.Error() }

func (w *WrongOption) Unwrap() error { return w.Err }

// Validate checks numbers and names. The zero period is the default. The error is a [*WrongOption].
func (o *Options) Validate() error {
	if o.Period == 0 {
		o.Period = actors.DefaultPeriod
	}
	if o.Period < actors.MinPeriod || o.Period > actors.MaxPeriod {
		return wrong("period", "the period %v is not between %v and %v", o.Period, actors.MinPeriod, actors.MaxPeriod)
	}
	if o.Budget < 0 || o.Budget > 0 && o.Budget < time.Millisecond {
		return wrong("hook-budget", "the hook budget %v is below 1ms", o.Budget)
	}
	if o.Budget > o.Period {
		return wrong("hook-budget", "the hook budget %v is longer than the period %v", o.Budget, o.Period)
	}
	if o.Base != "" && !slices.Contains(o.Catalog.IDs(), o.Base) {
		return &WrongOption{"base", resources.Unknown("behavior", o.Base, o.Catalog.IDs())}
	}
	return nil
}

func wrong(flag, format string, args ...any) error {
	return &WrongOption{flag, fmt.Errorf(format, args...)}
}
