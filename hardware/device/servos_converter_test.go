package device_test

import (
	"math"
	"testing"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/emul"
)

// potKit is a head whose potentiometer gives 0.3 V at its lower end.
const potKit = `{
  "robot": "kit", "title": "Potentiometer",
  "buses": {"main": {"speed_kHz": 100}},
  "chips": {"pwm": {"chip": "pca9685", "address": "0x40", "frequency_Hz": 50}, "adc": {"chip": "KIND", "address": "0x48"}},
  "parts": {
    "head": {
      "driver": "pwm", "chip": "pwm", "channel": 8, "low_deg": -10, "high_deg": 44, "speed_degps": 180, "low_us": 1100, "high_us": 1900,
      "feedback": {"chip": "adc", "channel": 1, "low_V": 0.3, "high_V": HIGH, "fullScale_V": FULL}
    }
  },
  "body": {"front_mm": 100, "back_mm": 100, "width_mm": 150}
}`

func TestHeadIsWhereItsPotentiometerSaysOnEachConverter(t *testing.T) {
	for _, c := range []struct {
		kind, high, full string
		volts            float64 // in the middle of the travel
		chip             func(k *kit, volts func(int) float64) emul.Chip
	}{
		{"ads1115", "3", "4", 1.65, func(k *kit, v func(int) float64) emul.Chip { return emul.NewADS1115(emul.Since(k.clk.Now), v) }},
		{"ads1115", "5.9", "6", 3.1, func(k *kit, v func(int) float64) emul.Chip { return emul.NewADS1115(emul.Since(k.clk.Now), v) }},
		{"ads7830", "3", "5", 1.65, func(_ *kit, v func(int) float64) emul.Chip { return emul.NewADS7830(5, v) }},
		{"pcf8591", "3", "3.3", 1.65, func(_ *kit, v func(int) float64) emul.Chip { return emul.NewPCF8591(3.3, v) }},
	} {
		k := newKit(t, replaced(potKit, "KIND", c.kind, "HIGH", c.high, "FULL", c.full))
		volts := c.volts
		k.bus.Attach(0x48, c.chip(k, func(int) float64 { return volts }))
		d := k.device(hardware.Servos)
		k.runner(d)
		angle := func() float64 {
			t.Helper()
			s, err := d.Poll(k.clk.Now())
			if err != nil {
				t.Fatal(c.kind, err)
			}
			return s.Value.(*hardware.ServoState).HeadRad * 180 / math.Pi
		}
		if got := angle(); math.Abs(got-17) > 0.5 {
			t.Errorf("%s, %s V: the head is at %.1f°, want 17°", c.kind, c.full, got)
		}
		if c.high == "5.9" {
			volts = 5.8 // above its usual range
			if got := angle(); math.Abs(got-43) > 0.5 {
				t.Errorf("%s: the head is at %.1f°, want 43°", c.kind, got)
			}
		}
	}
}
