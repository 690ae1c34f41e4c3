package actors

import (
	"fmt"
	"sync/atomic"
	"time"
)

// DefaultTickLimit is how long a whole tick may take before the robot shuts down. Hooks are bounded long before. What remains
// are observers and the core itself, which run on the supervisor's goroutine and cannot be replaced.
const DefaultTickLimit = 5 * time.Second

// A tickWatch calls over when a tick takes longer than its limit. It is nil in virtual time.
type tickWatch struct {
	limit time.Duration
	timer *time.Timer
	where atomic.Pointer[string] // what has the goroutine now: the core, or an observer
	over  func(where string)
}

// The places that are not observers.
var placeCore, placeEvents = "tick", "observer"

func newTickWatch(limit time.Duration, over func(where string)) *tickWatch {
	s := &tickWatch{limit: limit, over: over}
	s.timer = time.AfterFunc(time.Hour, func() { over(*s.where.Load()) })
	s.timer.Stop()
	return s
}

// begin arms the watch; it costs no allocation.
func (s *tickWatch) begin() {
	if s != nil {
		s.where.Store(&placeCore)
		s.timer.Reset(s.limit)
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
		s.timer.Stop()
	}
}

// errHeld is the error of a tick that takes too long.
func errHeld(where string, limit time.Duration) error {
	return fmt.Errorf("actors: %s did not return within %v", where, limit)
}
