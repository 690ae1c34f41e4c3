package facts

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/metrics/record"
)

// A quiet robot logs almost nothing. It notes what is read of it.
type quiet struct {
	record.History
	scans [][2]uint64
}

func (*quiet) Life() record.Life { return record.Life{PeriodNS: int64(60 * time.Millisecond)} }

func (*quiet) Span() (first, last record.Instant) {
	return record.Instant{Tick: 1}, record.Instant{Tick: 2e6}
}

func (q *quiet) Scan(_ []string, from, to uint64, yield func(record.Message) bool) error {
	q.scans = append(q.scans, [2]uint64{from, to})
	for _, tick := range []uint64{7, 900_000, 999_000, 1_500_000} {
		if from <= tick && tick <= to && !yield(record.Message{Tick: tick, Data: fmt.Appendf(nil, `{"message":"at %d"}`, tick)}) {
			break
		}
	}
	return nil
}

// The lines of a quiet robot are looked for ever farther back, but nowhere twice.
func TestLogOfQuietRobotIsReadOnce(t *testing.T) {
	q := &quiet{}
	lines, err := logAt(q, 1e6)
	if err != nil || len(lines) != 3 || lines[0].Text != "at 7" || lines[1].Text != "at 900000" || lines[2].Text != "at 999000" {
		t.Errorf("%+v, %v", lines, err)
	}
	next := uint64(1)
	for _, s := range slices.Backward(q.scans) {
		if s[0] != next {
			t.Errorf("read from tick %d, want %d: %v", s[0], next, q.scans)
		}
		next = s[1] + 1
	}
	if next != 1e6+1 || len(q.scans) < 3 {
		t.Errorf("read up to tick %d: %v", next-1, q.scans)
	}
	if lines, err := logAt(&quiet{}, 6); lines == nil || len(lines) > 0 || err != nil {
		t.Errorf("before the first line: %+v, %v", lines, err)
	}
}
