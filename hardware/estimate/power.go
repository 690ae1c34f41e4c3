package estimate

import (
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
)

const (
	voltsTime  = 20 * time.Second // low-pass
	lowBelow   = 3.55             // V, unless the profile says otherwise
	lowMargin  = 0.07             // above it the battery is no longer low
	fullFrom   = 4.15
	fullUntil  = 4.05
	goneBelow  = 3.0             // a cell below it is disconnected
	doneAfter  = time.Second     // on contacts and not charging for this long is full
	batteryAge = 3 * time.Second // without any reading for this long the monitor counts as failed
)

// cellVolts is the voltage of one cell.
func cellVolts(b *hardware.BatteryState) float64 { return b.Volts / float64(max(1, b.Cells)) }

// battery derives the battery level from the voltage of a cell.
type battery struct {
	level    hardware.BatteryLevel
	filtered float64
	low      float64   // of a cell
	at       time.Time // of the last reading used
	contacts bool
	idle     time.Time // since when on contacts without charging
}

// update returns the level. It is Low if the monitor failed, never gave a reading, or shows no cell.
func (b *battery) update(s *hardware.Snapshot, firstUpdate time.Time) hardware.BatteryLevel {
	contacts := s.Charger.OK() && s.Charger.Value.OnContacts
	mark(&b.idle, s.Now, contacts && !s.Charger.Value.Charging && !tooWarm(s))
	r := s.Battery
	silent := s.Now.Sub(r.At)
	if r.At.IsZero() {
		silent = s.Now.Sub(firstUpdate)
	}
	switch {
	case r.Quality == hardware.Absent: // nothing measures it
		return b.level
	case r.Quality == hardware.Failed, !r.OK() && silent >= batteryAge, r.OK() && cellVolts(&r.Value) < goneBelow:
		b.level, b.at = hardware.BatteryLow, time.Time{}
		return b.level
	case !r.OK():
		return b.level
	}
	if b.low = lowBelow; r.Value.LowVolts > 0 {
		b.low = r.Value.LowVolts / float64(max(1, r.Value.Cells))
	}
	b.filter(r, contacts)
	b.level = b.decide(contacts && s.Now.Sub(b.idle) >= doneAfter && !b.idle.IsZero())
	return b.level
}

// filter restarts when the contacts change, because the load does.
func (b *battery) filter(r hardware.Reading[hardware.BatteryState], contacts bool) {
	switch {
	case b.at.IsZero() || contacts != b.contacts:
		b.filtered = cellVolts(&r.Value)
	case r.At.After(b.at):
		b.filtered += (1 - math.Exp(-r.At.Sub(b.at).Seconds()/voltsTime.Seconds())) * (cellVolts(&r.Value) - b.filtered)
	}
	b.at, b.contacts = r.At, contacts
}

func (b *battery) decide(charged bool) hardware.BatteryLevel {
	switch v := b.filtered; {
	case charged, v >= fullFrom, b.level == hardware.BatteryFull && v >= fullUntil:
		return hardware.BatteryFull
	case v < b.low, b.level == hardware.BatteryLow && v < b.low+lowMargin:
		return hardware.BatteryLow
	}
	return hardware.BatteryNominal
}

const (
	// leaveMM is the distance after which the docked robot's rear has passed the pad's open end.
	leaveMM = 90.0
	// leaveTilt is a change of pitch that means that the robot or its charger was moved by hand.
	leaveTilt = 7 * deg
	// DockOffsetMM is how far the docked robot's axle is in front of the charger's center, along the charger's heading.
	DockOffsetMM = 20.0
)

// platform tracks whether the robot stands on its charger, also while the contacts are open.
type platform struct {
	on       bool
	contacts bool
	pose     hardware.Pose // where the contacts were last felt
	pitch    float64
}

func (p *platform) update(s *hardware.Snapshot, o *odometry, onTreads bool) {
	p.contacts = s.Charger.OK() && s.Charger.Value.OnContacts
	if p.contacts && onTreads {
		p.on, p.pose, p.pitch = true, o.pose, pitch(s, p.pitch)
		return
	}
	if !p.on {
		return
	}
	way := math.Hypot(o.pose.XMM-p.pose.XMM, o.pose.YMM-p.pose.YMM)
	edge := !p.contacts && s.Cliff.OK() && s.Cliff.Value.Any() // there is none on the charger
	if !onTreads || edge || way > leaveMM || math.Abs(pitch(s, p.pitch)-p.pitch) > leaveTilt {
		p.on = false
	}
}

func pitch(s *hardware.Snapshot, otherwise float64) float64 {
	if s.IMU.OK() {
		return s.IMU.Value.PitchRad
	}
	return otherwise
}
