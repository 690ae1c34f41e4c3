package actors

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actors/barrier"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
)

// Ranks of the participants at one instant: devices by name, then their supervisor, then the tick.
const (
	rankDevice     = 1
	rankHardware   = 2
	rankSupervisor = 3
)

// A System is a running robot: one stack supervisor, one actor for each behavior, action and device.
type System struct {
	cfg       Config
	actors    *actor.ActorSystem
	engine    *engine.Engine
	barrier   *barrier.Barrier
	load      *clock.Load // live: what the watches of drivers and hooks ask
	inbox     *Inbox
	backoff   *backoff
	stack     *actor.PID
	hardware  *actor.PID
	executors []clock.Executor
	devices   map[string]*actor.PID
	slots     map[string]*deviceSlot
	sup       *supervisor
	ending    atomic.Bool // the robot stops its own actors now
	// lostDrivers counts the executors that are lost in drivers which were replaced and have not returned.
	lostDrivers atomic.Int32
	executorsMu sync.Mutex
	pacer       *clock.Pacer
	ticker      *virtualTicker
	hung        string      // virtual time: the hook that hung
	broken      error       // virtual time: the tick that failed
	enough      func() bool // virtual time: what ends RunFor early, asked after each tick, or nil
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
	timeline, _ := cfg.Timeline.(*clock.Virtual)
	if timeline != nil {
		s.inbox.readings.LeaveOpen()
	}
	if live, ok := cfg.Timeline.(clock.Live); ok {
		s.load = live.Load
	}
	if err := s.startActors(timeline); err != nil {
		s.abandon()
		return nil, err
	}
	s.startTicks(timeline)
	return s, nil
}

// startActors starts everything but the ticks. The timeline is nil when live, here and below.
func (s *System) startActors(timeline *clock.Virtual) error {
	if err := s.startEngine(timeline); err != nil {
		return err
	}
	if err := s.startStack(); err != nil {
		return err
	}
	return s.startHardware()
}

// startEngine makes the barrier, the supervisor and the engine, which constructs every behavior.
func (s *System) startEngine(timeline *clock.Virtual) (err error) {
	cfg, opts := &s.cfg, barrier.Options{Budget: s.cfg.Budget, Observer: s.cfg.Observer, Load: s.load}
	if timeline != nil {
		opts.Budget, opts.OnHang = virtualBudget, func(where string) {
			s.hung = where
			s.halt()
		}
	}
	if s.barrier, err = barrier.New(s.actors, opts); err != nil {
		return err
	}
	s.sup = &supervisor{
		barrier: s.barrier, inbox: s.inbox, observer: cfg.Observer, ticks: cfg.Ticks, period: cfg.Period, seed: cfg.Seed,
		wall: timeline == nil, devices: s.devices, fatal: s.fatal,
	}
	for _, o := range cfg.Ticks {
		s.sup.names = append(s.sup.names, "observer "+typeName(o))
	}
	if timeline == nil {
		s.sup.tickWatch = newTickWatch(cfg.TickLimit, s.sup.overdue)
	}
	s.engine, err = engine.New(engine.Options{
		Catalog: cfg.Catalog, Base: cfg.Base, Stage: cfg.Stage, Memory: cfg.Memory, Hooks: cfg.wrap(s.barrier), Mark: s.sup.phase, Recorder: cfg.Recorder, Changes: cfg.Changes,
	})
	if err != nil {
		return err
	}
	s.barrier.SetBudget(max(opts.Budget, startBudget)) // no tick waits yet, and the machine is cold
	if err = s.engine.Start(cfg.Timeline.Now()); err != nil {
		return err
	}
	s.barrier.SetBudget(opts.Budget)
	s.barrier.EndTick()
	s.sup.engine = s.engine
	return nil
}

// startTicks starts the pacer, or its counterpart in virtual time.
func (s *System) startTicks(timeline *clock.Virtual) {
	if timeline != nil {
		s.ticker = &virtualTicker{system: s}
		s.ticker.start(s.executors[0], timeline.Now().Add(s.cfg.Period))
		return
	}
	s.pacer.Start()
}

// fatal makes everything safe after a tick that failed, and calls Config.Fatal.
func (s *System) fatal(err error) {
	s.makeSafe("mind")
	s.broken = err
	s.halt()
	if s.cfg.Fatal != nil {
		s.cfg.Fatal(err)
	}
}

// halt ends the present RunFor.
func (s *System) halt() {
	if c, ok := s.cfg.Timeline.(*clock.Virtual); ok {
		c.Halt()
	}
}

// alone reports that one goroutine at a time runs.
func (s *System) alone() bool {
	_, virtual := s.cfg.Timeline.(*clock.Virtual)
	return virtual
}

// mailbox makes a filtered mailbox of one of the robot's actors.
func (s *System) mailbox(name string, admit func(msg any) bool) *mailbox {
	m := &mailbox{name: name, admit: admit, unexpected: s.unexpected, ending: &s.ending}
	if s.alone() {
		m.mu.LeaveOpen()
	}
	return m
}

// unexpected reports a message that an actor refused.
func (s *System) unexpected(to string, msg any) {
	s.cfg.Observer.Observe(event.DeadLetter{To: to, Type: typeName(msg)})
}

// abandon undoes a start that failed.
func (s *System) abandon() {
	if s.sup != nil {
		s.sup.tickWatch.close()
	}
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

// closeExecutor ends an executor that was replaced, so that replacements leave nothing behind.
func (s *System) closeExecutor(e clock.Executor) {
	e.Close()
	s.executorsMu.Lock()
	defer s.executorsMu.Unlock()
	s.executors = slices.DeleteFunc(s.executors, func(one clock.Executor) bool { return one == e })
}

// stackExecutor is the executor of the stack supervisor. When live it is the pacer, whose goroutine the ticks run on.
func (s *System) stackExecutor() clock.Executor {
	if _, virtual := s.cfg.Timeline.(*clock.Virtual); virtual {
		return s.executor("stack", rankSupervisor)
	}
	live, _ := s.cfg.Timeline.(clock.Live)
	s.pacer = clock.NewPacer(live, "stack", s.cfg.Period, func(t *clock.Tick) { s.actors.Root.Send(s.stack, t) })
	s.executors = append(s.executors, s.pacer)
	return s.pacer
}

// startStack spawns the stack supervisor.
func (s *System) startStack() error {
	executor := s.stackExecutor()
	pid, err := s.actors.Root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return s.sup },
		actor.WithMailbox(filtered(s.mailbox("stack", ofStack))),
		actor.WithDispatcher(executorDispatcher{executor}), actor.WithGuardian(keepRunning{})), "stack")
	if err != nil {
		return fmt.Errorf("actors: spawn stack: %w", err)
	}
	s.stack = pid
	return s.startPlanner()
}

// startPlanner starts what works out ways.
func (s *System) startPlanner() error {
	s.sup.planners = &planners{system: s, plan: s.cfg.Plan, tell: s.inbox.plan, limit: actions.PlanLimit}
	return s.sup.planners.start()
}

// Inbox is where events and operator commands enter.
func (s *System) Inbox() *Inbox { return s.inbox }

// Engine is the engine of the robot. Only tick observers may use it, on the supervisor's goroutine.
func (s *System) Engine() *engine.Engine { return s.engine }

// BarrierStats counts lost incarnations and stale requests.
func (s *System) BarrierStats() barrier.Stats { return s.barrier.Stats() }

// Realtime returns nil if the ticks are paced by a real-time thread, else why not. In virtual time nothing is late.
func (s *System) Realtime() error {
	if s.pacer == nil {
		return errors.ErrUnsupported
	}
	return s.pacer.Realtime()
}

// HookTimes lists the time of hooks by behavior, the dearest first, and has it measured for the next ten seconds. It reports whether it was
// measured before this call.
func (s *System) HookTimes() (times []barrier.HookTime, measured bool) { return s.barrier.HookTimes() }

// Actors counts the actors of the robot: those of behaviors, devices and running actions, and their parents.
func (s *System) Actors() (n int) {
	for _, shard := range s.actors.ProcessRegistry.LocalPIDs.LocalPIDs {
		n += shard.Count()
	}
	return n
}

// RunFor lets d of virtual time happen, as fast as the machine can, or until stop, which is asked after each tick, reports true. The error
// names a hook that hung.
func (s *System) RunFor(d time.Duration, stop func() bool) error {
	c, ok := s.cfg.Timeline.(*clock.Virtual)
	if !ok {
		return errors.New("actors: RunFor needs virtual time")
	}
	if err := s.trouble(); err != nil || stop != nil && stop() {
		return err
	}
	s.enough = stop
	c.Run(c.Now().Add(d), nil)
	return s.trouble()
}

// trouble is what ended a run in virtual time for good.
func (s *System) trouble() error {
	if s.broken != nil {
		return s.broken
	}
	if s.hung != "" {
		return fmt.Errorf("actors: %s did not return within %v of wall time", s.hung, virtualBudget)
	}
	return nil
}
