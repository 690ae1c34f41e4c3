package sim

import (
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
)

// supplied is a rig whose MOTOR_EN and MOTOR_BEAT a test moves, with the edges of the motors' power.
type supplied struct {
	bench
	enable, beat, sense hardware.Line
	edges               []time.Duration // since the epoch; the power comes with the first one, goes with the second ...
}

func newSupplied(t *testing.T, ratio float64) *supplied {
	s := &supplied{}
	s.bench = newBench(t, Options{Nobody: true, PulseRatio: ratio, OnPower: func(at time.Time, on bool) {
		if on != (len(s.edges)%2 == 0) {
			t.Errorf("power %v twice", on)
		}
		s.edges = append(s.edges, at.Sub(epoch))
	}})
	var err error
	s.enable, err = s.Rig.Lines().Output(lineEnable, false)
	s.must(err)
	s.beat, err = s.Rig.Lines().Output(lineBeat, false)
	s.must(err)
	s.sense, err = s.Rig.Lines().Input(linePower)
	s.must(err)
	return s
}

func (s *supplied) want(on bool, edges ...time.Duration) {
	s.t.Helper()
	if got, err := s.sense.Get(); err != nil || got != on {
		s.t.Errorf("MOTOR_ON is %v, %v, want %v", got, err, on)
	}
	if len(s.edges) != len(edges) {
		s.t.Fatalf("edges %v, want %v", s.edges, edges)
	}
	for i := range edges {
		if s.edges[i] != edges[i] {
			s.t.Errorf("edges %v, want %v", s.edges, edges)
		}
	}
}

const msec = time.Millisecond

func TestBridgeWakesOnlyWithEnableAndBeat(t *testing.T) {
	s := newSupplied(t, 1)
	s.want(false) // as at power-on
	s.must(s.enable.Set(true))
	s.want(false)
	s.must(s.beat.Set(true))
	s.want(true, 0)
	s.Sleep(100 * msec)
	s.must(s.enable.Set(false))
	s.want(false, 0, 100*msec)
	s.Sleep(20 * msec)
	s.must(s.enable.Set(true)) // the pulse still runs
	s.want(true, 0, 100*msec, 120*msec)
	s.Sleep(time.Second)
	s.want(false, 0, 100*msec, 120*msec, 220*msec)
}

// A line that is stuck, or a process that only holds it, keeps no pulse running.
// Rules: FLT-4.
func TestLevelOfTheBeatHoldsNoPower(t *testing.T) {
	for _, level := range []bool{false, true} {
		s := newSupplied(t, 1)
		s.must(s.enable.Set(true))
		s.must(s.beat.Set(true))
		s.Sleep(10 * msec)
		s.must(s.beat.Set(level))
		s.must(s.Rig.Fault(FaultBeat, KindStuck, 0))
		for range 100 {
			s.Sleep(10 * msec)
			level = !level
			_ = s.beat.Set(level)
		}
		s.want(false, 0, 220*msec)
	}
}

func TestEachRisingEdgeStartsThePulseAnew(t *testing.T) {
	s := newSupplied(t, 0.7)
	s.must(s.enable.Set(true))
	for range 50 {
		s.must(s.beat.Set(true))
		s.Sleep(75 * msec)
		s.must(s.beat.Set(false))
		s.Sleep(75 * msec) // 150 ms from rise to rise: the shortest pulse is 154 ms
	}
	s.want(true, 0)
	s.Sleep(time.Second)
	s.want(false, 0, 49*150*msec+154*msec)
}

// Over many robots the pulse stays within the tolerance of its parts, and the slowest ends before 300 ms.
func TestPulseOfEveryRobotIsWithinTolerance(t *testing.T) {
	shortest, longest := never, int64(0)
	for seed := range uint64(2000) {
		n := pulseWidth(Options{}, noise(mix(seed)))
		shortest, longest = min(shortest, n), max(longest, n)
	}
	if lo, hi := time.Duration(shortest)*step, time.Duration(longest)*step; lo < 154*msec || hi > 288*msec || lo > 160*msec || hi < 280*msec {
		t.Errorf("pulses from %v to %v, want about 154 to 286 ms", lo, hi)
	}
}
