package actors

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/hardware"
)

// maxDeviceErrors in a row end an incarnation of a device actor (class B).
const maxDeviceErrors = 3

// maxDriverCall is how long one call of a driver may take before its outputs are made safe without it: as long as the motors'
// lease.
const maxDriverCall = 250 * time.Millisecond

// A DeviceSpec describes one hardware subsystem.
type DeviceSpec struct {
	Name string
	// New makes a driver for one incarnation of the actor. The driver asks permit before each transaction on the bus; nil, as in
	// virtual time where no driver is given up, permits everything.
	New func(permit hardware.BusPermit) (hardware.Device, error)
	// Safe brings the outputs to their safe state without the bus. It is called before anything else when the actor fails or
	// ends. Nil if the device moves nothing.
	Safe func(reason string)
	// Watch is called every 50 ms on another executor, also while the driver hangs. Nil if the device moves nothing.
	Watch func(now time.Time)
	// Replace says that a driver may be replaced while it hangs, because everything that it reaches asks its bus permit first
	// or knows its incarnation. Otherwise the device stays down until the driver returns.
	Replace bool
}

// deviceActor owns one subsystem: it opens the driver, polls it at its period, and carries out commands. A driver that
// panics or fails ends the incarnation; the hardware supervisor starts the next one.
type deviceActor struct {
	spec     DeviceSpec
	executor clock.Executor
	mailbox  *mailbox
	sample   hardware.Sample // of the newest poll
	record   event.Sample    // of it
	permit   *busPermit
	inbox    *Inbox
	observer event.Observer
	state    *deviceState // survives restarts
	replace  func(*replaceDevice)
	lost     *atomic.Int32 // drivers of the robot that were replaced and have not returned
	load     *clock.Load
	end      func(clock.Executor) // of an incarnation that was replaced

	dev       hardware.Device
	deadliner hardware.Deadliner // dev, if it is one
	opened    time.Time
	since     hardware.Since // opened
	errors    int
	due       time.Duration // of the next periodic poll, since opened
	period    time.Duration // as the inbox knows it
	periodic  clock.Timer
	deadline  time.Time // of the extra poll that is planned
	served    time.Time // of the extra poll that was made last
	extra     clock.Timer
	calls     int                 // of the driver in the present message
	late      func(clock.Verdict) // overdue, bound once
	finished  bool                // the present message
	unwatch   func()              // ends the watch of the newest call
}

// deviceState is what the incarnations on one executor share. Only that executor uses it.
type deviceState struct {
	slot     *deviceSlot
	gen      uint64
	failedAt time.Time
	reason   string
}

// Apply: supervisor → device, when a tick decided on a command.
type Apply struct {
	At      time.Time
	Command hardware.Command
}

// poll: device → itself, at each period and deadline.
type poll struct {
	device *deviceActor
	gen    uint64
	extra  bool
}

// do implements task. It does what Receive does with the message.
func (m *poll) do() {
	if d := m.device; d.enter() {
		defer d.guard()
		d.poll(m)
		d.finished = true
	}
}

// enter begins the work on a message, unless the actor was replaced while the message waited. Its guard ends it.
func (d *deviceActor) enter() bool {
	if d.mailbox.dead.Load() || d.permit.lost() {
		return false
	}
	d.calls, d.finished, d.unwatch = 0, false, d.executor.Watch(maxDriverCall, d.late)
	return true
}

// Receive implements actor.Actor.
func (d *deviceActor) Receive(ctx actor.Context) {
	if !d.enter() {
		return
	}
	defer d.guard()
	switch m := ctx.Message().(type) {
	case *actor.Started:
		d.open()
	case *poll:
		d.poll(m)
	case *Apply:
		d.apply(m)
	case *actor.Restarting, *actor.Stopping:
		d.halt()
	case *actor.Stopped:
		d.state.slot.stopped.Store(true)
	}
	d.finished = true
}

// begin begins a call into the driver. Each call has a watch of its own, because the watch of the call before may have fired.
// The first call has the watch of the message.
func (d *deviceActor) begin() {
	if d.calls++; d.calls > 1 {
		d.unwatch()
		d.unwatch = d.executor.Watch(maxDriverCall, d.late)
	}
	d.permit.begin()
}

// overdue runs beside the driver, which did not return in time. It makes the outputs safe, whatever the reason. A driver that a
// loaded machine does not let run has no failure: what it read last grows old. One that hangs has, and if it can be replaced, a
// little more time to return.
func (d *deviceActor) overdue(v clock.Verdict) {
	if v == clock.Late {
		safe(d.spec, "late")
		return
	}
	call := d.permit.current()
	if d.spec.Replace && call > 0 {
		since := d.executor.Now()
		defer func() {
			d.executor.Watch(maxDriverHang-maxDriverCall, func(v clock.Verdict) { d.revokePermit(call, since, false, v) })
		}()
	}
	safe(d.spec, "hang")
	d.inbox.Put(&hardware.Sample{Device: d.spec.Name, Quality: hardware.Failed})
	d.observer.Observe(event.Failure{
		Actor: "device/" + d.spec.Name, Group: "device", Where: "driver", Reason: "hang", Text: "did not return within " + maxDriverCall.String(),
	})
}

// deviceFailure is the panic with which an actor ends its incarnation after an error.
type deviceFailure struct {
	op  string
	err error
}

func (f *deviceFailure) Error() string { return f.err.Error() }

// guard ends the work on a message. It recovers a panic, makes the outputs safe, halts the driver, reports the failure and passes the panic on
// to protoactor. A driver that ends its goroutine is a failure as well; there is nobody left to pass it on to.
func (d *deviceActor) guard() {
	var r any
	if !d.finished {
		r = recover()
	}
	lost := d.permit.end()
	if d.finished && !lost {
		d.unwatch()
		return
	}
	defer func() { d.unwatch() }()
	if lost { // this incarnation was replaced: its panic must not restart its successor
		d.returned()
		return
	}
	f := event.Failure{Actor: "device/" + d.spec.Name, Group: "device", Where: "driver"}
	switch v := r.(type) {
	case *deviceFailure:
		f.Reason, f.Where, f.Text = string(hardware.Classify(v.err)), v.op, v.err.Error()
	case nil:
		f.Reason, f.Text, f.Stack = string(hardware.CauseGoexit), "ended its goroutine with runtime.Goexit", event.CallStack()
	default:
		f.Reason, f.Text, f.Stack = string(hardware.CausePanic), fmt.Sprint(r), event.CallStack()
	}
	safe(d.spec, f.Reason)
	exits := true // its goroutine; its Halt may end it, too
	defer func() { d.ended(f, r, exits) }()
	d.stop()
	exits = r == nil
}

// ended is the end of an incarnation that failed with a panic r, or ended its goroutine.
func (d *deviceActor) ended(f event.Failure, r any, exits bool) {
	if d.permit.lost() { // its Halt hung
		d.returned()
		return
	}
	if d.state.failedAt.IsZero() {
		d.state.failedAt = d.executor.Now()
	}
	d.state.reason = f.Reason
	d.inbox.Put(&hardware.Sample{Device: d.spec.Name, Quality: hardware.Failed})
	d.observer.Observe(f)
	if !exits {
		panic(r)
	}
	d.permit.drop()
	d.replace(&replaceDevice{name: d.spec.Name, failedAt: d.state.failedAt, reason: f.Reason, gone: true})
	d.end(d.executor)
}

func (d *deviceActor) fail(op string, err error) { panic(&deviceFailure{op: op, err: err}) }

// open makes a fresh driver, which identifies and configures the chip.
func (d *deviceActor) open() {
	d.state.gen++
	d.begin()
	var permit hardware.BusPermit
	if !d.permit.alone {
		permit = d.permit
	}
	dev, err := d.spec.New(permit)
	d.permit.done()
	if err != nil {
		d.fail("construct", err)
	}
	d.dev = dev
	d.deadliner, _ = dev.(hardware.Deadliner)
	d.begin()
	err = dev.Open(d.executor)
	d.permit.done()
	if err != nil {
		d.fail("open", err)
	}
	d.opened = d.executor.Now()
	d.since = hardware.SinceOn(d.executor, d.opened)
	d.period = dev.Period()
	d.inbox.watch(d.spec.Name, d.period)
	if !d.state.failedAt.IsZero() {
		d.observer.Observe(event.Restart{
			Actor: "device/" + d.spec.Name, Group: "device", Reason: d.state.reason, Downtime: d.opened.Sub(d.state.failedAt),
		})
		d.state.failedAt = time.Time{}
	}
	d.due = 0
	d.periodic, d.extra = d.timer(&poll{device: d, gen: d.state.gen}), d.timer(&poll{device: d, gen: d.state.gen, extra: true})
	d.cycle()
	d.plan(true)
}

// poll runs a planned cycle, unless it was planned by an earlier incarnation.
func (d *deviceActor) poll(m *poll) {
	if m.gen != d.state.gen || d.dev == nil {
		return
	}
	if m.extra {
		d.served, d.deadline = d.deadline, time.Time{}
	}
	d.cycle()
	d.plan(!m.extra)
}

// cycle reads once and publishes. A few errors in a row end the incarnation.
func (d *deviceActor) cycle() {
	now := d.executor.Now()
	d.begin()
	s := &d.sample
	var err error
	*s, err = d.dev.Poll(now)
	d.permit.done()
	s.Device, s.At = d.spec.Name, now
	s.Seq = d.state.slot.seq.Add(1)
	if s.Lapse > 0 {
		d.observer.Observe(event.Lapse{Device: d.spec.Name, For: s.Lapse})
	}
	if err != nil {
		d.errors++
		d.report(s, false)
		if d.errors >= maxDeviceErrors || !transient(err) {
			d.fail("poll", err)
		}
		return
	}
	d.errors = 0
	d.inbox.Put(s)
	d.report(s, s.Quality == hardware.OK)
}

// transient reports a cause that may go away by itself within the next cycles.
func transient(err error) bool {
	switch hardware.Classify(err) {
	case hardware.CauseNack, hardware.CauseTimeout, hardware.CauseMalformed, hardware.CauseRange:
		return true
	}
	return false
}

func (d *deviceActor) report(s *hardware.Sample, good bool) {
	r, h := &d.record, &s.Health
	r.Device, r.At, r.Good = s.Device, s.At, good
	r.Reads, r.Errors, r.Retries, r.Reinits, r.Rejected, r.Frozen = h.Reads, h.Errors, h.Retries, h.Reinits, h.Rejected, h.Frozen
	d.observer.Observe(r)
}

// plan plans the next periodic poll on absolute deadlines, and an extra poll if the driver has a deadline of its own. Periods
// that have passed already are left out. Fired tells that the periodic timer is not set.
func (d *deviceActor) plan(fired bool) {
	now, period := d.since.Now(), d.dev.Period()
	if period != d.period { // fitted to the speed of the bus
		d.period = period
		d.inbox.watch(d.spec.Name, period)
		d.observer.Observe(event.Pace{Device: d.spec.Name, Period: period})
	}
	if d.due <= now {
		if d.due += period; d.due < now {
			d.due += ((now-d.due)/period + 1) * period
		}
		fired = true
	}
	if fired { // early, too: who is not polled again grows stale
		d.periodic.Set(d.due - now)
	}
	d.planDeadline()
}

func (d *deviceActor) planDeadline() {
	if d.deadliner == nil {
		return
	}
	t := d.deadliner.Deadline()
	if t.Equal(d.deadline) {
		return
	}
	d.extra.Stop()
	d.deadline = time.Time{}
	// A later deadline is asked for again at the next poll. A deadline that the driver still reports after its poll gets no
	// second one, or a driver that does not move on would spin.
	if at := t.Sub(d.opened); !t.IsZero() && at < d.due && !t.Equal(d.served) {
		d.deadline = t
		d.extra.Set(at - d.since.Now())
	}
}

// timer makes a timer that hands a message to this actor.
func (d *deviceActor) timer(m *poll) clock.Timer {
	return d.executor.Timer(func() { d.mailbox.wake(m) })
}

// apply carries out a command, unless it was given before this incarnation opened.
func (d *deviceActor) apply(m *Apply) {
	if d.dev == nil || m.At.Before(d.opened) {
		return
	}
	d.begin()
	err := d.dev.Apply(d.executor.Now(), m.Command)
	d.permit.done()
	if err != nil {
		d.observer.Observe(event.Command{Device: d.spec.Name, Type: typeName(m.Command), Text: err.Error()})
		if hardware.Classify(err) != hardware.CauseCommand {
			d.errors++
			if d.errors >= maxDeviceErrors {
				d.fail("apply", err)
			}
		}
	}
	d.planDeadline()
}

// halt brings the outputs to their safe state at the end of an incarnation. It must not panic: protoactor takes a panic in
// Stopping for a failure, restarts the actor and forgets the stop.
func (d *deviceActor) halt() {
	safe(d.spec, "halt")
	d.stop()
}

// stop ends the polling and halts the driver. Errors and panics of a broken driver end here.
func (d *deviceActor) stop() {
	defer func() { _ = recover() }() // the driver already failed; the line without a bus has been pulled
	if d.periodic != nil {
		d.periodic.Stop()
		d.extra.Stop()
	}
	if dev := d.dev; dev != nil {
		d.dev = nil
		d.begin()
		err := dev.Halt()
		d.permit.done()
		if err != nil {
			d.observer.Observe(event.Command{Device: d.spec.Name, Type: "Halt", Text: err.Error()})
		}
	}
}

func typeName(v any) string { return fmt.Sprintf("%T", v) }
