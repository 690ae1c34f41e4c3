//go:build kernel

package ktest

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/emul"
)

// attach lets the kernel's own driver drive the chip at addr, and returns the folder of the sensor that it makes of it.
func attach(t *testing.T, node, driver string, addr int) string {
	t.Helper()
	adapter := filepath.Join("/sys/bus/i2c/devices", filepath.Base(node))
	must(t, os.WriteFile(filepath.Join(adapter, "new_device"), fmt.Appendf(nil, "%s %#x", driver, addr), 0))
	var found []string
	must(t, within(5*time.Second, driver+" binds to its chip", func() bool {
		found, _ = filepath.Glob(fmt.Sprintf("%s/%s-%04x/iio:device*", adapter, strings.TrimPrefix(filepath.Base(node), "i2c-"), addr))
		return len(found) == 1
	}))
	return found[0]
}

// value reads a number of a sensor's folder.
func value(t *testing.T, folder, file string) float64 {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(folder, file))
	must(t, err)
	v, err := strconv.ParseFloat(strings.TrimSpace(string(b)), 64)
	must(t, err)
	return v
}

// near fails if got differs from want by more than tolerance.
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance {
		t.Errorf("%s: Linux reads %g, the chip shows %g", what, got, want)
	}
	t.Logf("%s: Linux reads %g, the chip shows %g", what, got, want)
}

// detach takes the chip from the kernel's driver again.
func detach(t *testing.T, node string, addr int) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join("/sys/bus/i2c/devices", filepath.Base(node), "delete_device"), fmt.Appendf(nil, "%#x", addr), 0))
}

// What the kernel's drivers leave in the chips must not mislead ours.
func TestOurDriversReadTheSameChipsAfterLinuxs(t *testing.T) {
	_, node := plug(t, shelf())
	for _, c := range []struct {
		driver string
		addr   int
		file   string
	}{{"vl53l0x", 0x29, "in_distance_raw"}, {"mpu6050", 0x68, "in_accel_z_raw"}, {"ads1115", 0x48, "in_voltage3_raw"}, {"ina219", 0x45, "in_voltage1_raw"}} {
		value(t, attach(t, node, c.driver, c.addr), c.file)
		detach(t, node, c.addr)
	}
	bus := open(t, node)
	board := device.Board{Bus: func(clk hardware.Clock) i2c.Bus { return bus.For(clk) }, Lines: emul.NewLines()}
	safety := device.NewSafety(board.Lines)
	var snap hardware.Snapshot
	for _, name := range []string{hardware.Range, hardware.IMU, hardware.Cliff, hardware.Battery} {
		d, err := device.New(name, board, safety, nil)
		must(t, err)
		must(t, d.Open(realClock{}))
		var s hardware.Sample
		for range 3 { // a first reading may be a frozen one
			realClock{}.Sleep(d.Period())
			s, err = d.Poll(time.Now())
			must(t, err)
		}
		if s.Quality != hardware.OK {
			t.Errorf("%s: %v", name, s.Quality)
		}
		s.Device, s.At = name, time.Now()
		snap.Put(&s)
		must(t, d.Halt())
	}
	near := func(what string, got, want, tolerance float64) {
		t.Helper()
		if math.Abs(got-want) > tolerance {
			t.Errorf("%s: our driver reads %g, the chip shows %g", what, got, want)
		}
	}
	near("distance in mm", snap.Range.Value.DistanceMM, 437, 1)
	for axis, want := range []float64{1000, -2000, 9806.65} {
		near("acceleration in mm/s²", snap.IMU.Value.AccelMMPS2[axis], want, 5)
	}
	for ch, raw := range snap.Cliff.Value.Raw { // of the 3 V over a white floor, in thousandths
		near("reflectance", raw, 500*float64(ch+1)/3, 1)
	}
	near("battery in V", snap.Battery.Value.Volts, 3.9, 0.005)
	near("battery in A", math.Abs(snap.Battery.Value.Amps), 0.85, 0.002)
}

func TestLinuxDriverReadsTheEmulatedVL53L0X(t *testing.T) {
	_, node := plug(t, shelf())
	dev := attach(t, node, "vl53l0x", 0x29)
	// The kernel's driver leaves the sensor uncalibrated, which measures a few percent too long.
	if mm := value(t, dev, "in_distance_raw"); mm < 437 || mm > 437*1.05 {
		t.Errorf("Linux reads %g mm, the chip shows 437", mm)
	}
	near(t, "meters a unit", value(t, dev, "in_distance_scale"), 0.001, 0)
}

func TestLinuxDriverReadsTheEmulatedMPU6050(t *testing.T) {
	_, node := plug(t, shelf())
	dev := attach(t, node, "mpu6050", 0x68)
	scale := value(t, dev, "in_accel_scale") // m/s²
	for axis, want := range map[string]float64{"x": 1, "y": -2, "z": 9.80665} {
		near(t, "acceleration "+axis+" in m/s²", value(t, dev, "in_accel_"+axis+"_raw")*scale, want, 2*scale+0.001*math.Abs(want)) // its scale has three digits
	}
	scale = value(t, dev, "in_anglvel_scale") // rad/s
	for axis, want := range map[string]float64{"x": 0.1, "y": -0.2, "z": 0.5} {
		near(t, "turn rate "+axis+" in rad/s", value(t, dev, "in_anglvel_"+axis+"_raw")*scale, want, 2*scale)
	}
	offset, scale := value(t, dev, "in_temp_offset"), value(t, dev, "in_temp_scale")
	near(t, "temperature in °C", (value(t, dev, "in_temp_raw")+offset)*scale/1000, 31, 0.1)
}

func TestLinuxDriverReadsTheEmulatedADS1115(t *testing.T) {
	_, node := plug(t, shelf())
	dev := attach(t, node, "ads1115", 0x48)
	for ch := range 4 {
		file := fmt.Sprintf("in_voltage%d", ch)
		scale := value(t, dev, file+"_scale")
		near(t, fmt.Sprintf("channel %d in mV", ch), value(t, dev, file+"_raw")*scale, 500*float64(ch+1), 2*scale)
	}
}

func TestLinuxDriverReadsTheEmulatedINA219(t *testing.T) {
	_, node := plug(t, shelf())
	dev := attach(t, node, "ina219", 0x45)
	must(t, os.WriteFile(filepath.Join(dev, "in_shunt_resistor"), []byte("0.1"), 0))
	near(t, "battery in mV", value(t, dev, "in_voltage1_raw")*value(t, dev, "in_voltage1_scale"), 3900, 4)
	near(t, "shunt in mV", value(t, dev, "in_voltage0_raw")*value(t, dev, "in_voltage0_scale"), 85, 0.11)
	near(t, "current in mA", value(t, dev, "in_current3_raw")*value(t, dev, "in_current3_scale"), 850, 2)
	near(t, "power in mW", value(t, dev, "in_power2_raw")*value(t, dev, "in_power2_scale"), 3900*0.85, 20)
}
