package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/app"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shipped is the robot of the embedded resources.
func shipped(t *testing.T, seed uint64) app.Setup {
	t.Helper()
	tree, err := app.OpenTree("")
	if err != nil {
		t.Fatal(err)
	}
	cat, diags := tree.Catalog()
	if cat == nil {
		t.Fatalf("shipped resources:\n%v", diags)
	}
	s := app.Setup{Catalog: cat, Seed: seed, Log: slog.New(slog.DiscardHandler), Version: "test"}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	return s
}

func headless(t *testing.T, s app.Setup, o app.Headless) (app.Summary, string) {
	t.Helper()
	var trace bytes.Buffer
	o.Trace = &trace
	sum, err := app.RunHeadless(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return sum, trace.String()
}

// part is where two traces part.
func part(t *testing.T, a, b string) *engine.Difference {
	t.Helper()
	x, err := engine.ReadTickLogs(strings.NewReader(a))
	if err != nil {
		t.Fatal(err)
	}
	y, err := engine.ReadTickLogs(strings.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return engine.Diff(x, y, 5)
}

func script(t *testing.T, s app.Setup, faults, acts []string) (lines []app.Line) {
	t.Helper()
	for _, f := range faults {
		l, err := app.ParseFault(f)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	for _, a := range acts {
		l, err := app.ParseAct(a, s)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	app.SortScript(lines)
	return lines
}

func TestEqualSeedsLiveEqualLivesWhateverTheScheduling(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	o := app.Headless{For: 2 * time.Minute}
	runtime.GOMAXPROCS(1)
	one, trace1 := headless(t, shipped(t, 7), o)
	runtime.GOMAXPROCS(4)
	four, trace4 := headless(t, shipped(t, 7), o)
	if one.DecisionHash == "" || one.DecisionHash != four.DecisionHash || part(t, trace1, trace4) != nil {
		t.Fatalf("hashes %q and %q: %v", one.DecisionHash, four.DecisionHash, part(t, trace1, trace4))
	}
	if one.Ticks != 2000 || one.SimSeconds != 120 || one.LifecycleViolations+one.Panics+one.Hangs+one.Falls != 0 {
		t.Errorf("summary %+v", one)
	}
	if other, trace8 := headless(t, shipped(t, 8), o); other.DecisionHash == one.DecisionHash || part(t, trace1, trace8) == nil {
		t.Error("seeds 7 and 8 live the same life")
	}
}

func TestScriptedRunsAreEqualToo(t *testing.T) {
	run := func() (app.Summary, string) {
		s := shipped(t, 3)
		return headless(t, s, app.Headless{For: 40 * time.Second, Script: script(t, s,
			[]string{"25s motors absent 1s", "5.005s imu brownout"},
			[]string{"10s pickup", "12s putdown", "14s touch seconds=2", "18s intent come_here", "20s face name=Ada", "30s estop", "32s resume", "33s poke"})})
	}
	a, first := run()
	b, second := run()
	if a.DecisionHash != b.DecisionHash {
		t.Fatal(part(t, first, second))
	}
	if a.Restarts == 0 || a.LifecycleViolations+a.Panics+a.Falls != 0 {
		t.Errorf("summary %+v", a)
	}
}

func TestPickUpIsNoticed(t *testing.T) {
	s := shipped(t, 3)
	quiet, _ := headless(t, s, app.Headless{For: 20 * time.Second})
	lifted, _ := headless(t, s, app.Headless{For: 20 * time.Second, Script: script(t, s, nil, []string{"10s pickup"})})
	if lifted.Activations["ReactToPickup"] == 0 || quiet.Activations["ReactToPickup"] != 0 {
		t.Errorf("lifted: %v; not lifted: %v", lifted.Activations, quiet.Activations)
	}
}

func TestSummaryIsOneJSONObject(t *testing.T) {
	sum, _ := headless(t, shipped(t, 1), app.Headless{For: time.Second})
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

func TestInterruptedRunStillTellsWhatHappened(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	sum, err := app.RunHeadless(ctx, shipped(t, 1), app.Headless{For: time.Hour})
	if !errors.Is(err, app.ErrInterrupted) || sum.Activations == nil || sum.SimSeconds > 60 {
		t.Errorf("%v, %+v", err, sum)
	}
}

func TestLimitedSpeedTakesItsTime(t *testing.T) {
	sum, err := app.RunHeadless(t.Context(), shipped(t, 1), app.Headless{For: 2 * time.Second, Speed: 10})
	if err != nil || sum.WallSeconds < 0.19 || sum.SimSeconds != 2 {
		t.Errorf("%v, %+v", err, sum)
	}
}

func TestScriptMistakesNameTheNearestWord(t *testing.T) {
	s := shipped(t, 1)
	act := func(text string) error { _, err := app.ParseAct(text, s); return err }
	fault := func(text string) error { _, err := app.ParseFault(text); return err }
	for _, c := range []struct {
		parse      func(string) error
		text, want string
	}{
		{fault, "1s moters nack", `did you mean "motors"?`},
		{fault, "1s motors nak", `did you mean "nack"?`},
		{fault, "1s touch nack", "no acknowledge"},
		{fault, "soon motors nack", `"soon" is no time`},
		{fault, "1s motors nack -2s", `"-2s" is no time`},
		{fault, "motors nack", "want"},
		{act, "1s pikup", `did you mean "pickup"?`},
		{act, "1s intent come_her", `did you mean "come_here"?`},
		{act, "1s intent come_here k", "KEY=VALUE"},
		{act, "1s run-behavior Wayt", `did you mean "Wait"?`},
		{act, "1s touch secnds=2", `did you mean "seconds"?`},
		{act, "1s touch seconds=long", "no number"},
		{act, "1s cancel now", "too much"},
		{act, "1s intent", "needs a name"},
		{act, "1s", "want"},
	} {
		if err := c.parse(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v; want %q", c.text, err, c.want)
		}
	}
}

func TestFaultFileNamesEveryWrongLine(t *testing.T) {
	_, err := app.ParseFaults("f.txt", strings.NewReader("# all\n1s imu nack # fine\n\n2s imu nak\nnonsense\n"))
	if err == nil || !strings.Contains(err.Error(), "f.txt:4: ") || !strings.Contains(err.Error(), "f.txt:5: ") || strings.Contains(err.Error(), "f.txt:2") {
		t.Errorf("error: %v", err)
	}
}

// Rules: data/1.10f.
func TestUnreachableBehaviorIsWarnedOf(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "behaviors"), 0o700); err != nil {
		t.Fatal(err)
	}
	write("behavior_config.json", `{"normalBaseBehavior": "Rest", "fallbackBehavior": "Rest", "userIntents": []}`)
	write("behaviors/rest.json", `{"behaviorClass": "Wait", "behaviorID": "Rest"}`)
	write("behaviors/lost.json", `{"behaviorClass": "Wait", "behaviorID": "Lost"}`)
	tree, err := app.OpenTree(dir)
	if err != nil {
		t.Fatal(err)
	}
	cat, diags := tree.Catalog()
	if cat == nil || len(diags) != 1 || !strings.HasPrefix(diags[0].String(), filepath.Join(dir, "behaviors/lost.json")+": warning: no behavior leads from Rest to Lost") {
		t.Errorf("diagnostics: %v", diags)
	}
}

// listen opens two free ports.
func listen(t *testing.T) (page, metrics net.Listener) {
	t.Helper()
	page, err := control.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if metrics, err = control.ListenAny("127.0.0.1:0", "--metrics-listen"); err != nil {
		t.Fatal(err)
	}
	return page, metrics
}

func TestLiveRobotStartsAnswersAndStops(t *testing.T) {
	page, metrics := listen(t)
	ctx, cancel := context.WithCancel(t.Context())
	ready, done := make(chan string, 1), make(chan error, 1)
	s := shipped(t, 1)
	var sum app.Summary
	go func() {
		var err error
		sum, err = app.Serve(ctx, s, app.Live{Control: page, Metrics: metrics, Ready: func(url string) { ready <- url }})
		done <- err
	}()
	if url := <-ready; url != "http://"+page.Addr().String()+"/" {
		t.Errorf("ready with %q", url)
	}
	c, err := control.NewClient(page.Addr().String(), 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	var st control.State
	if _, err := c.Get(ctx, "/v1/state", &st); err != nil || len(st.Stack) == 0 || len(st.Devices) != 12 || st.World == nil || len(st.Tracks) == 0 {
		t.Errorf("%v, state %+v", err, st)
	}
	if n := len(st.Stats); n < 2 || st.Stats[n-1].Name != "BehaviorActivated" || st.Stats[n-1].Count == 0 {
		t.Errorf("stats %+v", st.Stats)
	}
	if st.Feature.Name == "" || len(st.Mood.Emotions) != 5 || st.Mood.Simple != "LowStim" {
		t.Errorf("feature %+v, mood %+v", st.Feature, st.Mood)
	}
	if _, err := c.Post(ctx, "/v1/estop", struct{}{}); err != nil {
		t.Error(err)
	}
	if _, err := c.Get(ctx, "/v1/state", &st); err != nil || !st.EStop {
		t.Errorf("%v, emergency stop is %t", err, st.EStop)
	}
	if _, err := c.Post(ctx, "/v1/resume", struct{}{}); err != nil {
		t.Error(err)
	}
	if _, err := c.Post(ctx, "/v1/intent", control.IntentRequest{Name: "come_her"}); err == nil || !strings.Contains(err.Error(), `did you mean "come_here"?`) {
		t.Errorf("unknown intent: %v", err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if sum.Ticks == 0 || sum.LifecycleViolations != 0 {
		t.Errorf("summary %+v", sum)
	}
}
