package device_test

import (
	"math"
	"testing"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/chip/pca9685"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/hwtest"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/hardware/sim"
	"github.com/robotd/robotd/resources"
)

// newFreenove is a simulated kit without encoders that drives straight ahead.
func newFreenove(t *testing.T) *drivetrain {
	t.Helper()
	p, diags, err := profile.Load(resources.Embedded(), "freenove-4wd", nil)
	if p == nil || err != nil {
		t.Fatal(diags, err)
	}
	b := newBench(t, sim.Options{Seed: 7, Nobody: true, Profile: p})
	b.board.Profile = p
	b.rig.Place(0, 0, 0)
	r := b.runner(hardware.Cliff, hardware.Motors)
	d := &drivetrain{bench: b, Runner: r, motors: r.Devices[1]}
	for range 15 {
		d.apply(d.motors, wheelsAt(1, 150, 150))
		d.Run(60*time.Millisecond, nil)
	}
	return d
}

// The robot goes on while a cycle is late, and so does what is reckoned, whatever comes after: a cycle, a stop or a new motion.
func TestKitReckonsAllOfALateCycle(t *testing.T) {
	for name, order := range map[string]hardware.Command{"the same motion": wheelsAt(1, 150, 150), "a stop": hardware.StopWheels{}, "another": wheelsAt(2, 0, 0)} {
		d := newFreenove(t)
		x, mm := d.rig.View().Robot.XMM, d.state().LeftMM
		d.clk.Sleep(200 * time.Millisecond)
		went := d.rig.View().Robot.XMM - x
		if _, err := d.Devices[0].Poll(d.clk.Now()); err != nil { // the edge sensors look first
			t.Fatal(err)
		}
		d.apply(d.motors, order)
		s, err := d.motors.Poll(d.clk.Now())
		if err != nil {
			t.Fatal(err)
		}
		reckoned := s.Value.(*hardware.MotorState).LeftMM - mm
		if went < 20 || math.Abs(reckoned-went) > 0.3*went { // motors and batteries differ from the model
			t.Errorf("%s: went %.1f mm and reckoned %.1f", name, went, reckoned)
		}
	}
}

// Without encoders nobody sees how far the wheels rolled while their driver hung, but when they were switched off is known.
func TestHungKitIsReckonedUntilItWasSwitchedOff(t *testing.T) {
	k := newKit(t, fourWheels)
	m := k.device(hardware.Motors)
	r := k.runner(m)
	for range 10 {
		k.apply(m, wheelsAt(1, 150, 150))
		r.Run(100*time.Millisecond, nil)
	}
	before := k.state(m)
	k.clk.Sleep(device.DefaultLease + time.Millisecond)
	k.safety.Watch(k.clk.Now())
	k.clk.Sleep(5 * time.Second)
	after := k.state(m)
	// 150 mm/s for a lease, then three times the time constant of 0.1 s: the motors coast.
	if way, want := after.LeftMM-before.LeftMM, 150*(0.251+0.3); math.Abs(way-want) > 8 || after.LeftMMPS > 1 || after.Phase != hardware.PhaseAborted {
		t.Errorf("reckoned %.1f mm, want %.1f: %+v", way, want, after)
	}
}

// What was late before an order is none of the time of its motion.
func TestMotionThatIsOrderedAfterAStallBeginsAtItsStart(t *testing.T) {
	d := newDrivetrain(t)
	d.Run(time.Second, nil)
	d.clk.Sleep(400 * time.Millisecond)
	if _, err := d.Devices[0].Poll(d.clk.Now()); err != nil { // the edge sensors look first
		t.Fatal(err)
	}
	if s := d.drive(hardware.Drive{Kind: hardware.Straight, DistanceMM: 100, SpeedMMPS: 200, AccelMMPS2: 1000}); s.Phase != hardware.PhaseDone {
		t.Errorf("%+v", s)
	}
}

// backward is the largest duty of R1's motors against their way.
func (f *fedDrive) backward() (most uint16) {
	f.t.Helper()
	chip := pca9685.New(f.bus, r1.Chips[r1.Drive.Chip].Address, r1.Chips[r1.Drive.Chip].FrequencyHz, f.clk, &hardware.Health{})
	for _, side := range [2][]profile.Motor{r1.Drive.Left, r1.Drive.Right} {
		for _, m := range side {
			var duty [1]uint16
			if err := chip.Get(m.Backward, duty[:]); err != nil {
				f.t.Fatal(err)
			}
			most = max(most, duty[0])
		}
	}
	return most
}

// One late cycle reads the speed that the wheels have, and many in a row stay stable.
func TestLateCycleNeitherRacesNorReverses(t *testing.T) {
	f := newFedDrive(t, 1)
	for range 10 {
		f.apply(f.motors, ahead)
		f.Run(60*time.Millisecond, nil)
	}
	for i := range 30 {
		f.stall(130 * time.Millisecond)
		if _, err := f.Devices[0].Poll(f.clk.Now()); err != nil {
			t.Fatal(err)
		}
		f.apply(f.motors, ahead)
		s, err := f.motors.Poll(f.clk.Now())
		if err != nil {
			t.Fatal(err)
		}
		v := s.Value.(*hardware.MotorState)
		if v.Phase != hardware.PhaseMoving || math.Abs(v.LeftMMPS-100) > 20 || math.Abs(v.RightMMPS-100) > 20 || f.backward() > 0 {
			t.Fatalf("late cycle %d: %.0f and %.0f mm/s, duty backward %d: %+v", i, v.LeftMMPS, v.RightMMPS, f.backward(), v)
		}
	}
}

// A straight way with its speed up to the limit is no stall because of a cycle that came 200 ms late.
func TestStraightWayWithALateCycleEndsAtItsGoal(t *testing.T) {
	f := newFedDrive(t, 1.3)
	c := hardware.Drive{ID: 1, Kind: hardware.Straight, DistanceMM: 300, SpeedMMPS: 220, AccelMMPS2: 1000}
	for i := range 40 {
		f.apply(f.motors, c)
		f.Run(60*time.Millisecond, nil)
		if i == 10 {
			f.apply(f.motors, c)
			f.stall(200 * time.Millisecond)
			if _, err := f.Devices[0].Poll(f.clk.Now()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if s := f.state(); s.Phase != hardware.PhaseDone || math.Abs(s.LeftMM-300) > 2 {
		t.Errorf("%+v", s)
	}
}

// The gyroscope turned on while nobody read it, too; but not for as long as a process may stand still.
func TestHeadingGoesOnOverALateReading(t *testing.T) {
	clk, n := hwtest.NewClock(), 0.0
	bus := emul.NewBus("main", clk, 1)
	rate := 1.0
	bus.Attach(0x68, emul.NewMPU6050(func() (accel, gyro [3]float64) {
		n++ // no two samples are equal
		return [3]float64{0, 0, 9800 + 10*math.Mod(n, 2)}, [3]float64{0, 0, rate}
	}))
	d := device.NewIMU(device.Board{Profile: r1, Bus: func(hardware.Clock) i2c.Bus { return bus.For(clk) }}, device.NewSafety(nil))
	if err := d.Open(clk); err != nil {
		t.Fatal(err)
	}
	yaw := func(after time.Duration) float64 {
		clk.Sleep(after)
		s, err := d.Poll(clk.Now())
		if err != nil {
			t.Fatal(err)
		}
		return s.Value.(*hardware.IMUState).YawRad
	}
	yaw(0)
	before := yaw(10 * time.Millisecond)
	if turn := yaw(300*time.Millisecond) - before; math.Abs(turn-0.3) > 0.005 {
		t.Errorf("turned by %.3f rad in 0.3 s", turn)
	}
	before, rate = yaw(10*time.Millisecond), 0
	if turn := yaw(200*time.Millisecond) - before; math.Abs(turn-0.1) > 0.005 { // it stopped somewhere in between
		t.Errorf("turned by %.3f rad while it stopped", turn)
	}
	rate = 1
	before = yaw(10 * time.Millisecond)
	if turn := yaw(time.Minute) - before; math.Abs(turn-0.5) > 0.005 {
		t.Errorf("turned by %.3f rad in a minute that nobody saw", turn)
	}
}
