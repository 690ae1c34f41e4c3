package feed

import (
	"math/bits"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// Resolution of the latency window: buckets that grow by a sixteenth of a power of two, so that a percentile is right to
// 6 %, over a minute in slices of a second.
const (
	subBits    = 4
	subBuckets = 1 << subBits
	buckets    = 26 * subBuckets // up to 32 s in microseconds
	slices60   = 60
	historyLen = 120
)

// A window is a histogram of the last minute. It has one owner.
type window struct {
	total  [buckets]uint32
	parts  [slices60][buckets]uint16
	max    [slices60]time.Duration
	second int64 // of the newest slice
	count  uint64
}

// add records d at a time since the start, which does not go back.
func (w *window) add(at, d time.Duration) {
	w.turn(int64(at / time.Second))
	part := &w.parts[w.second%slices60]
	b := bucketOf(d)
	if part[b] < 1<<16-1 {
		part[b]++
		w.total[b]++
		w.count++
	}
	w.max[w.second%slices60] = max(w.max[w.second%slices60], d)
}

// turn forgets the slices that are older than a minute.
func (w *window) turn(second int64) {
	if w.second == 0 || second-w.second > slices60 {
		w.second = max(w.second, second-slices60)
	}
	for w.second < second {
		w.second++
		part := &w.parts[w.second%slices60]
		for b, n := range part {
			w.total[b] -= uint32(n)
			w.count -= uint64(n)
		}
		*part = [buckets]uint16{}
		w.max[w.second%slices60] = 0
	}
}

// percentile is the upper bound of the bucket that holds the share p of all, in microseconds.
func (w *window) percentile(p float64) float64 {
	if w.count == 0 {
		return 0
	}
	want := uint64(p*float64(w.count-1)) + 1
	var seen uint64
	for b, n := range w.total {
		if seen += uint64(n); seen >= want {
			return boundUS(b)
		}
	}
	return boundUS(buckets - 1)
}

func (w *window) maxUS() float64 {
	var m time.Duration
	for _, d := range w.max {
		m = max(m, d)
	}
	return micros(m)
}

// bucketOf numbers microseconds: exact below subBuckets, then subBuckets for each power of two.
func bucketOf(d time.Duration) int {
	us := uint64(max(d, 0) / time.Microsecond)
	if us < subBuckets {
		return int(us)
	}
	shift := bits.Len64(us) - 1 - subBits
	return min((shift+1)*subBuckets+int(us>>shift)-subBuckets, buckets-1)
}

// boundUS is the upper bound of a bucket.
func boundUS(b int) float64 {
	if b < subBuckets {
		return float64(b + 1)
	}
	shift := b/subBuckets - 1
	return float64(uint64(b%subBuckets+subBuckets+1) << shift)
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// Timing follows the ticks' durations and lateness.
type Timing struct {
	durations, lateness window
	history             [historyLen]time.Duration
	n                   int
	last                time.Duration
}

// Add takes one tick. Times do not go back.
func (t *Timing) Add(at, duration, lateness time.Duration) {
	t.durations.add(at, duration)
	t.lateness.add(at, lateness)
	t.history[t.n%historyLen] = duration
	t.n++
	t.last = duration
}

// State returns the latency state for the page.
func (t *Timing) State() control.LatencyState {
	s := control.LatencyState{
		LastUS: micros(t.last), P50US: t.durations.percentile(0.5), P99US: t.durations.percentile(0.99),
		MaxUS: t.durations.maxUS(), LateP99US: t.lateness.percentile(0.99),
		HistoryUS: make([]float64, 0, historyLen),
	}
	for i := max(0, t.n-historyLen); i < t.n; i++ {
		s.HistoryUS = append(s.HistoryUS, micros(t.history[i%historyLen]))
	}
	return s
}
