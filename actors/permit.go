package actors

import (
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/hardware"
)

// Replacement of a driver that hangs. After maxDriverCall its outputs are made safe and the failure is reported. If the call
// returns a little later, the actor goes on. After maxDriverHang the driver is replaced by a fresh incarnation on a fresh
// executor, as soon as it is not in the middle of a transaction on the bus.
const (
	maxDriverHang = time.Second
	// maxDriverZombies bounds the executors that are lost in drivers which have not returned: where eight drivers hang, one
	// more does not help.
	maxDriverZombies = 8
)

// A busPermit is the right of one incarnation of a device actor to use the bus. It is revoked when the incarnation is replaced:
// nothing that its driver still does reaches the bus or the robot.
//
// It is one word, because a robot has a thousand transactions a second: the number of the call into the driver that runs or ran
// last, how many transactions on the bus are in progress, and three flags.
//
// Where one goroutine at a time runs, as in virtual time, no driver is given up or asks its permit, and the word says only whether the
// incarnation is lost.
type busPermit struct {
	alone bool
	state atomic.Uint64
}

const (
	permitGone    = 1 << iota // taken away
	permitCalling             // the driver has not returned
	permitSpins               // it was taken away while the driver burned processor time
	permitInside              // one transaction
	permitCall    = permitInside << 16
	permitsInside = permitCall - permitInside // all of the transactions
)

// change replaces the state by what f makes of it, unless f says that it stays. It returns the state that f saw last.
func (p *busPermit) change(f func(s uint64) (next uint64, ok bool)) (seen uint64) {
	for {
		s := p.state.Load()
		if next, ok := f(s); !ok || p.state.CompareAndSwap(s, next) {
			return s
		}
	}
}

// Enter implements hardware.BusPermit.
func (p *busPermit) Enter() bool {
	return p.change(func(s uint64) (uint64, bool) { return s + permitInside, s&permitGone == 0 })&permitGone == 0
}

// Leave implements hardware.BusPermit.
func (p *busPermit) Leave() { p.state.Add(^uint64(permitInside - 1)) }

// begin says that a call into the driver begins.
func (p *busPermit) begin() {
	if p.alone {
		return
	}
	p.change(func(s uint64) (uint64, bool) { return (s + permitCall) | permitCalling, true })
}

// end says that the driver has returned, and reports whether the incarnation was replaced meanwhile.
func (p *busPermit) end() (lost bool) {
	if p.alone {
		return p.lost()
	}
	return p.state.And(^uint64(permitCalling))&permitGone != 0
}

// done is end, but unwinds an incarnation that was replaced.
func (p *busPermit) done() {
	if p.end() {
		panic(replaced{})
	}
}

// current is the call that runs; 0 for none.
func (p *busPermit) current() uint64 {
	s := p.state.Load()
	if s&permitCalling == 0 {
		return 0
	}
	return s / permitCall
}

// revoke takes the permit away if that call still runs and no transaction is in progress, and keeps whether the driver spins.
// It reports whether it did, and whether the call is over. Exactly one of revoke and end wins.
func (p *busPermit) revoke(call uint64, spins bool) (revoked, over bool) {
	flags := uint64(permitGone)
	if spins {
		flags |= permitSpins
	}
	p.change(func(s uint64) (uint64, bool) {
		over = s&(permitCalling|permitGone) != permitCalling || s/permitCall != call
		revoked = !over && s&permitsInside == 0
		return s | flags, revoked
	})
	return revoked, over || revoked
}

// drop takes the permit away from an incarnation whose goroutine is gone.
func (p *busPermit) drop() { p.state.Or(permitGone) }

// spins reports that the permit was revoked from a driver that spins.
func (p *busPermit) spins() bool { return p.state.Load()&permitSpins != 0 }

// lost reports that the permit was revoked.
func (p *busPermit) lost() bool { return p.state.Load()&permitGone != 0 }

// replaced unwinds the goroutine of a driver that returns after its incarnation was replaced.
type replaced struct{}

// revokePermit takes the permit away from a driver that is still in the call in which it was found hanging, and asks for a fresh
// incarnation. While a transaction is in progress, or too many other drivers have not returned, it tries again later.
func (d *deviceActor) revokePermit(call uint64, since time.Time, reported bool, v clock.Verdict) {
	if v == clock.Late { // a verdict follows
		return
	}
	full := d.lost.Load() >= maxDriverZombies
	revoked, over := false, d.permit.current() != call
	if !full {
		revoked, over = d.permit.revoke(call, v == clock.Spins)
	}
	switch {
	case revoked:
		d.lost.Add(1)
		if d.permit.spins() {
			d.load.Spinners.Add(1)
		}
		d.replace(&replaceDevice{name: d.spec.Name, failedAt: since, reason: "hang"})
		return
	case over:
		return
	case full && !reported:
		reported = true
		d.observer.Observe(event.Failure{
			Actor: "device/" + d.spec.Name, Group: "device", Where: "driver", Reason: "hang", Text: "not replaced: too many drivers have not returned",
		})
	}
	d.executor.Watch(maxDriverCall, func(v clock.Verdict) { d.revokePermit(call, since, reported, v) })
}

// returned is called when a driver that was replaced returns, on its executor.
func (d *deviceActor) returned() {
	d.lost.Add(-1)
	if d.permit.spins() {
		d.load.Spinners.Add(-1)
	}
	d.end(d.executor)
}

// replaceDevice: device or its watch → hardware supervisor, when a permit was revoked, or a driver ended its goroutine.
type replaceDevice struct {
	name     string
	failedAt time.Time
	reason   string
	gone     bool // its goroutine is
}

// ofHardware admits the messages of the hardware supervisor.
func ofHardware(msg any) bool {
	_, ok := msg.(*replaceDevice)
	return ok
}

// replaceDevice gives a device a fresh executor, a fresh actor under the same name, and thereby a fresh driver. It runs in the
// hardware supervisor.
func (s *System) replaceDevice(ctx actor.Context, m *replaceDevice) {
	if m.gone {
		s.deviceGone(ctx, m)
		return
	}
	if s.ending.Load() {
		return
	}
	slot := s.slots[m.name]
	slot.mailbox.kill()
	slot.stopped.Store(false)
	s.actors.ProcessRegistry.Remove(s.devices[m.name]) // the PID leads to the fresh process from now on
	s.spawnDevice(ctx, slot, &deviceState{slot: slot, failedAt: m.failedAt, reason: m.reason})
}

// deviceGone drops the actor of a driver that ended its goroutine, which cannot end in order any more, and replaces it after the
// wait of a restart.
func (s *System) deviceGone(ctx actor.Context, m *replaceDevice) {
	slot, pid, self := s.slots[m.name], s.devices[m.name], ctx.Self()
	slot.mailbox.kill()
	slot.stopped.Store(true)
	if ref, ok := s.actors.ProcessRegistry.Get(self); ok {
		ref.SendSystemMessage(self, &actor.Terminated{Who: pid}) // or a stop would wait for it
	}
	fresh := *m
	fresh.gone = false
	s.backoff.again(pid, func() { s.actors.Root.Send(self, &fresh) })
}

var _ hardware.BusPermit = (*busPermit)(nil)
