package why

import (
	"errors"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/metrics/record"
)

// sinceSpan bounds how far back is read to find since when a behavior that nobody asks has its status.
const sinceSpan = 5 * time.Minute

// findSince finds since when a behavior that was asked once and is not asked now has its status: it may have been active in between. What has
// been so for longer than sinceSpan has no such tick, nor what begins behind a damaged part of the file.
func (r *Reader) findSince(w *control.Why) error {
	if w.Asked || w.AskedTick == 0 || w.Status == inControl || w.Status == active {
		return nil
	}
	first, _ := r.History.Span()
	from, whole := w.AskedTick+1, true
	if least := max(first.Tick, ticksBefore(w.Tick, r.History.Life().PeriodNS)); from < least {
		from, whole = least, false
	}
	m, err := r.moment(from)
	if _, hidden := errors.AsType[*record.DamageError](err); hidden {
		w.SinceTick, w.SinceS = 0, 0
		return nil
	}
	if err != nil {
		return err
	}
	now, since := m.status(w.ID), record.Instant{Tick: from, At: secondsOf(m.at)}
	begin, changed := since, false
	look := func(at record.Instant) {
		if status := m.status(w.ID); status != now {
			now, since, changed = status, at, true
		}
	}
	before, bad := begin, error(nil)
	err = r.History.Scan([]string{topicStack, topicScope}, from+1, w.Tick, func(msg record.Message) bool {
		if msg.Tick != before.Tick { // the tick before is complete
			look(before)
			before = record.Instant{Tick: msg.Tick, At: msg.At}
		}
		bad = m.take(&msg)
		return bad == nil
	})
	look(before)
	if err == nil {
		err = bad
	}
	w.SinceTick, w.SinceS = since.Tick, seconds(since.At)
	if !changed && !whole {
		w.SinceTick, w.SinceS = 0, 0
	}
	return err
}

// ticksBefore is the tick that is sinceSpan earlier; 0 before the first.
func ticksBefore(tick uint64, periodNS int64) uint64 {
	ticks := uint64(sinceSpan.Nanoseconds() / max(1, periodNS))
	if ticks > tick {
		return 0
	}
	return tick - ticks
}
