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
	KeyPotLow     = "low_V"         // (head, lift) feedback at the low end
	KeyPotHigh    = "high_V"        // (head, lift)
	KeyFloor      = "floor_V"       // (0 … 3) of a cliff sensor over the usual floor
	KeyGyroBias   = "gyro_radps"    // (x, y, z)
	KeyWheel      = "wheel_mm"      // (left, right)
	KeyTread      = "tread_mm"
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
	return nil
}

// calibrated are the keys of a calibration of this robot, and what they may be.
func (p *Profile) calibrated() map[string]limits {
	m := map[string]limits{}
	if d := p.Drive; d != nil {
		m[KeyTread] = limits{d.TreadMM / 2, d.TreadMM * 2}
		for _, side := range [...]string{"left", "right"} {
			m[Of(KeyWheel, side)] = limits{d.WheelMM * 0.7, d.WheelMM * 1.4}
		}
	}
	for name, s := range map[string]*Servo{"head": p.Head, "lift": p.Lift, "pan": p.Pan} {
		if s == nil {
			continue
		}
		room := math.Abs(s.HighUS-s.LowUS) * 0.3
		m[Of(KeyServoLow, name)], m[Of(KeyServoHigh, name)] = limits{s.LowUS - room, s.LowUS + room}, limits{s.HighUS - room, s.HighUS + room}
		if s.Feedback != nil {
			m[Of(KeyPotLow, name)], m[Of(KeyPotHigh, name)] = limits{0, 6}, limits{0, 6}
		}
	}
	if p.Cliff != nil && p.Cliff.FloorVolts > 0 {
		for i := range p.Cliff.Sensors {
			m[Of(KeyFloor, strconv.Itoa(i))] = limits{p.Cliff.FloorVolts / 3, p.Cliff.FloorVolts * 3}
		}
	}
	if p.IMU != nil {
		for _, axis := range [...]string{"x", "y", "z"} {
			m[Of(KeyGyroBias, axis)] = limits{-0.2, 0.2}
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
