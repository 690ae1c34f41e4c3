package app

import (
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/robotd/robotd/actors"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/resources"
)

// RobotName is the name of the only hardware profile, the simulated robot R1.
const RobotName = "R1"

// Robots lists the back ends that --robot may name.
func Robots() []string { return []string{"sim"} }

// A Setup is what live and headless runs share.
type Setup struct {
	Catalog *behaviors.Catalog
	Base    string // overrides the base behavior of the boot configuration
	Stage   engine.Stage
	// StageFile keeps the stage of the robot's life from one start to the next; empty for none.
	StageFile string
	Period    time.Duration
	Budget    time.Duration // of one hook; 0 = a sixth of the period
	Seed      uint64
	Log       *slog.Logger
	Version   string
}

// Validate checks numbers and names. The zero period is the default.
func (s *Setup) Validate() error {
	if s.Period == 0 {
		s.Period = actors.DefaultPeriod
	}
	if s.Period < actors.MinPeriod || s.Period > actors.MaxPeriod {
		return fmt.Errorf("the period %v is not between %v and %v", s.Period, actors.MinPeriod, actors.MaxPeriod)
	}
	if s.Budget < 0 || s.Budget > 0 && s.Budget < time.Millisecond {
		return fmt.Errorf("the hook budget %v is below 1ms", s.Budget)
	}
	if s.Budget > s.Period {
		return fmt.Errorf("the hook budget %v is longer than the period %v", s.Budget, s.Period)
	}
	if s.Base != "" && !slices.Contains(s.Catalog.IDs(), s.Base) {
		return Unknown("behavior", s.Base, s.Catalog.IDs())
	}
	return nil
}

// Unknown words a mistaken name with the nearest valid one.
func Unknown(kind, name string, valid []string) error {
	if near, ok := resources.Nearest(name, valid); ok {
		return fmt.Errorf("there is no %s %q; did you mean %q?", kind, name, near)
	}
	return fmt.Errorf("there is no %s %q; %s", kind, name, Valid(valid))
}

// maxListed is how many valid names a message lists.
const maxListed = 8

// Valid lists the first few valid names.
func Valid(names []string) string {
	if len(names) > maxListed {
		return fmt.Sprintf("valid: %s and %d more", strings.Join(names[:maxListed], " "), len(names)-maxListed)
	}
	return "valid: " + strings.Join(names, " ")
}

// system starts the actors over a body.
func (s *Setup) system(body *Body, timeline clock.Timeline, observer event.Observer, ticks []actors.TickObserver, fatal func(error)) (*actors.System, error) {
	return actors.Start(actors.Config{
		Catalog: s.Catalog, Base: s.Base, Stage: s.Stage, Seed: s.Seed, Period: s.Period, Budget: s.Budget, Devices: body.Specs(),
		Timeline: timeline, Observer: observer, Ticks: append(ticks, body), Fatal: fatal,
	})
}

// Defaults of the runtime for a daemon that allocates little and must not pause.
const (
	gcPercent   = 400
	memoryLimit = 256 << 20
	extraProcs  = 2 // so that two spinning zombies still leave every core to the living
)

// Tune sets the Go runtime up for a robot. What the environment says wins.
func Tune() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + extraProcs)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
}
