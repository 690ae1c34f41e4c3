package device_test

import (
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/hwtest"
	"github.com/robotd/robotd/hardware/sim"
)

// drivetrain is a bench with cliff sensors and motors running.
type drivetrain struct {
	*bench
	*hwtest.Runner
	motors hardware.Device
	id     uint64
}

func newDrivetrain(t *testing.T) *drivetrain {
	b := middle(t)
	r := b.runner(hardware.Cliff, hardware.Motors)
	return &drivetrain{bench: b, Runner: r, motors: r.Devices[1]}
}

func (d *drivetrain) state() hardware.MotorState { return d.Snapshot.Motors.Value }

// drive sends a command and renews its lease every 60 ms until it ends.
func (d *drivetrain) drive(c hardware.Drive) hardware.MotorState {
	d.t.Helper()
	d.id++
	c.ID = d.id
	for range 500 {
		d.apply(d.motors, c)
		d.Run(60*time.Millisecond, func() bool { return d.state().Segment == c.ID && d.state().Phase != hardware.PhaseMoving })
		if d.state().Phase != hardware.PhaseMoving {
			break
		}
	}
	return d.state()
}

func TestStraightAndTurnEndAtTheirGoal(t *testing.T) {
	cases := []struct {
		name string
		c    hardware.Drive
	}{
		{"forward", hardware.Drive{Kind: hardware.Straight, DistanceMM: 150, SpeedMMPS: 100}},
		{"backward slowly", hardware.Drive{Kind: hardware.Straight, DistanceMM: -80, SpeedMMPS: 30}},
		{"at full speed", hardware.Drive{Kind: hardware.Straight, DistanceMM: 200, SpeedMMPS: 220, AccelMMPS2: 1000}},
		{"a little", hardware.Drive{Kind: hardware.Straight, DistanceMM: 5, SpeedMMPS: 100}},
		{"left", hardware.Drive{Kind: hardware.Turn, AngleRad: math.Pi / 2, SpeedRadPS: 2}},
		{"right around", hardware.Drive{Kind: hardware.Turn, AngleRad: -math.Pi, SpeedRadPS: 5}},
		{"a few degrees", hardware.Drive{Kind: hardware.Turn, AngleRad: 0.1, SpeedRadPS: 1}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := newDrivetrain(t)
			before := d.state()
			s := d.drive(c.c)
			if s.Phase != hardware.PhaseDone {
				t.Fatalf("phase %v, reason %q", s.Phase, s.Reason)
			}
			d.Run(300*time.Millisecond, nil)
			s = d.state()
			l, r := s.LeftMM-before.LeftMM, s.RightMM-before.RightMM
			way, turn := (l+r)/2, (r-l)/46
			if math.Abs(way-c.c.DistanceMM) > 2 {
				t.Errorf("went %.2f mm instead of %.0f", way, c.c.DistanceMM)
			}
			if math.Abs(turn-c.c.AngleRad) > 2*math.Pi/180 {
				t.Errorf("turned %.3f rad instead of %.3f", turn, c.c.AngleRad)
			}
			if s.LeftMMPS != 0 && math.Abs(s.LeftMMPS) > 1 {
				t.Errorf("still rolling at %.2f mm/s", s.LeftMMPS)
			}
		})
	}
}

func TestWheelsFollowTheirSpeeds(t *testing.T) {
	d := newDrivetrain(t)
	for range 15 {
		d.apply(d.motors, hardware.Drive{ID: 1, Kind: hardware.Wheels, LeftMMPS: 60, RightMMPS: 90})
		d.Run(60*time.Millisecond, nil)
	}
	if s := d.state(); math.Abs(s.LeftMMPS-60) > 6 || math.Abs(s.RightMMPS-90) > 6 {
		t.Errorf("speeds %.1f and %.1f mm/s, want 60 and 90", s.LeftMMPS, s.RightMMPS)
	}
}

func TestNewSegmentContinuesFromCurrentSpeed(t *testing.T) {
	d := newDrivetrain(t)
	d.apply(d.motors, hardware.Drive{ID: 1, Kind: hardware.Straight, DistanceMM: 300, SpeedMMPS: 100})
	d.Run(240*time.Millisecond, nil)
	d.apply(d.motors, hardware.Drive{ID: 2, Kind: hardware.Straight, DistanceMM: 100, SpeedMMPS: 100})
	slowest := math.Inf(1)
	d.Run(200*time.Millisecond, func() bool {
		slowest = min(slowest, d.state().LeftMMPS)
		return false
	})
	if slowest < 25 {
		t.Errorf("slowed down to %.1f mm/s between two segments", slowest)
	}
}

// Rules: FLT-4.
func TestExpiredLeaseStopsTheWheelsInTime(t *testing.T) {
	d := newDrivetrain(t)
	d.Run(3*time.Millisecond, nil)              // so that the lease ends between two polls
	end := d.clk.Now().Add(device.DefaultLease) // waking the bridge takes time
	d.apply(d.motors, hardware.Drive{ID: 1, Kind: hardware.Straight, DistanceMM: 300, SpeedMMPS: 100})
	var at time.Time
	d.Run(time.Second, func() bool {
		at = d.clk.Now()
		return d.state().Phase == hardware.PhaseAborted
	})
	// The cliff scan of this single-threaded runner can hold the motors up by its 9 ms; an actor has its own goroutine.
	if s := d.state(); s.Reason != device.ReasonLease || at.Before(end) || at.Sub(end) > 10*time.Millisecond {
		t.Errorf("stopped %v after the lease for %q", at.Sub(end), s.Reason)
	}
	d.Run(time.Second, nil)
	if s := d.state(); s.Enabled || math.Abs(s.LeftMMPS) > 0.1 {
		t.Errorf("not at rest: %+v", s)
	}
}

func TestDeadlineIsTheEndOfTheLease(t *testing.T) {
	d := newDrivetrain(t)
	dl := d.motors.(hardware.Deadliner)
	if !dl.Deadline().IsZero() {
		t.Error("deadline without a segment")
	}
	want := d.clk.Now().Add(device.DefaultLease)
	d.apply(d.motors, hardware.Drive{ID: 1, Kind: hardware.Wheels, LeftMMPS: 50, RightMMPS: 50})
	if !dl.Deadline().Equal(want) {
		t.Errorf("deadline %v, want %v", dl.Deadline(), want)
	}
}

func TestEndedSegmentIsNotRenewed(t *testing.T) {
	d := newDrivetrain(t)
	c := hardware.Drive{ID: 1, Kind: hardware.Wheels, LeftMMPS: 50, RightMMPS: 50}
	d.apply(d.motors, c)
	d.Run(time.Second, nil)
	d.apply(d.motors, c)
	d.Run(50*time.Millisecond, nil)
	if s := d.state(); s.Phase != hardware.PhaseAborted || math.Abs(s.LeftMMPS) > 0.1 {
		t.Errorf("a segment whose lease ended runs again: %+v", s)
	}
}

func TestStopWheelsEndsTheSegment(t *testing.T) {
	d := newDrivetrain(t)
	d.apply(d.motors, hardware.Drive{ID: 4, Kind: hardware.Straight, DistanceMM: 300, SpeedMMPS: 100})
	d.Run(200*time.Millisecond, nil)
	d.apply(d.motors, hardware.StopWheels{})
	d.Run(10*time.Millisecond, nil)
	if s := d.state(); s.Phase != hardware.PhaseAborted || s.Reason != device.ReasonOther || s.Segment != 4 {
		t.Errorf("state %+v", s)
	}
}

// Rules: CLF-4, CLF-8.
func TestCliffReflexStopsBeforeTheEdgeAndLatches(t *testing.T) {
	d := newDrivetrain(t)
	d.rig.Place(500, 0, 0)
	d.Run(50*time.Millisecond, nil)
	s := d.drive(hardware.Drive{Kind: hardware.Straight, DistanceMM: 400, SpeedMMPS: 170, AccelMMPS2: 1000})
	if s.Phase != hardware.PhaseAborted || s.Reason != device.ReasonCliff || !s.CliffLatched || s.Enabled {
		t.Fatalf("state %+v", s)
	}
	d.Run(500*time.Millisecond, nil)
	if n := d.rig.Stats().Falls; n != 0 {
		t.Fatal("fell off the table")
	}
	// Until acknowledged, nothing moves, not even a retreat.
	back := hardware.Drive{Kind: hardware.Straight, DistanceMM: -60, SpeedMMPS: 80, Retreat: true}
	if s := d.drive(back); s.Reason != device.ReasonCliff {
		t.Fatalf("moved although latched: %+v", s)
	}
	d.apply(d.motors, hardware.AckCliff{})
	// A normal motion is refused in sight of the edge, a retreat is not.
	if s := d.drive(hardware.Drive{Kind: hardware.Straight, DistanceMM: -60, SpeedMMPS: 80}); s.Reason != device.ReasonCliff {
		t.Fatalf("moved in sight of a cliff: %+v", s)
	}
	if s := d.drive(back); s.Phase != hardware.PhaseDone {
		t.Fatalf("retreat: %+v", s)
	}
	d.Run(100*time.Millisecond, nil)
	if d.Snapshot.Cliff.Value.Any() {
		t.Error("still at the edge")
	}
}

func TestRetreatStopsAtTheEdgeBehind(t *testing.T) {
	d := newDrivetrain(t)
	d.rig.Place(490, 0, math.Pi)
	d.Run(50*time.Millisecond, nil)
	s := d.drive(hardware.Drive{Kind: hardware.Straight, DistanceMM: -400, SpeedMMPS: 100, Retreat: true})
	if s.Reason != device.ReasonCliff || d.rig.Stats().Falls != 0 {
		t.Errorf("state %+v, falls %d", s, d.rig.Stats().Falls)
	}
}

// Rules: FLT-4.
func TestStaleCliffSensorsStopTheDrive(t *testing.T) {
	d := newDrivetrain(t)
	d.apply(d.motors, hardware.Drive{ID: 1, Kind: hardware.Straight, DistanceMM: 300, SpeedMMPS: 100})
	d.Run(200*time.Millisecond, nil)
	d.fault(hardware.Cliff, sim.KindAbsent)
	blind := d.clk.Now()
	d.apply(d.motors, hardware.Drive{ID: 1})
	d.Run(200*time.Millisecond, func() bool { return d.state().Phase == hardware.PhaseAborted })
	if s := d.state(); s.Reason != device.ReasonBlind || d.clk.Now().Sub(blind) > 90*time.Millisecond {
		t.Fatalf("%v after going blind: %+v", d.clk.Now().Sub(blind), s)
	}
	if s := d.drive(hardware.Drive{ID: 2, Kind: hardware.Turn, AngleRad: 1, SpeedRadPS: 1}); s.Reason != device.ReasonBlind {
		t.Errorf("accepted while blind: %+v", s)
	}
	d.id = 2
	if s := d.drive(hardware.Drive{Kind: hardware.Straight, DistanceMM: -30, SpeedMMPS: 50, Retreat: true}); s.Phase != hardware.PhaseDone {
		t.Errorf("retreat while blind: %+v", s)
	}
}

func TestEmergencyStopWorksWithoutBusAndHolds(t *testing.T) {
	d := newDrivetrain(t)
	d.apply(d.motors, hardware.Drive{ID: 1, Kind: hardware.Wheels, LeftMMPS: 100, RightMMPS: 100})
	d.Run(200*time.Millisecond, nil)
	before := d.bus.Transactions()
	stop := d.safety.EStop()
	if d.bus.Transactions() != before || d.enable.high {
		t.Fatal("the line must fall at once and without the bus")
	}
	d.Run(20*time.Millisecond, nil)
	if s := d.state(); s.Phase != hardware.PhaseAborted || s.Reason != device.ReasonEStop {
		t.Errorf("state %+v", s)
	}
	d.id = 1
	c := hardware.Drive{Kind: hardware.Straight, DistanceMM: 20, SpeedMMPS: 50}
	if s := d.drive(c); s.Reason != device.ReasonEStop {
		t.Errorf("drove in emergency stop: %+v", s)
	}
	if was, err := d.safety.Resume(stop); !was || err != nil {
		t.Errorf("resume: %t, %v", was, err)
	}
	if s := d.drive(c); s.Phase != hardware.PhaseDone {
		t.Errorf("after release: %+v", s)
	}
}

func TestFrozenEncoderEndsSegmentAsStall(t *testing.T) {
	d := newDrivetrain(t)
	d.fault(sim.FaultEncoders, sim.KindFrozen)
	began := d.clk.Now()
	s := d.drive(hardware.Drive{Kind: hardware.Straight, DistanceMM: 300, SpeedMMPS: 100})
	if s.Reason != device.ReasonStall || d.clk.Now().Sub(began) > time.Second {
		t.Errorf("after %v: %+v", d.clk.Now().Sub(began), s)
	}
}

func TestBrownOutStopsWheelsAndIsRepaired(t *testing.T) {
	d := newDrivetrain(t)
	c := hardware.Drive{ID: 1, Kind: hardware.Straight, DistanceMM: 300, SpeedMMPS: 100}
	d.apply(d.motors, c)
	d.Run(200*time.Millisecond, nil)
	d.bus.BrownOut(0x41)
	at := d.clk.Now()
	d.Run(100*time.Millisecond, func() bool { return d.state().Phase == hardware.PhaseAborted })
	if s := d.state(); s.Reason != device.ReasonFault || s.Enabled || d.clk.Now().Sub(at) > 60*time.Millisecond {
		t.Fatalf("%v after the brown-out: %+v", d.clk.Now().Sub(at), s)
	}
	d.id = 1
	if s := d.drive(hardware.Drive{Kind: hardware.Straight, DistanceMM: 20, SpeedMMPS: 50}); s.Phase != hardware.PhaseDone {
		t.Errorf("after healing: %+v", s)
	}
}

func TestThirdBrownOutInAMinuteFailsTheMotors(t *testing.T) {
	d := newDrivetrain(t)
	var failed error
	d.OnSample = func(_ hardware.Device, _ hardware.Sample, err error) {
		if err != nil && failed == nil {
			failed = err
		}
	}
	for i := range 3 {
		if failed != nil {
			t.Fatalf("error after %d brown-outs: %v", i, failed)
		}
		d.bus.BrownOut(0x41)
		d.Run(time.Second, func() bool { return failed != nil })
	}
	if hardware.Classify(failed) != hardware.CauseConfig {
		t.Errorf("error %v", failed)
	}
}

// The adapter of this bus gives up after 73 ms, as on a board of 400 kHz (hardware/README.md), and a transaction that timed out is not repeated.
func TestStuckBusPullsTheLineAtTheFirstTimeOut(t *testing.T) {
	d := newDrivetrain(t)
	d.apply(d.motors, hardware.Drive{ID: 1, Kind: hardware.Straight, DistanceMM: 300, SpeedMMPS: 100})
	d.Run(200*time.Millisecond, nil)
	d.bus.Stick(time.Second)
	now := d.clk.Now()
	if _, err := d.motors.Poll(now); err != nil {
		t.Fatal(err)
	}
	if late := d.enable.fell.Sub(now); d.enable.high || late < 0 || late > 74*time.Millisecond || d.clk.Now().Sub(now) > 75*time.Millisecond {
		t.Errorf("line high %v, fell %v after the poll began, which took %v", d.enable.high, late, d.clk.Now().Sub(now))
	}
}

func TestRetreatIgnoresTheEdgeItLeaves(t *testing.T) {
	d := newDrivetrain(t)
	d.apply(d.motors, hardware.Drive{ID: 1, Kind: hardware.Straight, DistanceMM: -100, SpeedMMPS: 50, Retreat: true})
	if d.safety.Cliff(front, d.clk.Now()) {
		t.Error("stopped for the edge in front while backing away")
	}
	if !d.safety.Cliff(all, d.clk.Now()) {
		t.Error("not stopped for the edge behind")
	}
}

func TestAbandonedMotorsDriverCannotRaiseTheLine(t *testing.T) {
	d := newDrivetrain(t)
	fresh := d.device(hardware.Motors)
	if err := fresh.Open(d.clk); err != nil {
		t.Fatal(err)
	}
	d.apply(d.motors, hardware.Drive{ID: 1, Kind: hardware.Wheels, LeftMMPS: 50, RightMMPS: 50})
	if d.enable.high {
		t.Error("an abandoned motors driver raised MOTOR_EN")
	}
}

func TestLostEnableLineIsRequestedAgain(t *testing.T) {
	d := newDrivetrain(t)
	d.fault(sim.FaultEnable, sim.KindUnplug)
	c := hardware.Drive{ID: 1, Kind: hardware.Straight, DistanceMM: 20, SpeedMMPS: 50}
	d.apply(d.motors, c)
	d.Run(100*time.Millisecond, nil)
	if d.rig.Stats().DistanceM > 0 || d.Snapshot.Motors.Quality != hardware.Failed {
		t.Fatalf("went %v m without the line, quality %v", d.rig.Stats().DistanceM, d.Snapshot.Motors.Quality)
	}
	d.id = 1
	d.rig.ClearFaults()
	d.Run(50*time.Millisecond, nil)
	if s := d.drive(hardware.Drive{Kind: hardware.Straight, DistanceMM: 20, SpeedMMPS: 50}); s.Phase != hardware.PhaseDone {
		t.Errorf("after its return: %+v", s)
	}
}

// The refusal can be read in the state, under the ID of the order.
func TestInvalidCommandsAreRefused(t *testing.T) {
	d := newDrivetrain(t)
	for _, c := range []hardware.Drive{
		{Kind: hardware.Wheels, LeftMMPS: 50},
		{ID: 1, Kind: hardware.Straight, DistanceMM: 10},
		{ID: 1, Kind: hardware.Turn, AngleRad: 1},
		{ID: 1, Kind: hardware.Wheels, LeftMMPS: math.NaN()},
		{ID: 1, Kind: 9},
	} {
		if err := d.motors.Apply(d.clk.Now(), c); hardware.Classify(err) != hardware.CauseCommand {
			t.Errorf("%+v gave %v", c, err)
		}
	}
	d.Run(20*time.Millisecond, nil)
	if s := d.state(); s.Segment != 1 || s.Phase != hardware.PhaseAborted || s.Reason != device.ReasonRefuse {
		t.Errorf("after the refusals: %+v", s)
	}
}
