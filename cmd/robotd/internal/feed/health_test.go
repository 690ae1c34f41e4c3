package feed

import (
	"slices"
	"testing"
	"time"
	"unsafe"
)

// stepped is the instant t as a machine reads it whose wall clock was set by d meanwhile: the wall reading moves, the monotonic one
// does not.
func stepped(t *testing.T, at time.Time, d time.Duration) time.Time {
	t.Helper()
	was := at
	*(*uint64)(unsafe.Pointer(&at)) += uint64(d/time.Second) << 30 // the first word of a time with a monotonic reading: seconds << 30
	if at.Sub(was) != 0 || at.Round(0).Sub(was.Round(0)) != d {
		t.Fatalf("time.Time has another layout: %v became %v", was, at)
	}
	return at
}

func TestStepOfWallClockChangesNoHealth(t *testing.T) {
	for _, step := range []time.Duration{-time.Hour, 0, time.Hour} {
		p := &Publisher{start: time.Now(), period: 60 * time.Millisecond}
		p.now = func() time.Time { return p.start }
		if got := p.Alive(); !slices.Equal(got, []string{"tick"}) {
			t.Errorf("before the first tick: %v", got)
		}
		tick := p.start.Add(time.Minute)
		p.completed(tick)
		p.now = func() time.Time { return stepped(t, tick.Add(100*time.Millisecond), step) }
		if got := p.Alive(); got != nil {
			t.Errorf("a clock that was set by %v makes a healthy robot fail: %v", step, got)
		}
		p.now = func() time.Time { return stepped(t, tick.Add(time.Second), step) }
		if got := p.Alive(); !slices.Equal(got, []string{"tick"}) {
			t.Errorf("a clock that was set by %v makes a dead robot healthy: %v", step, got)
		}
		p.completed(stepped(t, tick.Add(time.Second), step))
		if got := p.Alive(); got != nil {
			t.Errorf("the tick after a clock was set by %v does not count: %v", step, got)
		}
	}
}

// A tick that is late on a busy machine fails no health check, one that does not come at all does.
func TestLateTickFailsNoHealthCheck(t *testing.T) {
	for _, c := range []struct{ period, limit time.Duration }{
		{60 * time.Millisecond, 500 * time.Millisecond},
		{time.Second, 3 * time.Second},
	} {
		p := &Publisher{start: time.Now(), period: c.period}
		tick := p.start.Add(time.Minute)
		p.completed(tick)
		p.now = func() time.Time { return tick.Add(c.limit) }
		if got := p.Alive(); got != nil {
			t.Errorf("period %v, a tick %v old: %v", c.period, c.limit, got)
		}
		p.now = func() time.Time { return tick.Add(c.limit + 1) }
		if got := p.Alive(); !slices.Equal(got, []string{"tick"}) {
			t.Errorf("period %v, a tick older than %v: %v", c.period, c.limit, got)
		}
	}
}
