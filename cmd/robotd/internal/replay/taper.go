package replay

import (
	"math"
	"sync"
	"time"

	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/metrics/record"
)

// maxWaiting is how many calls of the engine may wait for the recorder: more than four minutes at the default period.
const maxWaiting = 4096

// A Taper puts what a replay needs between the messages of the ticks: the engine tells it, and it stands before a sink. Nothing waits
// for it on the tick.
type Taper struct {
	queue *tape.Queue
	next  record.Sink

	mu   sync.Mutex
	last record.Instant
}

var _ record.Sink = (*Taper)(nil)

// NewTaper returns a taper that hands everything on.
func NewTaper(next record.Sink) *Taper { return &Taper{queue: tape.NewQueue(maxWaiting), next: next} }

// Recorder is what the engine tells.
func (t *Taper) Recorder() engine.Recorder { return tape.NewRecorder(t.queue.Put) }

// Tick implements [record.Sink]: it adds what was noted up to that tick.
func (t *Taper) Tick(n uint64, at time.Duration, batch []record.Message) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = record.Instant{Tick: n, At: at}
	t.next.Tick(n, at, t.add(n, batch))
}

// Close hands on what was noted after the last tick. The engine has stopped.
func (t *Taper) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if batch := t.add(math.MaxUint64, nil); len(batch) > 0 {
		t.next.Tick(t.last.Tick, t.last.At, batch)
	}
}

// add appends the messages up to a tick. Those of the newest tick have its time.
func (t *Taper) add(upTo uint64, batch []record.Message) []record.Message {
	t.queue.Drain(upTo, func(tick uint64, at time.Duration, message []byte) {
		if tick == t.last.Tick {
			at = t.last.At
		}
		batch = append(batch, record.Message{Tick: tick, At: at, Topic: record.Tape, Data: message})
	})
	return batch
}
