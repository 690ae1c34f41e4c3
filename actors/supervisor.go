package actors

import (
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/robotd/robotd/actors/barrier"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// A TickObserver sees each completed tick on the supervisor's goroutine, before the next one. It must be quick and must not
// keep the output, which is reused.
type TickObserver interface {
	ObserveTick(t event.Tick, o *engine.Output, e *engine.Engine)
}

// supervisor is the stack supervisor: the only actor that changes the stack. A tick is one message. What arrives during the
// tick waits in the inbox for the next one.
type supervisor struct {
	engine    *engine.Engine
	barrier   *barrier.Barrier
	inbox     *Inbox
	observer  event.Observer
	ticks     []TickObserver
	period    time.Duration
	seed      uint64
	wall      bool // time the ticks; never in virtual time
	devices   map[string]*actor.PID
	names     []string   // of the observers, for the tick watch
	tickWatch *tickWatch // nil in virtual time
	planners  *planners
	counters  counters
	fatal     func(error)
	dead      atomic.Bool // a tick failed: the engine may have stopped half-way and is not used again

	mark   time.Time // end of the phase before
	spans  [engine.Phases]event.Span
	timing event.Tick // of the newest tick
}

// phase times the phase that ended. Virtual time has no durations.
func (s *supervisor) phase(p engine.Phase) {
	if !s.wall {
		return
	}
	now := time.Now()
	s.spans[p] = event.Span{Phase: p.String(), Duration: now.Sub(s.mark)}
	s.mark = now
}

// Drain: system → supervisor, at the end: pop the stack and stop the wheels.
type Drain struct{ Done chan<- struct{} }

// Receive implements actor.Actor.
func (s *supervisor) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *clock.Tick:
		s.tick(ctx, m)
	case *Drain:
		s.drain(ctx, m)
	case actor.SystemMessage, actor.AutoReceiveMessage:
	}
}

// tick runs one tick whole: facts in, hooks, effects out, observers.
func (s *supervisor) tick(ctx actor.Context, m *clock.Tick) {
	if m.Done != nil {
		defer m.Done() // also after a panic: the pacer waits for it
	}
	if s.dead.Load() {
		return
	}
	s.tickWatch.begin()
	defer s.tickWatch.end()
	defer s.recoverTick(m.N)
	var begin time.Time
	if s.wall {
		begin = time.Now()
		s.mark = begin
	}
	var in engine.Input
	in.Tick, in.Now, in.Seed = m.N, m.Now, s.seed
	s.inbox.take(&in)
	out := s.engine.Step(in)
	s.barrier.EndTick()
	s.counters.report(s.observer, s.barrier.Stats(), s.inbox.Dropped())
	if s.barrier.Exhausted() {
		s.fatalShutdown("tick", "hang", barrier.ErrExhausted.Error(), nil, fmt.Errorf("actors: tick %d: %w", m.N, barrier.ErrExhausted))
	}
	if s.dead.Load() { // the barrier is exhausted, or the tick watch has ended this tick
		return
	}
	for _, c := range out.Commands {
		s.apply(ctx, m.Now, c)
	}
	if len(out.Plans) > 0 {
		s.planners.order(out.Plans)
	}
	s.inbox.reply(out.Replies)
	t := &s.timing
	*t = event.Tick{N: m.N, Start: m.Now, Lateness: m.Now.Sub(m.Due), Skipped: m.Skipped}
	if s.wall {
		s.phase(engine.PhaseEffects)
		t.Duration = s.mark.Sub(begin)
		t.Missed = t.Duration > s.period
		t.Phases = s.spans[:]
	}
	s.tickWatch.at(&placeEvents)
	s.observer.Observe(t)
	s.notify(*t, out)
}

// recoverTick turns a panic of the tick itself into a fatal shutdown. A restart of this actor would go on with a stack that may
// be half-way.
func (s *supervisor) recoverTick(tick uint64) {
	r := recover()
	if r == nil {
		return
	}
	s.fatalShutdown("tick", "panic", fmt.Sprint(r), event.CallStack(), fmt.Errorf("actors: tick %d: panic: %v", tick, r))
}

// overdue begins a fatal shutdown because an observer or the core itself keeps the goroutine of the tick. It runs beside the
// tick, whose result is dropped should the tick end after all.
func (s *supervisor) overdue(where string) {
	s.fatalShutdown(where, "hang", "did not return within "+s.tickWatch.limit.String(), nil, errHeld(where, s.tickWatch.limit))
}

// fatalShutdown stops ticking permanently, once. Everything that moves is made safe before the failure is reported, because
// the observer that it is reported to may be the one that hangs.
func (s *supervisor) fatalShutdown(where, reason, text string, stack event.Stack, err error) {
	if s.dead.CompareAndSwap(false, true) {
		s.fatal(err)
		s.observer.Observe(event.Failure{Actor: "stack", Group: "stack", Where: where, Reason: reason, Text: text, Stack: stack})
	}
}

// notify lets each observer see the tick. The panic of one is reported and does not reach the others.
func (s *supervisor) notify(t event.Tick, out *engine.Output) {
	for i, o := range s.ticks {
		s.tickWatch.at(&s.names[i])
		func() {
			defer func() {
				if r := recover(); r != nil {
					s.observer.Observe(event.Failure{
						Actor: "observer/" + typeName(o), Group: "observer", Where: "ObserveTick", Reason: "panic",
						Text: fmt.Sprint(r), Stack: event.CallStack(),
					})
				}
			}()
			o.ObserveTick(t, out, s.engine)
		}()
	}
}

// apply sends one command to its device actor. It carries its instant, so that a device does not carry out a command from
// before its restart.
func (s *supervisor) apply(ctx actor.Context, now time.Time, c hardware.Command) {
	target := hardware.TargetOf(c)
	pid := s.devices[target]
	if pid == nil {
		if slices.Contains(hardware.Names, target) { // the robot has none
			return
		}
		s.observer.Observe(event.Command{Device: target, Type: typeName(c), Text: "no such device"})
		return
	}
	ctx.Send(pid, &Apply{At: now, Command: c})
}

// drain pops the stack from the top and halts the wheels.
func (s *supervisor) drain(ctx actor.Context, m *Drain) {
	defer close(m.Done)
	if s.dead.Load() {
		s.barrier.Close()
		s.inbox.refuse()
		return
	}
	out := s.engine.Shutdown()
	s.barrier.EndTick()
	now := s.engine.View().Now
	for _, c := range out.Commands {
		s.apply(ctx, now, c)
	}
	s.notify(event.Tick{N: out.Tick, Start: now}, out)
	s.barrier.Close()
	s.inbox.refuse()
}
