package device_test

import (
	"errors"
	"math"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/hardware/sim"
)

// tap is the serial port with somebody on the line.
type tap struct {
	hardware.Serial
	down   func(p []byte) bool      // reports whether what the host writes reaches the board
	up     func(line string) string // changes what the board writes
	extra  string                   // comes before it
	held   []byte                   // not yet read
	part   []byte                   // of a line
	closed int
}

func (p *tap) Write(b []byte) (int, error) {
	if p.down != nil && !p.down(b) {
		return len(b), nil
	}
	return p.Serial.Write(b)
}

func (p *tap) Read(b []byte) (int, error) {
	var buf [512]byte
	n, err := p.Serial.Read(buf[:])
	for _, c := range buf[:n] {
		if p.part = append(p.part, c); c == '\n' {
			line := string(p.part)
			if p.up != nil {
				line = p.up(line)
			}
			p.held, p.part = append(append(p.held, p.extra...), line...), p.part[:0]
			p.extra = ""
		}
	}
	k := copy(b, p.held)
	p.held = p.held[k:]
	return k, err
}

func (p *tap) Close() error {
	p.closed++
	return p.Serial.Close()
}

// listened is a robot with somebody on its line.
func listened(t *testing.T, robot string) (*esp, *tap) {
	e, p := newESP(t, robot), &tap{}
	e.board.Serial = func(name string) (hardware.Serial, error) {
		s, err := e.rig.Serial(name)
		p.Serial = s
		return p, err
	}
	return e.open(), p
}

func TestESPSignOfAResetEndsTheSegmentAtOnce(t *testing.T) {
	e, p := listened(t, "waveshare-ugv")
	e.run(time.Second, e.drive(forward(200)))
	p.extra = "rst:0x1 (POWERON_RESET)\n"
	e.run(100*time.Millisecond, e.drive(forward(200)))
	if m := e.motors(); m.Reason != device.ReasonFault {
		t.Errorf("%+v", m)
	}
	e.run(time.Second, e.drive(forward(200)))
	if v := e.speed(); v < 100 {
		t.Errorf("%.0f mm/s after it was set up again", v)
	}
}

func TestESPResetThatOnlyOthersSawEndsTheSegment(t *testing.T) {
	e, p := listened(t, "waveshare-ugv")
	e.run(time.Second, e.drive(forward(200)))
	p.extra = "rst:0x1 (POWERON_RESET)\n"
	for range 11 { // the motors' driver is late, and finds the board set up again
		e.clk.Sleep(20 * time.Millisecond)
		if _, err := e.devices[hardware.IMU].Poll(e.clk.Now()); err != nil {
			t.Fatal(err)
		}
	}
	s, err := e.devices[hardware.Motors].Poll(e.clk.Now())
	if err != nil || s.Quality != hardware.OK || s.Health.Reinits != 1 || s.Value.(*hardware.MotorState).Reason != device.ReasonFault {
		t.Errorf("%v %+v %+v", err, s, s.Value)
	}
}

func TestESPDistanceIsThatOfTheOdometers(t *testing.T) {
	e, p := listened(t, "waveshare-ugv")
	p.up = func(line string) string { // the speeds are a third too high
		if i := strings.Index(line, `"L":`); i >= 0 {
			j := strings.Index(line, `,"ax"`)
			return line[:i] + `"L":0.2,"R":0.2` + line[j:]
		}
		return line
	}
	from := e.motors().LeftMM
	at := e.rig.View().Robot
	e.run(4*time.Second, e.drive(forward(150)))
	to := e.rig.View().Robot
	if got, want := e.motors().LeftMM-from, math.Hypot(to.XMM-at.XMM, to.YMM-at.YMM); math.Abs(got-want) > 40 {
		t.Errorf("%.0f mm, drove %.0f", got, want)
	}
}

func TestESPWheelThatDoesNotTurnIsAStall(t *testing.T) {
	e, p := listened(t, "waveshare-ugv")
	p.down = func(b []byte) bool { return !strings.Contains(string(b), `"T":1,`) }
	go_ := e.drive(forward(200))
	e.run(time.Second, go_)
	if m := e.motors(); m.Phase != hardware.PhaseMoving {
		t.Errorf("too early: %+v", m)
	}
	e.run(500*time.Millisecond, go_)
	if m := e.motors(); m.Reason != device.ReasonStall {
		t.Errorf("%+v", m)
	}
}

func TestESPSensorMayBeMountedOtherwise(t *testing.T) {
	e := newESP(t, "waveshare-ugv")
	p := *e.board.Profile
	p.IMU = &profile.IMU{Driver: p.IMU.Driver, Mount: [3]string{"y", "x", "-z"}}
	e.board.Profile = &p
	e.open()
	e.run(time.Second, e.drive(hardware.Drive{Kind: hardware.Turn, AngleRad: 1, SpeedRadPS: 1}))
	if s := e.runner.Snapshot.IMU.Value; s.AccelMMPS2[2] > -9000 || s.YawRad > -0.2 {
		t.Errorf("%+v", s)
	}
}

func TestESPCalibrationScalesWheelsTurnsAndVolts(t *testing.T) {
	for robot, tolerance := range map[string]float64{"waveshare-ugv": 0.03, "wave-rover": 0.1} {
		far, sharp, volts := [2]float64{}, [2]float64{}, [2]float64{}
		for i, c := range []profile.Calibration{nil, {"wheel_mm(left)": 88, "wheel_mm(right)": 88, "tread_mm": 250, "battery_factor": 1.02}} {
			e := newESP(t, robot)
			e.board.Calibration = c
			e.open()
			from := e.rig.View().Robot
			e.run(5*time.Second, e.drive(hardware.Drive{Kind: hardware.Straight, DistanceMM: 330, SpeedMMPS: 150}))
			at := e.rig.View().Robot
			far[i] = math.Hypot(at.XMM-from.XMM, at.YMM-from.YMM)
			e.run(5*time.Second, e.drive(hardware.Drive{Kind: hardware.Turn, AngleRad: 0.8, SpeedRadPS: 0.8}))
			sharp[i] = hardware.WrapRad(e.rig.View().Robot.HeadingRad - at.HeadingRad)
			volts[i] = e.runner.Snapshot.Battery.Value.Volts
		}
		tread := profileOf(t, robot).Drive.TreadMM
		if r := far[0] / far[1]; math.Abs(r-1.1) > tolerance {
			t.Errorf("%s: drives 1/%.3f as far with wheels that are 1.1 as large", robot, r)
		}
		if r, want := sharp[1]/sharp[0], 250/tread/1.1; math.Abs(r/want-1) > 0.15 {
			t.Errorf("%s: turns %.2f as far, want %.2f", robot, r, want)
		}
		if r := volts[1] / volts[0]; math.Abs(r-1.02) > 0.005 {
			t.Errorf("%s: volts by %.3f", robot, r)
		}
	}
}

func TestESPPortIsClosedWithTheStopPath(t *testing.T) {
	e, p := listened(t, "wave-rover")
	e.run(time.Second, e.drive(forward(200)))
	if err := e.safety.Close(); err != nil || p.closed != 1 {
		t.Errorf("%v, closed %d times", err, p.closed)
	}
	e.clk.Sleep(300 * time.Millisecond)
	if v := e.speed(); v > 20 {
		t.Errorf("still %.0f mm/s", v)
	}
}

func TestESPWithoutSerialPortSaysSo(t *testing.T) {
	e := newESP(t, "waveshare-ugv")
	e.board.Serial = nil
	err := e.device(hardware.Motors).Open(e.clk)
	if hardware.Classify(err) != hardware.CauseGone || !strings.Contains(err.Error(), "no serial ports") {
		t.Error(err)
	}
	e.board.Serial = func(string) (hardware.Serial, error) { return nil, syscall.EACCES }
	if err := e.device(hardware.Motors).Open(e.clk); !errors.Is(err, syscall.EACCES) {
		t.Error(err)
	}
}

// A stop path that lost its line, because the board was not ready when it was to be raised, still tells the board to stand and closes its port.
func TestESPPortIsClosedWithoutTheLine(t *testing.T) {
	e, p := listened(t, "waveshare-ugv")
	owner, err := e.safety.Own(device.Wiring{Drive: e.board.Profile.Drive})
	if err != nil {
		t.Fatal(err)
	}
	p.extra = "rst:0x1 (POWERON_RESET)\n"
	for n := 0; err == nil; n++ {
		if n == 100 {
			t.Fatal("the line is raised whatever the board says")
		}
		e.clk.Sleep(5 * time.Millisecond)
		_, _ = e.devices[hardware.IMU].Poll(e.clk.Now())
		e.safety.Down(device.ReasonOther)
		err = e.safety.Enable(owner, e.clk.Now())
	}
	if err := e.safety.Close(); err != nil || p.closed != 1 {
		t.Errorf("closed %d times, %v", p.closed, err)
	}
}

// Another device sees that the board was reset, and an order comes before the motors' driver knows of it: the stop path loses its line, and
// has it again when the board is ready.
func TestESPDrivesAfterAnOrderThatCameWhileTheBoardStarted(t *testing.T) {
	for _, robot := range espRobots {
		e := newESP(t, robot).open()
		if err := e.rig.Fault(hardware.Motors, sim.KindBrownout, 0); err != nil {
			t.Fatal(err)
		}
		for n := 0; ; n++ {
			if n == 30 {
				t.Fatalf("%s: nobody saw the reset", robot)
			}
			e.clk.Sleep(5 * time.Millisecond)
			if s, err := e.devices[hardware.IMU].Poll(e.clk.Now()); err != nil {
				t.Fatal(err)
			} else if s.Quality != hardware.OK {
				break
			}
		}
		e.drive(forward(200))()
		if st := e.safety.State(); st.Enabled {
			t.Fatalf("%s: the line is raised for a board that starts", robot)
		}
		e.run(6*time.Second, nil)
		e.run(1500*time.Millisecond, e.drive(forward(200)))
		if v, m := e.speed(), e.motors(); v < 120 {
			t.Errorf("%s: drives %.0f mm/s after the board's start: %+v", robot, v, m)
		}
		if len(e.errs) > 0 {
			t.Error(robot, e.errs)
		}
	}
}
