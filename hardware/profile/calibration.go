package profile

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/robotd/robotd/resources"
)

// A Calibration holds what was measured of one robot, by key. A key that is absent means that the profile's value holds.
type Calibration map[string]float64

// Keys of a calibration. Those with a name in brackets are followed by it: "oscillator_Hz(pwm)".
const (
	KeyOscillator = "oscillator_Hz" // (chip) clock of a PWM chip
	KeyServoLow   = "low_us"        // (head, lift, pan) pulse at the low end
	KeyServoHigh  = "high_us"       // (head, lift, pan)
	KeyFloor      = "floor_V"       // (0 … 3) of a cliff sensor over the usual floor
	KeyGyroBias   = "gyro_radps"    // (x, y, z), in the robot's axes
	KeyMount      = "mount"         // (forward, left, up) axis of the inertial sensor that points there: 1 is x, -2 is -y
	KeyWheel      = "wheel_mm"      // (left, right)
	KeyTread      = "tread_mm"
	KeyEdges      = "maxEdgesPerSecond" // counts of one wheel a second that are counted whole, instead of [Encoders.MaxEdgesPerSecond]
	KeyBattery    = "battery_factor"
)

// Of is the key of one of several: Of(KeyOscillator, "pwm").
func Of(key, name string) string { return key + "(" + name + ")" }

// Or is the calibrated value of a key, or def.
func (c Calibration) Or(key string, def float64) float64 {
	if v, ok := c[key]; ok {
		return v
	}
	return def
}

// limits are the least and the most that a key of a robot's calibration may be.
type limits struct{ least, most float64 }

// Check reports the first value, by its key, that no robot of that profile has.
func (c Calibration) Check(p *Profile) error {
	known := p.calibrated()
	names := make([]string, 0, len(known))
	for key := range known {
		names = append(names, key)
	}
	slices.Sort(names)
	for _, key := range sorted(c) {
		l, ok := known[key]
		switch v := c[key]; {
		case !ok:
			return resources.Unknown("calibration", key, names)
		case !(v >= l.least && v <= l.most):
			return fmt.Errorf("%s is %.6g; of robot %s it is between %.6g and %.6g", key, v, p.Name, l.least, l.most)
		}
	}
	_, err := c.Mount([3]string{"x", "y", "z"})
	return err
}

// Directions are those that an inertial sensor's axes point to, in the order of [IMU.Mount].
var Directions = [3]string{"forward", "left", "up"}

// Mount is how the inertial sensor is mounted: as measured, else as the profile has it. It fails if what was measured is no way to mount
// a sensor.
func (c Calibration) Mount(m [3]string) ([3]string, error) {
	var measured [3]string
	known := 0
	for i, to := range Directions {
		switch v, ok := c[Of(KeyMount, to)]; {
		case ok && v == math.Trunc(v) && v != 0 && math.Abs(v) <= 3:
			measured[i] = axisName(int(v))
			known++
		case ok:
			return m, fmt.Errorf("%s is %g; it is 1, 2 or 3 for the axis x, y or z, or one of these below zero", Of(KeyMount, to), v)
		}
	}
	switch {
	case known == 0:
		return m, nil
	case known < len(measured):
		return m, fmt.Errorf("%s has %d of the three directions %v", KeyMount, known, Directions)
	}
	if why := badMount(measured); why != "" {
		return m, fmt.Errorf("%s: %s", KeyMount, why)
	}
	return measured, nil
}

// axisName is the name of an axis as a profile has it.
func axisName(n int) string {
	if n < 0 {
		return "-" + axisName(-n)
	}
	return string("xyz"[n-1])
}

// MountOf are the keys of a way to mount a sensor.
func MountOf(m [3]string) Calibration {
	c := Calibration{}
	for i, to := range Directions {
		n := float64(m[i][len(m[i])-1]-'x') + 1
		if m[i][0] == '-' {
			n = -n
		}
		c[Of(KeyMount, to)] = n
	}
	return c
}

// calibrated are the keys of a calibration of this robot, and what they may be.
func (p *Profile) calibrated() map[string]limits {
	m := map[string]limits{}
	if d := p.Drive; d != nil {
		m[KeyTread] = limits{d.TreadMM / 2, d.TreadMM * 2}
		for _, side := range [...]string{"left", "right"} {
			m[Of(KeyWheel, side)] = limits{d.WheelMM * 0.7, d.WheelMM * 1.4}
		}
		if d.Encoders != nil {
			m[KeyEdges] = limits{leastEdges, mostEdges}
		}
	}
	for name, s := range map[string]*Servo{"head": p.Head, "lift": p.Lift, "pan": p.Pan} {
		if s == nil {
			continue
		}
		room := math.Abs(s.HighUS-s.LowUS) * 0.3
		m[Of(KeyServoLow, name)], m[Of(KeyServoHigh, name)] = limits{s.LowUS - room, s.LowUS + room}, limits{s.HighUS - room, s.HighUS + room}
	}
	if p.Cliff != nil && p.Cliff.FloorVolts > 0 {
		for i := range p.Cliff.Sensors {
			m[Of(KeyFloor, strconv.Itoa(i))] = limits{p.Cliff.FloorVolts / 3, p.Cliff.FloorVolts * 3}
		}
	}
	if p.IMU != nil {
		for _, axis := range [...]string{"x", "y", "z"} {
			m[Of(KeyGyroBias, axis)] = limits{-0.4, 0.4}
		}
		for _, to := range Directions {
			m[Of(KeyMount, to)] = limits{-3, 3}
		}
	}
	if p.Battery != nil {
		m[KeyBattery] = limits{0.8, 1.25}
	}
	for name, chip := range p.Chips {
		if chip.FrequencyHz > 0 {
			m[Of(KeyOscillator, name)] = limits{23e6, 27.5e6}
		}
	}
	return m
}

func sorted(c Calibration) []string {
	keys := make([]string, 0, len(c))
	for key := range c {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
