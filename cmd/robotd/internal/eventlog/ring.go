package eventlog

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// ringLen is how many lines the page shows.
const ringLen = 50

// A Ring is a slog handler that keeps the newest lines for the page. It is safe for concurrent use and never blocks for
// longer than a copy of its lines.
type Ring struct {
	lines *ringLines
	attrs []slog.Attr
}

type ringLines struct {
	mu    sync.Mutex
	start time.Time
	lines []control.LogEntry
	also  func(control.LogEntry)
}

// NewRing returns an empty ring; times of lines count from start.
func NewRing(start time.Time) *Ring { return &Ring{lines: &ringLines{start: start}} }

// Tee passes every later line on too.
func (r *Ring) Tee(also func(control.LogEntry)) {
	r.lines.mu.Lock()
	defer r.lines.mu.Unlock()
	r.lines.also = also
}

// Enabled implements slog.Handler: everything from Info on.
func (r *Ring) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelInfo }

// Handle implements slog.Handler.
func (r *Ring) Handle(_ context.Context, rec slog.Record) error {
	var b strings.Builder
	b.WriteString(rec.Message)
	add := func(a slog.Attr) bool {
		b.WriteString(" " + a.Key + "=" + a.Value.String())
		return true
	}
	for _, a := range r.attrs {
		add(a)
	}
	rec.Attrs(add)
	r.Add(rec.Time, strings.ToLower(rec.Level.String()), b.String())
	return nil
}

// WithAttrs implements slog.Handler.
func (r *Ring) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &Ring{lines: r.lines, attrs: slices.Concat(r.attrs, attrs)}
}

// WithGroup implements slog.Handler. The page shows no groups.
func (r *Ring) WithGroup(string) slog.Handler { return r }

// Add appends one line.
func (r *Ring) Add(at time.Time, level, text string) {
	l := r.lines
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.lines) == ringLen {
		l.lines = append(l.lines[:0], l.lines[1:]...)
	}
	line := control.LogEntry{TimeS: at.Sub(l.start).Seconds(), Level: level, Text: text}
	l.lines = append(l.lines, line)
	if l.also != nil {
		l.also(line)
	}
}

// Lines is a copy of all lines, newest last.
func (r *Ring) Lines() []control.LogEntry {
	r.lines.mu.Lock()
	defer r.lines.mu.Unlock()
	return slices.Clone(r.lines.lines)
}
