package calibrate_test

import (
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/robotd/robotd/cmd/robotd/internal/calibrate"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/hardware/sim"
	"github.com/robotd/robotd/hardware/simtest"
	"github.com/robotd/robotd/resources"
)

// bench is a simulated robot of that seed whose profile says what differs from its body.
func bench(t *testing.T, seed uint64, differs func(p *profile.Profile)) (*calibrate.Bench, *sim.Rig, *profile.Calibration) {
	t.Helper()
	return benchOf(t, profile.Default, sim.Options{Seed: seed}, differs)
}

// benchOf is the bench of a built-in robot, or of that of the options.
func benchOf(t *testing.T, robot string, o sim.Options, differs func(p *profile.Profile)) (*calibrate.Bench, *sim.Rig, *profile.Calibration) {
	t.Helper()
	body := o.Profile
	if body == nil {
		read, diags, err := profile.Load(resources.Embedded(), robot, nil)
		if err != nil || read == nil {
			t.Fatal(diags, err)
		}
		body = read
	}
	o.Profile, o.Nobody = body, true
	rig, clk := simtest.NewRig(o)
	own, drive := *body, *body.Drive
	p := &own
	p.Drive = &drive
	if differs != nil {
		differs(p)
	}
	board := simtest.Board(rig)
	board.Profile = p
	kept := &profile.Calibration{}
	b := &calibrate.Bench{
		Board: board, Safety: device.NewSafety(board.Lines), Clock: clk, Operator: &calibrate.Person{World: rig, Out: io.Discard}, Out: io.Discard,
		Keep: func(c profile.Calibration) error { *kept = c; return nil },
	}
	t.Cleanup(func() { _ = b.Safety.Close() })
	return b, rig, kept
}

func run(t *testing.T, b *calibrate.Bench, names ...string) error {
	t.Helper()
	steps, err := calibrate.Choose(names, b.Board.Profile, b.Board.Calibration)
	if err != nil {
		t.Fatal(err)
	}
	return b.Run(t.Context(), steps)
}

func near(t *testing.T, c profile.Calibration, key string, want, within float64) {
	t.Helper()
	if v, ok := c[key]; !ok || math.Abs(v-want) > within {
		t.Errorf("%s is %g (%v), want %g within %g", key, v, ok, want, within)
	}
}

func TestCalibrationFindsWhatIsTrueOfTheBody(t *testing.T) {
	for _, seed := range []uint64{1, 2, 5} {
		b, rig, kept := bench(t, seed, func(p *profile.Profile) { p.Drive.WheelMM *= 1.08; p.Drive.TreadMM *= 0.9 })
		if err := run(t, b); err != nil {
			t.Fatal(err)
		}
		truth, c, r1 := rig.Truth(), *kept, profile.R1()
		for i, axis := range []string{"x", "y", "z"} {
			near(t, c, "gyro_radps("+axis+")", truth.GyroRadPS[i], 0.002)
		}
		for i, sensor := range []string{"0", "1", "2", "3"} {
			near(t, c, "floor_V("+sensor+")", truth.FloorVolts[i], 0.01)
		}
		near(t, c, "wheel_mm(left)", r1.Drive.WheelMM, 0.02*r1.Drive.WheelMM)
		near(t, c, "tread_mm", r1.Drive.TreadMM, 0.03*r1.Drive.TreadMM)
		near(t, c, "battery_factor", 1, 0.005)
		if steps, err := calibrate.Choose(nil, b.Board.Profile, c); err != nil || len(steps) != 0 {
			t.Errorf("left to do: %d steps, %v", len(steps), err)
		}
	}
}

// The track is measured by the way of the wheels: whoever measures the wheels again later measures the track anew with them.
func TestWheelsMeasuredAgainKeepTheTrackRight(t *testing.T) {
	b, _, kept := bench(t, 1, func(p *profile.Profile) { p.Drive.WheelMM *= 1.08 })
	for _, step := range []string{"gyro", "track", "wheel"} {
		if err := run(t, b, step); err != nil {
			t.Fatal(err)
		}
	}
	drive := profile.R1().Drive
	near(t, *kept, "wheel_mm(left)", drive.WheelMM, 0.02*drive.WheelMM)
	near(t, *kept, "tread_mm", drive.TreadMM, 0.03*drive.TreadMM)
}

// odd is a person who does a job or measures otherwise.
type odd struct {
	calibrate.Operator
	do     func(job calibrate.Job) (instead calibrate.Job)
	number func(v float64) float64
}

func (o odd) Do(ctx context.Context, job calibrate.Job, text string) error {
	if o.do != nil {
		job = o.do(job)
	}
	return o.Operator.Do(ctx, job, text)
}

func (o odd) Number(ctx context.Context, q calibrate.Quantity, text string) (float64, error) {
	v, err := o.Operator.Number(ctx, q, text)
	if o.number != nil {
		v = o.number(v)
	}
	return v, err
}

func TestImplausibleMeasurementsChangeNothing(t *testing.T) {
	for _, c := range []struct {
		step, want string
		odd        odd
	}{
		{"cliff", "sensor 0 gives 2.", odd{do: func(calibrate.Job) calibrate.Job { return calibrate.Floor }}},
		{"gyro", "the robot moved: its turn about", odd{do: func(calibrate.Job) calibrate.Job { return calibrate.Lift }}},
		{"wheel", "600 mm are not what the robot counted as 300 mm; want 2", odd{number: func(float64) float64 { return 600 }}},
		{"battery", "12.00 V is not the battery that the robot reads as", odd{number: func(float64) float64 { return 12 }}},
		{"wheel", "the robot did not drive 300 mm: it stopped after", odd{do: func(calibrate.Job) calibrate.Job { return calibrate.Lift }}},
		{"edges", "the wheels were stopped at 22 mm/s (cliff)", odd{do: func(calibrate.Job) calibrate.Job { return calibrate.Lift }}},
		{"track", "the robot did not turn twice: it stopped after 0 degrees (cliff)", odd{do: func(calibrate.Job) calibrate.Job { return calibrate.Lift }}},
	} {
		b, _, kept := bench(t, 1, nil)
		c.odd.Operator = b.Operator
		b.Operator = c.odd
		if err := run(t, b, c.step); err == nil || !strings.HasPrefix(err.Error(), c.step+": "+c.want) || len(*kept) != 0 {
			t.Errorf("%v, kept %v; want %s", err, *kept, c.want)
		}
	}
}

func TestStepsGoOnWhereAnEarlierRunEnded(t *testing.T) {
	b, _, kept := bench(t, 1, nil)
	if err := run(t, b, "gyro", "battery"); err != nil {
		t.Fatal(err)
	}
	steps, err := calibrate.Choose(nil, b.Board.Profile, *kept)
	var left []string
	for _, s := range steps {
		left = append(left, s.Name)
	}
	if err != nil || strings.Join(left, " ") != "mount cliff wheel track edges" {
		t.Errorf("%v, %v; want mount, cliff, wheel, track, edges", left, err)
	}
}

func TestUnknownAndMissingStepsAreToldByName(t *testing.T) {
	own := *profile.R1()
	p := &own
	if _, err := calibrate.Choose([]string{"gyrro"}, p, nil); err == nil || err.Error() != `there is no step "gyrro"; did you mean "gyro"?` {
		t.Error(err)
	}
	p.IMU = nil
	if _, err := calibrate.Choose([]string{"gyro"}, p, nil); err == nil || err.Error() != "robot sim has no step gyro: it has no inertial sensor" {
		t.Error(err)
	}
}

func TestTerminalAsksAgainUntilItGetsANumber(t *testing.T) {
	var out strings.Builder
	term := calibrate.NewTerminal(strings.NewReader("\nabc\n297,5\ns\n"), &out)
	if err := term.Do(t.Context(), calibrate.Rest, "Wait."); err != nil {
		t.Error(err)
	}
	if v, err := term.Number(t.Context(), calibrate.WayMM, "How far?"); v != 297.5 || err != nil || !strings.Contains(out.String(), `"abc" is no number above 0, such as 297.5`) {
		t.Errorf("%g, %v: %s", v, err, &out)
	}
	if _, err := term.Number(t.Context(), calibrate.WayMM, "How far?"); !errors.Is(err, calibrate.ErrSkipped) {
		t.Error(err)
	}
	if _, err := term.Number(t.Context(), calibrate.WayMM, "How far?"); err == nil || err.Error() != "nobody answers: the input has ended" {
		t.Error(err)
	}
}
