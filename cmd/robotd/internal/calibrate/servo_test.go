package calibrate_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/robotd/robotd/cmd/robotd/internal/calibrate"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/hardware/sim"
)

func TestServosWithoutFeedbackAreMeasuredByMeterAndEye(t *testing.T) {
	for _, seed := range []uint64{1, 2, 3, 4} {
		b, rig, kept := benchOf(t, "freenove-4wd", sim.Options{Seed: seed}, nil)
		if err := run(t, b, "oscillator", "head", "pan"); err != nil {
			t.Fatal(err)
		}
		truth, c := rig.Truth(), *kept
		near(t, c, "oscillator_Hz(pwm)", truth.OscillatorHz["pwm"], 1e3)
		for joint, s := range map[string]*profile.Servo{"head": b.Board.Profile.Head, "pan": b.Board.Profile.Pan} {
			within := 0.02 * (s.HighUS - s.LowUS) // a step of the search, and one of the chip
			near(t, c, profile.Of(profile.KeyServoLow, joint), truth.Servos[joint].LowUS, within)
			near(t, c, profile.Of(profile.KeyServoHigh, joint), truth.Servos[joint].HighUS, within)
		}
		if steps, err := calibrate.Choose(nil, b.Board.Profile, c); err != nil || len(steps) != 2 {
			t.Errorf("left to do: %d steps, %v; want wheel and battery", len(steps), err)
		}
	}
}

// A clock that is measured again must not move the ends that were found by the old one.
func TestClockMeasuredLaterKeepsTheEndsOfServos(t *testing.T) {
	b, rig, kept := benchOf(t, "freenove-4wd", sim.Options{Seed: 2}, nil)
	if err := run(t, b, "head"); err != nil {
		t.Fatal(err)
	}
	s := b.Board.Profile.Head
	off := math.Abs((*kept)["low_us(head)"] - rig.Truth().Servos["head"].LowUS)
	if err := run(t, b, "oscillator"); err != nil {
		t.Fatal(err)
	}
	near(t, *kept, "low_us(head)", rig.Truth().Servos["head"].LowUS, 0.02*(s.HighUS-s.LowUS))
	if off < 0.02*(s.HighUS-s.LowUS) {
		t.Errorf("the clock of this seed is so good (%.0f µs) that nothing is shown", off)
	}
}

// blind is a person who never, or always, sees a servo touch.
type blind struct {
	calibrate.Operator
	says bool
}

func (o blind) Yes(context.Context, calibrate.Question, string) (bool, error) { return o.says, nil }

func TestServoThatNeverOrAlwaysTouchesIsNotBelieved(t *testing.T) {
	for says, want := range map[bool]string{false: "head: it does not touch its low end, 28 % of its travel beyond", true: "head: it touches the low end 30 % of its travel before"} {
		b, _, kept := benchOf(t, "freenove-4wd", sim.Options{Seed: 1}, nil)
		b.Operator = blind{b.Operator, says}
		if err := run(t, b, "head"); err == nil || !strings.HasPrefix(err.Error(), want) || len(*kept) != 0 {
			t.Errorf("%v, kept %v; want %s", err, *kept, want)
		}
	}
}

func TestMeterThatShowsAnotherFrequencyIsNotBelieved(t *testing.T) {
	b, _, kept := benchOf(t, "freenove-4wd", sim.Options{Seed: 1}, nil)
	b.Operator = odd{Operator: b.Operator, number: func(float64) float64 { return 60 }}
	const want = "oscillator: 60.00 Hz are not what a chip gives that should give 50.03 Hz; want 44.03 to 56.03 Hz"
	if err := run(t, b, "oscillator"); err == nil || err.Error() != want || len(*kept) != 0 {
		t.Errorf("%v, kept %v; want %s", err, *kept, want)
	}
}
