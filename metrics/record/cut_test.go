package record

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func cutOf(t *testing.T, r *Reader, c Cut) *Reader {
	t.Helper()
	out := filepath.Join(t.TempDir(), "cut.mcap")
	c.Topics = testTopics()
	if err := r.Cut(out, c); err != nil {
		t.Fatal(err)
	}
	return opened(t, out)
}

// A cut has the values of each of its ticks, and what happened in it, but nothing of the tape.
func TestCutIsReadAsThatPartOfTheRecording(t *testing.T) {
	dir, s := t.TempDir(), tell(5, 3000)
	o := testOptions(dir)
	o.Part = 64 << 10
	written(t, o, s)
	r := opened(t, dir)
	c := cutOf(t, r, Cut{From: 40 * time.Second, To: 90 * time.Second})
	first, last := c.Span()
	if from, _ := r.Find(40 * time.Second); first.Tick != from || last.At != 90*time.Second {
		t.Errorf("it has %v to %v", first, last)
	}
	for tick := first.Tick; tick <= last.Tick; tick += 37 {
		a, b := readAt(t, r, tick, nil), readAt(t, c, tick, nil)
		for i := range a { // what holds from before the cut was said at its begin
			a[i].Tick, a[i].At = max(a[i].Tick, first.Tick), max(a[i].At, first.At)
		}
		same(t, "values", b, a)
	}
	same(t, "changes", readScan(t, c, first.Tick+1, last.Tick, nil), readScan(t, r, first.Tick+1, last.Tick, nil))
	if n := len(readScan(t, c, 0, last.Tick, []string{Tape})); n > 0 {
		t.Errorf("%d messages of the tape", n)
	}
	if c.Life() != r.Life() || len(c.Gaps()) > 0 || c.Verify() != nil {
		t.Errorf("%+v, %v, %v", c.Life(), c.Gaps(), c.Verify())
	}
	if _, err := c.Resources(); err != nil {
		t.Error(err)
	}
}

// With its tape, a cut begins with the tape's begin.
func TestCutKeepsTheTapeFromTheStart(t *testing.T) {
	dir, s := t.TempDir(), tell(5, 3000)
	written(t, testOptions(dir), s)
	r := opened(t, dir)
	c := cutOf(t, r, Cut{From: 40 * time.Second, To: 90 * time.Second, Tape: true})
	_, last := c.Span()
	same(t, "tape", readScan(t, c, 0, last.Tick, []string{Tape}), readScan(t, r, 0, last.Tick, []string{Tape}))
	from, _ := r.Find(40 * time.Second)
	same(t, "changes", readScan(t, c, from+1, last.Tick, nil), readScan(t, r, from+1, last.Tick, nil))
}

// A gap of the part is one of the cut.
func TestCutKeepsGaps(t *testing.T) {
	dir, s := t.TempDir(), tell(2, 6000)
	o := testOptions(dir)
	o.Part = 64 << 10
	written(t, o, s)
	all := files(t, dir)
	if err := os.Remove(all[1]); err != nil {
		t.Fatal(err)
	}
	r := opened(t, dir)
	_, last := r.Span()
	c := cutOf(t, r, Cut{To: last.At})
	if a, b := r.Gaps(), c.Gaps(); len(a) != 1 || len(b) != 1 || a[0].From.Tick != b[0].From.Tick || a[0].To.Tick != b[0].To.Tick {
		t.Errorf("gaps %+v, want %+v", b, a)
	}
}

// What cannot be cut is said.
func TestCutRefusesWhatMakesNoSense(t *testing.T) {
	dir, s := t.TempDir(), tell(1, 300)
	written(t, testOptions(dir), s)
	r := opened(t, dir)
	out := filepath.Join(t.TempDir(), "cut.mcap")
	for want, c := range map[string]Cut{
		"5s to 4s is no part of the recording, which has ": {From: 5 * time.Second, To: 4 * time.Second},
		"1h0m0s to 2h0m0s is no part of the recording":     {From: time.Hour, To: 2 * time.Hour},
	} {
		if err := r.Cut(out, c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	if err := r.Cut(filepath.Join(dir, "cut.mcap"), Cut{To: time.Second}); err == nil || !strings.Contains(err.Error(), "in which cut.mcap would count as one more part: choose another folder") {
		t.Error(err)
	}
	if err := os.WriteFile(out, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := r.Cut(out, Cut{To: time.Second}); !os.IsExist(err) {
		t.Errorf("over a file: %v", err)
	}
}
