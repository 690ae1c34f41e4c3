package sim

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/robotd/robotd/hardware/emul"
)

// A Fault is one injected fault.
type Fault struct {
	Device, Kind string
	Until        time.Time // zero: until cleared
}

// Fault rates and delays. A driver retries twice, so one transaction in eight fails for good at this rate, a burst; the
// latency stays far below the 73 ms and more at which the adapter gives up.
const (
	nackP   = 0.5
	slowLag = 8 * time.Millisecond
)

// faults holds the active faults and their effects on chips, bus and lines. Its mutex is never held together with the
// world's, because a changed output calls the world back.
type faults struct {
	next atomic.Pointer[time.Time] // the earliest end, nil if none

	mu     sync.Mutex
	active []activeFault // sorted by device and kind
	done   damage        // what has been carried out
}

type activeFault struct {
	Fault
	plan   plan
	levels [4]bool // of the plan's lines when the fault began
}

// damage is the state of everything that can be broken.
type damage struct {
	chips                                         map[uint16]emul.Fault
	busStuck, busGone, frozen, portGone, portMute bool
	spi                                           map[string]portDamage // SPI ports
	lines                                         map[string]lineDamage
}

type portDamage struct{ gone, mute bool }

type lineDamage struct{ gone, short, level bool }

// Fault breaks a device for d, or until ClearFaults if d is 0. It breaks chips, the bus and lines, never the world, so
// that drivers detect it as on a board. A brown-out happens once, at this instant. A frozen host is no fault of a device and is
// not listed by Faults. The same fault given again replaces
// the first. The error for an unknown or impossible combination lists the valid ones.
func (r *Rig) Fault(device, kind string, d time.Duration) error {
	p, err := r.planOf(device, kind)
	if err != nil {
		return err
	}
	r.sync() // until now the robot was not broken
	if p.brownout {
		r.brownOut(p)
		return nil
	}
	if p.host {
		return r.freezeHost(d)
	}
	f := activeFault{Fault: Fault{Device: device, Kind: kind}, plan: p}
	if d > 0 {
		f.Until = r.clock().Add(d)
	}
	for i, name := range p.lines {
		f.levels[i] = r.lines.Level(name)
	}
	r.faults.mu.Lock()
	defer r.faults.mu.Unlock()
	r.faults.active = slices.DeleteFunc(r.faults.active, func(a activeFault) bool {
		return a.Device == device && a.Kind == kind
	})
	r.faults.active = append(r.faults.active, f)
	slices.SortFunc(r.faults.active, func(a, b activeFault) int {
		return slices.Compare([]string{a.Device, a.Kind}, []string{b.Device, b.Kind})
	})
	r.faults.carryOut(r)
	return nil
}

// freezeHost halts the computer for d. World and chips go on.
func (r *Rig) freezeHost(d time.Duration) error {
	switch {
	case r.freeze == nil:
		return errors.New("fault: host cannot be frozen here: only virtual time halts on request; stop a live process with kill -STOP")
	case d <= 0:
		return errors.New("fault: host cannot be frozen for ever: nobody could end it; give a time such as 2s")
	}
	r.freeze(d)
	return nil
}

func (r *Rig) brownOut(p plan) {
	for _, a := range p.addrs {
		r.bus.BrownOut(a)
	}
	if p.spi != "" {
		r.spi[p.spi].BrownOut()
	}
	if p.port {
		r.withBoard((*emul.UGV).Reset)
	}
}

// ClearFaults ends all faults.
func (r *Rig) ClearFaults() {
	r.sync()
	r.faults.mu.Lock()
	defer r.faults.mu.Unlock()
	r.faults.active = nil
	r.faults.carryOut(r)
}

// Faults are the active faults, sorted by device and kind.
func (r *Rig) Faults() []Fault {
	r.sync()
	r.faults.mu.Lock()
	defer r.faults.mu.Unlock()
	var all []Fault
	for _, a := range r.faults.active {
		all = append(all, a.Fault)
	}
	return all
}

// expire ends the faults whose time is over. It is called before each access to the world. If the faults are being
// changed at this moment, perhaps by a caller on the same goroutine, the next access does it.
func (f *faults) expire(r *Rig, now time.Time) {
	if next := f.next.Load(); next == nil || now.Before(*next) || !f.mu.TryLock() {
		return
	}
	defer f.mu.Unlock()
	f.active = slices.DeleteFunc(f.active, func(a activeFault) bool {
		return !a.Until.IsZero() && !now.Before(a.Until)
	})
	f.carryOut(r)
}

// carryOut works out the damage of all active faults and applies what changed. mu must be held.
func (f *faults) carryOut(r *Rig) {
	want := damage{chips: map[uint16]emul.Fault{}, spi: map[string]portDamage{}, lines: map[string]lineDamage{}}
	var next *time.Time
	for i := range f.active {
		a := &f.active[i]
		a.plan.add(&want, a.levels)
		if !a.Until.IsZero() && (next == nil || a.Until.Before(*next)) {
			until := a.Until
			next = &until
		}
	}
	f.next.Store(next)
	was := f.done
	f.done = want
	want.apply(r, was)
}

func (d damage) apply(r *Rig, was damage) {
	for _, c := range r.profile.Chips {
		if a := c.Address; d.chips[a] != was.chips[a] {
			r.bus.SetFault(a, d.chips[a])
		}
	}
	if d.busStuck != was.busStuck {
		hold := time.Duration(0)
		if d.busStuck {
			hold = -1
		}
		r.bus.Stick(hold)
	}
	if d.busGone != was.busGone {
		r.bus.Unplug(d.busGone)
	}
	for name, port := range r.spi {
		if is, old := d.spi[name], was.spi[name]; is != old {
			port.Unplug(is.gone)
			port.Mute(is.mute)
		}
	}
	if d.portGone != was.portGone || d.portMute != was.portMute {
		r.withBoard(func(b *emul.UGV) {
			b.Unplug(d.portGone)
			b.Cut(d.portMute)
		})
	}
	if d.frozen != was.frozen {
		e := r.profile.Drive.Encoders
		r.lines.FreezeEncoder(e.LeftA, d.frozen)
		r.lines.FreezeEncoder(e.RightA, d.frozen)
	}
	for name := range r.profile.Lines {
		l, old := d.lines[name], was.lines[name]
		if l.short != old.short || l.level != old.level {
			r.lines.Stuck(name, l.level, l.short)
		}
		if l.gone != old.gone {
			r.lines.Unplug(name, l.gone)
		}
	}
}
