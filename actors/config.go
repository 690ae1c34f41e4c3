package actors

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/path"
	"github.com/robotd/robotd/actors/barrier"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
)

// Limits and defaults of the tick.
const (
	DefaultPeriod = 60 * time.Millisecond
	MinPeriod     = time.Millisecond
	MaxPeriod     = time.Second
	virtualBudget = 10 * time.Second // wall clock; a hook that hangs fails the run
	startBudget   = 2 * time.Second  // for a constructor or Init before the first tick
)

// Config describes a robot's mind. Zero fields take defaults.
type Config struct {
	Catalog *catalog.Catalog
	Base    string         // overrides the base behavior of the boot configuration
	Stage   engine.Stage   // of the robot's life; chooses the base behavior if Base does not
	Memory  *engine.Memory // of an earlier life; nil for none
	Seed    uint64         // of all chance
	Period  time.Duration  // of the tick; default 60 ms
	// Budget is how long one hook may take. Default a sixth of the period, at least 2 ms.
	Budget   time.Duration
	Devices  []DeviceSpec
	Timeline clock.Timeline // default Live
	Observer event.Observer
	Ticks    []TickObserver
	Logger   *slog.Logger // of the actor runtime; default silent
	// Recorder records what a replay needs. Nil records nothing.
	Recorder engine.Recorder
	// Changes returns the change of definitions that a command Reload asks for. Nil means that there is none.
	Changes func(c *engine.Command) (*catalog.Change, error)
	// Plan works out a way beside the ticks. It must depend on nothing but the order. Default: [path.Plan] for the reference robot.
	Plan func(o *actions.PathOrder) actions.PathAnswer
	// Fatal is called when a tick itself failed, not a hook in it. The engine may have stopped half-way, so there are no
	// more ticks. Everything that moves has been made safe; the process should stop and be started again. Called at most
	// once.
	Fatal func(error)
	// TickLimit is how long one whole tick may take before Fatal is called. Default [DefaultTickLimit]; none in virtual time.
	TickLimit time.Duration

	wrap func(engine.HookRunner) engine.HookRunner // for tests: stands between the engine and its barrier
}

func (c *Config) validate() error {
	if c.Catalog == nil {
		return errors.New("actors: no catalog")
	}
	if c.Period == 0 {
		c.Period = DefaultPeriod
	}
	if c.Period < MinPeriod || c.Period > MaxPeriod {
		return fmt.Errorf("actors: period %v is not between %v and %v", c.Period, MinPeriod, MaxPeriod)
	}
	if c.Budget == 0 {
		c.Budget = max(c.Period/6, barrier.MinBudget)
	}
	if c.TickLimit == 0 {
		c.TickLimit = DefaultTickLimit
	}
	if c.Budget < 0 || c.TickLimit < 0 {
		return fmt.Errorf("actors: a budget of %v and a tick limit of %v: neither may be negative", c.Budget, c.TickLimit)
	}
	names := map[string]bool{}
	for i, d := range c.Devices {
		switch {
		case d.Name == "":
			return fmt.Errorf("actors: device %d of %d has no name", i+1, len(c.Devices))
		case d.New == nil:
			return fmt.Errorf("actors: device %q has no driver: New is nil", d.Name)
		case names[d.Name]:
			return fmt.Errorf("actors: two devices are named %q", d.Name)
		}
		names[d.Name] = true
	}
	if c.Timeline == nil {
		c.Timeline = clock.Live{}
	}
	if live, ok := c.Timeline.(clock.Live); ok && live.Load == nil {
		live.Load = clock.NewLoad() // one for the watches of all executors and of the barrier
		c.Timeline = live
	}
	if c.Plan == nil {
		c.Plan = func(o *actions.PathOrder) actions.PathAnswer { return path.Plan(o, path.R1) }
	}
	if c.Observer == nil {
		c.Observer = event.Tee(nil)
	}
	if c.wrap == nil {
		c.wrap = func(j engine.HookRunner) engine.HookRunner { return j }
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return nil
}
