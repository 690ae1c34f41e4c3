package headless_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/headless"
	"github.com/robotd/robotd/cmd/robotd/internal/runstats"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
)

// A person who drives straight on at full speed, whatever the robot meets, drives it over no edge of the table: real drivers and chips stop it. It
// does drive, and equal orders give equal lives.
// Rules: TRK-9, CLF-4.
func TestDirectDrivingAtFullSpeedLeavesTheRobotOnTheTable(t *testing.T) {
	s := setuptest.Options(t, 5)
	acts := []string{"4s place x_mm=0 y_mm=0 heading_rad=0.3"}
	for at := 6 * time.Second; at < 40*time.Second; at += 300 * time.Millisecond {
		orders := []string{"170 170", "170 150", "-170 -170", "-120 120"}
		acts = append(acts, fmt.Sprintf("%v drive %s", at, orders[int(at/(4*time.Second))%len(orders)]))
	}
	idle, _ := live(t, s, headless.Options{For: 41 * time.Second, Script: script(t, s, nil, acts[:1])})
	drive := func() (runstats.Summary, string) {
		var trace bytes.Buffer
		sum, err := headless.Run(t.Context(), s, headless.Options{For: 41 * time.Second, Script: script(t, s, nil, acts), Trace: &trace})
		if err == nil || !strings.Contains(err.Error(), "there is no floor in that direction") {
			t.Errorf("it met no edge: %v", err)
		}
		return sum, trace.String()
	}
	a, trace := drive()
	if a.Falls != 0 || a.LifecycleViolations != 0 || a.Panics != 0 {
		t.Errorf("summary %+v", a)
	}
	if a.DistanceM < idle.DistanceM+0.5 {
		t.Errorf("drove %v m, %v m without orders", a.DistanceM, idle.DistanceM)
	}
	if _, again := drive(); again != trace {
		t.Errorf("%v", diff(t, trace, again))
	}
}
