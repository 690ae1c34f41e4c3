package device_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/hwtest"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/hardware/sim"
	"github.com/robotd/robotd/resources"
)

// esp is a simulated robot whose board is an ESP32, with its devices on a virtual clock.
type esp struct {
	t       *testing.T
	rig     *sim.Rig
	clk     *hwtest.Clock
	safety  *device.Safety
	board   device.Board
	devices map[string]hardware.Device
	runner  *hwtest.Runner
	id      uint64
	errs    map[string]error
}

var espRobots = []string{"waveshare-ugv", "wave-rover"}

func newESP(t *testing.T, robot string) *esp {
	t.Helper()
	p := profileOf(t, robot)
	e := &esp{t: t, clk: hwtest.NewClock(), devices: map[string]hardware.Device{}, errs: map[string]error{}}
	e.rig = sim.New(sim.Options{Seed: 3, Profile: p, Now: e.clk.Now(), StartOffCharger: true, Nobody: true})
	e.rig.SetNow(e.clk.Now)
	e.safety = device.NewSafety(e.rig.Lines())
	e.board = device.Board{Profile: p, Lines: e.rig.Lines(), Serial: e.rig.Serial, Detect: e.rig.Detect, Temperatures: e.rig.Temperatures}
	return e
}

func profileOf(t *testing.T, robot string) *profile.Profile {
	t.Helper()
	p, diags, err := profile.Load(resources.Embedded(), robot, nil)
	if p == nil || err != nil {
		t.Fatal(diags, err)
	}
	return p
}

func (e *esp) device(name string) hardware.Device {
	e.t.Helper()
	d, err := device.New(name, e.board, e.safety, nil)
	if err != nil {
		e.t.Fatal(err)
	}
	return d
}

// open opens all devices of the board.
func (e *esp) open() *esp {
	e.t.Helper()
	var all []hardware.Device
	for _, name := range []string{hardware.Battery, hardware.Display, hardware.IMU, hardware.Lights, hardware.Motors} {
		e.devices[name] = e.device(name)
		all = append(all, e.devices[name])
	}
	e.runner = hwtest.NewRunner(e.clk, all...)
	e.runner.OnSample = func(d hardware.Device, _ hardware.Sample, err error) {
		if err != nil {
			e.errs[d.Name()] = err
		}
	}
	if err := e.runner.Open(); err != nil {
		e.t.Fatal(err)
	}
	e.run(100*time.Millisecond, nil)
	return e
}

// run polls for a time and calls each before each 10 ms.
func (e *esp) run(d time.Duration, each func()) {
	for end := e.clk.Now().Add(d); e.clk.Now().Before(end); {
		if each != nil {
			each()
		}
		e.runner.Run(10*time.Millisecond, nil)
	}
}

// drive begins a segment and returns what renews it.
func (e *esp) drive(d hardware.Drive) func() {
	e.id++
	d.ID = e.id
	return func() {
		if err := e.devices[hardware.Motors].Apply(e.clk.Now(), d); err != nil {
			e.t.Error(err)
		}
	}
}

func (e *esp) motors() hardware.MotorState { return e.runner.Snapshot.Motors.Value }

// speed is the true speed of the robot's middle.
func (e *esp) speed() float64 {
	a := e.rig.View().Robot
	e.clk.Sleep(20 * time.Millisecond)
	b := e.rig.View().Robot
	return math.Hypot(b.XMM-a.XMM, b.YMM-a.YMM) / 0.02
}

func forward(mmps float64) hardware.Drive {
	return hardware.Drive{Kind: hardware.Wheels, LeftMMPS: mmps, RightMMPS: mmps}
}

func TestESPDevicesKeepTheContract(t *testing.T) {
	commands := map[string][]hardware.Command{
		hardware.Motors: {
			hardware.Drive{ID: 1, Kind: hardware.Straight, DistanceMM: 100, SpeedMMPS: 100}, hardware.StopWheels{}, hardware.AckCliff{},
		},
		hardware.Lights:  {hardware.SetLights{Colors: [5]hardware.RGB{{R: 255}, {G: 128}}}},
		hardware.Display: {hardware.ShowFace{Face: "happy"}, hardware.DimFace{On: true}},
	}
	for _, robot := range espRobots {
		for _, name := range []string{hardware.Battery, hardware.Display, hardware.IMU, hardware.Lights, hardware.Motors} {
			t.Run(robot+" "+name, func(t *testing.T) {
				hwtest.Contract(t, func() (hardware.Device, *hwtest.Env) {
					e := newESP(t, robot)
					env := &hwtest.Env{Clock: e.clk, Commands: commands[name], Fresh: func() hardware.Device { return e.device(name) }}
					env.Break = func() {
						if err := e.rig.Fault(name, sim.KindUnplug, 0); err != nil {
							t.Fatal(err)
						}
					}
					env.Mend = e.rig.ClearFaults
					return e.device(name), env
				})
			})
		}
	}
}

func TestESPDrivesADistanceAndTurns(t *testing.T) {
	for robot, tolerance := range map[string]float64{"waveshare-ugv": 30, "wave-rover": 60} {
		e := newESP(t, robot).open()
		from := e.rig.View().Robot
		e.run(6*time.Second, e.drive(hardware.Drive{Kind: hardware.Straight, DistanceMM: 400, SpeedMMPS: 150}))
		at := e.rig.View().Robot
		if m, far := e.motors(), math.Hypot(at.XMM-from.XMM, at.YMM-from.YMM); m.Phase != hardware.PhaseDone || math.Abs(far-400) > tolerance {
			t.Errorf("%s: drove %.0f mm of 400: %+v", robot, far, m)
		}
		yaw := e.runner.Snapshot.IMU.Value.YawRad
		e.run(6*time.Second, e.drive(hardware.Drive{Kind: hardware.Turn, AngleRad: math.Pi / 2, SpeedRadPS: 1}))
		turned, felt := hardware.WrapRad(e.rig.View().Robot.HeadingRad-at.HeadingRad), e.runner.Snapshot.IMU.Value.YawRad-yaw
		if m := e.motors(); m.Phase != hardware.PhaseDone || math.Abs(turned-math.Pi/2) > 0.3 || math.Abs(felt-turned) > 0.1 {
			t.Errorf("%s: turned %.2f, felt %.2f: %+v", robot, turned, felt, m)
		}
		if len(e.errs) > 0 {
			t.Error(e.errs)
		}
	}
}

func TestESPLeaseEndsBeforeTheBoardsOwnTime(t *testing.T) {
	for _, robot := range espRobots {
		e := newESP(t, robot).open()
		e.run(1500*time.Millisecond, e.drive(forward(200)))
		if v := e.speed(); v < 120 {
			t.Fatalf("%s: drives %.0f mm/s", robot, v)
		}
		e.run(200*time.Millisecond, nil)
		if p := e.motors().Phase; p != hardware.PhaseMoving {
			t.Errorf("%s: %v before the lease's end", robot, p)
		}
		e.run(40*time.Millisecond, nil)
		if m := e.motors(); m.Reason != device.ReasonLease {
			t.Errorf("%s: %+v", robot, m)
		}
		e.run(600*time.Millisecond, nil)
		if v := e.speed(); v > 1 {
			t.Errorf("%s: still %.0f mm/s", robot, v)
		}
	}
}

func TestESPBoardStopsAHostThatStandsStill(t *testing.T) {
	for _, robot := range espRobots {
		e := newESP(t, robot).open()
		e.run(1500*time.Millisecond, e.drive(forward(200)))
		e.clk.Sleep(300 * time.Millisecond) // nobody polls
		if v := e.speed(); v < 100 {
			t.Errorf("%s: %.0f mm/s, the board did not wait for its time", robot, v)
		}
		e.clk.Sleep(time.Second)
		if v := e.speed(); v > 1 {
			t.Errorf("%s: still %.0f mm/s", robot, v)
		}
		e.run(20*time.Millisecond, nil)
		if m := e.motors(); m.Phase != hardware.PhaseAborted || m.Reason != device.ReasonBeat {
			t.Errorf("%s: %+v", robot, m)
		}
		e.run(time.Second, e.drive(forward(200)))
		if v := e.speed(); v < 100 {
			t.Errorf("%s: does not go on: %.0f mm/s, %+v", robot, v, e.motors())
		}
	}
}

func TestESPEmergencyStopNeedsNoPoll(t *testing.T) {
	for _, robot := range espRobots {
		e := newESP(t, robot).open()
		go_ := e.drive(forward(200))
		e.run(1500*time.Millisecond, go_)
		stop := e.safety.EStop()
		e.clk.Sleep(300 * time.Millisecond) // less than the board's own time
		if v := e.speed(); v > 20 {
			t.Errorf("%s: still %.0f mm/s", robot, v)
		}
		e.run(time.Second, e.drive(forward(200)))
		if m := e.motors(); m.Reason != device.ReasonEStop || e.speed() > 1 {
			t.Errorf("%s: %+v", robot, m)
		}
		if _, err := e.safety.Resume(stop); err != nil {
			t.Fatal(err)
		}
		e.run(time.Second, e.drive(forward(200)))
		if v := e.speed(); v < 100 {
			t.Errorf("%s: does not go on: %.0f mm/s", robot, v)
		}
	}
}

func TestESPDriverThatHangsIsStoppedByItsWatch(t *testing.T) {
	e, p := listened(t, "waveshare-ugv")
	e.run(1500*time.Millisecond, e.drive(forward(200)))
	var sent []string
	p.down = func(b []byte) bool { sent = append(sent, string(b)); return true }
	for range 6 { // the motors' driver is not called for 300 ms
		e.clk.Sleep(50 * time.Millisecond)
		e.safety.Watch(e.clk.Now())
	}
	if len(sent) == 0 || !strings.Contains(sent[len(sent)-1], `"L":0,"R":0`) || e.safety.State().Reason != device.ReasonFault {
		t.Errorf("sent %q, %+v", sent, e.safety.State())
	}
}

func TestESPResetWhileDrivingEndsTheSegment(t *testing.T) {
	for _, robot := range espRobots {
		e := newESP(t, robot).open()
		e.run(1500*time.Millisecond, e.drive(forward(200)))
		before := e.motors().LeftMM
		if err := e.rig.Fault(hardware.Motors, sim.KindBrownout, 0); err != nil {
			t.Fatal(err)
		}
		old := e.drive(forward(200))
		e.run(500*time.Millisecond, old)
		if v := e.speed(); v > 10 { // a bridge without its board lets the motors roll out
			t.Errorf("%s: drives %.0f mm/s after a reset", robot, v)
		}
		e.run(6*time.Second, old)
		if v := e.speed(); v > 1 || e.motors().Reason != device.ReasonFault {
			t.Errorf("%s: the old segment went on: %.0f mm/s %+v", robot, v, e.motors())
		}
		if s, err := e.devices[hardware.Motors].Poll(e.clk.Now()); err != nil || s.Health.Reinits != 1 {
			t.Errorf("%s: counted %d set-ups, %v", robot, s.Health.Reinits, err)
		}
		e.run(1500*time.Millisecond, e.drive(forward(200)))
		if v := e.speed(); math.Abs(v-200) > 80 || e.motors().LeftMM < before {
			t.Errorf("%s: %.0f mm/s after the reset, %+v", robot, v, e.motors())
		}
	}
}

// A lost link to the board fails every device behind it with the cause "gone", stops the wheels, and heals.
// Rules: FLT-5, FLT-4.
func TestESPCableOutStopsAndFailsAllItsDevices(t *testing.T) {
	e := newESP(t, "waveshare-ugv").open()
	e.run(1500*time.Millisecond, e.drive(forward(200)))
	if err := e.rig.Fault(hardware.Motors, sim.KindUnplug, 0); err != nil {
		t.Fatal(err)
	}
	e.run(time.Second, nil)
	for name := range e.devices {
		if err := e.errs[name]; hardware.Classify(err) != hardware.CauseGone {
			t.Errorf("%s: %v", name, err)
		}
	}
	if v := e.speed(); v > 1 {
		t.Errorf("still %.0f mm/s", v)
	}
	e.rig.ClearFaults()
	e.errs = map[string]error{}
	e.open()
	e.run(time.Second, e.drive(forward(200)))
	if v := e.speed(); v < 100 || len(e.errs) > 0 {
		t.Errorf("%.0f mm/s, %v", v, e.errs)
	}
}

func TestESPShowsFaceAndLights(t *testing.T) {
	e := newESP(t, "waveshare-ugv").open()
	for _, face := range append(hardware.Expressions, hardware.Digits("12:34")) {
		if err := e.devices[hardware.Display].Apply(e.clk.Now(), hardware.ShowFace{Face: face, GazeX: 1}); err != nil {
			t.Fatal(err)
		}
		e.run(500*time.Millisecond, nil)
		text := e.rig.Text()
		for _, l := range text {
			if len(l) > 21 || strings.Trim(l, " ") != "" && strings.ContainsAny(l, "%!") {
				t.Errorf("%s: %q", face, text)
			}
		}
		if strings.TrimSpace(strings.Join(text[:], "")) == "" {
			t.Errorf("%s shows nothing", face)
		}
	}
	if text := e.rig.Text(); !strings.Contains(text[1], "1 2 : 3 4") {
		t.Errorf("%q", text)
	}
	white := hardware.RGB{R: 255, G: 255, B: 255}
	_ = e.devices[hardware.Lights].Apply(e.clk.Now(), hardware.SetLights{Colors: [5]hardware.RGB{white, white, white, white, white}})
	e.run(500*time.Millisecond, nil)
	if got := e.rig.Lights()[0]; got != white {
		t.Errorf("%v", got)
	}
}

func TestESPBatteryIsThatOfThreeCells(t *testing.T) {
	e := newESP(t, "wave-rover").open()
	e.run(time.Second, nil)
	if b := e.runner.Snapshot.Battery.Value; b.Volts < 10 || b.Volts > 12.6 || b.Ratio < 0.3 {
		t.Errorf("%+v", b)
	}
}

func TestESPGyroscopeLearnsItsOffsetWhileTheWheelsRest(t *testing.T) {
	for _, robot := range espRobots {
		e := newESP(t, robot)
		e.board.Calibration = profile.Calibration{"gyro_radps(z)": 0.15}
		e.open()
		imu := e.devices[hardware.IMU].(interface {
			Offset() ([3]float64, bool)
		})
		if rad, known := imu.Offset(); rad[2] != 0.15 || known {
			t.Errorf("%s: before it stood, the offset is %v, %t; want the calibrated one", robot, rad, known)
		}
		e.run(3*time.Second, e.drive(hardware.Drive{Kind: hardware.Wheels, LeftMMPS: -60, RightMMPS: 60}))
		if _, known := imu.Offset(); known {
			t.Errorf("%s: learnt while it turned", robot)
		}
		e.run(5*time.Second, nil)
		rad, known := imu.Offset()
		for i, want := range e.rig.Truth().GyroRadPS {
			if !known || math.Abs(rad[i]-want) > 0.002 {
				t.Errorf("%s: about axis %d %.4f (%t), true is %.4f", robot, i, rad[i], known, want)
			}
		}
	}
}

// Actions correct a turn until the gyroscope says that it is within 2°, three times at most. The board's control has a dead band. A heading that is
// summed up from a rotation every 40 ms may itself be wrong by more than a degree after a short turn.
func TestESPTurnsBySmallAngles(t *testing.T) {
	const degree = math.Pi / 180
	e := newESP(t, "waveshare-ugv").open()
	e.run(2*time.Second, nil)
	heading := func() float64 { return e.rig.View().Robot.HeadingRad }
	turn := func(rad float64) {
		t.Helper()
		renew := e.drive(hardware.Drive{Kind: hardware.Turn, AngleRad: rad, SpeedRadPS: 2})
		for n, moving := 0, true; moving; n++ {
			if n == 200 {
				t.Fatalf("a turn of %.1f° has no end: %+v", rad/degree, e.motors())
			}
			e.run(20*time.Millisecond, renew)
			moving = e.motors().Phase == hardware.PhaseMoving
		}
		if m := e.motors(); m.Phase != hardware.PhaseDone {
			t.Fatalf("%.1f°: %+v", rad/degree, m)
		}
	}
	from := heading()
	turn(3 * degree)
	if turned := hardware.WrapRad(heading()-from) / degree; turned < 1.5 {
		t.Errorf("turned by %.1f° of 3", turned)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	segments := 0
	for range 20 {
		e.run(500*time.Millisecond, nil)
		from, left := heading(), (2+18*rnd.Float64())*degree
		if rnd.IntN(2) == 0 {
			left = -left
		}
		want := left
		for n := 0; n < 4 && math.Abs(left) > 2*degree || n == 0; n++ {
			before := e.runner.Snapshot.IMU.Value.YawRad
			turn(left)
			left -= e.runner.Snapshot.IMU.Value.YawRad - before
			segments++
		}
		if off := math.Abs(want-hardware.WrapRad(heading()-from)) / degree; off > 3.5 || math.Abs(left) > 2*degree {
			t.Errorf("a turn of %.1f° ends %.1f° off, and feels %.1f° off", want/degree, off, left/degree)
		}
	}
	if segments > 30 {
		t.Errorf("20 turns took %d segments", segments)
	}
}

// The motors of the WAVE ROVER do not turn below a fifth of full duty, and nothing tells that they stand.
func TestESPWithoutEncodersTurnsItsWheelsAtLowSpeeds(t *testing.T) {
	e := newESP(t, "wave-rover").open()
	from := e.rig.View().Robot
	e.run(5*time.Second, e.drive(hardware.Drive{Kind: hardware.Straight, DistanceMM: 200, SpeedMMPS: 100}))
	at := e.rig.View().Robot
	if far := math.Hypot(at.XMM-from.XMM, at.YMM-from.YMM); far < 100 || far > 300 {
		t.Errorf("drove %.0f mm of 200", far)
	}
	e.run(4*time.Second, e.drive(hardware.Drive{Kind: hardware.Turn, AngleRad: 0.6, SpeedRadPS: 1}))
	if turned := hardware.WrapRad(e.rig.View().Robot.HeadingRad - at.HeadingRad); turned < 0.3 || turned > 0.9 {
		t.Errorf("turned by %.2f rad of 0.6", turned)
	}
	if len(e.errs) > 0 {
		t.Error(e.errs)
	}
}

// The board's sensor tells that it learns its offset, and needs half a second of rest for it, although it is read each 40 to 50 ms only.
func TestESPGyroscopeTellsThatItLearns(t *testing.T) {
	for _, robot := range espRobots {
		e := newESP(t, robot).open()
		if s := e.runner.Snapshot.IMU.Value; !s.Learning {
			t.Errorf("%s: opens with %+v", robot, s)
		}
		e.run(time.Second, nil)
		imu := e.devices[hardware.IMU].(interface {
			Offset() ([3]float64, bool)
		})
		rad, known := imu.Offset()
		for i, want := range e.rig.Truth().GyroRadPS {
			if !known || math.Abs(rad[i]-want) > 0.004 {
				t.Errorf("%s: about axis %d %.4f (%t), true is %.4f", robot, i, rad[i], known, want)
			}
		}
		if e.runner.Snapshot.IMU.Value.Learning {
			t.Errorf("%s still learns", robot)
		}
	}
}
