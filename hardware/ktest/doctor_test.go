//go:build kernel

package ktest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/linux"
	"github.com/robotd/robotd/hardware/sim"
)

// guest is R1 as far as a bridge carries it: all of its chips, and the lines of onPins. It has no encoders and no SPI display.
const guest = `{
  "robot": "guest", "title": "R1 on a USB bridge",
  "buses": {"main": {"device": "CP2112 SMBus Bridge", "speed_kHz": %d}},
  "lines": {
    "MOTOR_EN": {"chip": %[2]q, "offset": 0, "pull": "down"}, "MOTOR_BEAT": {"chip": %[2]q, "offset": 1, "pull": "down"},
    "MOTOR_ON": {"chip": %[2]q, "offset": 3}, "TOUCH": {"chip": %[2]q, "offset": 4}, "PWR_BTN": {"chip": %[2]q, "offset": 5},
    "CHG_PRESENT": {"chip": %[2]q, "offset": 6}, "CHG_STAT": {"chip": %[2]q, "offset": 7}
  },
  "chips": {
    "range": {"chip": "vl53l0x", "address": "0x29"},
    "servos": {"chip": "pca9685", "address": "0x40", "frequency_Hz": 50},
    "wheels": {"chip": "pca9685", "address": "0x41", "frequency_Hz": 1526},
    "battery": {"chip": "ina219", "address": "0x45"},
    "cliff": {"chip": "ads1115", "address": "0x48"},
    "imu": {"chip": "mpu6050", "address": "0x68"}
  },
  "parts": {
    "drive": {"driver": "bridge", "chip": "wheels", "left": [{"forward": 0, "backward": 1}], "right": [{"forward": 2, "backward": 3}],
      "enable": "MOTOR_EN", "beat": "MOTOR_BEAT", "sense": "MOTOR_ON", "tread_mm": 46, "wheel_mm": 29, "max_mmps": 220},
    "head": {"driver": "pwm", "chip": "servos", "channel": 0, "low_deg": -22, "high_deg": 45, "speed_degps": 257},
    "cliff": {"driver": "analog", "chip": "cliff", "sensors": [{"channel": 0, "x_mm": 30, "y_mm": 22}, {"channel": 1, "x_mm": 30, "y_mm": -22}]},
    "range": {"driver": "vl53l0x", "chip": "range"}, "imu": {"driver": "mpu6050", "chip": "imu"},
    "battery": {"driver": "ina219", "chip": "battery", "shunt_ohm": 0.1, "cells": 1},
    "charger": {"driver": "lines", "present": "CHG_PRESENT", "status": "CHG_STAT"},
    "touch": {"driver": "lines", "pad": "TOUCH", "button": "PWR_BTN"}
  },
  "body": {"front_mm": 35, "back_mm": 55, "width_mm": 60}
}`

// paced is a bus whose transactions take the time of their bits.
type paced struct {
	*emul.Bus
	hz float64
}

func (p paced) Tx(addr uint16, w, r []byte) error {
	bits := 9 * (len(w) + len(r) + 2)
	realClock{}.Sleep(time.Duration(float64(bits) / p.hz * float64(time.Second)))
	return p.Bus.Tx(addr, w, r)
}

// A clinic is a robot on the kernel's bus and lines that the doctor looks at.
type clinic struct {
	t    *testing.T
	bus  *emul.Bus
	br   *bridge
	node string
	chip string // of its lines
}

const wireHz = 100_000

func newClinic(t *testing.T) *clinic {
	t.Helper()
	rig := sim.New(sim.Options{Seed: 1, Now: time.Now(), Nobody: true})
	rig.SetNow(time.Now)
	bus := rig.Bus(sim.BusName, nil).(*emul.Bus)
	br, node := plug(t, paced{bus, wireHz})
	connect(t, br.pins, rig.Lines())
	return &clinic{t, bus, br, node, chipOf(t, node)}
}

// A finding is a check of the doctor's report.
type finding struct{ What, State, Text, Advice string }

// doctor runs robotd doctor as a user of a robot whose profile wants that speed.
func (c *clinic) doctor(busKHz int, uid uint32, args ...string) (out []byte, failed bool) {
	c.t.Helper()
	must(c.t, os.WriteFile("/tmp/guest.json", fmt.Appendf(nil, guest, busKHz, c.chip), 0o644))
	cmd := exec.Command("/robotd", append([]string{"doctor", "--robot", "/tmp/guest.json"}, args...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
	var text, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &log
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || text.Len() == 0 {
		c.t.Fatalf("%v\n%s", err, log.String())
	}
	return text.Bytes(), err != nil
}

// visit returns what the doctor found, by what it looked at.
func (c *clinic) visit(busKHz int, uid uint32) (found map[string]finding, failed bool) {
	c.t.Helper()
	out, failed := c.doctor(busKHz, uid, "--json")
	var report struct{ Sections []struct{ Checks []finding } }
	must(c.t, json.Unmarshal(out, &report))
	found = map[string]finding{}
	for _, s := range report.Sections {
		for _, f := range s.Checks {
			found[f.What] = f
		}
	}
	return found, failed
}

// want fails unless the doctor found that, with that advice.
func want(t *testing.T, found map[string]finding, what, state, text, advice string) {
	t.Helper()
	f, ok := found[what]
	if f.State == "fail" {
		t.Logf("%s: %s → %s", what, f.Text, f.Advice)
	}
	if !ok || f.State != state || !strings.Contains(f.Text, text) || !strings.Contains(f.Advice, advice) || (advice == "") != (f.Advice == "") {
		t.Errorf("%s: %+v, want %s, %q, advice %q", what, f, state, text, advice)
	}
}

func TestDoctorFindsChipsLinesAndSpeedOnTheKernelsBus(t *testing.T) {
	c := newClinic(t)
	found, failed := c.visit(100, 0)
	if failed {
		t.Error("a whole robot fails")
	}
	want(t, found, "bus main", "ok", "CP2112 SMBus Bridge", "")
	for what, text := range map[string]string{
		"range vl53l0x 0x29": "model 0xee", "servos pca9685 0x40": "MODE1 ", "wheels pca9685 0x41": "MODE1 ", "battery ina219 0x45": " V",
		"cliff ads1115 0x48": "configuration 0x", "imu mpu6050 0x68": "MPU-6050",
	} {
		want(t, found, what, "ok", text, "")
	}
	for i, name := range []string{"MOTOR_EN", "MOTOR_BEAT", "", "MOTOR_ON", "TOUCH", "PWR_BTN", "CHG_PRESENT", "CHG_STAT"} {
		if name != "" {
			want(t, found, name, "ok", fmt.Sprintf("%s line %d", c.chip, i), "")
		}
	}
	want(t, found, "speed", "ok", "measured ", "")
	var kHz float64
	if _, err := fmt.Sscanf(found["speed"].Text, "measured %f kHz", &kHz); err != nil || kHz < 70 || kHz > 110 {
		t.Errorf("the wire has %d Hz: %+v (%v)", wireHz, found["speed"], err)
	}
	want(t, found, "when robotd dies", "ok", "one-shot on MOTOR_EN", "")
	want(t, found, "release of MOTOR_EN", "ok", "its resistor pulls the line low when it is let go", "")
	if out, _ := c.br.pins.driven(0); out {
		t.Error("after the doctor the enable line is still driven")
	}
	text, _ := c.doctor(400, 0)
	t.Logf("the profile wants 400 kHz, the wire has %d\n%s", wireHz/1000, text)
}

func TestDoctorSaysWhatToDoAboutChipsThatAreMissingWrongOrTaken(t *testing.T) {
	c := newClinic(t)
	c.bus.SetFault(0x29, emul.Fault{Absent: true})
	c.bus.SetFault(0x68, emul.Fault{WrongID: true})
	attach(t, c.node, "ina219", 0x45)
	found, failed := c.visit(400, 0)
	if !failed {
		t.Error("the doctor ends without an error")
	}
	want(t, found, "range vl53l0x 0x29", "fail", "0x29", "nothing answers at this address")
	want(t, found, "imu mpu6050 0x68", "fail", "is no sensor of this family", "another chip has this address")
	want(t, found, "battery ina219 0x45", "fail", "the kernel's driver ina2xx", "blacklist the module")
	want(t, found, "wheels pca9685 0x41", "ok", "MODE1", "")
	want(t, found, "speed", "warn", "the profile says 400", "dtparam=i2c_arm_baudrate=400000")
	detach(t, c.node, 0x45)

	c.bus.Stick(-1)
	found, _ = c.visit(100, 0)
	c.bus.Stick(0)
	want(t, found, "wheels pca9685 0x41", "fail", "0x41", "held low")
	want(t, found, "speed", "note", "not measured", "")
}

func TestDoctorNamesTheHolderOfALineAndAnEnableLineThatStaysHigh(t *testing.T) {
	c := newClinic(t)
	l := linux.NewLines("blinker", []linux.LineConfig{{Name: "T", Chip: c.chip, Offset: 4}, {Name: "EN", Chip: c.chip, Offset: 0}})
	held, err := l.Input("T")
	must(t, err)
	defer held.Close()
	var mu sync.Mutex
	strapped, sense := true, c.br.pins.sense
	c.br.pins.mu.Lock()
	c.br.pins.sense = func(pin int) bool { // the enable line is soldered to the supply
		mu.Lock()
		defer mu.Unlock()
		return pin == 0 && strapped || sense(pin)
	}
	c.br.pins.mu.Unlock()
	found, failed := c.visit(100, 0)
	if !failed {
		t.Error("the doctor ends without an error")
	}
	want(t, found, "TOUCH", "fail", c.chip+` line 4 is held by "blinker"`, "stop what holds it")
	want(t, found, "PWR_BTN", "ok", "line 5", "")
	want(t, found, "release of MOTOR_EN", "fail", "stays high", "a resistor of 100 kΩ to ground")

	mu.Lock()
	strapped = false
	mu.Unlock()
	en, err := l.Output("EN", false)
	must(t, err)
	defer en.Close()
	found, _ = c.visit(100, 0)
	want(t, found, "MOTOR_EN", "fail", `line 0 is held by "blinker"`, "stop what holds it")
	want(t, found, "release of MOTOR_EN", "fail", `which "blinker" holds`, "stop what holds it")
}

func TestDoctorTellsAUserWithoutPermissionWhichGroupsToJoin(t *testing.T) {
	c := newClinic(t)
	const nobody = 65534
	found, failed := c.visit(100, nobody)
	if !failed {
		t.Error("the doctor ends without an error")
	}
	want(t, found, "bus main", "fail", "permission denied", "group i2c")
	want(t, found, "TOUCH", "fail", "permission denied", "group gpio")
	want(t, found, "release of MOTOR_EN", "fail", "permission denied", "group gpio")
	want(t, found, "real time", "note", "not permitted", "LimitRTPRIO")
}

func TestDoctorWithoutAnAdapterSaysHowToGetOne(t *testing.T) {
	c := newClinic(t)
	c.br.unplug()
	found, failed := c.visit(100, 0)
	if !failed {
		t.Error("the doctor ends without an error")
	}
	want(t, found, "bus main", "fail", "CP2112 SMBus Bridge", "modprobe i2c-dev")
	want(t, found, "TOUCH", "fail", "no GPIO chip", "gpioinfo")
}
