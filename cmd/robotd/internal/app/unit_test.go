package app

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

func TestGrammarAcceptsLivesAndNamesWhatIsWrong(t *testing.T) {
	kinds := map[byte]stack.Kind{
		'i': stack.EventInit, 'e': stack.EventEnteredScope, 'l': stack.EventLeftScope, 'p': stack.EventPush, 'a': stack.EventActivated,
		'd': stack.EventDeactivated, 'o': stack.EventPop, 'r': stack.EventReplaced, 'x': stack.EventDisabled, 'f': stack.EventFault,
	}
	for life, wrong := range map[string]int{ // index of the first wrong letter, -1 = none
		"iel": -1, "iepadol": -1, "iepadopadol": -1, "ifr": -1, "iefriepado": -1, "iepafdorie": -1, "iex": -1, "iexlo": -1,
		"e": 0, "ii": 1, "ip": 1, "iee": 2, "iepd": 3, "iepal": 4, "iepado": -1, "iepao": 4, "iepap": 4, "iepar": 4, "iell": 3,
	} {
		g := NewGrammar()
		got := -1
		for i := range life {
			if g.Read(stack.Event{Kind: kinds[life[i]], ID: "B"}) != "" {
				got = i
				break
			}
		}
		if got != wrong {
			t.Errorf("%s: wrong at %d, want %d", life, got, wrong)
		}
	}
}

func TestGrammarKnowsWhoWasNeverPopped(t *testing.T) {
	g := NewGrammar()
	for _, k := range []stack.Kind{stack.EventInit, stack.EventEnteredScope, stack.EventPush, stack.EventActivated} {
		g.Read(stack.Event{Kind: k, ID: "B"})
	}
	if r := g.Resting(); len(r) != 1 || r[0] != "B" {
		t.Errorf("resting: %v", r)
	}
}

func TestWindowForgetsAfterAMinute(t *testing.T) {
	var w window
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 1000 {
		w.add(start.Add(time.Duration(i)*time.Millisecond), time.Duration(i+1)*time.Microsecond)
	}
	for _, c := range []struct{ p, us float64 }{{0.5, 500}, {0.99, 990}, {1, 1000}} {
		if got := w.percentile(c.p); got < c.us || got > 1.07*c.us {
			t.Errorf("percentile %g is %g, want %g to 7 %% more", c.p, got, c.us)
		}
	}
	if w.maxUS() != 1000 {
		t.Errorf("max %g", w.maxUS())
	}
	w.add(start.Add(62*time.Second), 5*time.Microsecond)
	if got := w.percentile(0.99); got != 6 || w.maxUS() != 5 || w.count != 1 {
		t.Errorf("after a minute: p99 %g, max %g, %d", got, w.maxUS(), w.count)
	}
	w.add(start.Add(time.Hour), 7*time.Microsecond)
	if w.count != 1 || w.maxUS() != 7 {
		t.Errorf("after an hour: %d", w.count)
	}
}

func TestBucketsHoldTheirValues(t *testing.T) {
	for us := range 200_000 {
		d := time.Duration(us) * time.Microsecond
		if b := boundUS(bucketOf(d)); b <= float64(us) || b > float64(us)*1.07+1 {
			t.Fatalf("%d µs is in the bucket up to %g", us, b)
		}
	}
	if b := bucketOf(time.Hour); b != buckets-1 {
		t.Errorf("an hour is in bucket %d", b)
	}
}

func TestBookAddsUpOverIncarnations(t *testing.T) {
	b := newBook()
	sample := func(reads, errors uint64) {
		b.Observe(event.Sample{Device: hardware.IMU, Reads: reads, Errors: errors})
	}
	sample(10, 2)
	sample(20, 3)
	b.Observe(event.Failure{Actor: "device/imu", Group: "device", Where: "poll", Reason: "nack"})
	b.Observe(event.Restart{Actor: "device/imu"})
	sample(30, 4)
	sample(5, 1) // a restart that nobody told of
	restarts, _, _, errors, cause := b.pages[hardware.IMU].counts()
	if restarts != 1 || errors != 8 || cause != "poll: nack" {
		t.Errorf("restarts %d, errors %d, cause %q", restarts, errors, cause)
	}
	b.Observe(event.Restart{Actor: "behavior/imu"})
	if again, _, _, _, _ := b.pages[hardware.IMU].counts(); again != 1 {
		t.Error("a behavior's restart counts as the device's")
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

// tape counts log lines by level and message.
func tape() (*slog.Logger, func(line string) int) {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	return log, func(line string) int { return strings.Count(out.String(), line) }
}

func TestReporterTellsOfADecliningBaseOnce(t *testing.T) {
	now := time.Unix(0, 0)
	log, count := tape()
	p := newReporter(log, nil, func() time.Time { return now })
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

func TestReporterLimitsAnActorThatKeepsFailing(t *testing.T) {
	now := time.Unix(0, 0)
	log, count := tape()
	p := newReporter(log, nil, func() time.Time { return now })
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

func TestOnlyPlacesOnTheTableAreTaken(t *testing.T) {
	table := [][2]float64{{100, -50}, {100, 50}, {-100, 50}, {-100, -50}}
	for at, on := range map[[2]float64]bool{{0, 0}: true, {99, 49}: true, {101, 0}: false, {0, -51}: false, {-5000, 0}: false} {
		if onTable(table, at[0], at[1]) != on {
			t.Errorf("%v: %t", at, !on)
		}
	}
}

func TestUnknownNamesListValidOnes(t *testing.T) {
	if err := Unknown("intent", "zzz", strings.Fields("a b c d e f g h i j")); err.Error() != `there is no intent "zzz"; valid: a b c d e f g h and 2 more` {
		t.Error(err)
	}
}
