package profile

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/robotd/robotd/resources"
)

// inputs are the channels of each kind of converter.
var inputs = map[string]int{"ads1115": 4, "ads7830": 8, "pcf8591": 4}

// mostVolts is the highest voltage that a converter measures: the supply of one of eight bits, 5 V and a bit, or the range of 6.144 V of an ADS1115.
const mostVolts = 6.0

// fastestHz are the fastest buses of the kinds of chips that are slower than a usual one of 400 kHz, by their data sheets (PCF8591 rev. 7, 11).
var fastestHz = map[string]float64{"pcf8591": 100e3}

// tooFast warns of a bus that is faster than the chip is specified for. It may work on a short cable, and it may read nonsense now and then.
func (r *reader) tooFast(o *resources.Object, c Chip) {
	most, slow := fastestHz[c.Kind]
	if bus, ok := r.Buses[c.Bus]; slow && ok && bus.SpeedHz > most && !o.Probing() {
		o.KeyWarnf("chip", "robot-chip", "a %s is made for a bus of at most %g kHz, and bus %s has %g; set its speed_kHz, and the board's, to %[2]g",
			c.Kind, most/1000, c.Bus, bus.SpeedHz/1000)
	}
}

// claim gives a line, a port or a channel to the key of a part, or reports that another part has it: two parts on one motor channel would
// drive the robot without an order.
func (r *reader) claim(o *resources.Object, key, thing string) bool {
	if o.Probing() {
		return true
	}
	if other, taken := r.taken[thing]; taken {
		o.KeyErrorf(key, "robot-taken", "%s is that of %s already", thing, other)
		return false
	}
	r.taken[thing] = o.Path() + "." + key
	return true
}

func (r *reader) claimChannel(o *resources.Object, key, chip string, n int) bool {
	_, ok := r.Chips[chip]
	return !ok || !o.Has(key) || o.Spoilt(key) || r.claim(o, key, fmt.Sprintf("channel %d of chip %s", n, chip))
}

// motors reads the motors of one side. They may share the channel of the duty, since they get the same one.
func (r *reader) motors(o *resources.Object, key, chip string) (all []Motor) {
	duties := map[int]bool{}
	for _, m := range o.Objects(key) {
		m.Describe("pwm", "channel of the duty, if the inputs only give the direction")
		one := Motor{
			Forward: channel(m, "forward", "channel of the input that is driven forward", 16), Backward: channel(m, "backward", "channel of the other input", 16),
			PWM: m.IntRangeOr("pwm", -1, 0, 15),
		}
		r.claimChannel(m, "forward", chip, one.Forward)
		r.claimChannel(m, "backward", chip, one.Backward)
		if !duties[one.PWM] {
			r.claimChannel(m, "pwm", chip, one.PWM)
		}
		duties[one.PWM] = true
		all = append(all, one)
	}
	if len(all) == 0 && !o.Probing() && o.Has(key) {
		o.KeyErrorf(key, resources.CodeKeyRange, "needs at least one motor")
	}
	return all
}

// input reads the channel of a converter, of which each kind has its number.
func (r *reader) input(o *resources.Object, chip string) int {
	n := channel(o, "channel", "of the converter", 8)
	kind := r.Chips[chip].Kind
	if most, ok := inputs[kind]; ok && n >= most && !o.Probing() {
		o.KeyErrorf("channel", resources.CodeKeyRange, "%d is above the limit %d of the kind %s", n, most-1, kind)
		return n
	}
	if r.claimChannel(o, "channel", chip, n) {
		r.alone(o, chip)
	}
	return n
}

// alone reports an ADS1115 that drivers of two devices would use. It keeps which channel it converts: each driver would read the channel of the other one,
// and take that for a configuration that was lost.
func (r *reader) alone(o *resources.Object, chip string) {
	if r.Chips[chip].Kind != "ads1115" || o.Probing() {
		return
	}
	part, _, _ := strings.Cut(strings.TrimPrefix(o.Path(), "parts."), ".")
	driver := part
	if slices.Contains([]string{"head", "lift", "pan"}, part) {
		driver = "servos"
	}
	if other, taken := r.owners[chip]; taken && other.driver != driver {
		o.KeyErrorf("channel", "robot-taken", "chip %s measures for %s already: an ads1115 serves one of cliff, battery and the servos; give the other one a converter of its own", chip, other.part)
		return
	}
	if _, taken := r.owners[chip]; !taken {
		r.owners[chip] = owner{driver, part}
	}
}

// An owner is the driver that has a converter for itself, and the first part for which it measures.
type owner struct{ driver, part string }

// eightBits reports whether a chip is a converter that does not know its reference.
func (r *reader) eightBits(chip string) bool {
	kind := r.Chips[chip].Kind
	return inputs[kind] > 0 && kind != "ads1115"
}

// fullScale reads the full scale of a converter, which is to measure up to so many volts. An ADS1115 does not need to be told.
func (r *reader) fullScale(o *resources.Object, chip string, most float64) float64 {
	const key = "fullScale_V"
	o.Describe(key, "reference of a converter of eight bits; an ads1115 gets a range that covers it")
	if !o.Probing() && !r.eightBits(chip) && !o.Has(key) {
		return most
	}
	full := o.FloatRangeOr(key, 5, 0.1, mostVolts)
	if o.Probing() || o.Spoilt(key) {
		return full
	}
	if full < most {
		o.KeyErrorf(key, "key-conflict", "is %g V, but up to %.2f V are to be measured", full, most)
		return full
	}
	if !r.eightBits(chip) {
		return full
	}
	if other, told := r.scales[chip]; told && other.volts != full {
		o.KeyErrorf(key, "key-conflict", "is %g V, but chip %s has %g V by %s", full, chip, other.volts, other.part)
	} else if !told {
		r.scales[chip] = reference{full, o.Path()}
	}
	return full
}

// A reference is that of a converter of eight bits, and the part that tells it first.
type reference struct {
	volts float64
	part  string
}

// travel reports ends of a servo that cannot be those of one.
func (r *reader) travel(o *resources.Object, s *Servo, low, high string) {
	if o.Probing() {
		return
	}
	if s.Low >= s.High {
		o.KeyErrorf(high, "key-conflict", "is not above %s", low)
	}
	if s.LowUS == s.HighUS {
		o.KeyErrorf("high_us", "key-conflict", "is the pulse of the low end too: the servo would never move")
	}
	if hz, long := r.Chips[s.Chip].FrequencyHz, max(s.LowUS, s.HighUS); hz*long >= 1e6 {
		o.KeyErrorf("chip", "robot-chip", "%s has %g Hz, a period of %.0f µs: no pulse of %g µs fits; servos want 50 Hz", s.Chip, hz, 1e6/hz, long)
	}
}

// mounted reports axes that are no way to mount a sensor.
func mounted(o *resources.Object, m [3]string) {
	if why := badMount(m); why != "" {
		o.KeyErrorf("mount", "key-conflict", "%s", why)
	}
}

// badMount is why axes are no way to mount a sensor, "" if they are one: each axis comes once, and a mirror image is none.
func badMount(m [3]string) string {
	var rows [3][3]float64
	for i, axis := range m {
		if axis == "" {
			return "" // the word is reported
		}
		sign := 1.0
		if axis[0] == '-' {
			sign = -1
		}
		rows[i][axis[len(axis)-1]-'x'] = sign
	}
	a, b, c := rows[0], rows[1], rows[2]
	turn := a[0]*(b[1]*c[2]-b[2]*c[1]) - a[1]*(b[0]*c[2]-b[2]*c[0]) + a[2]*(b[0]*c[1]-b[1]*c[0])
	switch {
	case math.Abs(turn) != 1:
		return fmt.Sprintf("%v: each of x, y and z comes once", m)
	case turn < 0:
		return fmt.Sprintf("%v is a mirror image of the sensor; one of the signs is the other way round", m)
	}
	return ""
}

// doubled reports two names of one line.
func (r *reader) doubled(o *resources.Object) {
	sub, ok := o.ObjectOr("lines")
	if !ok {
		return
	}
	at := map[Line]string{}
	for _, name := range sub.Keys() {
		l := r.Lines[name]
		where := Line{Name: l.Name, Chip: l.Chip, Offset: l.Offset}
		if l.Name == "" && (l.Chip == "" || l.Offset < 0) {
			continue
		}
		if other, taken := at[where]; taken {
			sub.KeyErrorf(name, "robot-taken", "is the same line as %s", other)
		}
		at[where] = name
	}
}

// doubledPorts reports two names of one port.
func (r *reader) doubledPorts(o *resources.Object) {
	sub, ok := o.ObjectOr("ports")
	if !ok {
		return
	}
	at := map[string]string{}
	for _, name := range sub.Keys() {
		device := r.Ports[name].Device
		if other, taken := at[device]; taken && device != "" {
			sub.KeyErrorf(name, "robot-taken", "is the same port as %s, %s", other, device)
		}
		at[device] = name
	}
}

// shared reports lights of the kind WS2812 that share their wire. They have no chip select: they take all that is sent on the bus for colors.
func (r *reader) shared(o *resources.Object) {
	l := r.Lights
	if l == nil || l.Driver.Driver != "ws2812" || r.Ports[l.Port].Device == "" {
		return
	}
	sub, ok := o.ObjectOr("ports")
	if !ok {
		return
	}
	bus, _, _ := strings.Cut(r.Ports[l.Port].Device, ".")
	for _, name := range sub.Keys() {
		if p := r.Ports[name]; name != l.Port && p.Kind == "spi" && strings.HasPrefix(p.Device, bus+".") && p.Device != r.Ports[l.Port].Device {
			sub.KeyErrorf(name, "robot-taken", "%s is on the data wire of %s, on which the lights take everything for colors; use another bus, such as %s", p.Device, l.Port, otherBus(bus))
		}
	}
}

// otherBus is the first port of a SPI bus beside that one.
func otherBus(bus string) string {
	if bus == "SPI0" {
		return "SPI1.0"
	}
	return "SPI0.0"
}

// Voltages of a lithium-ion cell: where it is full, where it is low and where it is empty unless the file says otherwise, and what a file may say.
const (
	fullCell            = 4.2
	lowCell, emptyCell  = 3.55, 3.4
	leastCell, mostCell = 3.0, 4.1
)

// charge reports voltages of a battery that cannot be those of its cells.
func (r *reader) charge(o *resources.Object, b *Battery) {
	if o.Probing() || b.Cells == 0 {
		return
	}
	least, most := leastCell*float64(b.Cells), mostCell*float64(b.Cells)
	for _, one := range [...]struct {
		key   string
		volts float64
	}{{"low_V", b.LowVolts}, {"empty_V", b.EmptyVolts}} {
		if o.Has(one.key) && !o.Spoilt(one.key) && (one.volts < least || one.volts > most) {
			o.KeyErrorf(one.key, resources.CodeKeyRange, "%g V is not of %d cells in series; want %g to %g V", one.volts, b.Cells, least, most)
			return
		}
	}
	if key := "empty_V"; b.EmptyVolts >= b.LowVolts {
		if !o.Has(key) {
			key = "low_V"
		}
		o.KeyErrorf(key, "key-conflict", "empty_V, %g V, is not below low_V, %g V", b.EmptyVolts, b.LowVolts)
	}
}
