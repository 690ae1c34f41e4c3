package headless_test

import (
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/headless"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/resources"
)

// serialRobots are those whose wheels a board behind a serial port drives: with encoders, and without.
var serialRobots = []string{"waveshare-ugv", "wave-rover"}

func TestRobotsBehindASerialPortLiveForHalfAnHour(t *testing.T) {
	for _, name := range serialRobots {
		t.Run(name, func(t *testing.T) {
			o := setuptest.Options(t, 1)
			o.Robot = robotNamed(t, name)
			sum, err := headless.Run(t.Context(), o, headless.Options{For: 30 * time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			if sum.Falls > 0 || sum.LifecycleViolations > 0 || sum.Panics > 0 || sum.Hangs > 0 || sum.Restarts > 0 || sum.DistanceM < 10 {
				t.Errorf("%+v", sum)
			}
		})
	}
}

// The board is reset, the cable pulled, the wires cut, the process stopped: each time it drives again.
func TestRobotBehindASerialPortHealsFromEveryFault(t *testing.T) {
	for _, name := range serialRobots {
		t.Run(name, func(t *testing.T) {
			o := setuptest.Options(t, 2)
			o.Robot = robotNamed(t, name)
			var script []headless.Line
			for _, text := range []string{"60s motors brownout", "120s motors unplug 5s", "180s imu absent 3s", "240s host frozen 2s", "300s motors absent 30s"} {
				l, err := headless.ParseFault(text, o)
				if err != nil {
					t.Fatal(err)
				}
				script = append(script, l)
			}
			span := headless.Options{For: 335 * time.Second, Script: script}
			ill, err := headless.Run(t.Context(), o, span)
			if err != nil {
				t.Fatal(err)
			}
			span.For = 455 * time.Second
			sum, err := headless.Run(t.Context(), o, span)
			if err != nil {
				t.Fatal(err)
			}
			if sum.LifecycleViolations > 0 || sum.Panics > 0 || sum.Falls > 0 || sum.DistanceM < ill.DistanceM+1 {
				t.Errorf("drove %.1f m while it was ill and %.1f m in all: %+v", ill.DistanceM, sum.DistanceM, sum)
			}
		})
	}
}

func robotNamed(t *testing.T, name string) *profile.Profile {
	t.Helper()
	p, diags, err := profile.Load(resources.Embedded(), name, nil)
	if p == nil || err != nil {
		t.Fatal(diags, err)
	}
	return p
}
