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

func TestLinuxDriverReadsTheEmulatedVL53L0X(t *testing.T) {
	_, node := plug(t, shelf())
	dev := attach(t, node, "vl53l0x", 0x29)
	near(t, "distance in mm", value(t, dev, "in_distance_raw"), 437, 0.5)
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
	near(t, "battery in mV", value(t, dev, "in_voltage1_raw")*value(t, dev, "in_voltage1_scale"), 7400, 4)
	near(t, "shunt in mV", value(t, dev, "in_voltage0_raw")*value(t, dev, "in_voltage0_scale"), 85, 0.02)
	near(t, "current in mA", value(t, dev, "in_current3_raw")*value(t, dev, "in_current3_scale"), 850, 2)
	near(t, "power in mW", value(t, dev, "in_power2_raw")*value(t, dev, "in_power2_scale"), 7400*0.85, 20)
}
