package facts_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/facts"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/metrics/record"
)

// recorded lets a robot live for a while and returns the file of its recording.
func recorded(t *testing.T, d time.Duration) string {
	t.Helper()
	run, dir := setuptest.Options(t, 1), t.TempDir()
	w, err := record.NewWriter(record.Options{Dir: dir, Life: run.Life("sim", epoch, true), Topics: facts.Recorded(), Wait: true})
	if err != nil {
		t.Fatal(err)
	}
	l := newLifeInto(t, run, w)
	l.live(d)
	l.end()
	if err := w.Close(0); err != nil {
		t.Fatal(err)
	}
	all, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(all) != 1 {
		t.Fatalf("files %v, %v", all, err)
	}
	return all[0]
}

// fresh opens a recording of which nothing was read yet.
func fresh(t *testing.T, path string) (*facts.Past, *record.Reader) {
	t.Helper()
	h, err := record.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return &facts.Past{Source: h}, h
}

// Nothing is told of the ticks in a damaged part of a file, nor of those behind it whose values follow from them, whatever is asked first.
func TestDamagedTicksAreRefusedBeforeAnybodyReadThem(t *testing.T) {
	path := recorded(t, 25*time.Second)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	whole := filepath.Join(t.TempDir(), "whole.mcap")
	if err := os.WriteFile(whole, text, 0o600); err != nil {
		t.Fatal(err)
	}
	frames := bytes.Split(text, []byte("\x28\xb5\x2f\xfd")) // chunks, as Zstandard begins them
	at := len(bytes.Join(frames[:len(frames)/2], []byte("....")))
	text[at] ^= 0xff
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	_, h := fresh(t, path)
	if err := h.Verify(); err == nil || len(h.Gaps()) != 1 {
		t.Fatalf("%v, gaps %v", err, h.Gaps())
	}
	gap := h.Gaps()[0]
	for tick, want := range map[uint64]string{
		gap.From.Tick:   "is not recorded: a part of the file is damaged from ",
		gap.To.Tick:     "is not recorded: a part of the file is damaged from ",
		gap.To.Tick + 1: "is not known: the ticks ",
	} {
		p, _ := fresh(t, path)
		if _, err := p.State(tick); err == nil || !strings.Contains(err.Error(), want) || !errors.Is(err, control.ErrRefused) {
			t.Errorf("the state of tick %d: %v; want %q", tick, err, want)
		}
		p, _ = fresh(t, path)
		if _, err := p.Why("ModeSelector", tick); err == nil || !strings.Contains(err.Error(), want) || !errors.Is(err, control.ErrRefused) {
			t.Errorf("why at tick %d: %v; want %q", tick, err, want)
		}
	}
	for _, tick := range []uint64{gap.From.Tick - 1, 410} { // before it, and after the next keyframe
		p, _ := fresh(t, path)
		got, err := p.State(tick)
		if err != nil {
			t.Fatal(err)
		}
		all, _ := fresh(t, whole)
		want, err := all.State(tick)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range differences("", jsonOf(t, want), jsonOf(t, got)) {
			t.Errorf("tick %d: %s", tick, d)
		}
	}
	p, _ := fresh(t, path)
	line, err := p.Timeline(0, 25)
	if err != nil || len(line.Gaps) != 1 || line.Gaps[0].FromS != round3(gap.From.At.Seconds()) {
		t.Errorf("the timeline has the gaps %v, %v; want %v", line.Gaps, err, gap)
	}
	if got, err := p.Activations("ModeSelector"); err != nil || len(got) == 0 {
		t.Errorf("activations %v, %v", got, err)
	}
}
