package actors

import (
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/hardware"
)

// Replacement of a driver that hangs. After maxDriverCall its outputs are safe and the failure is known; many a call returns
// a little later, and the actor goes on. After maxDriverHang it is given up: a fresh executor with a fresh incarnation takes
// over, at once or as soon as the hung one is not in the middle of a transaction on the bus.
const (
	maxDriverHang = time.Second
	// maxDriverZombies bounds the executors lost at any time in drivers that have not returned: a bus on which every fresh
	// driver hangs, too, is not going to get better by one more.
	maxDriverZombies = 8
)

// A busPermit is the right of one incarnation of a device actor to use the bus. It is taken away from an incarnation that is
// given up: nothing that its driver still does reaches the bus or the robot.
type busPermit struct {
	mu      sync.Mutex
	call    uint64 // number of the call into the driver that runs or ran last
	calling bool
	inside  int  // transactions on the bus in progress
	gone    bool // taken away
}

// Enter implements hardware.BusPermit.
func (p *busPermit) Enter() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gone {
		return false
	}
	p.inside++
	return true
}

// Leave implements hardware.BusPermit.
func (p *busPermit) Leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inside--
}

// begin notes that the driver has the goroutine.
func (p *busPermit) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.call++
	p.calling = true
}

// end notes that the driver has returned, and reports whether the incarnation was given up meanwhile.
func (p *busPermit) end() (lost bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calling = false
	return p.gone
}

// done is end for an incarnation that does not go on if it was given up.
func (p *busPermit) done() {
	if p.end() {
		panic(givenUp{})
	}
}

// current is the call that runs; 0 for none.
func (p *busPermit) current() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.calling {
		return 0
	}
	return p.call
}

// revoke takes the permit away if that call still runs and no transaction is in progress. Exactly one of revoke and end
// wins.
func (p *busPermit) revoke(call uint64) (revoked, over bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.calling || p.call != call || p.gone {
		return false, true
	}
	if p.inside > 0 {
		return false, false
	}
	p.gone = true
	return true, true
}

// lost reports that the permit was taken away.
func (p *busPermit) lost() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.gone
}

// givenUp unwinds a driver's goroutine that returns into an incarnation that is no more.
type givenUp struct{}

// giveUp takes the permit of a driver away that is still in the call in which it was found hanging, and asks for a fresh
// incarnation. As long as a transaction is in progress, the bus belongs to the hung one, and as long as too many others have not
// returned, it stays as it is: it looks again later.
func (d *deviceActor) giveUp(call uint64, since time.Time, told bool) {
	full := d.lost.Load() >= maxDriverZombies
	revoked, over := false, d.permit.current() != call
	if !full {
		revoked, over = d.permit.revoke(call)
	}
	switch {
	case revoked:
		d.lost.Add(1)
		d.replace(&replaceDevice{name: d.spec.Name, failedAt: since})
		return
	case over:
		return
	case full && !told:
		told = true
		d.observer.Observe(event.Failure{
			Actor: "device/" + d.spec.Name, Group: "device", Where: "driver", Reason: "hang", Text: "not replaced: too many drivers have not returned",
		})
	}
	d.executor.Watch(maxDriverCall, func() { d.giveUp(call, since, told) })
}

// replaceDevice: watchdog → hardware supervisor, when a driver was given up.
type replaceDevice struct {
	name     string
	failedAt time.Time
}

// ofHardware admits what the hardware supervisor works on.
func ofHardware(msg any) bool {
	_, ok := msg.(*replaceDevice)
	return ok
}

// replaceDevice gives a device a fresh executor, a fresh actor under the same name, and thereby a fresh driver. It runs in the
// hardware supervisor.
func (s *System) replaceDevice(ctx actor.Context, m *replaceDevice) {
	if s.ending.Load() {
		return
	}
	slot := s.slots[m.name]
	slot.mailbox.kill()
	s.actors.ProcessRegistry.Remove(s.devices[m.name]) // whoever holds the PID finds the fresh process from now on
	s.spawnDevice(ctx, slot, &deviceState{slot: slot, failedAt: m.failedAt, reason: "hang"})
}

var _ hardware.BusPermit = (*busPermit)(nil)
