package headless_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/cmd/robotd/internal/headless"
	"github.com/robotd/robotd/cmd/robotd/internal/runstats"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func live(t *testing.T, s setup.Options, o headless.Options) (runstats.Summary, string) {
	t.Helper()
	var trace bytes.Buffer
	o.Trace = &trace
	sum, err := headless.Run(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return sum, trace.String()
}

// diff returns the first differences of two traces.
func diff(t *testing.T, a, b string) *tape.Difference {
	t.Helper()
	x, err := tape.ReadTickLogs(strings.NewReader(a))
	if err != nil {
		t.Fatal(err)
	}
	y, err := tape.ReadTickLogs(strings.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return tape.Diff(x, y, 5)
}

func script(t *testing.T, s setup.Options, faults, acts []string) (lines []headless.Line) {
	t.Helper()
	for _, f := range faults {
		l, err := headless.ParseFault(f, s)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	for _, a := range acts {
		l, err := headless.ParseAct(a, s)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	headless.SortScript(lines)
	return lines
}

func TestEqualSeedsGiveEqualRunsOnAnyScheduling(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	o := headless.Options{For: 2 * time.Minute}
	runtime.GOMAXPROCS(1)
	one, trace1 := live(t, setuptest.Options(t, 7), o)
	runtime.GOMAXPROCS(4)
	four, trace4 := live(t, setuptest.Options(t, 7), o)
	if one.DecisionHash == "" || one.DecisionHash != four.DecisionHash || diff(t, trace1, trace4) != nil {
		t.Fatalf("hashes %q and %q: %v", one.DecisionHash, four.DecisionHash, diff(t, trace1, trace4))
	}
	if one.Ticks != 2000 || one.SimSeconds != 120 || one.LifecycleViolations+one.Panics+one.Hangs+one.Falls != 0 {
		t.Errorf("summary %+v", one)
	}
	if other, trace8 := live(t, setuptest.Options(t, 8), o); other.DecisionHash == one.DecisionHash || diff(t, trace1, trace8) == nil {
		t.Error("seeds 7 and 8 live the same life")
	}
}

// A trace has the debug states in lines of their own, in the tick in which they change.
func TestTraceShowsDebugStates(t *testing.T) {
	s := setuptest.Options(t, 1)
	_, trace := live(t, s, headless.Options{For: 20 * time.Second, Script: script(t, s, nil, []string{"10s touch seconds=5"})})
	for _, state := range []string{"purring", "blissful"} {
		if n := strings.Count(trace, " ReactToTouch: "+state+"\n"); n != 1 {
			t.Errorf("%d lines of the state %q", n, state)
		}
	}
}

// Every line of the log carries the robot's time, not the machine's.
func TestLogCarriesVirtualTime(t *testing.T) {
	s := setuptest.Options(t, 1)
	var log bytes.Buffer
	s.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	live(t, s, headless.Options{For: 20 * time.Second, Script: script(t, s, nil, []string{"10s pickup"})})
	at := regexp.MustCompile(`(?m)^time=2026-01-01T00:00:([012]\d\.\d{3})Z level=\w+ msg=.*$`)
	lines := at.FindAllStringSubmatch(log.String(), -1)
	if n := strings.Count(log.String(), "\n"); n == 0 || len(lines) != n {
		t.Fatalf("%d of %d lines carry virtual time:\n%s", len(lines), n, log.String())
	}
	if !slices.IsSortedFunc(lines, func(a, b []string) int { return strings.Compare(a[1], b[1]) }) || !strings.Contains(log.String(), "T00:00:10.") {
		t.Errorf("the times do not follow the robot's life:\n%s", log.String())
	}
}

func TestEqualScriptsGiveEqualRuns(t *testing.T) {
	run := func() (runstats.Summary, string) {
		s := setuptest.Options(t, 3)
		return live(t, s, headless.Options{For: 40 * time.Second, Script: script(t, s,
			[]string{"25s motors absent 1s", "5.005s imu brownout"},
			[]string{"10s pickup", "12s putdown", "14s touch seconds=2", "18s intent come_here", "20s face name=Ada", "30s estop", "32s resume", "33s poke"})})
	}
	a, first := run()
	b, second := run()
	if a.DecisionHash != b.DecisionHash {
		t.Fatal(diff(t, first, second))
	}
	if a.Restarts == 0 || a.LifecycleViolations+a.Panics+a.Falls != 0 {
		t.Errorf("summary %+v", a)
	}
}

func TestPickUpActivatesReactToPickup(t *testing.T) {
	s := setuptest.Options(t, 3)
	quiet, _ := live(t, s, headless.Options{For: 20 * time.Second})
	lifted, _ := live(t, s, headless.Options{For: 20 * time.Second, Script: script(t, s, nil, []string{"10s pickup"})})
	if lifted.Activations["ReactToPickup"] == 0 || quiet.Activations["ReactToPickup"] != 0 {
		t.Errorf("lifted: %v; not lifted: %v", lifted.Activations, quiet.Activations)
	}
}

func TestInterruptedRunReturnsItsSummary(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	sum, err := headless.Run(ctx, setuptest.Options(t, 1), headless.Options{For: time.Hour})
	if !errors.Is(err, headless.ErrInterrupted) || sum.Activations == nil || sum.SimSeconds > 60 {
		t.Errorf("%v, %+v", err, sum)
	}
}

func TestLimitedSpeedTakesWallTime(t *testing.T) {
	sum, err := headless.Run(t.Context(), setuptest.Options(t, 1), headless.Options{For: 2 * time.Second, Speed: 10})
	if err != nil || sum.WallSeconds < 0.19 || sum.SimSeconds != 2 {
		t.Errorf("%v, %+v", err, sum)
	}
}

func TestSummaryIsOneJSONObject(t *testing.T) {
	sum, _ := live(t, setuptest.Options(t, 1), headless.Options{For: time.Second})
	var out bytes.Buffer
	if err := sum.Write(&out, "json"); err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(out.Bytes(), &m); err != nil || strings.Count(out.String(), "\n") != 1 {
		t.Fatalf("%v: %s", err, out.String())
	}
	for _, key := range []string{
		"ticks", "sim_seconds", "wall_seconds", "falls", "dockings", "distance_m", "lifecycle_violations",
		"refusals", "panics", "restarts", "activations", "decision_hash",
	} {
		if _, ok := m[key]; !ok {
			t.Errorf("no %q in %s", key, out.String())
		}
	}
}
