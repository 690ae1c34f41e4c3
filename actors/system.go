package actors

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/robotd/robotd/actors/barrier"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
)

// Ranks of the participants at one instant: devices by name, then their supervisor, then the tick.
const (
	rankDevice     = 1
	rankHardware   = 2
	rankSupervisor = 3
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
	Base    string        // overrides the base behavior of the boot configuration
	Stage   engine.Stage  // of the robot's life; chooses the base behavior if Base does not
	Seed    uint64        // of all chance
	Period  time.Duration // of the tick; default 60 ms
	// Budget is how long one hook may hold on. Default a sixth of the period, at least 2 ms.
	Budget   time.Duration
	Devices  []DeviceSpec
	Timeline clock.Timeline // default Live
	Observer event.Observer
	Ticks    []TickObserver
	Logger   *slog.Logger // of the actor runtime; default silent
	// Recorder notes what a replay needs; nil means nobody does.
	Recorder *engine.Recorder
	// Fatal is told when a tick itself failed, not a hook in it: the mind's own state may be half-way, so it thinks no
	// more. Everything that moves has been made safe; the process should stop and be started anew. Called at most once.
	Fatal func(error)
	// TickLimit is how long one whole tick may take before that is so too. Default [DefaultTickLimit]; never in virtual time.
	TickLimit time.Duration

	wrap func(engine.HookRunner) engine.HookRunner // for tests: stands between the engine and its joint
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

// A System is a running robot: one stack supervisor, one actor for each behavior, action and device.
type System struct {
	cfg       Config
	actors    *actor.ActorSystem
	engine    *engine.Engine
	barrier   *barrier.Barrier
	inbox     *Inbox
	backoff   *backoff
	stack     *actor.PID
	hardware  *actor.PID
	executors []clock.Executor
	devices   map[string]*actor.PID
	slots     map[string]*deviceSlot
	sup       *supervisor
	ending    atomic.Bool // the robot stops its own actors now
	// lostDrivers counts the executors that are lost in drivers which were given up and have not returned.
	lostDrivers atomic.Int32
	executorsMu sync.Mutex
	pacer       *clock.Pacer
	ticker      *virtualTicker
	hung        string // virtual time: the hook that hung
	broken      error  // virtual time: the tick that failed
	stop        sync.Once
	stopErr     error
}

// Start builds the robot and starts its devices and its tick. In virtual time nothing happens before RunFor.
func Start(cfg Config) (*System, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	s := &System{cfg: cfg, inbox: newInbox(), devices: map[string]*actor.PID{}, slots: map[string]*deviceSlot{}}
	s.actors = actor.NewActorSystem(
		actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return cfg.Logger }),
		actor.WithDeadLetterThrottleInterval(time.Millisecond), actor.WithDeadLetterThrottleCount(0), actor.WithDeadLetterRequestLogging(false))
	timeline, virtual := cfg.Timeline.(*clock.Virtual)
	budget := cfg.Budget
	if virtual {
		budget = virtualBudget
	}
	opts := barrier.Options{Budget: budget, Observer: cfg.Observer}
	if virtual {
		opts.OnHang = func(where string) { s.hung = where }
	}
	hooks, err := barrier.New(s.actors, opts)
	if err != nil {
		return nil, err
	}
	s.barrier = hooks
	defer func() {
		if err != nil {
			s.abandon()
		}
	}()
	sup := &supervisor{
		barrier: hooks, inbox: s.inbox, observer: cfg.Observer, ticks: cfg.Ticks, period: cfg.Period, seed: cfg.Seed,
		wall: !virtual, devices: s.devices, fatal: s.fatal,
	}
	s.sup = sup
	for _, o := range cfg.Ticks {
		sup.names = append(sup.names, "observer "+typeName(o))
	}
	if !virtual {
		sup.tickWatch = newTickWatch(cfg.TickLimit, sup.overdue)
	}
	s.engine, err = engine.New(engine.Options{
		Catalog: cfg.Catalog, Base: cfg.Base, Stage: cfg.Stage, Hooks: cfg.wrap(hooks), Mark: sup.phase, Recorder: cfg.Recorder,
	})
	if err != nil {
		return nil, err
	}
	hooks.SetBudget(max(budget, startBudget)) // no tick waits yet, and everything is constructed on a cold machine
	if err = s.engine.Start(cfg.Timeline.Now()); err != nil {
		return nil, err
	}
	hooks.SetBudget(budget)
	hooks.EndTick()
	sup.engine = s.engine
	if err = s.startStack(sup); err != nil {
		return nil, err
	}
	if err = s.startHardware(); err != nil {
		return nil, err
	}
	if virtual {
		s.ticker = &virtualTicker{system: s, executor: s.executors[0], next: timeline.Now().Add(cfg.Period)}
		s.ticker.plan()
		return s, nil
	}
	s.pacer = clock.NewPacer(cfg.Period, func(t *clock.Tick) { s.actors.Root.Send(s.stack, t) })
	s.pacer.Start()
	return s, nil
}

// fatal makes everything safe after a tick that failed, and tells.
func (s *System) fatal(err error) {
	s.makeSafe("mind")
	s.broken = err
	if s.cfg.Fatal != nil {
		s.cfg.Fatal(err)
	}
}

// unexpected tells of a message that an actor refused.
func (s *System) unexpected(to string, msg any) {
	s.cfg.Observer.Observe(event.DeadLetter{To: to, Type: typeName(msg)})
}

// abandon undoes a start that failed half-way.
func (s *System) abandon() {
	s.barrier.EndTick()
	s.barrier.Close()
	for _, l := range s.executors {
		l.Close()
	}
	s.actors.Shutdown()
}

func (s *System) executor(name string, rank int) clock.Executor {
	e := s.cfg.Timeline.Open(name, rank)
	s.executorsMu.Lock() // the hardware supervisor opens a fresh one for a driver that hangs
	defer s.executorsMu.Unlock()
	s.executors = append(s.executors, e)
	return e
}

func (s *System) startStack(sup *supervisor) error {
	executor := s.executor("stack", rankSupervisor)
	pid, err := s.actors.Root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return sup },
		actor.WithMailbox(filtered(&mailbox{name: "stack", admit: ofStack, unexpected: s.unexpected, ending: &s.ending})),
		actor.WithDispatcher(executorDispatcher{executor}), actor.WithGuardian(keepRunning{})), "stack")
	if err != nil {
		return fmt.Errorf("actors: spawn stack: %w", err)
	}
	s.stack = pid
	return nil
}

// startHardware spawns the hardware supervisor, which spawns a device actor for each spec in turn.
func (s *System) startHardware() error {
	executor := s.executor("hw", rankHardware)
	s.backoff = &backoff{executor: executor, observer: s.cfg.Observer, tries: map[string]*tries{}}
	ready := make(chan struct{})
	hw := &hardwareSupervisor{replace: s.replaceDevice, start: func(ctx actor.Context) {
		for _, spec := range s.cfg.Devices {
			slot := &deviceSlot{spec: spec}
			s.slots[spec.Name] = slot
			s.spawnDevice(ctx, slot, &deviceState{slot: slot})
		}
	}}
	props := actor.PropsFromProducer(func() actor.Actor { return hw },
		actor.WithMailbox(filtered(&mailbox{name: "hw", admit: ofHardware, unexpected: s.unexpected, ending: &s.ending})),
		actor.WithSupervisor(s.backoff), actor.WithGuardian(keepRunning{}))
	// Spawning runs on this goroutine: the supervisor's mailbox gets its executor only afterwards.
	props.Configure(actor.WithDispatcher(&firstInline{then: executorDispatcher{executor}, done: ready}))
	pid, err := s.actors.Root.SpawnNamed(props, "hw")
	if err != nil {
		return fmt.Errorf("actors: spawn hw: %w", err)
	}
	<-ready
	s.hardware = pid
	for _, spec := range s.cfg.Devices {
		if spec.Watch != nil {
			s.watch(executor, spec.Watch)
		}
	}
	return nil
}

// watchEvery is how often a device that may move something is watched from outside: five times a lease of 250 ms.
const watchEvery = 50 * time.Millisecond

// watch calls f on a executor at every period until the robot stops.
func (s *System) watch(executor clock.Executor, f func(now time.Time)) {
	executor.At(executor.Now().Add(watchEvery), func() {
		if !s.backoff.stopped.Load() {
			f(executor.Now())
			s.watch(executor, f)
		}
	})
}

// A deviceSlot is the place of one device in the robot, whatever actor fills it. But for its counters it belongs to the
// hardware supervisor.
type deviceSlot struct {
	spec    DeviceSpec
	mailbox *mailbox      // of the present actor
	seq     atomic.Uint64 // of its samples
	stopped atomic.Bool   // for good; read by whoever stops the robot
}

// spawnDevice starts the actor of a device on a executor of its own. The first one comes before anything runs; a later one takes
// the place of one that was given up, under the same name, so that its PID stays what it is.
func (s *System) spawnDevice(ctx actor.Context, slot *deviceSlot, state *deviceState) {
	spec := slot.spec
	executor := s.executor(spec.Name, rankDevice)
	hardware := ctx.Self()
	full := func(msg any) {
		rec := event.Command{Device: spec.Name, Type: typeName(msg), Text: errFull}
		if m, ok := msg.(*Apply); ok {
			rec.Type = typeName(m.Command)
		}
		s.cfg.Observer.Observe(rec)
	}
	slot.mailbox = &mailbox{name: "device/" + spec.Name, admit: ofDevice, full: full, unexpected: s.unexpected, ending: &s.ending}
	own := slot.mailbox
	pid, err := ctx.SpawnNamed(actor.PropsFromProducer(func() actor.Actor {
		return &deviceActor{
			spec: spec, executor: executor, mailbox: own, permit: &busPermit{}, inbox: s.inbox, observer: s.cfg.Observer, state: state,
			replace:  func(m *replaceDevice) { s.actors.Root.Send(hardware, m) },
			lost:     &s.lostDrivers,
			returned: func() { s.lostDrivers.Add(-1); executor.Close() },
		}
	}, actor.WithMailbox(filtered(slot.mailbox)), actor.WithDispatcher(executorDispatcher{executor})), spec.Name)
	if err != nil {
		panic(fmt.Sprintf("actors: spawn %s: %v", spec.Name, err)) // names are unique constants
	}
	if s.devices[spec.Name] == nil { // the supervisor of the stack reads it: written before the first tick, and never again
		s.devices[spec.Name] = pid
	}
}

// Inbox is where events and operator commands enter.
func (s *System) Inbox() *Inbox { return s.inbox }

// Engine is the mind. Only tick observers may touch it, on the supervisor's goroutine.
func (s *System) Engine() *engine.Engine { return s.engine }

// BarrierStats counts lost incarnations.
func (s *System) BarrierStats() barrier.Stats { return s.barrier.Stats() }

// RunFor lets d of virtual time happen, as fast as the machine can, or until stop says so. An error names a hook that hung.
func (s *System) RunFor(d time.Duration, stop func() bool) error {
	c, ok := s.cfg.Timeline.(*clock.Virtual)
	if !ok {
		return errors.New("actors: RunFor needs virtual time")
	}
	c.Run(c.Now().Add(d), func() bool { return s.hung != "" || s.broken != nil || (stop != nil && stop()) })
	if s.broken != nil {
		return s.broken
	}
	if s.hung != "" {
		return fmt.Errorf("actors: %s did not return within %v of wall time", s.hung, virtualBudget)
	}
	return nil
}

// virtualTicker posts ticks on absolute deadlines of virtual time. None is ever late.
type virtualTicker struct {
	system   *System
	executor clock.Executor
	n        uint64
	next     time.Time
	cancel   func()
}

func (v *virtualTicker) plan() {
	v.cancel = v.executor.At(v.next, func() {
		v.n++
		v.system.actors.Root.Send(v.system.stack, &clock.Tick{N: v.n, Due: v.next, Now: v.next})
		v.next = v.next.Add(v.system.cfg.Period)
		v.plan()
	})
}

func (v *virtualTicker) stop() { v.cancel() }
