package device_test

import (
	"math"
	"testing"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/hwtest"
	"github.com/robotd/robotd/hardware/profile"
)

// A sensor that lies on its side gives the axes of the robot, and a calibrated gyroscope turns nothing before the robot stood still.
func TestInertialSensorIsReadAsItIsMounted(t *testing.T) {
	p := *profile.R1()
	p.IMU = &profile.IMU{Driver: p.IMU.Driver, Chip: p.IMU.Chip, Mount: [3]string{"y", "-x", "z"}}
	clk, n := hwtest.NewClock(), 0.0
	bus := emul.NewBus("main", clk, 1)
	bus.Attach(0x68, emul.NewMPU6050(func() (accel, gyro [3]float64) {
		n++ // no two samples are equal
		return [3]float64{-1000, 2000, 9700 + 10*math.Mod(n, 2)}, [3]float64{0, 0, 0.1}
	}))
	d := device.NewIMU(device.Board{
		Profile: &p, Bus: func(hardware.Clock) i2c.Bus { return bus.For(clk) },
		Calibration: profile.Calibration{profile.Of(profile.KeyGyroBias, "z"): 0.1},
	}, device.NewSafety(nil))
	if err := d.Open(clk); err != nil {
		t.Fatal(err)
	}
	var s hardware.IMUState
	for range 10 {
		clk.Sleep(d.Period())
		sample, err := d.Poll(clk.Now())
		if err != nil {
			t.Fatal(err)
		}
		s = *sample.Value.(*hardware.IMUState)
	}
	if a := s.AccelMMPS2; math.Abs(a[0]-2000) > 20 || math.Abs(a[1]-1000) > 20 || math.Abs(a[2]-9700) > 30 {
		t.Errorf("acceleration %v, want 2000 forward and 1000 left", a)
	}
	if math.Abs(s.GyroRadPS[2]) > 0.005 || math.Abs(s.YawRad) > 0.001 {
		t.Errorf("turns by %v, yaw %v", s.GyroRadPS[2], s.YawRad)
	}
}
