package device_test

import (
	"math"
	"testing"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/hwtest"
	"github.com/robotd/robotd/hardware/profile"
)

// A driver of the inertial sensor that is restarted while the robot drives cannot learn the offset: it goes on with the one that the driver
// before it learned. The offset is a third of what PS-MPU-6000A 6.1 permits (±20 °/s); the simulator's is at most 0.012 rad/s.
func TestRestartedInertialSensorKnowsItsOffset(t *testing.T) {
	const gyroOffset = 0.1
	clk, safety := hwtest.NewClock(), device.NewSafety(nil)
	begin, n, drives := clk.Now(), 0.0, false
	heading := func() float64 { // to and fro by 0.2 rad, five times a second
		if !drives {
			return 0
		}
		return 0.2 * math.Sin(10*math.Pi*clk.Now().Sub(begin).Seconds())
	}
	bus := emul.NewBus("main", clk, 1)
	bus.Attach(0x68, emul.NewMPU6050(func() (accel, gyro [3]float64) {
		n++ // no two samples are equal
		rate := gyroOffset
		if drives {
			rate += 0.2 * 10 * math.Pi * math.Cos(10*math.Pi*clk.Now().Sub(begin).Seconds())
		}
		return [3]float64{0, 0, 9800 + 10*math.Mod(n, 2)}, [3]float64{0, 0, rate}
	}))
	board := device.Board{Profile: r1, Bus: func(hardware.Clock) i2c.Bus { return bus.For(clk) }}
	open := func() hardware.Device {
		d := device.NewIMU(board, safety)
		if err := d.Open(clk); err != nil {
			t.Fatal(err)
		}
		return d
	}
	poll := func(d hardware.Device, times int) (s hardware.IMUState) {
		for range times {
			clk.Sleep(d.Period())
			sample, err := d.Poll(clk.Now())
			if err != nil {
				t.Fatal(err)
			}
			s = *sample.Value.(*hardware.IMUState)
		}
		return s
	}
	d := open()
	if s := poll(d, 1); !s.Learning {
		t.Fatal("the first driver knows an offset that nobody learned")
	}
	poll(d, 200)
	drives = true
	poll(d, 100)
	if err := d.Halt(); err != nil {
		t.Fatal(err)
	}
	d = open()
	first, was := poll(d, 1), heading()
	last := poll(d, 500)
	if lost := last.YawRad - first.YawRad - (heading() - was); first.Learning || math.Abs(lost) > 2*math.Pi/180 {
		t.Errorf("learning %v; the heading is off by %.1f° after 5 s", first.Learning, lost*180/math.Pi)
	}
	turned := *r1
	turned.IMU = &profile.IMU{Driver: r1.IMU.Driver, Chip: r1.IMU.Chip, Mount: [3]string{"y", "-x", "z"}}
	board.Profile = &turned
	if s := poll(open(), 1); !s.Learning {
		t.Error("the offset about other axes is taken for that of a sensor that is mounted otherwise")
	}
}

// So does that of a board that measures by itself.
func TestRestartedInertialSensorOfABoardKnowsItsOffset(t *testing.T) {
	for _, robot := range espRobots {
		e := newESP(t, robot).open()
		e.run(3*time.Second, nil)
		type sensor interface {
			Offset() (rad [3]float64, measured bool)
		}
		was, known := e.devices[hardware.IMU].(sensor).Offset()
		next := e.device(hardware.IMU)
		if rad, measured := next.(sensor).Offset(); !known || !measured || rad != was || was == [3]float64{} {
			t.Errorf("%s: %v %v, want %v %v", robot, rad, measured, was, known)
		}
	}
}
