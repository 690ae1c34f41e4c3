package profile_test

import (
	"strings"
	"testing"

	"github.com/robotd/robotd/hardware/profile"
)

// wired is a robot with parts enough to be wired wrongly.
const wired = `{
  "robot": "wired", "title": "Wired",
  "buses": {"main": {}},
  "lines": {
    "TRIG": {"name": "GPIO27"}, "ECHO": {"name": "GPIO22"}, "BUZZ": {"chip": "gpiochip0", "offset": 17}, "FREE": {"chip": "gpiochip0", "offset": 18}
  },
  "ports": {"pixels": {"kind": "spi", "device": "SPI0.0"}},
  "chips": {
    "pwm": {"chip": "pca9685", "address": "0x40", "frequency_Hz": 50}, "fast": {"chip": "pca9685", "address": "0x41", "frequency_Hz": 1000},
    "adc": {"chip": "ads1115", "address": "0x48"}, "eight": {"chip": "ads7830", "address": "0x49"}, "imu": {"chip": "mpu6050", "address": "0x68"}
  },
  "parts": {
    "drive": {
      "driver": "bridge", "chip": "pwm", "tread_mm": 100, "wheel_mm": 60, "max_mmps": 500,
      "left": [{"forward": 0, "backward": 1, "pwm": 4}, {"forward": 5, "backward": 6, "pwm": 4}], "right": [{"forward": 2, "backward": 3}]
    },
    "head": {
      "driver": "pwm", "chip": "pwm", "channel": 8, "low_deg": -10, "high_deg": 45, "speed_degps": 180, "low_us": 1100, "high_us": 1900,
      "feedback": {"chip": "adc", "channel": 1, "low_V": 0.3, "high_V": 3}
    },
    "battery": {"driver": "adc", "chip": "eight", "channel": 0, "factor": 2, "fullScale_V": 5, "cells": 2},
    "imu": {"driver": "mpu6050", "chip": "imu", "mount": ["y", "-x", "z"]},
    "lights": {"driver": "ws2812", "port": "pixels", "count": 8},
    "range": {"driver": "sonar", "trigger": "TRIG", "echo": "ECHO", "onHead": true},
    "speaker": {"driver": "buzzer", "line": "BUZZ"}
  },
  "body": {"front_mm": 50, "back_mm": 50, "width_mm": 100},
  "world": {"floor": "table", "charger": true}
}`

func TestRobotWithEachPartOnItsOwnWiresReadsWithoutAFinding(t *testing.T) {
	if p, diags := profile.Parse("robots/wired.json", []byte(wired), nil); p == nil || len(diags) > 0 {
		t.Fatal(diags)
	}
}

func TestSpeakerOnASoundDevice(t *testing.T) {
	for _, c := range []struct{ part, device, want string }{
		{`{"driver": "alsa"}`, "default", ""},
		{`{"driver": "alsa", "device": "plughw:CARD=Device,DEV=0"}`, "plughw:CARD=Device,DEV=0", ""},
		{`{"driver": "alsa", "device": "-h"}`, "", `parts.speaker.device: "-h" is no name of an ALSA device; want one such as default or plughw:CARD=Device,DEV=0`},
		{`{"driver": "alsa", "device": "a b"}`, "", `"a b" is no name of an ALSA device`},
		{`{"driver": "alas"}`, "", `did you mean "alsa"?`},
	} {
		src := strings.Replace(wired, `{"driver": "buzzer", "line": "BUZZ"}`, c.part, 1)
		src = strings.Replace(src, `"BUZZ": {"name": "GPIO17"},`, "", 1)
		p, diags := profile.Parse("robots/wired.json", []byte(src), nil)
		switch {
		case c.want != "":
			if p != nil || !strings.Contains(diags.String(), c.want) {
				t.Errorf("%s: %v; want %s", c.part, diags, c.want)
			}
		case p == nil || p.Speaker.Device != c.device || p.Speaker.Driver.Driver != profile.ALSA:
			t.Errorf("%s: %v", c.part, diags)
		}
	}
}

func TestWrongWiringIsToldOnceAtItsPlace(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"channel": 8`, `"channel": 2`, `parts.head.channel: channel 2 of chip pwm is that of parts.drive.right[0].forward already`},
		{`"forward": 2, "backward": 3`, `"forward": 2, "backward": 2`, `parts.drive.right[0].backward: channel 2 of chip pwm is that of parts.drive.right[0].forward already`},
		{`"forward": 2, "backward": 3`, `"forward": 2, "backward": 3, "pwm": 4`, `parts.drive.right[0].pwm: channel 4 of chip pwm is that of parts.drive.left[0].pwm already`},
		{`"driver": "ws2812", "port": "pixels", "count": 8`, `"driver": "pwm", "chip": "pwm"`, `parts.lights.chip: channel 0 of chip pwm is that of parts.drive.left[0].forward already`},
		{`"echo": "ECHO"`, `"echo": "TRIG"`, `parts.range.echo: line TRIG is that of parts.range.trigger already`},
		{`"ports": {`, `"ports": {"panel": {"kind": "spi", "device": "SPI0.1"}, `, `ports.panel: SPI0.1 is on the data wire of pixels, on which the lights take everything for colors; use another bus, such as SPI1.0`},
		{`"ports": {`, `"ports": {"panel": {"kind": "spi", "device": "SPI0.0"}, `, `ports.pixels: is the same port as panel, SPI0.0`},
		{`"cells": 2`, `"cells": 2, "low_V": 3.6`, `parts.battery.low_V: 3.6 V is not of 2 cells in series; want 6 to 8.2 V`},
		{`"cells": 2`, `"cells": 2, "low_V": 6.6`, `parts.battery.low_V: empty_V, 6.8 V, is not below low_V, 6.6 V`},
		{`"cells": 2`, `"cells": 2, "empty_V": 7.4`, `parts.battery.empty_V: empty_V, 7.4 V, is not below low_V, 7.1 V`},
		{`"line": "BUZZ"`, `"line": "TRIG"`, `parts.speaker.line: line TRIG is that of parts.range.trigger already`},
		{`"offset": 18`, `"offset": 17`, `lines.FREE: is the same line as BUZZ`},
		{`"chip": "adc", "channel": 1`, `"chip": "eight", "channel": 0`, `parts.battery.channel: channel 0 of chip eight is that of parts.head.feedback.channel already`},
		{`"chip": "adc", "channel": 1`, `"chip": "adc", "channel": 5`, `parts.head.feedback.channel: 5 is above the limit 3 of the kind ads1115`},
		{`"chip": "eight", "channel": 0`, `"chip": "adc", "channel": 0`, `parts.battery.channel: chip adc measures for head already: an ads1115 serves one of cliff, battery and the servos`},
		{`"fullScale_V": 5`, `"fullScale_V": 4`, `parts.battery.fullScale_V: is 4 V, but up to 4.20 V are to be measured`},
		{
			`"speaker":`, `"cliff": {"driver": "analog", "chip": "eight", "floor_V": 4.9, "fullScale_V": 5, "sensors": [{"channel": 3, "x_mm": 70, "y_mm": 0}]}, "speaker":`,
			`parts.cliff.fullScale_V: is 5 V: a bright floor, which gives more than floor_V, 4.9 V, could not be told from a short circuit; want at least 5.88`,
		},
		{`"low_deg": -10`, `"low_deg": 7`, `parts.range.onHead: the head nods from 7 to 45°, never as near to the level as half of cone_deg, 6: the sensor would never look ahead`},
		{`"low_deg": -10, "high_deg": 45`, `"low_deg": -40, "high_deg": -7`, `parts.range.onHead: the head nods from -40 to -7°, never`},
		{
			`"battery":`, `"pan": {"driver": "pwm", "chip": "pwm", "channel": 9, "low_deg": 10, "high_deg": 60, "speed_degps": 90}, "battery":`,
			`parts.pan.low_deg: 10 to high_deg, 60, leaves out 0, which is ahead`,
		},
		{
			`"battery":`, `"pan": {"driver": "pwm", "chip": "pwm", "channel": 9, "low_deg": -60, "high_deg": -10, "speed_degps": 90}, "battery":`,
			`parts.pan.low_deg: -60 to high_deg, -10, leaves out 0, which is ahead`,
		},
		{`"factor": 2`, `"factor": 1`, `parts.battery.factor: 1: full, 2 cells in series are 8.40 V at the channel, and no converter measures more than 6 V`},
		{`"fullScale_V": 5, `, ``, `required key "fullScale_V" is missing in parts.battery`},
		{`"channel": 1, "low_V": 0.3, "high_V": 3`, `"channel": 1, "low_V": 0.3, "high_V": 3, "fullScale_V": 2`, `parts.head.feedback.fullScale_V: is 2 V, but up to 3.00 V are to be measured`},
		{`"chip": "adc", "channel": 1, "low_V": 0.3, "high_V": 3`, `"chip": "eight", "channel": 1, "low_V": 0.3, "high_V": 3, "fullScale_V": 3.3`, `parts.battery.fullScale_V: is 5 V, but chip eight has 3.3 V by parts.head.feedback`},
		{`"chip": "eight", "channel": 0`, `"chip": "", "channel": 0`, `parts.battery.chip: there is no chip ""; valid: adc eight`},
		{`"line": "BUZZ"`, `"line": ""`, `parts.speaker.line: there is no line ""; valid: BUZZ ECHO FREE TRIG`},
		{`"port": "pixels"`, `"port": ""`, `parts.lights.port: there is no port ""`},
		{`"buses": {"main": {}}`, `"buses": {"main": {}, "second": {"device": "/dev/i2c-0"}}`, `buses.second: the drivers of this robotd use one I²C bus, which is called main`},
		{`"address": "0x41", `, `"bus": "mian", "address": "0x41", `, `chips.fast.bus: there is no bus "mian"; did you mean "main"?`},
		{`"address": "0x49"`, `"address": "0x48"`, `chips.eight: has the address 0x48 of adc on bus main`},
		{`"address": "0x68"`, `"address": ""`, `chips.imu.address: "" is no I²C address`},
		{`"robot": "wired"`, `"robot": ""`, `robot: is "", but the file is wired.json`},
		{`"chip": "pwm", "channel": 8`, `"chip": "fast", "channel": 8`, `parts.head.chip: fast has 1000 Hz, a period of 1000 µs: no pulse of 1900 µs fits`},
		{`"high_us": 1900`, `"high_us": 1100`, `parts.head.high_us: is the pulse of the low end too`},
		{`"high_V": 3`, `"high_V": 0.3`, `parts.head.feedback.high_V: is low_V too`},
		{`"max_mmps": 500`, `"max_mmps": 500, "limit_mmps": 501`, `parts.drive.limit_mmps: is above max_mmps, 500`},
		{`"y", "-x", "z"`, `"y", "x", "z"`, `parts.imu.mount: [y x z] is a mirror image`},
		{`"y", "-x", "z"`, `"y", "-y", "z"`, `parts.imu.mount: [y -y z]: each of x, y and z comes once`},
		{`"floor": "table"`, `"floor": "walls"`, `world.charger: a floor with walls has no charger`},
	} {
		src := strings.Replace(wired, c.old, c.new, 1)
		if src == wired {
			t.Fatalf("%s is not in the robot", c.old)
		}
		p, diags := profile.Parse("robots/wired.json", []byte(src), nil)
		if p != nil || len(diags) != 1 || !strings.Contains(diags[0].String(), c.want) {
			t.Errorf("%s: %v, want one finding with %s", c.new, diags, c.want)
		}
	}
}

// A PCF8591 has a clock of at most 100 kHz (NXP's product data sheet rev. 7, section 11). It works on many faster buses, so it is no error.
func TestChipOnABusThatIsTooFastForItIsAWarning(t *testing.T) {
	slowChip := strings.Replace(wired, `"chip": "ads7830"`, `"chip": "pcf8591"`, 1)
	for _, c := range []struct{ bus, want string }{
		{`{}`, "warning: chips.eight.chip: a pcf8591 is made for a bus of at most 100 kHz, and bus main has 400; set its speed_kHz, and the board's, to 100"},
		{`{"speed_kHz": 101}`, "and bus main has 101"},
		{`{"speed_kHz": 100}`, ""},
	} {
		p, diags := profile.Parse("robots/wired.json", []byte(strings.Replace(slowChip, `"main": {}`, `"main": `+c.bus, 1)), nil)
		if p == nil || len(diags) != min(1, len(c.want)) || len(diags) > 0 && !strings.Contains(diags[0].String(), c.want) {
			t.Errorf("%s: %v, want %q", c.bus, diags, c.want)
		}
	}
	if _, diags := profile.Parse("robots/wired.json", []byte(wired), nil); len(diags) > 0 {
		t.Errorf("an ads7830 at 400 kHz: %v", diags)
	}
}

func TestEmptyFileIsNoRobot(t *testing.T) {
	for _, src := range []string{"", " \n", "// nothing\n"} {
		p, diags := profile.Parse("robots/wired.json", []byte(src), nil)
		if p != nil || !diags.HasErrors() || !strings.Contains(diags[len(diags)-1].String(), "robots/wired.json:1:1: error: there is no robot in it") {
			t.Errorf("%q: %v", src, diags)
		}
	}
}
