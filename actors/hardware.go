package actors

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
)

// hardwareSupervisor is the parent of every device actor. It does nothing but start, restart and replace its children.
type hardwareSupervisor struct {
	start   func(ctx actor.Context)
	replace func(ctx actor.Context, m *replaceDevice)
}

// Receive implements actor.Actor.
func (h *hardwareSupervisor) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *actor.Started:
		h.start(ctx)
	case *replaceDevice:
		h.replace(ctx, m)
	}
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
		actor.WithMailbox(filtered(s.mailbox("hw", ofHardware))),
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

// watchEvery is the time between two calls of DeviceSpec.Watch: a fifth of the motors' lease.
const watchEvery = 50 * time.Millisecond

// watch calls f on an executor at every period until the robot stops.
func (s *System) watch(executor clock.Executor, f func(now time.Time)) {
	var timer clock.Timer
	timer = executor.Timer(func() {
		if !s.backoff.stopped.Load() {
			f(executor.Now())
			timer.Set(watchEvery)
		}
	})
	timer.Set(watchEvery)
}

// A deviceSlot is the place of one device in the robot. Its actor may be replaced. Except for its atomic fields it belongs to
// the hardware supervisor.
type deviceSlot struct {
	spec    DeviceSpec
	mailbox *mailbox      // of the present actor
	seq     atomic.Uint64 // of its samples
	stopped atomic.Bool   // for good; read at the stop of the robot
}

// spawnDevice starts the actor of a device on an executor of its own. The first actor starts before anything runs. A later one
// takes the place of an actor that was replaced, under the same name, so that the PID stays the same.
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
	slot.mailbox = s.mailbox("device/"+spec.Name, ofDevice)
	slot.mailbox.full = full
	own := slot.mailbox
	pid, err := ctx.SpawnNamed(actor.PropsFromProducer(func() actor.Actor {
		d := &deviceActor{
			spec: spec, executor: executor, mailbox: own, permit: &busPermit{alone: s.alone()}, inbox: s.inbox, observer: s.cfg.Observer, state: state,
			replace: func(m *replaceDevice) { s.actors.Root.Send(hardware, m) }, lost: &s.lostDrivers, load: s.load, end: s.closeExecutor,
		}
		d.late = d.overdue
		return d
	}, actor.WithMailbox(filtered(slot.mailbox)), actor.WithDispatcher(executorDispatcher{executor})), spec.Name)
	if err != nil {
		panic(fmt.Sprintf("actors: spawn %s: %v", spec.Name, err)) // names are unique constants
	}
	if s.devices[spec.Name] == nil { // the supervisor of the stack reads it: written before the first tick, and never again
		s.devices[spec.Name] = pid
	}
}
