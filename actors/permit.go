package actors

import (
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/robotd/robotd/actors/clock"
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

// A licence is the clock of one incarnation of a device actor, and its right to use the bus (see hardware.Licence). It is
// taken away from an incarnation that is given up: whatever the zombie still does, the bus and the robot do not hear of it.
type licence struct {
	clock.Executor

	mu      sync.Mutex
	call    uint64 // number of the call into the driver that runs or ran last
	calling bool
	inside  int  // transactions on the bus in progress
	gone    bool // taken away
}

// Enter implements hardware.Licence.
func (l *licence) Enter() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.gone {
		return false
	}
	l.inside++
	return true
}

// Leave implements hardware.Licence.
func (l *licence) Leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inside--
}

// begin notes that the driver has the goroutine.
func (l *licence) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.call++
	l.calling = true
}

// end notes that the driver has returned, and reports whether the incarnation was given up meanwhile.
func (l *licence) end() (lost bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calling = false
	return l.gone
}

// done is end for an incarnation that does not go on if it was given up.
func (l *licence) done() {
	if l.end() {
		panic(givenUp{})
	}
}

// current is the call that runs; 0 for none.
func (l *licence) current() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.calling {
		return 0
	}
	return l.call
}

// revoke takes the licence away if that call still runs and no transaction is in progress. Exactly one of revoke and end
// wins.
func (l *licence) revoke(call uint64) (revoked, over bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.calling || l.call != call || l.gone {
		return false, true
	}
	if l.inside > 0 {
		return false, false
	}
	l.gone = true
	return true, true
}

// lost reports that the licence was taken away.
func (l *licence) lost() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.gone
}

// givenUp unwinds a driver's goroutine that returns into an incarnation that is no more.
type givenUp struct{}

// giveUp takes the licence of a driver away that is still in the call in which it was found hanging, and asks for a fresh
// incarnation. As long as a transaction is in progress, the bus belongs to the hung one, and as long as too many others have not
// returned, it stays as it is: it looks again later.
func (d *deviceActor) giveUp(call uint64, since time.Time, told bool) {
	full := d.lost.Load() >= maxDriverZombies
	revoked, over := false, d.licence.current() != call
	if !full {
		revoked, over = d.licence.revoke(call)
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

var _ hardware.Licence = (*licence)(nil)
