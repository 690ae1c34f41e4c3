package actors

import (
	"fmt"
	"sync/atomic"
	"time"
)

// DefaultTickLimit is how long a whole tick may take before the robot is given up. Hooks are bounded long before; what remains
// are observers and the core itself, which run on the supervisor's goroutine and cannot be taken off it.
const DefaultTickLimit = 5 * time.Second

// A tickWatch watches a tick from outside: whoever holds the supervisor's goroutine for good ends the process, with everything
// that moves made safe first. Never in virtual time.
type tickWatch struct {
	limit time.Duration
	timer *time.Timer
	where atomic.Pointer[string] // who has the goroutine now
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

// at notes who has the goroutine from now on.
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

// errHeld words the end.
func errHeld(where string, limit time.Duration) error {
	return fmt.Errorf("actors: %s did not return within %v", where, limit)
}
