// Package flight keeps an execution trace of the last seconds of the process in memory, and writes it to a file when a tick misses its
// deadline, so that `go tool trace` shows what every goroutine and processor did meanwhile.
package flight

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/trace"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
)

// Limits of what is kept.
const (
	window   = 2 * time.Second // of trace in memory
	maxBytes = 4 << 20         // of trace in memory
	every    = time.Minute     // at most one file in this time
	keep     = 10              // files; the oldest goes
	suffix   = ".trace"
	unnamed  = suffix + ".part"   // of a file until it is whole
	stamp    = "20060102T150405Z" // of a name
)

// source is what a trace is taken from: runtime/trace.FlightRecorder.
type source interface {
	WriteTo(w io.Writer) (int64, error)
	Stop()
}

// A Recorder observes ticks and writes the trace of a missed deadline. It never holds a tick: a goroutine of its own writes.
type Recorder struct {
	from   source
	dir    string
	log    *slog.Logger
	now    func() time.Time
	missed chan event.Tick // room for one; further ones are left out
	done   chan struct{}
	end    sync.Once
	newest time.Time // trace; run's goroutine only
}

// Start begins the trace. Files go to dir, which is made with the first. It fails if the process has a flight recorder already.
func Start(dir string, log *slog.Logger) (*Recorder, error) {
	r := trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: window, MaxBytes: maxBytes})
	if err := r.Start(); err != nil {
		return nil, fmt.Errorf("execution trace: %w", err)
	}
	f := newRecorder(r, dir, log, time.Now)
	go f.run()
	return f, nil
}

func newRecorder(from source, dir string, log *slog.Logger, now func() time.Time) *Recorder {
	return &Recorder{from: from, dir: dir, log: log, now: now, missed: make(chan event.Tick, 1), done: make(chan struct{})}
}

// ObserveTick implements actors.TickObserver.
func (r *Recorder) ObserveTick(t event.Tick, _ *engine.Output, _ *engine.Engine) {
	if !t.Missed {
		return
	}
	t.Phases = nil // valid during the call only
	select {
	case r.missed <- t:
	default:
	}
}

// Close ends the trace, after the file that is being written; that takes as long as ctx lives at most. No tick may come any more. It may be called
// again.
func (r *Recorder) Close(ctx context.Context) { r.end.Do(func() { r.close(ctx) }) }

func (r *Recorder) close(ctx context.Context) {
	close(r.missed)
	select {
	case <-r.done:
	case <-ctx.Done():
	}
	r.from.Stop()
}

func (r *Recorder) run() {
	defer close(r.done)
	for t := range r.missed {
		r.take(t)
	}
}

// take writes the trace of a tick unless there was one a short while ago.
func (r *Recorder) take(t event.Tick) {
	now := r.now()
	if !r.newest.IsZero() && now.Sub(r.newest) < every {
		return
	}
	r.newest = now
	path, err := r.write(t, now)
	if err != nil {
		r.log.Warn("a tick missed its deadline; its execution trace cannot be written", "tick", t.N, "why", err)
		return
	}
	r.log.Warn("a tick missed its deadline: see go tool trace", "tick", t.N, "duration", t.Duration, "trace", path)
}

// write writes one file whole or not at all, and removes the oldest ones.
func (r *Recorder) write(t event.Tick, now time.Time) (string, error) {
	if err := os.MkdirAll(r.dir, 0o750); err != nil {
		return "", err
	}
	r.prune(now)
	path := filepath.Join(r.dir, fmt.Sprintf("%s-tick%d%s", now.UTC().Format(stamp), t.N, suffix))
	part := strings.TrimSuffix(path, suffix) + unnamed
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o640)
	if err != nil {
		return "", err
	}
	_, err = r.from.WriteTo(f)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		_ = os.Remove(part)
		return "", err
	}
	return path, nil
}

// prune makes room for one more file, and removes what a process left that was killed while it wrote one. Names sort by time; those of the future are
// of a clock that was wrong, and go first.
func (r *Recorder) prune(now time.Time) {
	all, err := os.ReadDir(r.dir)
	if err != nil {
		return
	}
	names := make([]string, 0, len(all))
	for _, e := range all {
		switch name := e.Name(); {
		case strings.HasSuffix(name, unnamed):
			_ = os.Remove(filepath.Join(r.dir, name))
		case strings.HasSuffix(name, suffix):
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if i, _ := slices.BinarySearch(names, now.Add(time.Second).UTC().Format(stamp)); i < len(names) {
		names = slices.Concat(names[i:], names[:i])
	}
	for len(names) >= keep {
		_ = os.Remove(filepath.Join(r.dir, names[0]))
		names = names[1:]
	}
}
