package actors

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// DefaultTickLimit is how long a whole tick may take before the robot shuts down. Hooks are bounded long before. What remains
// are observers and the core itself, which run on the supervisor's goroutine and cannot be replaced.
const DefaultTickLimit = 5 * time.Second

// A tickWatch calls over when a tick takes longer than its limit. It is nil in virtual time.
//
// A tick only leaves its instant: to set a timer in each tick would wake a thread that waits for it. One timer looks after a limit, or when
// the tick that it found under way would exceed it, so that it is as exact as a timer for each tick.
type tickWatch struct {
	limit time.Duration
	zero  time.Time
	begun atomic.Int64           // when the tick under way began, in nanoseconds since zero; notRunning between ticks
	where atomic.Pointer[string] // what has the goroutine now: the core, or an observer
	over  func(where string)

	mu      sync.Mutex
	timer   *time.Timer
	planned time.Duration // of the next look, since zero
	closed  bool
}

const notRunning = -1

// standstill is how late a look is if the whole process had no turn: it was stopped.
const standstill = 500 * time.Millisecond

// The places that are not observers.
var placeCore, placeEvents = "tick", "observer"

func newTickWatch(limit time.Duration, over func(where string)) *tickWatch {
	s := &tickWatch{limit: limit, zero: time.Now(), over: over}
	s.begun.Store(notRunning)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.planned, s.timer = limit, time.AfterFunc(limit, s.look)
	return s
}

// look judges the tick under way and sets the timer for the next look. A tick in whose middle the process was stopped has its limit
// again.
func (s *tickWatch) look() {
	s.mu.Lock()
	planned := s.planned
	s.mu.Unlock()
	begun, now, next := s.begun.Load(), time.Since(s.zero), s.limit
	switch {
	case begun == notRunning:
	case now-planned >= standstill:
		s.begun.CompareAndSwap(begun, int64(now))
	default:
		if next -= now - time.Duration(begun); next <= 0 {
			s.over(*s.where.Load())
			return
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.planned = now + next
		s.timer.Reset(next)
	}
}

// close ends the watch.
func (s *tickWatch) close() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.timer.Stop()
}

// begin begins the watch of a tick.
func (s *tickWatch) begin() {
	if s != nil {
		s.where.Store(&placeCore)
		s.begun.Store(int64(time.Since(s.zero)))
	}
}

// at says what has the goroutine from now on.
func (s *tickWatch) at(where *string) {
	if s != nil {
		s.where.Store(where)
	}
}

func (s *tickWatch) end() {
	if s != nil {
		s.begun.Store(notRunning)
	}
}

// errHeld is the error of a tick that takes too long.
func errHeld(where string, limit time.Duration) error {
	return fmt.Errorf("actors: %s did not return within %v", where, limit)
}
