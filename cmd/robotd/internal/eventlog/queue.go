package eventlog

import (
	"bytes"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// queueLimit bounds what waits to be written: some thousand lines.
const queueLimit = 256 << 10

// A Queue is a writer of whole lines that never waits for the one below it. A goroutine of its own writes what was queued. Lines
// that find no room, or that the writer below refuses, are dropped and counted; the next successful write ends with a line that
// says how many. It is safe for concurrent use.
type Queue struct {
	out     io.Writer
	format  Format
	limit   int
	dropped atomic.Uint64

	wake chan struct{}
	done chan struct{} // closed when everything is written after Close

	mu      sync.Mutex
	pending []byte
	untold  uint64 // dropped lines of which no line was written yet
	full    bool   // until the goroutine takes what waits, so that the dropped lines are those after it
	closed  bool
}

// NewQueue returns a queue of lines of a format before out. Its goroutine ends after Close, unless out never returns.
func NewQueue(out io.Writer, f Format) *Queue { return newQueue(out, f, queueLimit) }

func newQueue(out io.Writer, f Format, limit int) *Queue {
	q := &Queue{out: f.Sink(out), format: f, limit: limit, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go q.run()
	return q
}

// Dropped is how many lines were lost so far.
func (q *Queue) Dropped() uint64 { return q.dropped.Load() }

// Write queues a copy of whole lines. It does not fail: what is lost is counted.
func (q *Queue) Write(text []byte) (int, error) {
	q.mu.Lock()
	if q.full = q.full || q.closed || len(q.pending)+len(text) > q.limit; q.full {
		q.drop(text)
	} else {
		q.pending = append(q.pending, text...)
	}
	q.mu.Unlock()
	q.signal()
	return len(text), nil
}

// drop counts the lines of a text; mu is held.
func (q *Queue) drop(text []byte) {
	n := uint64(bytes.Count(text, []byte{'\n'}))
	q.untold += n
	q.dropped.Add(n)
}

func (q *Queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// Close waits until everything is written, for limit at most. Lines that come later are dropped.
func (q *Queue) Close(limit time.Duration) {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.signal()
	late := time.NewTimer(limit)
	defer late.Stop()
	select {
	case <-q.done:
	case <-late.C:
	}
}

// run writes until Close.
func (q *Queue) run() {
	defer close(q.done)
	var batch []byte
	for over := false; !over; {
		<-q.wake
		for wrote := true; wrote; {
			var told uint64
			batch, told, over = q.take(batch)
			wrote = len(batch) > 0 && q.write(batch, told)
		}
	}
}

// take exchanges the buffers. Behind the lines that wait it puts one that tells of the dropped ones, and returns their number. It
// reports whether these are the last lines: once the queue is closed nothing is added.
func (q *Queue) take(spare []byte) (batch []byte, told uint64, last bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	batch, q.pending, q.full = q.pending, spare[:0], false
	if q.untold > 0 {
		var line bytes.Buffer
		slog.New(q.format.Handler(&line, slog.LevelInfo)).Warn("log lines dropped", "lines", q.untold)
		batch = append(batch, line.Bytes()...)
	}
	return batch, q.untold, q.closed
}

// write reports whether all was written. The lines that were not are dropped; that of the dropped ones is not one of them.
func (q *Queue) write(batch []byte, told uint64) bool {
	n, err := q.out.Write(batch)
	q.mu.Lock()
	defer q.mu.Unlock()
	if err == nil {
		q.untold -= told
		return true
	}
	lost := batch[n:]
	if told > 0 && len(lost) > 0 {
		lost = lost[:bytes.LastIndexByte(lost[:len(lost)-1], '\n')+1]
	}
	q.drop(lost)
	return false
}
