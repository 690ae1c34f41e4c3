package sim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/resources"
)

// The kinds of faults. hardware/README.md says which failure class each belongs to.
const (
	KindNack     = "nack"     // every second transaction is not acknowledged
	KindAbsent   = "absent"   // no chip answers
	KindStuck    = "stuck"    // the chip holds the bus; a line keeps its level
	KindBrownout = "brownout" // the chip loses its configuration, once
	KindWrongID  = "wrong-id" // another chip answers
	KindFrozen   = "frozen"   // readings repeat
	KindGarbage  = "garbage"  // readings are random
	KindSlow     = "slow"     // each transaction takes 8 ms longer
	KindUnplug   = "unplug"   // the adapter or line is gone
)

// Devices that can be broken beyond the subsystems of the hardware package.
const (
	FaultBus      = "bus"       // all of the I2C bus
	FaultEnable   = "enable"    // the MOTOR_EN line
	FaultBeat     = "heartbeat" // the MOTOR_BEAT line
	FaultSense    = "sense"     // the MOTOR_ON line
	FaultHost     = "host"      // the computer: its processes get no turns
	FaultEncoders = "encoders"  // the lines of both wheel encoders
	FaultFeedback = "feedback"  // the converter behind the servos' pots
)

// Kinds lists the fault kinds, sorted.
func Kinds() []string {
	return []string{KindAbsent, KindBrownout, KindFrozen, KindGarbage, KindNack, KindSlow, KindStuck, KindUnplug, KindWrongID}
}

// FaultDevices lists what Fault can break, sorted.
func FaultDevices() []string {
	return []string{
		hardware.Battery, FaultBus, hardware.Charger, hardware.Cliff, hardware.Display, FaultEnable, FaultEncoders,
		FaultFeedback, FaultBeat, FaultHost, hardware.IMU, hardware.Lights, hardware.Motors, hardware.Range, FaultSense, hardware.Servos, hardware.Touch,
	}
}

// A plan describes the effects of a fault.
type plan struct {
	addrs    []uint16
	chip     func(*emul.Fault) // to each address
	lines    []string          // at most four
	short    bool              // lines keep their level
	gone     bool              // lines or SPI port vanish
	brownout bool
	spi      string // the port
	mute     bool
	frozen   bool // encoders count nothing
	busStuck bool
	busGone  bool
	host     bool // the host gets no turns
	port     bool // the board behind the serial port: gone, mute or reset
}

// add marks the damage of the plan.
func (p plan) add(d *damage, levels [4]bool) {
	for _, a := range p.addrs {
		c := d.chips[a]
		p.chip(&c)
		d.chips[a] = c
	}
	for i, name := range p.lines {
		l := d.lines[name]
		l.gone = l.gone || p.gone
		if p.short {
			l.short, l.level = true, levels[i]
		}
		d.lines[name] = l
	}
	if p.spi != "" {
		port := d.spi[p.spi]
		d.spi[p.spi] = portDamage{gone: port.gone || p.gone, mute: port.mute || p.mute}
	}
	d.frozen = d.frozen || p.frozen
	d.portGone = d.portGone || p.port && p.gone
	d.portMute = d.portMute || p.port && p.mute
	d.busStuck = d.busStuck || p.busStuck
	d.busGone = d.busGone || p.busGone
}

// planOf returns the effects of a fault, or an error for an impossible one.
func (r *Rig) planOf(device, kind string) (plan, error) {
	if device == hardware.Vision {
		return plan{}, fmt.Errorf("fault: %s has no chip and no line that could fail; devices: %s", device, strings.Join(r.faultDevices(), " "))
	}
	if device != hardware.Speaker && !slices.Contains(FaultDevices(), device) {
		return plan{}, known("device", device, r.faultDevices())
	}
	if err := known("kind", kind, Kinds()); err != nil {
		return plan{}, err
	}
	at := r.partOf(device)
	if at.none() {
		return plan{}, fmt.Errorf("fault: the %s of %s has no chip and no line that could fail; devices: %s", device, r.profile.Name, strings.Join(r.faultDevices(), " "))
	}
	p, why := at.plan(kind)
	if why != "" {
		return plan{}, fmt.Errorf("fault: %s cannot be %s: %s", device, kind, why)
	}
	return p, nil
}

// FaultDevicesOf lists what Fault can break of a robot, sorted.
func FaultDevicesOf(p *profile.Profile) []string { return (&Rig{profile: p}).faultDevices() }

// faultDevices lists what can be broken of this robot.
func (r *Rig) faultDevices() (all []string) {
	for _, d := range append(FaultDevices(), hardware.Speaker) {
		if !r.partOf(d).none() {
			all = append(all, d)
		}
	}
	slices.Sort(all)
	return all
}

func known(what, word string, valid []string) error {
	if slices.Contains(valid, word) {
		return nil
	}
	hint := resources.DidYouMean(word, valid)
	if hint != "" {
		hint += " "
	}
	return fmt.Errorf("fault: no %s %q; %s%ss: %s", what, word, hint, what, strings.Join(valid, " "))
}

// chipPlan is for devices that are chips on the bus.
func (a part) chipPlan(kind string) (plan, string) {
	addrs := a.addrs
	if kind == KindFrozen {
		switch {
		case a.encoders != nil:
			return encoderPlan(kind, a.encoders)
		case a.measured != nil:
			addrs = a.measured
		case a.blind:
			return plan{}, "nothing is measured there that could freeze"
		}
	}
	return plan{addrs: addrs, chip: chipFault(kind), brownout: kind == KindBrownout}, ""
}

// chipFault sets one kind. Several faults on one chip add up.
func chipFault(kind string) func(*emul.Fault) {
	return func(f *emul.Fault) {
		switch kind {
		case KindNack:
			f.NackP = nackP
		case KindAbsent:
			f.Absent = true
		case KindStuck:
			f.Stuck = true
		case KindWrongID:
			f.WrongID = true
		case KindFrozen:
			f.Freeze = true
		case KindGarbage:
			f.Garbage = true
		case KindSlow:
			f.Latency = slowLag
		case KindUnplug:
			f.Unplugged = true
		}
	}
}

func busPlan(kind string, addrs []uint16) (plan, string) {
	switch kind {
	case KindStuck:
		return plan{busStuck: true}, ""
	case KindUnplug:
		return plan{busGone: true}, ""
	}
	return plan{addrs: addrs, chip: chipFault(kind), brownout: kind == KindBrownout}, ""
}

func hostPlan(kind string) (plan, string) {
	if kind == KindFrozen {
		return plan{host: true}, ""
	}
	return plan{}, "the computer can only be frozen"
}

func linePlan(kind string, names ...string) (plan, string) {
	switch kind {
	case KindStuck, KindFrozen:
		return plan{lines: names, short: true}, ""
	case KindAbsent, KindUnplug:
		return plan{lines: names, gone: true}, ""
	case KindNack:
		return plan{}, "a GPIO line has no acknowledge"
	case KindBrownout:
		return plan{}, "a GPIO line has no configuration to lose"
	case KindWrongID:
		return plan{}, "a GPIO line has no identity"
	case KindGarbage:
		return plan{}, "a GPIO line carries a level, not data"
	}
	return plan{}, "a GPIO line has no transactions to delay"
}

func encoderPlan(kind string, lines []string) (plan, string) {
	if kind == KindStuck || kind == KindFrozen {
		return plan{frozen: true}, ""
	}
	return linePlan(kind, lines...)
}

func panelPlan(kind, port string) (plan, string) {
	switch kind {
	case KindAbsent:
		return plan{spi: port, mute: true}, ""
	case KindUnplug:
		return plan{spi: port, gone: true}, ""
	case KindBrownout:
		return plan{spi: port, brownout: true}, ""
	case KindNack:
		return plan{}, "SPI has no acknowledge"
	case KindStuck:
		return plan{}, "SPI has no line that a chip could hold"
	case KindSlow:
		return plan{}, "SPI chips cannot delay a transfer"
	}
	return plan{}, "nothing is ever read from the display"
}
