package profile

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
