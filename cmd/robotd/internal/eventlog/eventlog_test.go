package eventlog

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
)

var epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// countingLog returns a log and a function that counts a text in it.
func countingLog() (*slog.Logger, func(line string) int) {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	return log, func(line string) int { return strings.Count(out.String(), line) }
}

// A cycle is logged as a warning once in a while, and the page's log names the behavior that was resumed after an interrupt.
func TestReporterLogsCycleOnceAndNamesResumedBehavior(t *testing.T) {
	now := epoch
	log, lines := countingLog()
	ring := NewRing(epoch)
	p := NewReporter(log, ring, func() time.Time { return now })
	e, err := engine.New(engine.Options{Catalog: setuptest.Catalog(t)})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Start(epoch); err != nil {
		t.Fatal(err)
	}
	e.Step(engine.Input{Tick: 1, Now: epoch})
	top := e.Stack().Top().ID
	cycle := stack.Event{Kind: stack.EventCycle, ID: "A", To: "B"}
	p.ObserveTick(event.Tick{N: 1}, &engine.Output{Events: []stack.Event{
		cycle, cycle, {Kind: stack.EventPush, ID: top}, {Kind: stack.EventActivated, ID: top, Text: stack.Resumed},
	}}, e)
	if n := lines("control goes back and forth"); n != 1 {
		t.Errorf("%d lines of two cycles", n)
	}
	all := ring.Lines()
	if len(all) != 1 {
		t.Fatalf("%+v", all)
	}
	if want := " (" + top + " resumed)"; !strings.HasSuffix(all[0].Text, want) {
		t.Errorf("%q does not end with %q", all[0].Text, want)
	}
}

// A misuse is logged at debug level.
func TestReporterLogsMisusesAtDebugLevel(t *testing.T) {
	var log bytes.Buffer
	p := NewReporter(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})), nil, time.Now)
	out := &engine.Output{Misuses: []stack.Refusal{
		{By: "Dance", Op: stack.OpLights, Reason: stack.AlreadySet, To: "backpack"},
		{By: "Dance", Op: stack.OpPower, Reason: stack.NotSet},
	}}
	p.ObserveTick(event.Tick{N: 1}, out, nil)
	for _, text := range []string{"Dance: custom lights backpack: already_set", "Dance: power-save request: not_set"} {
		if !strings.Contains(log.String(), text) {
			t.Errorf("no %q in %s", text, log.String())
		}
	}
}

// A debug state is logged at debug level when it changes, and how many are not listed.
func TestReporterLogsStatesAtDebugLevel(t *testing.T) {
	var log bytes.Buffer
	p := NewReporter(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})), nil, time.Now)
	p.ObserveTick(event.Tick{N: 7}, &engine.Output{States: []engine.StateChange{{ID: "ComeHere", State: "looking for a face"}}, MoreStates: 3}, nil)
	for _, text := range []string{`level=DEBUG msg=state tick=7 behavior=ComeHere state="looking for a face"`, "tick=7 states=3"} {
		if !strings.Contains(log.String(), text) {
			t.Errorf("no %q in %s", text, log.String())
		}
	}
}

func TestReporterLogsDecliningBaseOnce(t *testing.T) {
	now := time.Unix(0, 0)
	log, count := countingLog()
	p := NewReporter(log, nil, func() time.Time { return now })
	for tick := range uint64(100) {
		p.wanting(tick, "base declined", now)
		now = now.Add(60 * time.Millisecond)
	}
	if n := count("no behavior wanted control"); n != 1 {
		t.Errorf("%d lines", n)
	}
	now = now.Add(idleOver)
	p.wanting(100, "", now)
	p.wanting(101, "base declined", now)
	if count("in control again") != 1 || count("without=100") != 1 || count("no behavior wanted control") != 2 {
		t.Error("the change back was not told")
	}
}

func TestReporterLimitsLinesOfAFailingActor(t *testing.T) {
	now := time.Unix(0, 0)
	log, count := countingLog()
	p := NewReporter(log, nil, func() time.Time { return now })
	for range 100 { // a frozen sensor: 25 s of short lives
		p.Observe(event.Failure{Actor: "device/imu", Group: "device", Where: "poll", Reason: "frozen"})
		p.Observe(event.Restart{Actor: "device/imu"})
		now = now.Add(250 * time.Millisecond)
	}
	p.Observe(event.Failure{Actor: "device/tof", Group: "device", Where: "poll", Reason: "nack"})
	if f, b := count("msg=failed"), count("msg=back"); f != 4 || b != 3 || count("suppressed=39") != 2 {
		t.Errorf("%d failures, %d returns; want 3 and one of another actor", f, b)
	}
}

// A driver that hung and returned is back without a restart, and its next failure is told.
func TestReporterTellsThatAHungDriverIsBack(t *testing.T) {
	now := time.Unix(0, 0)
	log, count := countingLog()
	p := NewReporter(log, nil, func() time.Time { return now })
	for range 2 {
		p.Observe(event.Failure{Actor: "device/imu", Group: "device", Where: "driver", Reason: "hang"})
		p.Observe(&event.Sample{Device: "imu"})
		p.Observe(&event.Sample{Device: "imu", Good: true})
		p.Observe(&event.Sample{Device: "imu", Good: true})
		now = now.Add(time.Minute)
	}
	p.Observe(event.Failure{Actor: "device/imu", Group: "device", Where: "poll", Reason: "nack"})
	if f, b := count("level=WARN msg=failed"), count("msg=back"); f != 3 || b != 2 {
		t.Errorf("%d failures, %d returns", f, b)
	}
}

func TestRingKeepsTheNewestLines(t *testing.T) {
	start := time.Now()
	r := NewRing(start)
	log := slog.New(r).With("actor", "device/imu")
	log.Debug("not shown")
	for i := range ringLen + 3 {
		log.Info("line", "n", i)
	}
	lines := r.Lines()
	if len(lines) != ringLen || lines[0].Text != "line actor=device/imu n=3" || lines[0].Level != "info" || lines[0].TimeS < 0 {
		t.Errorf("%d lines, first %+v", len(lines), lines[0])
	}
}

// A brown-out heals so quickly that no device fails; the log tells of it all the same.
func TestReporterLogsChipThatWasSetUpAgain(t *testing.T) {
	log, count := countingLog()
	now := epoch
	p := NewReporter(log, nil, func() time.Time { return now })
	for _, n := range []uint64{0, 0, 1, 1, 1} {
		p.Observe(&event.Sample{Device: "motors", Reinits: n})
	}
	if n := count("chip lost its configuration and was set up again"); n != 1 || count("device=motors times=1") != 1 {
		t.Errorf("%d lines", n)
	}
	p.Observe(&event.Sample{Device: "tof", Reinits: 1})
	if n := count("chip lost its configuration"); n != 2 {
		t.Errorf("%d lines of two devices", n)
	}
	now = now.Add(failEvery)
	p.Observe(event.Restart{Actor: "device/motors", Reason: "panic"}) // a fresh incarnation counts anew
	p.Observe(&event.Sample{Device: "motors"})
	p.Observe(&event.Sample{Device: "motors", Reinits: 1})
	if n := count("chip lost its configuration"); n != 3 {
		t.Errorf("%d lines after a restart", n)
	}
}
