package headless_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/headless"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
)

// soak returns the lives of a soak. The tests of this package have the processors back afterwards.
func soak(t *testing.T, s setup.Options, o headless.SoakOptions) (lives []headless.Life) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	if err := headless.Soak(t.Context(), s, o, func(l headless.Life) error {
		lives = append(lives, l)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return lives
}

// Lives side by side decide what each decides alone, and are told in the order of their seeds.
func TestLivesSideBySideAreThoseAlone(t *testing.T) {
	s := setuptest.Options(t, 0)
	o := headless.Options{For: 20 * time.Second, Script: script(t, s, []string{"5s imu absent 1s"}, []string{"8s pickup", "9s putdown", "10s intent come_here"})}
	lives := soak(t, s, headless.SoakOptions{Options: o, First: 3, Last: 7, Jobs: 3, Twice: true})
	if len(lives) != 5 {
		t.Fatalf("%d lives", len(lives))
	}
	for i, l := range lives {
		s.Seed = uint64(3 + i)
		alone, err := headless.Run(t.Context(), s, o)
		if err != nil || l.Seed != s.Seed || l.DecisionHash != alone.DecisionHash || len(l.Findings) > 0 {
			t.Errorf("seed %d: %v, findings %q, hash %.8s, alone %.8s", s.Seed, err, l.Findings, l.DecisionHash, alone.DecisionHash)
		}
	}
}

// Whatever goes wrong in one life is a finding of that life, and the others go on.
func TestWhatGoesWrongInALifeIsItsFinding(t *testing.T) {
	s := setuptest.Options(t, 0)
	at := func(do func(*headless.Fated) error) []headless.Line {
		return []headless.Line{headless.LineFor(2*time.Second, do)}
	}
	var lived atomic.Int32
	second := func() bool { return lived.Add(1) > 2 } // of two seeds
	for _, c := range []struct {
		name, want string
		script     []headless.Line
		dockings   uint64
	}{
		{name: "fall", want: "1 falls", script: at((*headless.Fated).Fall)},
		{name: "refused act", want: "act 2s place x_mm=800: place: 800, 0 mm is off the table", script: script(t, s, nil, []string{"2s place x_mm=800"})},
		{name: "panic", want: "panic: boom\n", script: at(func(*headless.Fated) error { panic("boom") })},
		{name: "docking", want: "0 dockings, want 1", dockings: 1},
		{name: "other decision", want: "the second life decides otherwise: ", script: at(func(f *headless.Fated) error {
			if second() {
				return f.Wake()
			}
			return nil
		})},
		{name: "second life", want: "in the second life: test: late trouble", script: at(func(*headless.Fated) error {
			if second() {
				return errors.New("late trouble")
			}
			return nil
		})},
	} {
		t.Run(c.name, func(t *testing.T) {
			lived.Store(0)
			lives := soak(t, s, headless.SoakOptions{
				Options: headless.Options{For: 8 * time.Second, Script: c.script}, First: 1, Last: 2, Jobs: 2, Twice: true, Dockings: c.dockings,
			})
			for _, l := range lives {
				if len(l.Findings) == 0 || !strings.Contains(l.Findings[0], c.want) {
					t.Errorf("seed %d has the findings %q, want %q", l.Seed, l.Findings, c.want)
				}
			}
			if len(lives) != 2 {
				t.Errorf("%d lives", len(lives))
			}
		})
	}
}

// A soak that is interrupted, or whose lives nobody can read, ends and says so; no life that was cut short is told.
func TestSoakEndsEarly(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	s := setuptest.Options(t, 0)
	o := headless.SoakOptions{Options: headless.Options{For: 30 * time.Second}, First: 1, Last: 1000, Jobs: 2} // of lives that outlast a turn of a goroutine
	ctx, cancel := context.WithCancel(t.Context())
	var seeds []uint64
	err := headless.Soak(ctx, s, o, func(l headless.Life) error {
		if seeds = append(seeds, l.Seed); l.Seed == 3 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, headless.ErrInterrupted) || !strings.Contains(err.Error(), " of 1000 lives") || !slices.IsSorted(seeds) || len(seeds) > 10 {
		t.Errorf("after the seeds %v: %v", seeds, err)
	}
	full := errors.New("no space left")
	if err := headless.Soak(t.Context(), s, o, func(headless.Life) error { return full }); !errors.Is(err, full) {
		t.Error(err)
	}
}
