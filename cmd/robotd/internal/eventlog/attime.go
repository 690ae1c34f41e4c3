package eventlog

import (
	"context"
	"log/slog"
	"time"
)

// atTime is a handler whose lines carry the time of another clock.
type atTime struct {
	slog.Handler
	now func() time.Time
}

// AtTime returns a handler that passes each line on with the time that now returns, for a robot that lives in virtual time.
func AtTime(h slog.Handler, now func() time.Time) slog.Handler { return atTime{h, now} }

// Handle implements slog.Handler.
func (a atTime) Handle(ctx context.Context, r slog.Record) error {
	r.Time = a.now()
	return a.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (a atTime) WithAttrs(attrs []slog.Attr) slog.Handler {
	return atTime{a.Handler.WithAttrs(attrs), a.now}
}

// WithGroup implements slog.Handler.
func (a atTime) WithGroup(name string) slog.Handler { return atTime{a.Handler.WithGroup(name), a.now} }
