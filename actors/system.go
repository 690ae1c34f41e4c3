package actors

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
)

// Limits and defaults of the tick (DESIGN §2).
const (
	DefaultPeriod = 60 * time.Millisecond
	MinPeriod     = time.Millisecond
	MaxPeriod     = time.Second
	minBudget     = 2 * time.Millisecond
	virtualBudget = 10 * time.Second // wall clock; a hook that hangs fails the run
	startBudget   = 2 * time.Second  // for a constructor or Init before the first tick
	stopDeadline  = 5 * time.Second
)

// Config describes a robot's mind. Zero fields take defaults.
type Config struct {
	Catalog *behaviors.Catalog
	Base    string        // overrides the base behavior of the boot configuration
	Stage   engine.Stage  // of the robot's life; chooses the base behavior if Base does not
	Seed    uint64        // of all chance
	Period  time.Duration // of the tick; default 60 ms
	// Budget is how long one hook may hold on. Default a sixth of the period, at least 2 ms.
	Budget   time.Duration
	Devices  []DeviceSpec
	Timeline Timeline // default Live
	Observer event.Observer
	Ticks    []TickObserver
	Logger   *slog.Logger // of the actor runtime; default silent
	// Fatal is told when a tick itself failed, not a hook in it: the mind's own state may be half-way, so it thinks no
	// more. Everything that moves has been made safe; the process should stop and be started anew. Called at most once.
	Fatal func(error)
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
		c.Budget = max(c.Period/6, minBudget)
	}
	if c.Timeline == nil {
		c.Timeline = Live{}
	}
	if c.Observer == nil {
		c.Observer = event.Tee(nil)
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	return nil
}

// A System is a running robot: one stack supervisor, one actor for each behavior, action and device.
type System struct {
	cfg      Config
	actors   *actor.ActorSystem
	engine   *engine.Engine
	joint    *Joint
	inbox    *Inbox
	backoff  *backoff
	stack    *actor.PID
	hardware *actor.PID
	lanes    []Lane
	devices  map[string]*actor.PID
	pacer    *pacer
	ticker   *virtualTicker
	hung     string // virtual time: the hook that hung
	broken   error  // virtual time: the tick that failed
	stop     sync.Once
	stopErr  error
}

// Start builds the robot and starts its devices and its tick. In virtual time nothing happens before RunFor.
func Start(cfg Config) (*System, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	s := &System{cfg: cfg, inbox: newInbox(), devices: map[string]*actor.PID{}}
	s.actors = actor.NewActorSystem(
		actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return cfg.Logger }),
		actor.WithDeadLetterThrottleInterval(time.Millisecond), actor.WithDeadLetterThrottleCount(0), actor.WithDeadLetterRequestLogging(false))
	conductor, virtual := cfg.Timeline.(*Conductor)
	budget := cfg.Budget
	if virtual {
		budget = virtualBudget
	}
	joint, err := newJoint(s.actors, budget, cfg.Observer)
	if err != nil {
		return nil, err
	}
	s.joint = joint
	if virtual {
		joint.fatal = func(where string) { s.hung = where }
	}
	sup := &supervisor{
		joint: joint, inbox: s.inbox, observer: cfg.Observer, ticks: cfg.Ticks, period: cfg.Period, seed: cfg.Seed,
		wall: !virtual, devices: s.devices, fatal: s.fatal,
	}
	s.engine, err = engine.New(engine.Options{Catalog: cfg.Catalog, Base: cfg.Base, Stage: cfg.Stage, Joint: joint, Mark: sup.phase})
	if err != nil {
		return nil, err
	}
	joint.budget = max(budget, startBudget) // no tick waits yet, and everything is constructed on a cold machine
	defer func() {
		if err != nil {
			s.abandon()
		}
	}()
	if err = s.engine.Start(cfg.Timeline.Now()); err != nil {
		return nil, err
	}
	joint.budget = budget
	s.joint.rest()
	sup.engine = s.engine
	if err = s.startStack(sup); err != nil {
		return nil, err
	}
	if err = s.startHardware(); err != nil {
		return nil, err
	}
	if virtual {
		s.ticker = &virtualTicker{system: s, lane: s.lanes[0], next: conductor.Now().Add(cfg.Period)}
		s.ticker.plan()
		return s, nil
	}
	s.pacer = newPacer(cfg.Period, func(t *Tick) { s.actors.Root.Send(s.stack, t) })
	s.pacer.start()
	return s, nil
}

// fatal makes everything safe after a tick that failed, and tells.
func (s *System) fatal(err error) {
	for _, d := range s.cfg.Devices {
		if d.Safe != nil {
			d.Safe("mind")
		}
	}
	s.broken = err
	if s.cfg.Fatal != nil {
		s.cfg.Fatal(err)
	}
}

// abandon undoes a start that failed half-way.
func (s *System) abandon() {
	s.joint.rest()
	s.joint.close()
	for _, l := range s.lanes {
		l.Close()
	}
	s.actors.Shutdown()
}

func (s *System) lane(name string, rank int) Lane {
	l := s.cfg.Timeline.Lane(name, rank)
	s.lanes = append(s.lanes, l)
	return l
}

func (s *System) startStack(sup *supervisor) error {
	lane := s.lane("stack", rankSupervisor)
	pid, err := s.actors.Root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return sup },
		actor.WithDispatcher(laneDispatcher{lane}), actor.WithGuardian(keepRunning{})), "stack")
	if err != nil {
		return fmt.Errorf("actors: spawn stack: %w", err)
	}
	s.stack = pid
	return nil
}

// startHardware spawns the hardware supervisor, which spawns a device actor for each spec in turn.
func (s *System) startHardware() error {
	lane := s.lane("hw", rankHardware)
	s.backoff = &backoff{lane: lane, observer: s.cfg.Observer, tries: map[string]*tries{}}
	ready := make(chan struct{})
	hw := &hardwareSupervisor{specs: s.cfg.Devices, spawn: s.spawnDevice}
	props := actor.PropsFromProducer(func() actor.Actor { return hw },
		actor.WithSupervisor(s.backoff), actor.WithGuardian(keepRunning{}))
	// Spawning runs on this goroutine: the supervisor's mailbox gets its lane only afterwards.
	props.Configure(actor.WithDispatcher(&firstInline{then: laneDispatcher{lane}, done: ready}))
	pid, err := s.actors.Root.SpawnNamed(props, "hw")
	if err != nil {
		return fmt.Errorf("actors: spawn hw: %w", err)
	}
	<-ready
	s.hardware = pid
	for _, spec := range s.cfg.Devices {
		if spec.Watch != nil {
			s.watch(lane, spec.Watch)
		}
	}
	return nil
}

// watchEvery is how often a device that may move something is watched from outside: five times a lease of 250 ms.
const watchEvery = 50 * time.Millisecond

// watch calls f on a lane at every period until the robot stops.
func (s *System) watch(lane Lane, f func(now time.Time)) {
	lane.At(lane.Now().Add(watchEvery), func() {
		if !s.backoff.stopped.Load() {
			f(lane.Now())
			s.watch(lane, f)
		}
	})
}

// firstInline runs the first activation of a mailbox where it is posted, and every later one on a lane.
type firstInline struct {
	then    laneDispatcher
	done    chan struct{}
	started bool
}

// Schedule implements actor.Dispatcher.
func (d *firstInline) Schedule(fn func()) {
	if d.started {
		d.then.Schedule(fn)
		return
	}
	d.started = true
	fn()
	close(d.done)
}

// Throughput implements actor.Dispatcher.
func (d *firstInline) Throughput() int { return d.then.Throughput() }

func (s *System) spawnDevice(ctx actor.Context, spec DeviceSpec) {
	lane := s.lane(spec.Name, rankDevice)
	state := &deviceState{}
	pid, err := ctx.SpawnNamed(actor.PropsFromProducer(func() actor.Actor {
		return &deviceActor{spec: spec, lane: lane, inbox: s.inbox, observer: s.cfg.Observer, state: state}
	}, actor.WithDispatcher(laneDispatcher{lane})), spec.Name)
	if err != nil {
		panic(fmt.Sprintf("actors: spawn %s: %v", spec.Name, err)) // names are unique constants
	}
	s.devices[spec.Name] = pid
}

// Inbox is where events and operator commands enter.
func (s *System) Inbox() *Inbox { return s.inbox }

// Engine is the mind. Only tick observers may touch it, on the supervisor's goroutine.
func (s *System) Engine() *engine.Engine { return s.engine }

// JointStats counts lost incarnations.
func (s *System) JointStats() JointStats { return s.joint.Stats() }

// RunFor lets d of virtual time happen, as fast as the machine can, or until stop says so. An error names a hook that hung.
func (s *System) RunFor(d time.Duration, stop func() bool) error {
	c, ok := s.cfg.Timeline.(*Conductor)
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

// Stop ends the robot in order: no more commands, no more ticks, the stack popped from the top, wheels stopped, devices
// halted. It ends after the context or the total deadline at the latest, and says what did not.
//
// Later calls return what the first one did.
func (s *System) Stop(ctx context.Context) error {
	s.stop.Do(func() { s.stopErr = s.end(ctx) })
	return s.stopErr
}

func (s *System) end(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, stopDeadline)
	defer cancel()
	s.inbox.close()
	if s.pacer != nil {
		s.pacer.stop()
	}
	if s.ticker != nil {
		s.ticker.stop()
	}
	var errs []error
	drained := make(chan struct{})
	s.actors.Root.Send(s.stack, &Drain{Done: drained})
	if !s.await(ctx, drained) {
		errs = append(errs, errors.New("actors: the stack was not drained in time"))
	}
	s.backoff.stopped.Store(true)
	if err := s.stopActor(ctx, s.hardware); err != nil {
		errs = append(errs, err)
	}
	if err := s.stopActor(ctx, s.stack); err != nil {
		errs = append(errs, err)
	}
	for _, l := range s.lanes {
		l.Close()
	}
	s.actors.Shutdown()
	return errors.Join(errs...)
}

// stopActor stops an actor with its children and waits. Futures are out: a watcher does the same without their races.
func (s *System) stopActor(ctx context.Context, pid *actor.PID) error {
	gone := make(chan struct{})
	lane := s.cfg.Timeline.Lane("stop-"+pid.Id, rankHardware)
	defer lane.Close()
	w, err := s.actors.Root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return &waiter{of: pid, gone: gone} },
		actor.WithDispatcher(laneDispatcher{lane})), "stop-"+pid.Id)
	if err != nil {
		return fmt.Errorf("actors: stop %s: %w", pid.Id, err)
	}
	if !s.await(ctx, gone) {
		return fmt.Errorf("actors: %s did not stop in time", pid.Id)
	}
	s.actors.Root.Stop(w)
	s.settle()
	return nil
}

// waiter stops an actor and tells when it is gone.
type waiter struct {
	of   *actor.PID
	gone chan struct{}
}

// Receive implements actor.Actor.
func (w *waiter) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Started:
		ctx.Watch(w.of)
		ctx.Stop(w.of)
	case *actor.Terminated:
		close(w.gone)
	}
}

// await waits for done; in virtual time it lets the time pass that it takes.
func (s *System) await(ctx context.Context, done <-chan struct{}) bool {
	if c, ok := s.cfg.Timeline.(*Conductor); ok {
		c.Run(c.Now().Add(stopDeadline), func() bool {
			select {
			case <-done:
				return true
			default:
				return false
			}
		})
	}
	select {
	case <-done:
		return true
	default:
	}
	select {
	case <-done:
		return true
	case <-ctx.Done():
		return false
	}
}

// settle lets virtual work of the present instant finish.
func (s *System) settle() {
	if c, ok := s.cfg.Timeline.(*Conductor); ok {
		c.Run(c.Now(), nil)
	}
}

// virtualTicker posts ticks on absolute deadlines of virtual time. None is ever late.
type virtualTicker struct {
	system *System
	lane   Lane
	n      uint64
	next   time.Time
	cancel func()
}

func (v *virtualTicker) plan() {
	v.cancel = v.lane.At(v.next, func() {
		v.n++
		v.system.actors.Root.Send(v.system.stack, &Tick{N: v.n, Due: v.next, Now: v.next})
		v.next = v.next.Add(v.system.cfg.Period)
		v.plan()
	})
}

func (v *virtualTicker) stop() { v.cancel() }
