package calibrate_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/calibrate"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/hwtest"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/hardware/sim"
)

// counting is R1 that counts all four edges of a period, of which each costs a time, and whose profile takes its computer for a fast one.
func counting(t *testing.T, cost time.Duration) (*calibrate.Bench, *sim.Rig, *profile.Calibration) {
	t.Helper()
	body, drive, enc := *profile.R1(), *profile.R1().Drive, *profile.R1().Drive.Encoders
	enc.Edges, enc.CountsPerTurn, enc.MaxEdgesPerSecond = 4, 2800, 1e5
	drive.Encoders, body.Drive = &enc, &drive
	return benchOf(t, "", sim.Options{Seed: 7, StartOffCharger: true, EdgeCost: cost, Profile: &body}, nil)
}

// drives lets the wheels drive to and fro as fast as they may, and returns the real way and the believed one.
func drives(t *testing.T, b *calibrate.Bench, rig *sim.Rig, c profile.Calibration) (real, believed float64) {
	t.Helper()
	board := b.Board
	board.Calibration = c
	var devices []hardware.Device
	for _, name := range []string{hardware.Cliff, hardware.Motors} {
		d, err := device.New(name, board, b.Safety, nil)
		if err != nil {
			t.Fatal(err)
		}
		devices = append(devices, d)
	}
	r := hwtest.NewRunner(b.Clock.(*hwtest.Clock), devices...)
	if err := r.Open(); err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = devices[0].Halt(), devices[1].Halt() }()
	rig.Place(0, 0, 0)
	r.Run(200*time.Millisecond, nil)
	for i, mm := range []float64{150, -150, 120, -120} {
		from, was := rig.View().Robot, r.Snapshot.Motors.Value
		order := hardware.Drive{ID: uint64(i + 1), Kind: hardware.Straight, DistanceMM: mm, SpeedMMPS: 220, AccelMMPS2: 1000}
		for moving := true; moving; moving = r.Snapshot.Motors.Value.Phase == hardware.PhaseMoving {
			if err := devices[1].Apply(r.Clock.Now(), order); err != nil {
				t.Fatal(err)
			}
			r.Run(60*time.Millisecond, nil)
		}
		r.Run(300*time.Millisecond, nil)
		to, now := rig.View().Robot, r.Snapshot.Motors.Value
		real += math.Hypot(to.XMM-from.XMM, to.YMM-from.YMM)
		believed += math.Abs(now.LeftMM-was.LeftMM+now.RightMM-was.RightMM) / 2
	}
	return real, believed
}

func TestSlowerComputerGetsALowerCapAndThenCountsWhatItDrives(t *testing.T) {
	last := math.Inf(1)
	for _, cost := range []time.Duration{90 * time.Microsecond, 180 * time.Microsecond, 360 * time.Microsecond} {
		b, rig, kept := counting(t, cost)
		before := profile.Calibration{}
		real, believed := drives(t, b, rig, before)
		if real < 1.1*believed {
			t.Fatalf("%v: without the step it goes %.0f mm and believes %.0f: nothing merges", cost, real, believed)
		}
		t.Logf("%v: without the step it goes %.0f mm and believes %.0f", cost, real, believed)
		if err := run(t, b, "edges"); err != nil {
			t.Fatal(err)
		}
		limit := (*kept)[profile.KeyEdges]
		// Four lines share the processor: an edge of one is masked for cost/(1-3·rate·cost), and two lines make the counts of a wheel.
		if most := 2 / (4 * cost.Seconds()); limit > most || limit < most/2 || limit >= last {
			t.Errorf("%v: %.0f counts a second, want between %.0f and %.0f, below %.0f", cost, limit, most/2, most, last)
		}
		last = limit
		real, believed = drives(t, b, rig, *kept)
		if math.Abs(real-540) > 10 || math.Abs(real/believed-1) > 0.015 {
			t.Errorf("%v, %.0f counts a second: it goes %.1f mm of 540 and believes %.1f", cost, limit, real, believed)
		}
		t.Logf("%v: %.0f counts a second; it goes %.1f mm and believes %.1f", cost, limit, real, believed)
	}
}

func TestComputerThatCountsAllEdgesKeepsTheSpeedThatWasTried(t *testing.T) {
	b, _, kept := bench(t, 1, nil)
	if err := run(t, b, "edges"); err != nil {
		t.Fatal(err)
	}
	d := profile.R1().Drive
	top := d.MaxMMPS / (math.Pi * d.WheelMM) * d.Encoders.CountsPerTurn
	near(t, *kept, profile.KeyEdges, top, 0.06*top)
}

func TestEdgesAreNotTriedWithATreadThatIsNotTheRobots(t *testing.T) {
	b, _, kept := bench(t, 1, func(p *profile.Profile) { p.Drive.TreadMM *= 1.4 })
	err := run(t, b, "edges")
	if err == nil || !strings.Contains(err.Error(), "with 64.4 mm between them; take the steps wheel and track first") || len(*kept) != 0 {
		t.Errorf("%v, kept %v", err, *kept)
	}
	if err := run(t, b, "track", "edges"); err != nil {
		t.Error(err)
	}
}

func TestEdgesNeedEncodersAndAGyroscope(t *testing.T) {
	own := *profile.R1()
	own.IMU = nil
	_, err := calibrate.Choose([]string{"edges"}, &own, nil)
	if err == nil || err.Error() != "robot sim has no step edges: it has no gyroscope" {
		t.Error(err)
	}
	jetbot := profile.Drive{}
	own.Drive = &jetbot
	if _, err := calibrate.Choose([]string{"edges"}, &own, nil); err == nil || !strings.HasSuffix(err.Error(), "this computer counts no edges of its wheels") {
		t.Error(err)
	}
}
