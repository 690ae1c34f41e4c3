package headless

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/robotd/robotd/cmd/robotd/internal/runstats"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
)

// SoakOptions are the options of many lives side by side.
type SoakOptions struct {
	Options
	First, Last uint64 // seeds
	Jobs        int    // lives at a time
	Twice       bool   // each life is lived again, with more processors, and must decide the same
	Dockings    uint64 // at least so often each robot must get to its charger
}

// A Life is one life of a soak. It has findings if it is not as it should be.
type Life struct {
	runstats.Summary
	Findings []string `json:"findings"`
}

// secondProcs is how many processors more than the first lives the second ones have, so that their goroutines are scheduled otherwise.
const secondProcs = 3

// Soak lives one life for each seed, Jobs at a time, in this process: they share one catalog, and nothing else. It calls done
// for each in the order of the seeds, as soon as its turn has come. An error ends it early.
func Soak(ctx context.Context, s setup.Options, o SoakOptions, done func(Life) error) error {
	setup.TuneVirtual(o.Jobs, 0)
	if !o.Twice {
		return o.all(ctx, s, done)
	}
	var first []Life
	keep := func(l Life) error { first = append(first, l); return nil }
	if err := o.all(ctx, s, keep); err != nil {
		return err
	}
	setup.TuneVirtual(o.Jobs, secondProcs)
	return o.all(ctx, s, func(second Life) error {
		l := first[second.Seed-o.First]
		switch {
		case len(l.Findings) == 0 && len(second.Findings) > 0:
			l.Findings = append(l.Findings, "in the second life: "+second.Findings[0])
		case l.DecisionHash != second.DecisionHash:
			l.Findings = append(l.Findings, fmt.Sprintf("the second life decides otherwise: %.16s", second.DecisionHash))
		}
		return done(l)
	})
}

// all lives one life for each seed.
func (o *SoakOptions) all(ctx context.Context, s setup.Options, done func(Life) error) error {
	ctx, cancel := context.WithCancel(ctx)
	n := o.Last - o.First + 1
	var next atomic.Uint64
	lived := make(chan Life)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer cancel()
	for range min(uint64(o.Jobs), n) {
		workers.Go(func() {
			for k := next.Add(1) - 1; k < n && ctx.Err() == nil; k = next.Add(1) - 1 {
				select {
				case lived <- o.life(ctx, s, o.First+k):
				case <-ctx.Done():
				}
			}
		})
	}
	early := map[uint64]Life{} // lives whose turn has not come
	for k := uint64(0); k < n; {
		select {
		case l := <-lived:
			early[l.Seed] = l
		case <-ctx.Done():
		}
		if ctx.Err() != nil { // what has ended since is cut short
			return fmt.Errorf("%w after %d of %d lives", ErrInterrupted, k, n)
		}
		for l, ok := early[o.First+k]; ok; l, ok = early[o.First+k] {
			if err := done(l); err != nil {
				return err
			}
			delete(early, l.Seed)
			k++
		}
	}
	return nil
}

// life lives one life. Whatever ends it early is a finding.
func (o *SoakOptions) life(ctx context.Context, s setup.Options, seed uint64) (l Life) {
	l.Findings = []string{}
	finding := func(format string, args ...any) { l.Findings = append(l.Findings, fmt.Sprintf(format, args...)) }
	defer func() {
		if r := recover(); r != nil {
			l.Seed = seed
			finding("panic: %v\n%s", r, debug.Stack())
		}
	}()
	s.Seed, s.Log = seed, slog.New(s.Log.Handler().WithAttrs([]slog.Attr{slog.Uint64("seed", seed)}))
	sum, err := Run(ctx, s, o.Options)
	l.Summary = sum
	l.Seed = seed
	if err != nil && !errors.Is(err, ErrInterrupted) {
		finding("%v", err)
	}
	for _, c := range []struct {
		n    uint64
		what string
	}{{sum.Falls, "falls"}, {sum.LifecycleViolations, "lifecycle violations"}, {sum.Panics, "panics"}, {sum.Hangs, "hangs"}} {
		if c.n > 0 {
			finding("%d %s", c.n, c.what)
		}
	}
	if sum.Dockings < o.Dockings {
		finding("%d dockings, want %d", sum.Dockings, o.Dockings)
	}
	return l
}
