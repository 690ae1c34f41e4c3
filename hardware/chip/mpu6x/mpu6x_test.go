package mpu6x_test

import (
	"errors"
	"math"
	"testing"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/mpu6x"
	"github.com/robotd/robotd/hardware/chip/reg"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/hwtest"
)

const addr = 0x68

func TestReadConvertsUnitsAndReportsFaults(t *testing.T) {
	clk := hwtest.NewClock()
	bus := emul.NewBus("i2c1", clk, 1)
	accel, gyro := [3]float64{-2000, 500, 9806.65}, [3]float64{0.1, -4.5, 5}
	bus.Attach(addr, emul.NewMPU6050(func() ([3]float64, [3]float64) { return accel, gyro }))
	d := mpu6x.New(bus.For(clk), addr, clk, new(hardware.Health))
	if err := d.Init(); err != nil {
		t.Fatal(err)
	}
	raw, err := d.Read()
	if err != nil {
		t.Fatal(err)
	}
	s := raw.Decode()
	for i := range 3 {
		if math.Abs(s.AccelMMPS2[i]-accel[i]) > 2 || math.Abs(s.GyroRadPS[i]-gyro[i]) > 0.001 {
			t.Errorf("axis %d: %v mm/s², %v rad/s", i, s.AccelMMPS2[i], s.GyroRadPS[i])
		}
	}
	if s.Celsius < 20 || s.Celsius > 45 {
		t.Errorf("%v °C", s.Celsius)
	}
	bus.BrownOut(addr)
	if err := d.Verify(); !errors.Is(err, reg.ErrConfigLost) {
		t.Errorf("Verify: %v", err)
	}
	if err := d.Init(); err != nil {
		t.Errorf("repair: %v", err)
	}
	bus.SetFault(addr, emul.Fault{WrongID: true})
	if err := d.Init(); reg.CauseOf(err) != hardware.CauseWrongID {
		t.Errorf("foreign chip: %v", err)
	}
}

func TestHaltPutsTheChipToSleep(t *testing.T) {
	clk := hwtest.NewClock()
	bus := emul.NewBus("i2c1", clk, 1)
	bus.Attach(addr, emul.NewMPU6050(func() (a, g [3]float64) { return a, g }))
	d := mpu6x.New(bus.For(clk), addr, clk, new(hardware.Health))
	if err := d.Init(); err != nil {
		t.Fatal(err)
	}
	if err := d.Halt(); err != nil || d.Verify() == nil {
		t.Errorf("Halt: %v; still awake: %v", err, d.Verify() == nil)
	}
}
