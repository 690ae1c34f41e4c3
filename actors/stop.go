package actors

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
)

// Deadlines of a stop. Each stage has its own, so that a stage which hangs does not take the time of the next one. All of them
// together have stopDeadline.
const (
	stopDeadline  = 5 * time.Second
	drainDeadline = 3 * time.Second // the tick that runs, the stack popped, the last commands sent
	haltDeadline  = 2 * time.Second // every device halted
	endDeadline   = time.Second     // the supervisor's actor gone
	tellDeadline  = 100 * time.Millisecond
	// stageGrace is what a stage still has when stopDeadline is over, so that only stages that hang are reported.
	stageGrace = 100 * time.Millisecond
)

// Stop ends the robot in order: no more commands, no more ticks, the stack popped from the top, wheels stopped, devices
// halted. For a part that does not stop in time, everything that moves is made safe, an event.Overdue and the error name the
// part, and the stop goes on without it. Stop returns shortly after the context or the total deadline at the latest.
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
		s.pacer.Stop()
	}
	if s.ticker != nil {
		s.ticker.stop()
	}
	errs := []error{s.drain(ctx)}
	drained := errs[0] == nil
	s.ending.Store(true)
	s.backoff.stopped.Store(true)
	errs = append(errs, s.haltDevices(ctx))
	if drained && !s.stopActor(ctx, s.stack, endDeadline) { // otherwise its goroutine is taken and it cannot answer
		errs = append(errs, s.overdue("stack", "end", endDeadline))
	}
	s.sup.tickWatch.close()
	s.executorsMu.Lock()
	left := slices.Clone(s.executors)
	s.executorsMu.Unlock() // the end of one may take it out of the list
	for _, l := range left {
		l.Close()
	}
	s.actors.Shutdown()
	return errors.Join(errs...)
}

// drain lets the supervisor pop the stack. A supervisor that does not answer in time is not used again.
func (s *System) drain(ctx context.Context) error {
	done := make(chan struct{})
	s.actors.Root.Send(s.stack, &Drain{Done: done})
	if s.await(ctx, done, drainDeadline) {
		return nil
	}
	s.sup.dead.Store(true)
	s.inbox.refuse()
	return s.overdue("stack", "drain", drainDeadline)
}

// haltDevices stops every device actor, each on its own executor. The error names those that did not stop.
func (s *System) haltDevices(ctx context.Context) error {
	if s.stopActor(ctx, s.hardware, haltDeadline) {
		return nil
	}
	var errs []error
	for _, d := range s.cfg.Devices {
		if !s.slots[d.Name].stopped.Load() {
			errs = append(errs, s.overdue("device/"+d.Name, "halt", haltDeadline))
		}
	}
	if len(errs) == 0 { // the last one stopped just after the deadline
		return nil
	}
	return errors.Join(errs...)
}

// overdue is the failure path of a stop. It makes everything safe first and then reports, without waiting long, because the
// observer may be the part that hangs.
func (s *System) overdue(who, stage string, limit time.Duration) error {
	s.makeSafe("stop")
	told := make(chan struct{})
	go func() {
		defer close(told)
		s.cfg.Observer.Observe(event.Overdue{Actor: who, Stage: stage, Limit: limit})
	}()
	select {
	case <-told:
	case <-time.After(tellDeadline):
	}
	return fmt.Errorf("actors: stop: %s did not %s within %v", who, stage, limit)
}

// makeSafe brings every device that moves something to its safe state, without its driver. A panic at one device does not
// keep the others from theirs.
func (s *System) makeSafe(reason string) {
	for _, d := range s.cfg.Devices {
		safe(d, reason)
	}
}

func safe(d DeviceSpec, reason string) {
	defer func() { _ = recover() }() // there is nothing safer left to do
	if d.Safe != nil {
		d.Safe(reason)
	}
}

// stopActor stops an actor with its children, waits, and reports whether it is gone. It uses a watcher, because futures have
// races of their own.
func (s *System) stopActor(ctx context.Context, pid *actor.PID, limit time.Duration) bool {
	gone := make(chan struct{})
	executor := s.cfg.Timeline.Open("stop-"+pid.Id, rankHardware)
	defer executor.Close()
	w, err := s.actors.Root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return &waiter{of: pid, gone: gone} },
		actor.WithDispatcher(executorDispatcher{executor})), "stop-"+pid.Id)
	if err != nil || !s.await(ctx, gone, limit) { // its name is ours alone, so there is no error
		return false
	}
	s.actors.Root.Stop(w)
	s.settle()
	return true
}

// waiter stops an actor and closes gone when the actor is gone.
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

// await waits for done, for limit at most. In virtual time it lets time pass meanwhile.
func (s *System) await(ctx context.Context, done <-chan struct{}, limit time.Duration) bool {
	if c, ok := s.cfg.Timeline.(*clock.Virtual); ok {
		c.Run(c.Now().Add(limit), func() bool {
			select {
			case <-done:
				return true
			default:
				return false
			}
		})
	}
	late := time.NewTimer(limit)
	defer late.Stop()
	select {
	case <-done:
		return true
	default:
	}
	select {
	case <-done:
		return true
	case <-late.C:
		return false
	case <-ctx.Done():
	}
	grace := time.NewTimer(stageGrace)
	defer grace.Stop()
	select {
	case <-done:
		return true
	case <-grace.C:
		return false
	}
}

// settle lets virtual work of the present instant finish.
func (s *System) settle() {
	if c, ok := s.cfg.Timeline.(*clock.Virtual); ok {
		c.Run(c.Now(), nil)
	}
}
