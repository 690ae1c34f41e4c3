package record

import (
	"errors"
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
	same(t, "values", readAt(t, c, last.Tick, nil), readAt(t, r, last.Tick, nil))
	first, _ := r.Span()
	if g := c.Gaps(); len(g) != 1 || g[0].From != first || g[0].To.Tick != from-1 || g[0].Reason != cutOut {
		t.Errorf("the ticks before it are no gap: %+v", g)
	}
	if g := cutOf(t, r, Cut{To: 90 * time.Second, Tape: true}).Gaps(); len(g) > 0 {
		t.Errorf("a cut from the start has gaps: %+v", g)
	}
	again := cutOf(t, c, Cut{To: 80 * time.Second})
	if a, b := c.Gaps(), again.Gaps(); len(b) != 1 || b[0] != a[0] {
		t.Errorf("a cut of the cut has the gaps %+v, want %+v", b, a)
	}
	same(t, "values of the cut's cut", readAt(t, again, from+100, []string{"/stack"}), readAt(t, c, from+100, []string{"/stack"}))
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
	if n := len(c.parts[0].gaps); n != 1 {
		t.Errorf("the gap is in the file %d times", n)
	}
}

// Behind a gap a cut has what held then, and not what held before the gap. What damage hides is no part of it.
func TestCutHasNoOldValuesBehindGaps(t *testing.T) {
	dir, s := t.TempDir(), tell(3, 2000)
	o := testOptions(dir)
	o.Part = 32 << 10
	written(t, o, s)
	all := files(t, dir)
	if len(all) < 4 {
		t.Fatalf("only %d files: %v", len(all), all)
	}
	if err := os.Remove(all[1]); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(all[2])
	if err != nil {
		t.Fatal(err)
	}
	whole := opened(t, all[2])
	damaged, _ := whole.span(3)
	b[whole.chunks[3].offset+whole.chunks[3].length/2] ^= 0xff
	if err := os.WriteFile(all[2], b, 0o600); err != nil {
		t.Fatal(err)
	}
	r := opened(t, dir)
	_, last := r.Span()
	c := cutOf(t, r, Cut{To: last.At})
	first, _ := c.Span()
	var got, want []Message
	for _, b := range s.batches {
		if tick := b.now.Tick; tick > first.Tick && outside(c.Gaps(), tick) { // of its first tick a cut has the values alone
			same(t, "values", readAt(t, c, tick, nil), s.at(tick, nil))
			got, want = append(got, readScan(t, c, tick, tick, nil)...), append(want, s.scan(tick, tick, nil)...)
		}
	}
	same(t, "changes", got, want)
	if n := len(c.parts[0].gaps); n != 2 || len(c.Gaps()) != 2 || outside(c.Gaps(), damaged.last.Tick+1) || !outside(c.Gaps(), damaged.last.Tick+200) {
		t.Errorf("%d gaps in the file: %+v; tick %d to %d are damaged", n, c.Gaps(), damaged.first.Tick, damaged.last.Tick)
	}
	c = cutOf(t, r, Cut{From: damaged.last.At + period, To: last.At}) // begins behind the damage
	first, _ = c.Span()
	if first.Tick <= damaged.last.Tick+1 || len(c.Gaps()) > 0 {
		t.Errorf("begins with tick %d, gaps %+v", first.Tick, c.Gaps())
	}
	for _, tick := range []uint64{first.Tick, first.Tick + 50} {
		same(t, "values behind the damage", readAt(t, c, tick, nil), s.at(tick, nil))
	}
	out := filepath.Join(t.TempDir(), "cut.mcap")
	err = r.Cut(out, Cut{From: damaged.last.At + period, To: damaged.last.At + 5*period})
	if _, ok := errors.AsType[*DamageError](err); !ok || len(files(t, filepath.Dir(out))) > 0 {
		t.Errorf("what damage hides altogether is cut: %v", err)
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
