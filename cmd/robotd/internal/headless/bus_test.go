package headless_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/headless"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/profile"
)

// withBus is R1 with a bus of another frequency.
func withBus(hz float64) *profile.Profile {
	p := *profile.R1()
	p.Buses = map[string]profile.Bus{"main": {Device: p.Buses["main"].Device, SpeedHz: hz}}
	return &p
}

// 100 kHz is the default of every Raspberry Pi. The robot lives there because it polls its sensors more seldom, and says so.
func TestRobotLivesOnASlowBus(t *testing.T) {
	for _, c := range []struct {
		hz       float64
		slower   bool
		distance float64
	}{{400e3, false, 8}, {100e3, true, 8}, {80e3, true, 8}, {62.5e3, true, 8}} {
		s := setuptest.Options(t, 1)
		s.Robot = withBus(c.hz)
		sum, err := headless.Run(t.Context(), s, headless.Options{For: 10 * time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		if sum.DistanceM < c.distance || sum.Falls+sum.LifecycleViolations+sum.Restarts > 0 {
			t.Errorf("%.0f kHz: %.1f m, %d falls, %d violations, %d restarts", c.hz/1e3, sum.DistanceM, sum.Falls, sum.LifecycleViolations, sum.Restarts)
		}
		if b := sum.Bus; b.KHz < c.hz/1e3*0.99 || b.KHz > c.hz/1e3*1.01 || b.Stretch > 1 != c.slower || b.Refused != "" || b.Load > 0.9 {
			t.Errorf("%.0f kHz: %+v", c.hz/1e3, b)
		}
		if p := sum.Bus.Periods[hardware.Cliff]; p > 20 || p > 13 != c.slower {
			t.Errorf("%.0f kHz: cliff sensors are polled every %v ms", c.hz/1e3, p)
		}
	}
}

// A bus on which cliff scans would come too late is refused with what is wrong and what would do. The robot leaves its charger and only turns on the spot.
func TestTooSlowBusIsRefusedWithTheReason(t *testing.T) {
	var log bytes.Buffer
	s := setuptest.Options(t, 1)
	s.Robot = withBus(50e3)
	s.Log = slog.New(slog.NewTextHandler(&log, nil))
	sum, err := headless.Run(t.Context(), s, headless.Options{For: 3 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if sum.DistanceM > 0.5 || sum.Falls > 0 {
		t.Errorf("drove %.2f m, %d falls; %v", sum.DistanceM, sum.Falls, sum.Activations)
	}
	for _, want := range []string{"bus i2c1 is too slow", "50 kHz", "i2c_arm_baudrate=400000"} {
		if !strings.Contains(sum.Bus.Refused, want) || !strings.Contains(log.String(), "is too slow") {
			t.Errorf("%q does not say %q", sum.Bus.Refused, want)
		}
	}
}
