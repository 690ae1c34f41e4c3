package device_test

import (
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/sim"
)

// withEncoders is R1 that counts so many edges of a period, 700 periods a turn.
func withEncoders(t *testing.T, edges int, maxPerSecond float64, cost time.Duration) *drivetrain {
	t.Helper()
	p, drive, enc := *r1, *r1.Drive, *r1.Drive.Encoders
	enc.Edges, enc.CountsPerTurn, enc.MaxEdgesPerSecond = edges, float64(700*edges), maxPerSecond
	drive.Encoders, p.Drive = &enc, &drive
	b := newBench(t, sim.Options{Seed: 7, StartOffCharger: true, Nobody: true, Profile: &p, EdgeCost: cost})
	b.board.Profile = &p
	b.rig.Place(0, 0, 0)
	r := b.runner(hardware.Cliff, hardware.Motors)
	return &drivetrain{bench: b, Runner: r, motors: r.Devices[1]}
}

// ways are the distances that the robot drove back and forth, and that it believes.
func (d *drivetrain) ways(t *testing.T, mmps float64, goals ...float64) (real, believed float64) {
	t.Helper()
	for _, mm := range goals {
		x, was := d.rig.View().Robot.XMM, d.state().LeftMM
		s := d.drive(hardware.Drive{Kind: hardware.Straight, DistanceMM: mm, SpeedMMPS: mmps, AccelMMPS2: 1000})
		if s.Phase != hardware.PhaseDone {
			t.Logf("%.0f mm: %v %s", mm, s.Phase, s.Reason)
		}
		d.Run(200*time.Millisecond, nil)
		real += math.Abs(d.rig.View().Robot.XMM - x)
		believed += math.Abs(d.state().LeftMM - was)
	}
	return real, believed
}

var backAndForth = []float64{150, -150, 120, -120, 5, -5, 40, -40}

func TestRobotGoesAsFarAsItCountsAtAnyNumberOfEdges(t *testing.T) {
	for _, edges := range []int{1, 2, 4} {
		d := withEncoders(t, edges, 3000, 0)
		real, believed := d.ways(t, 220, backAndForth...)
		if math.Abs(real-630) > 12 || math.Abs(real-believed) > 8 {
			t.Errorf("%d edges: went %.1f mm and believes %.1f of 630", edges, real, believed)
		}
		t.Logf("%d edges: went %.1f mm, believes %.1f", edges, real, believed)
	}
}

// The fault that the limit prevents: edges merge, so the robot goes farther than it counts.
func TestRobotThatCountsTooFastGoesTooFar(t *testing.T) {
	d := withEncoders(t, 4, 1e6, 0)
	real, believed := d.ways(t, 220, backAndForth...)
	if real < 1.05*believed {
		t.Errorf("went %.1f mm and believes %.1f: nothing merged", real, believed)
	}
	t.Logf("went %.1f mm, believes %.1f", real, believed)
}

func TestWheelsTurnNoFasterThanTheirEdgesAreCounted(t *testing.T) {
	d := withEncoders(t, 4, 1000, 0)
	limit := 1000.0 / 2800 * math.Pi * r1.Drive.WheelMM
	for range 15 {
		d.apply(d.motors, hardware.Drive{ID: 1, Kind: hardware.Wheels, LeftMMPS: 200, RightMMPS: -200})
		d.Run(60*time.Millisecond, nil)
	}
	if s := d.state(); math.Abs(s.LeftMMPS-limit) > 4 || math.Abs(s.RightMMPS+limit) > 4 {
		t.Errorf("%.1f and %.1f mm/s, want %.1f", s.LeftMMPS, s.RightMMPS, limit)
	}
}

func TestOneGapInTheCountsIsBridgedTwoAreAFault(t *testing.T) {
	d := withEncoders(t, 1, 3000, 0)
	c := hardware.Drive{ID: 1, Kind: hardware.Straight, DistanceMM: 200, SpeedMMPS: 100}
	for range 8 {
		d.apply(d.motors, c)
		d.Run(60*time.Millisecond, nil)
	}
	gap := func() {
		d.rig.LoseEdges(10)
		d.apply(d.motors, c)
		d.Run(60*time.Millisecond, nil)
	}
	before := d.state().LeftMM
	gap()
	if s := d.state(); s.Phase != hardware.PhaseMoving || s.LeftMM < before+4 {
		t.Fatalf("after one gap: %+v, %.1f mm before", s, before)
	}
	gap()
	if s := d.state(); s.Phase != hardware.PhaseAborted || s.Reason != "fault" || s.Enabled {
		t.Errorf("after two gaps: %+v", s)
	}
}

func TestGapsFarApartCostNoWay(t *testing.T) {
	d := withEncoders(t, 1, 3000, 0)
	x, was := d.rig.View().Robot.XMM, d.state().LeftMM
	c := hardware.Drive{ID: 1, Kind: hardware.Straight, DistanceMM: 200, SpeedMMPS: 60}
	gaps := 0
	for i := range 100 {
		if i%20 == 10 && d.state().Phase == hardware.PhaseMoving {
			d.rig.LoseEdges(5)
			gaps++
		}
		d.apply(d.motors, c)
		d.Run(60*time.Millisecond, nil)
	}
	real, believed := d.rig.View().Robot.XMM-x, d.state().LeftMM-was
	if s := d.state(); s.Phase != hardware.PhaseDone || gaps != 3 || math.Abs(real-believed) > 0.8 {
		t.Errorf("%d gaps: went %.2f mm, believes %.2f, %+v", gaps, real, believed, s)
	}
	t.Logf("%d gaps: went %.2f mm, believes %.2f", gaps, real, believed)
}

// A count is 5.7 mm here: no wheel can be known to be nearer to its goal than that.
func TestSegmentEndsWhereACoarseEncoderCanTell(t *testing.T) {
	p, drive, enc := *r1, *r1.Drive, *r1.Drive.Encoders
	enc.Edges, enc.CountsPerTurn = 4, 16
	drive.Encoders, p.Drive = &enc, &drive
	b := newBench(t, sim.Options{Seed: 7, StartOffCharger: true, Nobody: true, Profile: &p})
	b.board.Profile = &p
	b.rig.Place(0, 0, 0)
	r := b.runner(hardware.Cliff, hardware.Motors)
	d := &drivetrain{bench: b, Runner: r, motors: r.Devices[1]}
	for _, mm := range []float64{100, -100, 60, -60, 33, -33} {
		x := d.rig.View().Robot.XMM
		s := d.drive(hardware.Drive{Kind: hardware.Straight, DistanceMM: mm, SpeedMMPS: 80})
		d.Run(300*time.Millisecond, nil)
		if went := d.rig.View().Robot.XMM - x; s.Phase != hardware.PhaseDone || math.Abs(went-mm) > 8 {
			t.Errorf("%.0f mm: %v %s, went %.1f mm", mm, s.Phase, s.Reason, went)
		}
	}
}
