package tape

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/robotd/robotd/behaviors/engine"
)

// A Queue takes entries from the goroutine of the engine, as the sink of its [Recorder], and gives their messages to another goroutine, which
// encodes them. Put never waits. If too many entries wait, or one cannot be encoded, the life can no longer be decided again: the last
// message says so, and nothing follows it.
type Queue struct {
	mu      sync.Mutex
	waiting []*Entry
	limit   int
	closed  bool // nothing is taken any more

	drain sync.Mutex // held by who drains; guards what follows
	enc   Encoder
	prev  *Entry // which the encoder still needs
	begin time.Time
	tick  uint64
	at    time.Duration
	buf   []byte
	over  bool
}

// NewQueue returns a queue in which up to limit entries wait.
func NewQueue(limit int) *Queue { return &Queue{limit: limit} }

// Put takes an entry.
func (q *Queue) Put(e *Entry) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || len(q.waiting) >= q.limit {
		q.closed = true
		e.Recycle()
		return
	}
	q.waiting = append(q.waiting, e)
}

// Drain calls yield with the message of each waiting entry, up to those of a tick, in order. The entries of a start, a reset and a shutdown
// belong to the tick before them.
func (q *Queue) Drain(upTo uint64, yield func(tick uint64, at time.Duration, message []byte)) {
	q.drain.Lock()
	defer q.drain.Unlock()
	for !q.over {
		e, closed := q.next(upTo)
		switch {
		case e != nil:
			message, err := q.encode(e)
			if err != nil {
				q.end(err, yield)
				return
			}
			yield(q.tick, q.at, message)
		case closed:
			q.end(fmt.Errorf("the recorder was too slow: %d entries waited", q.limit), yield)
		default:
			return
		}
	}
}

// next takes the oldest entry; nil if there is none up to that tick, and then whether none will come.
func (q *Queue) next(upTo uint64) (e *Entry, closed bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		return nil, q.closed
	}
	if e = q.waiting[0]; e.Kind == engine.CallStep && e.Input.Tick > upTo {
		return nil, false
	}
	q.waiting = slices.Delete(q.waiting, 0, 1)
	return e, false
}

func (q *Queue) encode(e *Entry) (message []byte, err error) {
	switch e.Kind {
	case engine.CallStart:
		q.begin = e.Now
	case engine.CallStep:
		q.tick, q.at = e.Input.Tick, e.Input.Now.Sub(q.begin)
	}
	if q.buf, err = q.enc.Append(q.buf[:0], e); err != nil {
		return nil, err
	}
	if q.prev != nil {
		q.prev.Recycle()
	}
	q.prev = e
	return slices.Clone(q.buf), nil
}

// end writes why nothing follows.
func (q *Queue) end(why error, yield func(uint64, time.Duration, []byte)) {
	q.over = true
	yield(q.tick, q.at, AppendGap(nil, why.Error()))
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed, q.waiting = true, nil
}
