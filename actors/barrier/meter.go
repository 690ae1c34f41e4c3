package barrier

import (
	"math/bits"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/robotd/robotd/behaviors/engine"
)

// The times of hooks are kept for about a minute, in slices.
const (
	meterSlice  = 10 * time.Second
	meterSlices = 6
	meterFor    = 10 * time.Second // after the newest reader
	// Durations fall into four buckets for each power of two of microseconds, so that a percentile is right to a fifth; the last
	// bucket holds all from 16 s on.
	meterBuckets = 24 * 4
)

// A HookTime is the time that the hooks of one behavior took in the last minute, as far as it was measured. What a hook waited for hooks of
// others is theirs.
type HookTime struct {
	ID              string
	Calls           uint64
	Sum, P99, Worst time.Duration
}

// A meter measures hooks while somebody reads it. Workers report to it one at a time, but for one that was given up: hence the lock.
type meter struct {
	until atomic.Int64 // nanoseconds since start until which it measures
	start time.Time
	now   func() time.Time

	mu   sync.Mutex
	sum  time.Duration         // of all hooks; what it grows by while a hook runs is the time of hooks within that one
	byID map[string]*hookTimes // of behaviors, whatever their incarnation
}

// hookTimes are those of one behavior.
type hookTimes struct {
	slices [meterSlices]timeSlice
}

type timeSlice struct {
	number int64 // since start; of what is in it
	calls  uint64
	sum    time.Duration
	worst  time.Duration
	counts [meterBuckets]uint32
}

// A lap is a hook under way.
type lap struct {
	at  time.Time
	sum time.Duration
}

// begin is called before a hook.
func (m *meter) begin() lap {
	m.mu.Lock()
	defer m.mu.Unlock()
	return lap{m.now(), m.sum}
}

// end is called after a hook that was not given up; the zero lap is that of one that was left out.
func (m *meter) end(c *engine.Cell, l lap) {
	if l.at.IsZero() {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	took := max(now.Sub(l.at)-(m.sum-l.sum), 0)
	m.sum += took
	t := m.byID[c.Node.ID]
	if t == nil {
		t = &hookTimes{}
		m.byID[c.Node.ID] = t
	}
	s := t.slice(int64(now.Sub(m.start) / meterSlice))
	s.calls++
	s.sum += took
	s.worst = max(s.worst, took)
	s.counts[timeBucket(took)]++
}

// slice is that of a number; what was in its place is too old.
func (t *hookTimes) slice(number int64) *timeSlice {
	s := &t.slices[number%meterSlices]
	if s.number != number {
		*s = timeSlice{number: number}
	}
	return s
}

// timeBucket numbers durations: quarters of powers of two of microseconds.
func timeBucket(d time.Duration) int {
	us := uint64(max(d, 0) / (time.Microsecond / 4)) // quarters, so that the lowest powers have theirs
	if us < 4 {
		return int(us)
	}
	shift := bits.Len64(us) - 3
	return min(4*(shift+1)+int(us>>shift)-4, meterBuckets-1)
}

// bucketEnd is the upper end of a bucket.
func bucketEnd(b int) time.Duration {
	if b < 4 {
		return time.Duration(b+1) * time.Microsecond / 4
	}
	return time.Duration(b%4+5) << (b/4 - 1) * (time.Microsecond / 4)
}

// times lists what was measured in the last minute, the dearest first.
func (m *meter) times() []HookTime {
	m.mu.Lock()
	defer m.mu.Unlock()
	number := int64(m.now().Sub(m.start) / meterSlice)
	var all []HookTime
	for id, t := range m.byID {
		h := HookTime{ID: id}
		var counts [meterBuckets]uint64
		for i := range t.slices {
			s := &t.slices[i]
			if s.calls == 0 || number-s.number >= meterSlices {
				continue
			}
			h.Calls, h.Sum, h.Worst = h.Calls+s.calls, h.Sum+s.sum, max(h.Worst, s.worst)
			for b, n := range s.counts {
				counts[b] += uint64(n)
			}
		}
		if h.Calls > 0 {
			h.P99 = min(percentile(&counts, h.Calls, 99), h.Worst)
			all = append(all, h)
		} else {
			delete(m.byID, id) // it may be one that a reload removed
		}
	}
	slices.SortFunc(all, func(a, b HookTime) int {
		if a.Sum != b.Sum {
			return int(min(max(b.Sum-a.Sum, -1), 1))
		}
		return strings.Compare(a.ID, b.ID)
	})
	return all
}

// percentile is the upper end of the bucket in which the p-th hundredth of all calls lies.
func percentile(counts *[meterBuckets]uint64, calls, p uint64) time.Duration {
	want, seen := (calls*p+99)/100, uint64(0)
	for b, n := range counts {
		if seen += n; seen >= want {
			return bucketEnd(b)
		}
	}
	return bucketEnd(meterBuckets - 1)
}

// HookTimes lists the time of hooks by behavior, the dearest first, and has it measured for the next ten seconds: otherwise nothing is. It
// reports whether it was measured before this call. It may be called from anywhere.
func (b *Barrier) HookTimes() (times []HookTime, measured bool) {
	b.meterMu.Lock()
	defer b.meterMu.Unlock()
	if b.kept == nil {
		b.kept = &meter{start: time.Now(), now: time.Now, byID: map[string]*hookTimes{}}
	}
	b.kept.until.Store(int64(time.Since(b.kept.start) + meterFor))
	measured = b.meter.Swap(b.kept) != nil
	return b.kept.times(), measured
}

// meterOver ends the measurement that nobody reads any more. It is called once a tick.
func (b *Barrier) meterOver() {
	if m := b.meter.Load(); m != nil && int64(time.Since(m.start)) > m.until.Load() {
		b.meter.CompareAndSwap(m, nil)
	}
}
