package device_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/emul"
	"github.com/robotd/robotd/hardware/hwtest"
	"github.com/robotd/robotd/hardware/profile"
)

// fourWheels is a kit with motors and servos on one PWM chip, and nothing else: no encoders, no enable line, no sensors. The channels
// are those that the maker of the 4WD kit documents.
const fourWheels = `{
  "robot": "kit", "title": "Four wheels",
  "buses": {"main": {}},
  "chips": {"pwm": {"chip": "pca9685", "address": "0x40", "frequency_Hz": 50}},
  "parts": {
    "drive": {
      "driver": "bridge", "chip": "pwm", "atRest": "brake",
      "left": [{"forward": 1, "backward": 0}, {"forward": 2, "backward": 3}], "right": [{"forward": 7, "backward": 6}, {"forward": 5, "backward": 4}],
      "tread_mm": 150, "wheel_mm": 65, "max_mmps": 600, "limit_mmps": 200, "lag_s": 0.1, "minDuty": 0.2
    },
    "head": {"driver": "pwm", "chip": "pwm", "channel": 9, "low_deg": -10, "high_deg": 90, "low_us": 1500, "high_us": 2500, "speed_degps": 200},
    "pan": {"driver": "pwm", "chip": "pwm", "channel": 8, "low_deg": -90, "high_deg": 90, "low_us": 2400, "high_us": 600, "speed_degps": 200}
  },
  "body": {"front_mm": 100, "back_mm": 100, "width_mm": 150}
}`

// twoWheels is a kit whose motors have a duty channel and two inputs each.
const twoWheels = `{
  "robot": "kit", "title": "Two wheels",
  "buses": {"main": {}},
  "chips": {"pwm": {"chip": "pca9685", "address": "0x60", "frequency_Hz": 1526}},
  "parts": {
    "drive": {
      "driver": "bridge", "chip": "pwm",
      "left": [{"forward": 10, "backward": 9, "pwm": 8}], "right": [{"forward": 11, "backward": 12, "pwm": 13}],
      "tread_mm": 110, "wheel_mm": 65, "max_mmps": 600
    }
  },
  "body": {"front_mm": 100, "back_mm": 100, "width_mm": 150}
}`

// kit is the devices of a profile on emulated chips, without a world.
type kit struct {
	t      *testing.T
	p      *profile.Profile
	clk    *hwtest.Clock
	bus    *emul.Bus
	lines  *emul.Lines
	pwm    *emul.PCA9685
	board  device.Board
	safety *device.Safety
}

func readKit(t *testing.T, src string) *profile.Profile {
	t.Helper()
	p, diags := profile.Parse("robots/kit.json", []byte(src), nil)
	if p == nil || len(diags) > 0 {
		t.Fatal(diags)
	}
	return p
}

func newKit(t *testing.T, src string) *kit {
	t.Helper()
	k := &kit{t: t, p: readKit(t, src), clk: hwtest.NewClock(), lines: emul.NewLines(), pwm: emul.NewPCA9685(nil)}
	k.bus = emul.NewBus("main", k.clk, 1)
	if c, ok := k.p.Chips["pwm"]; ok {
		k.bus.Attach(c.Address, k.pwm)
	}
	k.board = device.Board{Profile: k.p, Bus: func(hardware.Clock) i2c.Bus { return k.bus.For(k.clk) }, Lines: k.lines}
	k.safety = device.NewSafety(k.lines)
	k.safety.Alone()
	return k
}

func (k *kit) device(name string) hardware.Device {
	k.t.Helper()
	d, err := device.New(name, k.board, k.safety, nil)
	if err != nil {
		k.t.Fatal(err)
	}
	return d
}

func (k *kit) runner(devices ...hardware.Device) *hwtest.Runner {
	k.t.Helper()
	r := hwtest.NewRunner(k.clk, devices...)
	if err := r.Open(); err != nil {
		k.t.Fatal(err)
	}
	r.Run(50*time.Millisecond, nil)
	return r
}

func (k *kit) apply(d hardware.Device, c hardware.Command) {
	k.t.Helper()
	if err := d.Apply(k.clk.Now(), c); err != nil {
		k.t.Fatal(err)
	}
}

// motors polls once and returns the state.
func (k *kit) state(d hardware.Device) hardware.MotorState {
	k.t.Helper()
	s, err := d.Poll(k.clk.Now())
	if err != nil {
		k.t.Fatal(err)
	}
	return *s.Value.(*hardware.MotorState)
}

// driven are the channels below n that are not off.
func (k *kit) driven(n int) (on []int) {
	for ch := range n {
		if k.pwm.Duty(ch) > 0 {
			on = append(on, ch)
		}
	}
	return on
}

func wheelsAt(id uint64, left, right float64) hardware.Drive {
	return hardware.Drive{ID: id, Kind: hardware.Wheels, LeftMMPS: left, RightMMPS: right}
}

func TestKitMotorsTurnByTheirDocumentedChannels(t *testing.T) {
	for _, c := range []struct {
		src         string
		left, right float64
		on, full    []int
	}{
		{fourWheels, 150, 150, []int{1, 2, 5, 7}, nil},
		{fourWheels, -150, -150, []int{0, 3, 4, 6}, nil},
		{fourWheels, -150, 150, []int{0, 3, 5, 7}, nil},
		{twoWheels, 150, 150, []int{8, 10, 11, 13}, []int{10, 11}},
		{twoWheels, -150, 150, []int{8, 9, 11, 13}, []int{9, 11}},
	} {
		k := newKit(t, c.src)
		m := k.device(hardware.Motors)
		r := k.runner(m)
		k.apply(m, wheelsAt(1, c.left, c.right))
		r.Run(200*time.Millisecond, nil)
		if on := k.driven(16); !equal(on, c.on) {
			t.Errorf("%s at %v, %v: channels %v are on, want %v", k.p.Title, c.left, c.right, on, c.on)
		}
		for _, ch := range c.full {
			if k.pwm.Duty(ch) != 1 {
				t.Errorf("%s: direction on channel %d is %v", k.p.Title, ch, k.pwm.Duty(ch))
			}
		}
	}
}

func equal(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestOpenLoopSegmentEndsWhereTheModelSays(t *testing.T) {
	k := newKit(t, fourWheels)
	m := k.device(hardware.Motors)
	r := k.runner(m)
	k.apply(m, hardware.Drive{ID: 1, Kind: hardware.Straight, DistanceMM: 100, SpeedMMPS: 1000})
	fastest, highest := 0.0, 0.0
	for range 200 {
		k.apply(m, hardware.Drive{ID: 1, Kind: hardware.Straight, DistanceMM: 100, SpeedMMPS: 1000})
		r.Run(20*time.Millisecond, nil)
		duty, st := k.pwm.Duty(1), k.state(m)
		if fastest = max(fastest, st.LeftMMPS); k.pwm.Duty(0) == 0 { // not braked
			highest = max(highest, duty)
		}
		if st.Phase != hardware.PhaseMoving {
			break
		}
	}
	st := k.state(m)
	if st.Phase != hardware.PhaseDone || math.Abs(st.LeftMM-100) > 2 || math.Abs(st.RightMM-100) > 2 {
		t.Errorf("ended as %v (%s) after %.1f and %.1f mm", st.Phase, st.Reason, st.LeftMM, st.RightMM)
	}
	if !st.Reckoned || !st.Edgeless || st.TreadMM != 150 {
		t.Errorf("told %+v", st)
	}
	if fastest > 205 { // of the profile's limit
		t.Errorf("drove at %.0f mm/s", fastest)
	}
	// At 200 of 600 mm/s the motors get a third of the duty above their dead band.
	if want := 0.2 + 0.8/3; highest < want-0.02 || highest > want+0.15 {
		t.Errorf("duty %.3f, want a little more than %.3f", highest, want)
	}
}

func TestMotorsAtRestAreBrakedForAWhileAndThenOff(t *testing.T) {
	k := newKit(t, fourWheels)
	m := k.device(hardware.Motors)
	r := k.runner(m)
	if on := k.driven(8); on != nil {
		t.Errorf("before the first order: %v", on)
	}
	k.apply(m, wheelsAt(1, 150, 150))
	r.Run(100*time.Millisecond, nil)
	k.apply(m, hardware.StopWheels{})
	r.Run(50*time.Millisecond, nil)
	if on := k.driven(8); len(on) != 8 || k.pwm.Duty(0) != 1 {
		t.Errorf("after a stop: %v", on)
	}
	r.Run(500*time.Millisecond, nil)
	if on := k.driven(8); on != nil {
		t.Errorf("long after a stop: %v", on)
	}
	if st := k.state(m); st.Enabled {
		t.Error("still enabled")
	}
}

// An emergency stop writes to the chip itself, so it does not need the driver, and leaves the servos alone.
func TestEmergencyStopWithoutALineCutsOverTheBus(t *testing.T) {
	k := newKit(t, fourWheels)
	m, s := k.device(hardware.Motors), k.device(hardware.Servos)
	r := k.runner(m, s)
	k.apply(s, hardware.MoveHead{ID: 1, AngleRad: 0.5})
	k.apply(m, wheelsAt(1, 150, 150))
	r.Run(100*time.Millisecond, nil)
	if len(k.driven(8)) != 4 {
		t.Fatal("does not drive")
	}
	stop := k.safety.EStop()
	if on := k.driven(8); on != nil {
		t.Errorf("driven after the stop: %v", on)
	}
	if k.pwm.Duty(8) == 0 || k.pwm.Duty(9) == 0 {
		t.Error("the servos lost their pulses")
	}
	r.Run(100*time.Millisecond, nil)
	if st := k.state(m); st.Phase != hardware.PhaseAborted || st.Reason != device.ReasonEStop {
		t.Errorf("%v %s", st.Phase, st.Reason)
	}
	k.apply(m, wheelsAt(2, 150, 150))
	r.Run(600*time.Millisecond, nil)
	if on := k.driven(8); on != nil {
		t.Errorf("driven while stopped: %v", on)
	}
	if _, err := k.safety.Resume(stop); err != nil {
		t.Fatal(err)
	}
	k.apply(m, wheelsAt(3, 150, 150))
	r.Run(100*time.Millisecond, nil)
	if len(k.driven(8)) != 4 {
		t.Error("does not drive after the resume")
	}
}

func TestHungDriverWithoutALineIsCutAgainAndAgain(t *testing.T) {
	k := newKit(t, fourWheels)
	m := k.device(hardware.Motors)
	r := k.runner(m)
	k.apply(m, wheelsAt(1, 150, 150))
	r.Run(100*time.Millisecond, nil)
	for i := range 3 { // the driver hangs, and each time its late write reaches the chip after the cut
		for ch := 0; ch < 8; ch += 2 {
			if err := k.bus.Tx(0x40, []byte{byte(6 + 4*ch), 0, 0, 0, 8}, nil); err != nil {
				t.Fatal(err)
			}
		}
		k.clk.Sleep(device.DefaultLease + time.Millisecond)
		fell := k.safety.Watch(k.clk.Now())
		if on := k.driven(8); on != nil || fell != (i == 0) {
			t.Fatalf("round %d: fell %v, driven %v", i, fell, on)
		}
	}
}

// The chip holds its duties while the bus is gone. The driver is not open then, so the watch repeats the cut until it reaches the chip.
func TestStopOverABusThatIsGoneIsRepeatedUntilItReachesTheChip(t *testing.T) {
	k := newKit(t, fourWheels)
	m := k.device(hardware.Motors)
	r := k.runner(m)
	k.apply(m, wheelsAt(1, 150, 150))
	r.Run(100*time.Millisecond, nil)
	k.bus.Unplug(true)
	k.safety.EStop()
	for range 3 {
		k.clk.Sleep(device.DefaultLease + time.Millisecond)
		k.safety.Watch(k.clk.Now())
	}
	if len(k.driven(8)) != 4 {
		t.Fatal("a bus that is gone let the stop through")
	}
	k.bus.Unplug(false)
	k.clk.Sleep(device.DefaultLease + time.Millisecond)
	k.safety.Watch(k.clk.Now())
	if on := k.driven(8); on != nil {
		t.Errorf("driven after the bus came back: %v", on)
	}
}

func TestDevicesOnOneChipDoNotStopEachOther(t *testing.T) {
	k := newKit(t, fourWheels)
	m, s := k.device(hardware.Motors), k.device(hardware.Servos)
	r := k.runner(m, s)
	k.apply(m, wheelsAt(1, 150, 150))
	r.Run(100*time.Millisecond, nil)
	before := k.pwm.Duty(1)
	fresh := k.device(hardware.Servos)
	if err := fresh.Open(k.clk); err != nil {
		t.Fatal(err)
	}
	if k.pwm.Duty(1) != before || before == 0 {
		t.Errorf("servos opened: the wheels' duty went from %v to %v", before, k.pwm.Duty(1))
	}
	if err := fresh.Halt(); err != nil || k.pwm.Duty(1) != before {
		t.Errorf("servos halted: %v; the wheels' duty went from %v to %v", err, before, k.pwm.Duty(1))
	}
	k.apply(s, hardware.MoveHead{ID: 1, AngleRad: 0.5})
	r.Run(100*time.Millisecond, nil)
	pulse := k.pwm.Duty(9)
	again := k.device(hardware.Motors)
	if err := again.Open(k.clk); err != nil {
		t.Fatal(err)
	}
	if k.pwm.Duty(9) != pulse || pulse == 0 || k.driven(8) != nil {
		t.Errorf("motors opened: the head's pulse went from %v to %v, motors %v", pulse, k.pwm.Duty(9), k.driven(8))
	}
}

// Whichever device finds the chip without its configuration configures it, which switches all outputs off; the other one notices.
func TestConfigurationOfASharedChipIsNoticedByTheOther(t *testing.T) {
	for _, first := range []string{hardware.Motors, hardware.Servos} {
		k := newKit(t, fourWheels)
		m, s := k.device(hardware.Motors), k.device(hardware.Servos)
		r := k.runner(m, s)
		k.apply(s, hardware.MoveHead{ID: 1, AngleRad: 0.5})
		k.apply(m, wheelsAt(1, 150, 150))
		r.Run(100*time.Millisecond, nil)
		k.pwm.PowerOnReset()
		healer := map[string]hardware.Device{hardware.Motors: m, hardware.Servos: s}[first]
		k.clk.Sleep(100 * time.Millisecond) // both verify at their next poll
		if _, err := healer.Poll(k.clk.Now()); err != nil {
			t.Fatal(err)
		}
		r.Run(600*time.Millisecond, nil)
		if st := k.state(m); st.Phase != hardware.PhaseAborted || k.driven(8) != nil {
			t.Errorf("%s first: the wheels are %v, %v driven", first, st.Phase, k.driven(8))
		}
		if k.pwm.Duty(8) == 0 || k.pwm.Duty(9) == 0 {
			t.Errorf("%s first: the servos have no pulses", first)
		}
		k.apply(m, wheelsAt(2, 150, 150))
		r.Run(100*time.Millisecond, nil)
		if len(k.driven(8)) != 4 {
			t.Errorf("%s first: does not drive again", first)
		}
	}
}

func TestServoWithoutFeedbackIsWhereItWasSent(t *testing.T) {
	k := newKit(t, fourWheels)
	s := k.device(hardware.Servos)
	r := k.runner(s)
	read := func() hardware.ServoState {
		sample, err := s.Poll(k.clk.Now())
		if err != nil {
			t.Fatal(err)
		}
		return *sample.Value.(*hardware.ServoState)
	}
	deg := math.Pi / 180
	if st := read(); math.Abs(st.HeadRad-40*deg) > 1e-9 || !st.NoLift || st.NoHead {
		t.Errorf("at the start %+v", st)
	}
	k.apply(s, hardware.MoveHead{ID: 7, AngleRad: 2})
	k.apply(s, hardware.MoveLift{ID: 8, HeightMM: 50})
	r.Run(100*time.Millisecond, nil)
	if st := read(); !st.HeadMoving || st.HeadRad <= 40*deg || st.HeadRad >= 90*deg || st.LiftID != 0 {
		t.Errorf("on the way %+v", st)
	}
	r.Run(time.Second, nil)
	if st := read(); st.HeadMoving || math.Abs(st.HeadRad-90*deg) > 1e-9 || st.HeadID != 7 {
		t.Errorf("at the end %+v", st)
	}
	for ch, us := range map[int]float64{9: 2500, 8: 1500} { // pan in the middle
		if got := k.pwm.Duty(ch) / k.pwm.Frequency() * 1e6; math.Abs(got-us) > 5 {
			t.Errorf("channel %d has pulses of %.0f µs, want %.0f", ch, got, us)
		}
	}
}

// Nothing says that ahead is in the middle of the travel.
func TestPanLooksAhead(t *testing.T) {
	k := newKit(t, replaced(fourWheels, `"low_deg": -90, "high_deg": 90, "low_us": 2400`, `"low_deg": -60, "high_deg": 90, "low_us": 2400`))
	s := k.device(hardware.Servos)
	k.runner(s).Run(time.Second, nil)
	if got := k.pwm.Duty(8) / k.pwm.Frequency() * 1e6; math.Abs(got-1680) > 5 { // two fifths of the way from 2400 to 600
		t.Errorf("pulses of %.0f µs, want 1680", got)
	}
}

func TestKitDevicesKeepTheContract(t *testing.T) {
	commands := map[string][]hardware.Command{
		hardware.Motors: {wheelsAt(1, 100, 100), hardware.StopWheels{}, hardware.AckCliff{}},
		hardware.Servos: {hardware.MoveHead{ID: 1, AngleRad: 0.3}, hardware.MoveLift{ID: 2, HeightMM: 60}},
	}
	for _, src := range []string{fourWheels, twoWheels} {
		for _, name := range readKit(t, src).Subsystems() {
			t.Run(strings.Fields(readKit(t, src).Title)[0]+" "+name, func(t *testing.T) {
				hwtest.Contract(t, func() (hardware.Device, *hwtest.Env) {
					k := newKit(t, src)
					addr := k.p.Chips["pwm"].Address
					return k.device(name), &hwtest.Env{
						Clock: k.clk, Commands: commands[name], Fresh: func() hardware.Device { return k.device(name) },
						Break: func() { k.bus.SetFault(addr, emul.Fault{Absent: true}) }, Mend: func() { k.bus.SetFault(addr, emul.Fault{}) },
					}
				})
			})
		}
	}
}

// replaced is a profile with words in place of others.
func replaced(src string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(src) }

func contains(s, part string) bool { return strings.Contains(s, part) }
