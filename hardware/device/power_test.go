package device_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/sim"
)

// The bounds of the one-shot's pulse, and the rule of hardware/README.md.
const (
	shortest, longest = 0.7, 1.3
	offLimit          = 300 * time.Millisecond
)

// fedDrive is a drivetrain whose motors' power is watched at the gate.
type fedDrive struct {
	*drivetrain
	on    bool
	since time.Time // of the last edge
	edges int
}

func newFedDrive(t *testing.T, ratio float64) *fedDrive {
	f := &fedDrive{}
	b := newBench(t, sim.Options{Seed: 7, StartOffCharger: true, Nobody: true, PulseRatio: ratio, OnPower: func(at time.Time, on bool) {
		f.on, f.since = on, at
		f.edges++
	}})
	b.rig.Place(0, 0, 0)
	r := b.runner(hardware.Cliff, hardware.Motors)
	f.drivetrain = &drivetrain{bench: b, Runner: r, motors: r.Devices[1]}
	return f
}

var ahead = hardware.Drive{ID: 1, Kind: hardware.Wheels, LeftMMPS: 100, RightMMPS: 100}

// cruise drives until the wheels turn.
func (f *fedDrive) cruise() {
	f.t.Helper()
	f.apply(f.motors, ahead)
	f.Run(200*time.Millisecond, nil)
	if !f.on || f.state().LeftMMPS < 50 {
		f.t.Fatalf("power %v, %+v", f.on, f.state())
	}
	f.apply(f.motors, ahead)
}

// stall lets time go on without a control cycle, as a process that is stopped does.
func (f *fedDrive) stall(d time.Duration) {
	f.clk.Sleep(d)
	f.rig.Stats() // the world goes on
}

func TestWheelsHavePowerFromFirstCompletedCycleOn(t *testing.T) {
	f := newFedDrive(t, 1)
	if f.apply(f.motors, ahead); f.on || !f.enable.high {
		t.Fatalf("MOTOR_EN %v, power %v right after the order", f.enable.high, f.on)
	}
	if _, err := f.motors.Poll(f.clk.Now()); err != nil || !f.on {
		t.Errorf("power %v after a cycle, %v", f.on, err)
	}
	f.bus.Stick(time.Second)
	f.stall(20 * time.Millisecond)
	if _, err := f.motors.Poll(f.clk.Now()); err != nil || f.on {
		t.Errorf("power %v after a cycle that failed, %v", f.on, err)
	}
}

// The bridge sleeps within 300 ms of the last cycle with every one-shot, and the driver says what happened when it goes on.
// Rules: FLT-4.
func TestProcessThatStandsStillLosesThePower(t *testing.T) {
	for _, ratio := range []float64{shortest, 1, longest} {
		for _, stall := range []time.Duration{offLimit, 400 * time.Millisecond, time.Second, time.Minute} {
			t.Run(fmt.Sprint(ratio, " ", stall), func(t *testing.T) {
				f := newFedDrive(t, ratio)
				f.cruise()
				last := f.clk.Now()
				f.stall(stall)
				if late := f.since.Sub(last); f.on || late > offLimit || late < 0 {
					t.Fatalf("power %v, edge %v after the last cycle", f.on, late)
				}
				edges, lapses := f.edges, 0
				f.OnSample = func(_ hardware.Device, s hardware.Sample, _ error) {
					if s.Lapse != 0 {
						lapses++
					}
				}
				s, err := f.motors.Poll(f.clk.Now())
				if v := s.Value.(*hardware.MotorState); err != nil || v.Phase != hardware.PhaseAborted || v.Reason != device.ReasonBeat || v.Enabled {
					t.Errorf("%+v, %v", s.Value, err)
				}
				if s.Lapse < stall || s.Lapse > stall+10*time.Millisecond {
					t.Errorf("lapse of %v, want %v", s.Lapse, stall)
				}
				f.Run(500*time.Millisecond, nil)
				if f.edges != edges || lapses != 0 {
					t.Errorf("%d edges of the power without an order, %d more lapses", f.edges-edges, lapses)
				}
				again := ahead
				again.ID = 2
				f.apply(f.motors, again)
				f.Run(100*time.Millisecond, nil)
				if !f.on || f.state().Phase != hardware.PhaseMoving {
					t.Errorf("after that: power %v, %+v", f.on, f.state())
				}
			})
		}
	}
}

// A process that is stopped when a cycle has begun finds the power gone in that cycle. That is no fault of the circuit.
// Rules: FLT-4.
func TestProcessThatStandsStillInACycleBlamesNoCircuit(t *testing.T) {
	const stall = 400 * time.Millisecond
	for _, ratio := range []float64{shortest, 1, longest} {
		f := newFedDrive(t, ratio)
		f.cruise()
		f.Run(20*time.Millisecond, nil)
		begin := f.clk.Now()
		f.stall(stall)
		s, err := f.motors.Poll(begin)
		if err != nil {
			t.Fatalf("one-shot of %v: %v", ratio, err)
		}
		if v := s.Value.(*hardware.MotorState); f.on || v.Phase != hardware.PhaseAborted || v.Reason != device.ReasonBeat {
			t.Errorf("one-shot of %v: power %v, %+v", ratio, f.on, v)
		}
		if s.Lapse < stall || s.Lapse > stall+50*time.Millisecond {
			t.Errorf("one-shot of %v: lapse of %v, want %v", ratio, s.Lapse, stall)
		}
	}
}

// slowBus holds up the next transaction.
type slowBus struct {
	i2c.Bus
	clk  hardware.Clock
	hold *time.Duration
}

func (b slowBus) Tx(addr uint16, w, r []byte) error {
	b.clk.Sleep(*b.hold)
	*b.hold = 0
	return b.Bus.Tx(addr, w, r)
}

// A cycle that was held up until the power went does not bring it back with what it wrote: the next one ends the motion.
// Rules: FLT-4.
func TestCycleThatEndsAfterThePulseDoesNotBeat(t *testing.T) {
	f := newFedDrive(t, 1)
	hold := time.Duration(0)
	f.board.Bus = func(clk hardware.Clock) i2c.Bus { return slowBus{f.bus.For(clk), clk, &hold} }
	f.motors = f.device(hardware.Motors)
	f.Devices[1] = f.motors
	if err := f.motors.Open(f.clk); err != nil {
		t.Fatal(err)
	}
	f.cruise()
	f.Run(60*time.Millisecond, nil)
	hold = 240 * time.Millisecond // the pulse ends, the lease does not
	edges := f.edges
	if _, err := f.motors.Poll(f.clk.Now()); err != nil || f.on || f.edges != edges+1 {
		t.Fatalf("power %v, %d edges, %v", f.on, f.edges-edges, err)
	}
	s, err := f.motors.Poll(f.clk.Now())
	if v := s.Value.(*hardware.MotorState); err != nil || v.Reason != device.ReasonBeat || f.edges != edges+1 {
		t.Errorf("%+v, %v", v, err)
	}
}

// A stall shorter than the shortest pulse is not felt, however often it comes: a loaded machine does not stutter.
func TestLateCyclesKeepThePower(t *testing.T) {
	f := newFedDrive(t, shortest)
	f.cruise()
	edges := f.edges
	for range 30 {
		f.stall(130 * time.Millisecond) // the cliff scan of this single-threaded runner comes on top
		if _, err := f.Devices[0].Poll(f.clk.Now()); err != nil {
			t.Fatal(err)
		}
		f.apply(f.motors, ahead)
		if s, err := f.motors.Poll(f.clk.Now()); err != nil || s.Lapse != 0 || s.Value.(*hardware.MotorState).Phase != hardware.PhaseMoving {
			t.Fatalf("%+v, %v", s, err)
		}
	}
	if f.edges != edges {
		t.Error("the power went")
	}
}

// Neither a stop nor an idle robot beats.
// Rules: FLT-4.
func TestHeartbeatRestsWhileTheEnableLineIsLow(t *testing.T) {
	for name, lower := range map[string]func(f *fedDrive){
		"emergency stop": func(f *fedDrive) { f.safety.EStop() },
		"cliff":          func(f *fedDrive) { f.safety.Cliff(all, f.clk.Now()) },
		"supervisor":     func(f *fedDrive) { f.safety.Down("panic") },
		"idle":           func(f *fedDrive) { f.apply(f.motors, hardware.StopWheels{}); f.Run(time.Second, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFedDrive(t, 1)
			f.cruise()
			lower(f)
			if f.on || f.enable.beat || f.enable.beats == 0 {
				t.Fatalf("power %v, beat %v after %d beats", f.on, f.enable.beat, f.enable.beats)
			}
			before := f.enable.beats
			lapses := 0
			f.OnSample = func(_ hardware.Device, s hardware.Sample, _ error) {
				if s.Lapse != 0 {
					lapses++
				}
			}
			f.Run(time.Second, nil)
			if lapses != 0 {
				t.Errorf("%d lapses", lapses)
			}
			if n := f.enable.beats - before; n != 0 {
				t.Errorf("%d beats while the line is low", n)
			}
		})
	}
}

// Each fault of the circuit is found before the wheels turn without its protection, or at once while they turn.
// Rules: FLT-4.
func TestBrokenHeartbeatCircuitFailsTheMotors(t *testing.T) {
	for _, c := range []struct {
		name   string
		level  bool // of the sense line when it gets stuck
		device string
		kind   string
		cause  hardware.Cause
		within time.Duration
		idle   bool // the fault comes while the wheels stand
	}{
		{"beat line stuck", true, sim.FaultBeat, sim.KindStuck, hardware.CauseActuator, offLimit + 20*time.Millisecond, false},
		{"beat line gone", true, sim.FaultBeat, sim.KindUnplug, hardware.CauseGone, 20 * time.Millisecond, false},
		{"sense line gone", true, sim.FaultSense, sim.KindUnplug, hardware.CauseGone, 20 * time.Millisecond, false},
		{"sense line stuck low", false, sim.FaultSense, sim.KindStuck, hardware.CauseActuator, 35 * time.Millisecond, true},
		{"power stays on", true, sim.FaultSense, sim.KindStuck, hardware.CauseActuator, 20 * time.Millisecond, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFedDrive(t, longest)
			var failed error
			f.OnSample = func(_ hardware.Device, _ hardware.Sample, err error) { failed = errors.Join(failed, err) }
			f.cruise()
			if c.idle && !c.level {
				f.apply(f.motors, hardware.StopWheels{})
				f.Run(time.Second, nil)
			}
			f.fault(c.device, c.kind)
			if c.idle && c.level {
				f.apply(f.motors, hardware.StopWheels{})
				f.Run(time.Second, nil)
			}
			at := f.clk.Now()
			for i := uint64(2); failed == nil && f.clk.Now().Sub(at) < 2*time.Second; i++ {
				if c.idle {
					d := ahead
					d.ID = i
					f.apply(f.motors, d)
				} else {
					f.apply(f.motors, ahead)
				}
				f.Run(10*time.Millisecond, nil)
			}
			if took := f.clk.Now().Sub(at); hardware.Classify(failed) != c.cause || took > c.within {
				t.Errorf("after %v: %v, want %v within %v", took, failed, c.cause, c.within)
			}
			if f.enable.high {
				t.Error("MOTOR_EN is still high")
			}
		})
	}
}

// A line of the circuit that was lost and came back while the wheels stood is requested anew before they turn, whether or not the driver
// was opened anew meanwhile. Storms found robots whose motors failed at their next motion.
// Rules: FLT-4.
func TestLineThatWasLostAtRestDoesNotFailNextMotion(t *testing.T) {
	for _, line := range []string{sim.FaultBeat, sim.FaultSense} {
		for _, opened := range []bool{false, true} {
			t.Run(fmt.Sprint(line, " driver opened anew ", opened), func(t *testing.T) {
				f := newFedDrive(t, 1)
				f.cruise()
				f.apply(f.motors, hardware.StopWheels{})
				f.Run(time.Second, nil)
				f.fault(line, sim.KindUnplug)
				f.rig.ClearFaults()
				if opened {
					if err := f.motors.Halt(); err != nil {
						t.Fatal(err)
					}
					if err := f.motors.Open(f.clk); err != nil {
						t.Fatal(err)
					}
				} else {
					f.Run(100*time.Millisecond, nil)
				}
				f.OnSample = func(_ hardware.Device, _ hardware.Sample, err error) {
					if err != nil {
						t.Errorf("the next motion fails: %v", err)
					}
				}
				d := ahead
				d.ID = 2
				f.apply(f.motors, d)
				if f.Run(200*time.Millisecond, nil); !f.on {
					t.Error("the wheels have no power")
				}
			})
		}
	}
}

// A process that starts while the pulse of the one before still runs waits until it saw the power off.
// Rules: FLT-4.
func TestWheelsWaitUntilThePowerWasSeenOff(t *testing.T) {
	f := newFedDrive(t, longest)
	f.cruise()
	fresh := device.NewSafety(f.board.Lines)
	if err := f.safety.Close(); err != nil {
		t.Fatal(err)
	}
	owner, err := fresh.Own(device.Wiring{Drive: r1.Drive})
	if err != nil {
		t.Fatal(err)
	}
	if err := fresh.Enable(owner, f.clk.Now()); err == nil || f.enable.high {
		t.Errorf("raised while the pulse runs: %v", err)
	}
	f.stall(offLimit)
	if err := fresh.Enable(owner, f.clk.Now()); err != nil {
		t.Errorf("after the pulse: %v", err)
	}
}
