package profile

import (
	"slices"
	"strings"
	"unicode"

	"github.com/robotd/robotd/resources"
)

// Drivers are the words of the built-in drivers of each part.
var Drivers = Words{
	"drive": {"bridge", "ugv"}, "head": {"pwm"}, "lift": {"pwm"}, "pan": {"pwm"}, "cliff": {"analog", "digital"}, "range": {"vl53l0x", "sonar"},
	"imu": {"mpu6050", "ugv"}, "battery": {"ina219", "adc", "ugv"}, "charger": {"lines"}, "touch": {"lines"}, "display": {"ssd1306", "ugv"},
	"lights": {"pwm", "ws2812", "ugv"}, "speaker": {"none", "buzzer", ALSA}, "vision": {"posted"},
}

func (r *reader) parts(o *resources.Object) {
	r.Drive = part(r, o, "drive", "two wheels or two sides of wheels", r.drive)
	r.Head = part(r, o, "head", "the head's servo, degrees", r.degrees)
	r.Pan = part(r, o, "pan", "the head's second axis, degrees, left is positive; held at 0, ahead", r.turning)
	r.Lift = part(r, o, "lift", "the lift's servo, millimeters", r.millimeters)
	r.Cliff = part(r, o, "cliff", "sensors that look down", r.cliff)
	r.Range = part(r, o, "range", "distance sensor at the front", r.ranging)
	r.IMU = part(r, o, "imu", "inertial sensor", r.imu)
	r.Battery = part(r, o, "battery", "what measures the battery", r.battery)
	r.Charger = part(r, o, "charger", "contacts of the charger", r.charger)
	r.Touch = part(r, o, "touch", "pad and power button", r.touch)
	r.Display = part(r, o, "display", "the face", r.display)
	r.Lights = part(r, o, "lights", "colored lights", r.lights)
	r.Speaker = part(r, o, "speaker", "what makes sounds", r.speaker)
	r.Vision = part(r, o, "vision", "what sees: detections are posted", func(_ *resources.Object, d Driver) *Vision { return &Vision{d} })
	r.behindBoard(o)
}

// behindBoard reports parts that the board of a drive is to serve although the drive has none.
func (r *reader) behindBoard(o *resources.Object) {
	if r.Drive != nil && r.Drive.Port != "" {
		return
	}
	for _, key := range r.served {
		o.KeyErrorf(key, "robot-board", "the driver ugv needs a drive with the driver ugv: its board serves this part")
	}
}

// part reads one part; nil if it is not there. A driver of another module reads its own keys of the part, which are not checked here, beside
// those that say how the robot is built.
func part[T any](r *reader, o *resources.Object, key, doc string, read func(*resources.Object, Driver) *T) *T {
	o.Describe(key, doc)
	sub, ok := o.ObjectOr(key)
	if !ok {
		return nil
	}
	words := Drivers[key]
	d := Driver{Driver: sub.Enum("driver", append(slices.Clone(words), r.also[key]...)), Keys: sub}
	if d.Driver == "ugv" && key != "drive" && !sub.Probing() {
		r.served = append(r.served, key)
	}
	if len(words) == 1 && d.Driver == "" && sub.Probing() {
		d.Driver = words[0]
	}
	d.Foreign = slices.Contains(r.also[key], d.Driver)
	if d.Foreign {
		sub.Declare(sub.Keys()...)
	}
	if d.Driver == "" && !sub.Probing() { // a wrong word is one finding, not one for each key
		sub.Declare(sub.Keys()...)
		t := new(T)
		any(t).(interface{ become(Driver) }).become(d)
		return t
	}
	return read(sub, d)
}

// chipOf reads the name of a chip of one of some kinds.
func (r *reader) chipOf(o *resources.Object, kinds ...string) string {
	o.Describe("chip", "name of one of the chips")
	name := o.String("chip")
	if o.Probing() || !o.Has("chip") || o.Spoilt("chip") {
		return name
	}
	var known []string
	for _, n := range names(r.Chips) {
		if slices.Contains(kinds, r.Chips[n].Kind) {
			known = append(known, n)
		}
	}
	switch c, ok := r.Chips[name]; {
	case !ok:
		o.KeyErrorf("chip", "robot-unknown", "%v", resources.Unknown("chip", name, known))
	case c.Kind != "" && !slices.Contains(kinds, c.Kind):
		o.KeyErrorf("chip", "robot-chip", "%s is a %s, want one of %v", name, c.Kind, kinds)
	}
	return name
}

// line reads the name of a line; "" if the key is optional and absent.
func (r *reader) line(o *resources.Object, key, doc string, need bool) string {
	o.Describe(key, doc)
	var name string
	if need {
		name = o.String(key)
	} else {
		name = o.StringOr(key, "")
	}
	if o.Probing() || !o.Has(key) || o.Spoilt(key) {
		return name
	}
	if _, ok := r.Lines[name]; !ok {
		o.KeyErrorf(key, "robot-unknown", "%v", resources.Unknown("line", name, names(r.Lines)))
		return name
	}
	r.claim(o, key, "line "+name)
	return name
}

// port reads the name of a port of one kind.
func (r *reader) port(o *resources.Object, kind string) string {
	o.Describe("port", "name of one of the ports")
	name := o.String("port")
	if o.Probing() || !o.Has("port") || o.Spoilt("port") {
		return name
	}
	switch p, ok := r.Ports[name]; {
	case !ok:
		o.KeyErrorf("port", "robot-unknown", "%v", resources.Unknown("port", name, names(r.Ports)))
	case p.Kind != kind:
		o.KeyErrorf("port", "robot-port", "%s is a %s port, want a %s port", name, p.Kind, kind)
	default:
		r.claim(o, "port", "port "+name)
	}
	return name
}

func channel(o *resources.Object, key, doc string, n int) int {
	o.Describe(key, doc)
	return o.IntRange(key, 0, n-1)
}

func (r *reader) drive(o *resources.Object, d Driver) *Drive {
	v := &Drive{Driver: d}
	o.Describe("tread_mm", "distance between the wheels; of skid steering the effective one")
	o.Describe("wheel_mm", "diameter of the wheels")
	o.Describe("max_mmps", "free speed at full duty")
	o.Describe("limit_mmps", "highest speed that is ever asked for")
	o.Describe("lag_s", "time constant of a motor")
	o.Describe("minDuty", "duty below which the motors do not turn; for driver ugv only where the board has no encoders")
	v.TreadMM, v.WheelMM, v.MaxMMPS = o.FloatRange("tread_mm", 10, 2000), o.FloatRange("wheel_mm", 5, 1000), o.FloatRange("max_mmps", 10, 5000)
	if v.LimitMMPS = v.MaxMMPS; o.Has("limit_mmps") {
		v.LimitMMPS = o.FloatRange("limit_mmps", 10, 5000)
		if v.LimitMMPS > v.MaxMMPS && v.MaxMMPS > 0 && !o.Probing() {
			o.KeyErrorf("limit_mmps", "key-conflict", "is above max_mmps, %g", v.MaxMMPS)
		}
	}
	v.LagS = o.FloatRangeOr("lag_s", 0.06, 0.001, 2)
	v.MinDuty = o.FloatRangeOr("minDuty", 0, 0, 0.9)
	if d.Driver == "ugv" {
		o.Describe("firmware", "what the board runs")
		o.Describe("main", "kind of robot as the board numbers them: 1 WAVE ROVER or RaspRover, 2 UGV02 or UGV Rover, 3 UGV01 or UGV Beast")
		o.Describe("timeout_ms", "time without an order after which the board stops the wheels by itself")
		v.Port, v.Firmware = r.port(o, "serial"), o.Enum("firmware", Firmwares)
		v.Main, v.TimeoutMS = o.IntRange("main", 1, 3), o.IntRangeOr("timeout_ms", 400, 300, 500)
		if v.MinDuty > 0 && !v.Reckons() && v.Port != "" && !o.Probing() {
			o.KeyErrorf("minDuty", "key-conflict", "this board controls the speed by encoders and takes no duty; leave it out")
		}
	}
	if d.Driver != "ugv" && !d.Foreign {
		r.bridge(o, v)
	}
	return v
}

func (r *reader) bridge(o *resources.Object, v *Drive) {
	o.Describe("left", "motors of the left side")
	o.Describe("right", "motors of the right side")
	o.Describe("atRest", "what a motor at duty 0 does")
	v.Chip = r.chipOf(o, "pca9685")
	v.Left, v.Right = r.motors(o, "left", v.Chip), r.motors(o, "right", v.Chip)
	v.Brake = o.EnumOr("atRest", "coast", []string{"coast", "brake"}) == "brake"
	v.Enable = r.line(o, "enable", "line that puts all motors to sleep when low", false)
	v.Beat = r.line(o, "beat", "line of the one-shot, which must keep moving", false)
	v.Sense = r.line(o, "sense", "line that is high while the motors have power", false)
	if v.Enable == "" && (v.Beat != "" || v.Sense != "") {
		o.Errorf(o.Pos(), "key-conflict", "beat and sense need an enable line")
	}
	if (v.Beat == "") != (v.Sense == "") {
		o.Errorf(o.Pos(), "key-conflict", "beat and sense come together: without sense nobody knows whether the one-shot works")
	}
	o.Describe("encoders", "quadrature encoders of the wheels")
	if e, ok := o.ObjectOr("encoders"); ok {
		e.Describe("countsPerTurn", "counts of one turn of the wheel")
		e.Describe("edges", "edges of a period that are counted: 4 are all of both lines, 2 all of A, 1 the rising ones of A")
		e.Describe("maxEdgesPerSecond", "counts of one wheel a second that the computer keeps up with; the wheels never turn faster")
		v.Encoders = &Encoders{
			LeftA: r.line(e, "leftA", "line", true), LeftB: r.line(e, "leftB", "line", true),
			RightA: r.line(e, "rightA", "line", true), RightB: r.line(e, "rightB", "line", true),
			CountsPerTurn: e.FloatRange("countsPerTurn", 1, 100_000), Edges: e.IntRangeOr("edges", 4, 1, 4),
			MaxEdgesPerSecond: e.FloatRangeOr("maxEdgesPerSecond", maxEdges, leastEdges, mostEdges),
		}
		if v.Encoders.Edges == 3 && !o.Probing() {
			e.KeyErrorf("edges", resources.CodeKeyRange, "is 4 (all edges of both lines), 2 (those of A) or 1 (the rising ones of A), not 3; 2 or 4 is nearest")
		}
	}
}

func (r *reader) degrees(o *resources.Object, d Driver) *Servo     { return r.servo(o, d, "deg") }
func (r *reader) millimeters(o *resources.Object, d Driver) *Servo { return r.servo(o, d, "mm") }

// turning is a head's second axis, which must be able to look ahead.
func (r *reader) turning(o *resources.Object, d Driver) *Servo {
	s := r.degrees(o, d)
	if (s.Low > 0 || s.High < 0) && !o.Probing() {
		o.KeyErrorf("low_deg", "key-conflict", "%g to high_deg, %g, leaves out 0, which is ahead", s.Low, s.High)
	}
	return s
}

func (r *reader) servo(o *resources.Object, d Driver, unit string) *Servo {
	low, high, speed := "low_"+unit, "high_"+unit, "speed_"+unit+"ps"
	o.Describe(low, "low end of the travel")
	o.Describe(high, "high end of the travel")
	o.Describe(speed, "highest speed")
	o.Describe("low_us", "pulse at the low end; above that of the high end if it is mounted the other way round")
	o.Describe("high_us", "pulse at the high end")
	s := &Servo{
		Driver: d, Low: o.FloatRange(low, -360, 1000), High: o.FloatRange(high, -360, 1000), Speed: o.FloatRange(speed, 1, 2000),
		LowUS: o.FloatRangeOr("low_us", 1000, 300, 2700), HighUS: o.FloatRangeOr("high_us", 2000, 300, 2700),
	}
	if d.Foreign {
		r.travel(o, s, low, high)
		return s
	}
	s.Chip, s.Channel = r.chipOf(o, "pca9685"), channel(o, "channel", "of the PWM chip", 16)
	r.claimChannel(o, "channel", s.Chip, s.Channel)
	r.travel(o, s, low, high)
	o.Describe("feedback", "potentiometer of the servo")
	if f, ok := o.ObjectOr("feedback"); ok {
		v := &Feedback{Chip: r.chipOf(f, "ads1115", "ads7830", "pcf8591"), LowVolts: f.FloatRange("low_V", 0, mostVolts), HighVolts: f.FloatRange("high_V", 0, mostVolts)}
		v.FullVolts = r.fullScale(f, v.Chip, max(v.LowVolts, v.HighVolts))
		if v.Channel = r.input(f, v.Chip); v.LowVolts == v.HighVolts && f.Has("low_V") && f.Has("high_V") && !f.Probing() {
			f.KeyErrorf("high_V", "key-conflict", "is low_V too: both ends would read the same")
		}
		s.Feedback = v
	}
	return s
}

func (r *reader) cliff(o *resources.Object, d Driver) *Cliff {
	c := &Cliff{Driver: d}
	if d.Driver == "analog" {
		o.Describe("floor_V", "what a sensor gives over a white floor at contact distance")
		c.Chip, c.FloorVolts = r.chipOf(o, "ads1115", "ads7830", "pcf8591"), o.FloatRangeOr("floor_V", 3, 0.1, 5)
		c.FullVolts = r.fullScale(o, c.Chip, 0)
		if r.eightBits(c.Chip) && c.FullVolts < 1.15*c.FloorVolts && !o.Probing() {
			o.KeyErrorf("fullScale_V", "key-conflict", "is %g V: a bright floor, which gives more than floor_V, %g V, could not be told from a short circuit; want at least %.2f", c.FullVolts, c.FloorVolts, BrightFloor*c.FloorVolts)
		}
	}
	o.Describe("sensors", "one to four, from the middle of the axle; x forward, y left")
	for _, s := range o.Objects("sensors") {
		one := CliffSensor{XMM: s.FloatRange("x_mm", -1000, 1000), YMM: s.FloatRange("y_mm", -1000, 1000)}
		if d.Driver == "analog" {
			one.Channel = r.input(s, c.Chip)
		}
		if d.Driver == "digital" {
			one.Line = r.line(s, "line", "high over a void", true)
		}
		c.Sensors = append(c.Sensors, one)
	}
	if n := len(c.Sensors); (n == 0 && o.Has("sensors") || n > 4) && !o.Probing() {
		o.KeyErrorf("sensors", resources.CodeKeyRange, "%d sensors, want 1 to 4", n)
	}
	return c
}

func (r *reader) ranging(o *resources.Object, d Driver) *Range {
	o.Describe("max_mm", "farthest distance that is believed")
	o.Describe("x_mm", "of the sensor in front of the axle's middle")
	o.Describe("cone_deg", "half of its angle")
	o.Describe("onHead", "it nods with the head, and sees what is ahead only if that is about level")
	s := &Range{
		Driver: d, MaxMM: o.FloatRangeOr("max_mm", 1200, 100, 6000), XMM: o.FloatRangeOr("x_mm", r.Body.FrontMM, -1000, 1000),
		ConeDeg: o.FloatRangeOr("cone_deg", 12, 1, 45), OnHead: o.BoolOr("onHead", false),
	}
	if h := r.Head; s.OnHead && h != nil && (h.Low > s.ConeDeg/2 || h.High < -s.ConeDeg/2) && !o.Probing() {
		o.KeyErrorf("onHead", "key-conflict", "the head nods from %g to %g°, never as near to the level as half of cone_deg, %g: the sensor would never look ahead", h.Low, h.High, s.ConeDeg/2)
	}
	if d.Driver == "vl53l0x" {
		s.Chip, s.Reset = r.chipOf(o, "vl53l0x"), r.line(o, "reset", "line of XSHUT", false)
	}
	if d.Driver == "sonar" {
		s.Trigger, s.Echo = r.line(o, "trigger", "output", true), r.line(o, "echo", "input", true)
	}
	return s
}

func (r *reader) imu(o *resources.Object, d Driver) *IMU {
	m := &IMU{Driver: d, Mount: [3]string{"x", "y", "z"}}
	if d.Driver != "ugv" && !d.Foreign {
		m.Chip = r.chipOf(o, "mpu6050")
	}
	o.Describe("mount", "the sensor's axes that point forward, left and up")
	axes := o.EnumsOr("mount", m.Mount[:], []string{"x", "-x", "y", "-y", "z", "-z"})
	if len(axes) != 3 && !o.Probing() {
		o.KeyErrorf("mount", resources.CodeKeyRange, "%d axes, want 3", len(axes))
		return m
	}
	copy(m.Mount[:], axes)
	if !o.Probing() {
		mounted(o, m.Mount)
	}
	return m
}

func (r *reader) battery(o *resources.Object, d Driver) *Battery {
	o.Describe("cells", "lithium-ion cells in series")
	o.Describe("low_V", "below it the battery is low: the robot goes home, or says so")
	o.Describe("empty_V", "below it a robot without a charger drives no more, until the battery is no longer low")
	b := &Battery{Driver: d, Cells: o.IntRange("cells", 1, 6), Factor: 1}
	cells := float64(b.Cells)
	b.LowVolts, b.EmptyVolts = o.FloatRangeOr("low_V", lowCell*cells, 1, 30), o.FloatRangeOr("empty_V", emptyCell*cells, 1, 30)
	r.charge(o, b)
	switch {
	case d.Driver == "ina219":
		o.Describe("shunt_ohm", "resistance of the shunt")
		o.Describe("charges", "a positive current means that it charges")
		b.Chip, b.ShuntOhm, b.Charges = r.chipOf(o, "ina219"), o.FloatRange("shunt_ohm", 0.0005, 10), o.BoolOr("charges", false)
	case d.Driver == "adc":
		o.Describe("factor", "volts of the battery a volt of the channel")
		b.Chip = r.chipOf(o, "ads1115", "ads7830", "pcf8591")
		b.Channel = r.input(o, b.Chip)
		b.Factor = o.FloatRange("factor", 0.1, 100)
		most := 0.0
		if o.Has("factor") && !o.Spoilt("factor") && b.Factor > 0 {
			most = fullCell * cells / b.Factor
		}
		if most > mostVolts && !o.Probing() {
			o.KeyErrorf("factor", resources.CodeKeyRange, "%g: full, %d cells in series are %.2f V at the channel, and no converter measures more than %g V", b.Factor, b.Cells, most, mostVolts)
			most = 0
		}
		if !o.Probing() && r.eightBits(b.Chip) && !o.Has("fullScale_V") { // a guess would be a wrong voltage that looks right
			o.Required("fullScale_V")
		}
		b.FullVolts = r.fullScale(o, b.Chip, most)
	}
	return b
}

func (r *reader) charger(o *resources.Object, d Driver) *Charger {
	if d.Foreign {
		return &Charger{Driver: d}
	}
	return &Charger{d, r.line(o, "present", "high on the contacts", true), r.line(o, "status", "low while charging", true)}
}

func (r *reader) touch(o *resources.Object, d Driver) *Touch {
	if d.Foreign {
		return &Touch{Driver: d}
	}
	return &Touch{d, r.line(o, "pad", "high while touched", false), r.line(o, "button", "high while held", false)}
}

func (r *reader) display(o *resources.Object, d Driver) *Display {
	v := &Display{Driver: d, Width: 128, Height: 64}
	if d.Driver == "ugv" || d.Foreign {
		return v
	}
	o.Describe("height", "rows of pixels")
	v.Height = o.IntRangeOr("height", 64, 16, 64)
	if o.Has("port") {
		v.Port = r.port(o, "spi")
		v.Data, v.Reset = r.line(o, "data", "line: data or command", true), r.line(o, "reset", "line", false)
	} else {
		v.Chip = r.chipOf(o, "ssd1306")
	}
	return v
}

func (r *reader) lights(o *resources.Object, d Driver) *Lights {
	l := &Lights{Driver: d, Count: 5}
	switch d.Driver {
	case "pwm":
		l.Chip = r.chipOf(o, "pca9685")
		for n := 0; n < 3*l.Count && r.claimChannel(o, "chip", l.Chip, n); n++ {
		}
	case "ws2812":
		o.Describe("count", "number of lights")
		o.Describe("order", "of the colors on the wire")
		l.Port, l.Count, l.Order = r.port(o, "spi"), o.IntRange("count", 1, 64), o.EnumOr("order", "GRB", []string{"GRB", "RGB"})
	}
	return l
}

func (r *reader) speaker(o *resources.Object, d Driver) *Speaker {
	s := &Speaker{Driver: d}
	if d.Driver == "buzzer" {
		s.Line = r.line(o, "line", "high while it sounds", true)
	}
	if d.Driver == ALSA {
		s.Device = r.soundDevice(o)
	}
	return s
}

// soundDevice reads the name of a sound device, which another program gets as an argument.
func (r *reader) soundDevice(o *resources.Object) string {
	o.Describe("device", "name of an ALSA device, as aplay -L lists them")
	name := o.StringOr("device", "default")
	odd := func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune(":,=._-", c)
	}
	if bad := name == "" || name[0] == '-' || strings.ContainsFunc(name, odd); bad && !o.Spoilt("device") && !o.Probing() {
		o.KeyErrorf("device", resources.CodeKeyRange, "%q is no name of an ALSA device; want one such as default or plughw:CARD=Device,DEV=0", name)
	}
	return name
}
