package sim

import (
	"maps"
	"slices"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
)

// A part is where a device is connected, so that it can be broken there.
type part struct {
	addrs    []uint16 // chips
	measured []uint16 // those that freeze, if not all of them do
	encoders []string // lines that freeze instead
	blind    bool     // nothing is measured there
	lines    []string
	bus      bool
	spi      string // port
	host     bool
	port     bool // a board behind a serial port
}

func (a part) none() bool {
	return len(a.addrs) == 0 && len(a.lines) == 0 && a.spi == "" && !a.host && !a.port
}

// plan is the effect of a fault of a kind, or the reason why there is none.
func (a part) plan(kind string) (plan, string) {
	switch {
	case a.host:
		return hostPlan(kind)
	case a.port:
		return portPlan(kind)
	case a.bus:
		return busPlan(kind, a.addrs)
	case a.spi != "":
		return panelPlan(kind, a.spi)
	case len(a.addrs) > 0:
		return a.chipPlan(kind)
	case a.encoders != nil:
		return encoderPlan(kind, a.encoders)
	}
	return linePlan(kind, a.lines...)
}

// partOf is where a device of this robot is connected; nowhere if it has none.
func (r *Rig) partOf(device string) (a part) {
	p := r.profile
	if r.onBoard(device) {
		return part{port: true}
	}
	switch device {
	case FaultBus:
		a.bus = true
		for _, name := range slices.Sorted(maps.Keys(p.Chips)) {
			a.addrs = append(a.addrs, p.Chips[name].Address)
		}
	case FaultHost:
		a.host = true
	case FaultFeedback:
		a.addrs = r.pots()
	case hardware.Servos:
		a = part{addrs: r.servoChips(), measured: r.pots(), blind: true}
	case hardware.Battery:
		if b := p.Battery; b != nil {
			a.addrs = r.chip(b.Chip)
		}
	case hardware.IMU:
		if m := p.IMU; m != nil {
			a.addrs = r.chip(m.Chip)
		}
	case hardware.Lights:
		if l := p.Lights; l != nil {
			a = part{addrs: r.chip(l.Chip), spi: l.Port, blind: true}
		}
	case hardware.Display:
		if d := p.Display; d != nil {
			a = part{addrs: r.chip(d.Chip), spi: d.Port, blind: true}
		}
	case hardware.Speaker:
		if s := p.Speaker; s != nil {
			a.lines = named(s.Line)
		}
	case hardware.Charger:
		if c := p.Charger; c != nil {
			a.lines = named(c.Present, c.Status)
		}
	case hardware.Touch:
		if t := p.Touch; t != nil {
			a.lines = named(t.Pad)
		}
	case hardware.Range:
		if s := p.Range; s != nil {
			a = part{addrs: r.chip(s.Chip), lines: named(s.Echo)}
		}
	case hardware.Cliff:
		if c := p.Cliff; c != nil {
			a = part{addrs: r.chip(c.Chip), lines: sensorLines(c)}
		}
	default:
		if p.Drive != nil {
			a = r.drivePart(p.Drive, device)
		}
	}
	return a
}

// drivePart is where the devices of the drive are connected.
func (r *Rig) drivePart(d *profile.Drive, device string) (a part) {
	var encoders []string
	if e := d.Encoders; e != nil {
		encoders = named(e.LeftA, e.LeftB, e.RightA, e.RightB)
	}
	switch device {
	case hardware.Motors:
		a = part{addrs: r.chip(d.Chip), encoders: encoders, blind: true}
	case FaultEncoders:
		a = part{lines: encoders, encoders: encoders}
	case FaultEnable:
		a.lines = named(d.Enable)
	case FaultBeat:
		a.lines = named(d.Beat)
	case FaultSense:
		a.lines = named(d.Sense)
	}
	return a
}

// chip is the address of a chip, none for "".
func (r *Rig) chip(name string) []uint16 {
	if c, ok := r.profile.Chips[name]; ok {
		return []uint16{c.Address}
	}
	return nil
}

// servoChips are the PWM chips of the servos, pots the converters of their feedback.
func (r *Rig) servoChips() (all []uint16) {
	for _, s := range r.servos() {
		all = append(all, r.chip(s.Chip)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (r *Rig) pots() (all []uint16) {
	for _, s := range r.servos() {
		if s.Feedback != nil {
			all = append(all, r.chip(s.Feedback.Chip)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (r *Rig) servos() (all []*profile.Servo) {
	for _, s := range []*profile.Servo{r.profile.Head, r.profile.Lift, r.profile.Pan} {
		if s != nil {
			all = append(all, s)
		}
	}
	return all
}

func sensorLines(c *profile.Cliff) (all []string) {
	for _, s := range c.Sensors {
		all = append(all, named(s.Line)...)
	}
	return all
}

// named are the names that are not empty.
func named(all ...string) []string {
	return slices.DeleteFunc(all, func(name string) bool { return name == "" })
}
