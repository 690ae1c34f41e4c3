package profile

import (
	"maps"
	"slices"
	"strconv"

	"github.com/robotd/robotd/resources"
)

// The words of a profile.
var (
	ChipKinds = []string{"ads1115", "ads7830", "ina219", "mpu6050", "pca9685", "pcf8591", "ssd1306", "vl53l0x"}
	PortKinds = []string{"serial", "spi"}
	Pulls     = []string{"asIs", "none", "up", "down"}
	Floors    = []string{"table", "walls"}
	Firmwares = []string{"general", "ros"}
)

// PullAsIs leaves the resistor of a line as it is: as the board's firmware, device tree or the request before set it. It is the default.
const PullAsIs = "asIs"

// Words are further drivers by part, those of other modules: "range" → "my-lidar".
type Words map[string][]string

// A reader reads one profile.
type reader struct {
	*Profile
	also   Words
	served []string             // parts that the board of the drive serves
	taken  map[string]string    // who has a line, a port or a channel
	owners map[string]owner     // of converters that serve one driver
	scales map[string]reference // of converters of eight bits
}

// Read reads a profile. Findings are reported at their place in the file; the result is of use only if there are no errors.
func Read(o *resources.Object, also Words) *Profile {
	o.Declare("$schema")
	o.Describe("robot", "name of the robot, that of its file; --robot names it")
	o.Describe("title", "name for people")
	o.Describe("doc", "what to know before the first start")
	r := reader{also: also, taken: map[string]string{}, owners: map[string]owner{}, scales: map[string]reference{}, Profile: &Profile{
		Name: o.String("robot"), Title: o.String("title"), Doc: o.StringOr("doc", ""),
		Buses: named(o, "buses", "I²C buses by name", readBus), Ports: named(o, "ports", "SPI and serial ports by name", readPort),
		Lines: named(o, "lines", "GPIO lines by the name that the parts use", readLine),
	}}
	r.Chips = named(o, "chips", "I²C chips by name; several parts may use one", r.chip)
	r.body(o)
	if sub, ok := o.ObjectOr("parts"); ok {
		r.parts(sub)
	} else {
		o.Required("parts")
	}
	r.oneBus(o)
	r.collide(o)
	r.doubled(o)
	r.doubledPorts(o)
	r.shared(o)
	return r.Profile
}

// named reads an object whose keys are names.
func named[T any](o *resources.Object, key, doc string, read func(*resources.Object) T) map[string]T {
	o.Describe(key, doc)
	out := map[string]T{}
	sub, ok := o.ObjectOr(key)
	if !ok {
		return out
	}
	for _, name := range sub.Keys() {
		if one := sub.Object(name); one != nil {
			out[name] = read(one)
		}
	}
	return out
}

func readBus(o *resources.Object) Bus {
	o.Describe("device", "path of the bus on a board")
	o.Describe("speed_kHz", "clock of the bus")
	return Bus{Device: o.StringOr("device", "/dev/i2c-1"), SpeedHz: 1000 * o.FloatRangeOr("speed_kHz", 400, 10, 1000)}
}

func readPort(o *resources.Object) Port {
	o.Describe("device", "name of a SPI port (SPI0.0) or path of a serial one (/dev/serial0)")
	p := Port{Kind: o.Enum("kind", PortKinds), Device: o.String("device")}
	if p.Kind == "serial" {
		o.Describe("baud", "speed of a serial port")
		p.SpeedHz = float64(o.IntRangeOr("baud", 115200, 1200, 4_000_000))
	}
	if p.Kind == "spi" {
		o.Describe("speed_kHz", "clock of a SPI port")
		p.SpeedHz = 1000 * o.FloatRangeOr("speed_kHz", 3300, 1, 50_000)
	}
	return p
}

func readLine(o *resources.Object) Line {
	o.Describe("name", "the kernel's name of the line; or chip and offset")
	o.Describe("chip", "label of the GPIO chip")
	o.Describe("offset", "number of the line on its chip")
	o.Describe("activeLow", "a low level means yes")
	o.Describe("pull", "resistor that the GPIO chip puts on the line; asIs leaves what was there, none takes it off")
	l := Line{
		Name: o.StringOr("name", ""), Chip: o.StringOr("chip", ""), Offset: o.IntRangeOr("offset", -1, 0, 511),
		ActiveLow: o.BoolOr("activeLow", false), Pull: o.EnumOr("pull", PullAsIs, Pulls),
	}
	byOffset := l.Chip != "" && l.Offset >= 0
	switch {
	case l.Name != "" && (l.Chip != "" || l.Offset >= 0):
		o.KeyErrorf("name", "key-conflict", "a line has a name, or chip and offset, not both")
	case l.Name == "" && !byOffset:
		o.Errorf(o.Pos(), resources.CodeKeyRequired, "a line needs its name, or chip and offset")
	}
	return l
}

func (r *reader) chip(o *resources.Object) Chip {
	o.Describe("address", `seven bits, "0x40"`)
	c := Chip{Kind: o.Enum("chip", ChipKinds), Bus: o.StringOr("bus", MainBus), Address: address(o)}
	if _, ok := r.Buses[c.Bus]; !ok && !o.Probing() {
		o.KeyErrorf("bus", "robot-unknown", "%v", resources.Unknown("bus", c.Bus, names(r.Buses)))
	}
	if c.Kind == "" && !o.Probing() {
		o.Declare(o.Keys()...) // a wrong word is one finding, not one for each key
	}
	if c.Kind == "pca9685" {
		o.Describe("frequency_Hz", "of all channels of a PWM chip")
		o.Describe("oscillator_MHz", "clock of a PWM chip, as calibrated")
		c.FrequencyHz = o.FloatRange("frequency_Hz", 24, 1526)
		c.OscillatorHz = 1e6 * o.FloatRangeOr("oscillator_MHz", 25, 23, 27.5)
	}
	r.tooFast(o, c)
	return c
}

// address reads an I²C address, which files write as text in hexadecimal.
func address(o *resources.Object) uint16 {
	text := o.String("address")
	n, err := strconv.ParseUint(text, 0, 16)
	if o.Has("address") && !o.Spoilt("address") && (err != nil || n < 0x03 || n > 0x77) && !o.Probing() {
		o.KeyErrorf("address", resources.CodeKeyRange, "%q is no I²C address; it is a text from \"0x03\" to \"0x77\"", text)
	}
	return uint16(n)
}

func (r *reader) body(o *resources.Object) {
	o.Describe("body", "outline of the robot around the middle of its axle")
	if b := o.Object("body"); b != nil {
		r.Body = Body{FrontMM: b.FloatRange("front_mm", 1, 2000), BackMM: b.FloatRange("back_mm", 1, 2000), WidthMM: b.FloatRange("width_mm", 1, 2000)}
	}
	o.Describe("world", "where the simulator puts the robot")
	r.World = World{Floor: "table"}
	if w, ok := o.ObjectOr("world"); ok {
		w.Describe("floor", "a table with edges, or a floor with walls")
		w.Describe("charger", "there is a charger to dock with")
		r.World = World{Floor: w.EnumOr("floor", "table", Floors), Charger: w.BoolOr("charger", false)}
		if r.World.Charger && r.World.Floor == "walls" && !w.Probing() {
			w.KeyErrorf("charger", "key-conflict", "a floor with walls has no charger in the simulator; only a table has")
		}
	}
}

// oneBus reports buses that no driver would use.
func (r *reader) oneBus(o *resources.Object) {
	sub, ok := o.ObjectOr("buses")
	if !ok {
		return
	}
	for _, name := range sub.Keys() {
		if name != MainBus {
			sub.KeyErrorf(name, "robot-bus", "the drivers of this robotd use one I²C bus, which is called %s; its device may be any", MainBus)
		}
	}
}

// collide reports two chips at one address of one bus.
func (r *reader) collide(o *resources.Object) {
	sub, ok := o.ObjectOr("chips")
	if !ok {
		return
	}
	type place struct {
		bus  string
		addr uint16
	}
	at := map[place]string{}
	for _, name := range sub.Keys() {
		c := r.Chips[name]
		if c.Address == 0 {
			continue
		}
		p := place{c.Bus, c.Address}
		if other, taken := at[p]; taken {
			sub.KeyErrorf(name, "robot-address", "has the address %#02x of %s on bus %s", c.Address, other, c.Bus)
		}
		at[p] = name
	}
}

func names[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }
