package eventlog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// aMinute is a limit that only a block reaches.
const aMinute = time.Minute

// A valve is a writer that can be shut, as a pipe that nobody reads, or broken, as a pipe without a reader.
type valve struct {
	mu     sync.Mutex
	text   bytes.Buffer
	broken int          // so many writes fail
	shut   sync.RWMutex // held for writing: shut
	begun  chan struct{}
}

func newValve() *valve { return &valve{begun: make(chan struct{}, 1000)} }

var errBroken = errors.New("broken pipe")

func (v *valve) Write(b []byte) (int, error) {
	v.begun <- struct{}{}
	v.shut.RLock()
	defer v.shut.RUnlock()
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.broken > 0 {
		v.broken--
		return 0, errBroken
	}
	return v.text.Write(b)
}

func (v *valve) String() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.text.String()
}

func put(t *testing.T, q *Queue, text string) {
	t.Helper()
	if n, err := q.Write([]byte(text)); n != len(text) || err != nil {
		t.Fatalf("Write returns %d, %v", n, err)
	}
}

func TestQueueWritesLinesInOrder(t *testing.T) {
	v := newValve()
	q := NewQueue(v, FormatText)
	want := ""
	for i := range 100 {
		line := fmt.Sprintf("line %d\n", i)
		put(t, q, line)
		want += line
	}
	q.Close(aMinute)
	if v.String() != want || q.Dropped() != 0 {
		t.Errorf("%d lines dropped, written: %q", q.Dropped(), v.String())
	}
}

// While nobody reads, Write returns, the memory stays bounded, and what is lost is counted. The reader learns where and how many.
func TestStalledWriterHoldsNobodyAndLostLinesAreTold(t *testing.T) {
	v := newValve()
	v.shut.Lock()
	q := newQueue(v, FormatText, 20)
	put(t, q, "first\n")
	<-v.begun // the goroutine is held by the writer
	put(t, q, "second\n")
	put(t, q, "0123456789 does not fit\n0123456789 neither\n")
	put(t, q, "fits, but is later\n") // and would hide where lines are missing
	if q.Dropped() != 3 || len(q.pending) > 20 {
		t.Errorf("%d lines dropped, %d bytes wait", q.Dropped(), len(q.pending))
	}
	v.shut.Unlock()
	<-v.begun
	put(t, q, "last\n")
	q.Close(aMinute)
	want := regexp.MustCompile(`^first\nsecond\ntime=\S+ level=WARN msg="log lines dropped" lines=3\nlast\n$`)
	if !want.MatchString(v.String()) {
		t.Errorf("written: %q", v.String())
	}
}

func TestLinesThatWriterRefusesAreCountedAndTold(t *testing.T) {
	v := newValve()
	v.broken = 3
	q := NewQueue(v, FormatText)
	for range 3 {
		put(t, q, "lost\n")
		<-v.begun
	}
	put(t, q, "heard\n")
	q.Close(aMinute)
	if got := v.String(); !strings.HasPrefix(got, "heard\n") || !strings.Contains(got, `msg="log lines dropped" lines=3`) || q.Dropped() != 3 {
		t.Errorf("%d dropped, written: %q", q.Dropped(), got)
	}
}

func TestCloseOfStalledQueueReturns(t *testing.T) {
	v := newValve()
	v.shut.Lock()
	q := NewQueue(v, FormatText)
	put(t, q, "never read\n")
	<-v.begun
	q.Close(time.Millisecond)
	put(t, q, "too late\n")
	if q.Dropped() != 1 {
		t.Errorf("%d lines dropped", q.Dropped())
	}
	v.shut.Unlock()
	<-q.done
}

// A line costs the tick no allocation.
func TestQueuedLineAllocatesNothing(t *testing.T) {
	q := NewQueue(io.Discard, FormatText)
	defer q.Close(aMinute)
	line := []byte("time=2026-01-01T00:00:00Z level=INFO msg=line\n")
	if n := testing.AllocsPerRun(20_000, func() { _, _ = q.Write(line) }); n >= 1 {
		t.Errorf("%v allocations", n)
	}
}

// What was queued before Close is written, also what comes just when the goroutine finds nothing more to do.
func TestLastLineBeforeCloseIsWritten(t *testing.T) {
	taken := func(q *Queue) bool {
		q.mu.Lock()
		defer q.mu.Unlock()
		return len(q.pending) == 0
	}
	spun := 0
	for round := range 50_000 {
		var text bytes.Buffer
		q := NewQueue(&text, FormatText)
		put(t, q, "first\n")
		for !taken(q) {
			runtime.Gosched()
		}
		for range round % 2000 { // about a microsecond, to meet each of its steps
			spun++
		}
		put(t, q, "last\n")
		q.Close(aMinute)
		if text.String() != "first\nlast\n" {
			t.Fatalf("round %d: written: %q, %d lines dropped", round, text.String(), q.Dropped())
		}
	}
}
