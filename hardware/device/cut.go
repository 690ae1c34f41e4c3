package device

import (
	"sync"
	"sync/atomic"
)

// A cutter switches the motors off over their bus without waiting for it: of a robot without an enable line, whose driver may hang.
type cutter struct {
	mu      sync.Mutex
	running bool
	again   bool
	failed  atomic.Bool // the newest cut did not reach the chip
}

// run calls f on another goroutine, and once more if it was asked for while f ran.
func (c *cutter) run(f func() error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running {
		c.again = true
		return
	}
	c.running = true
	go func() {
		for {
			c.do(f)
			c.mu.Lock()
			if c.running = c.again; !c.running {
				c.mu.Unlock()
				return
			}
			c.again = false
			c.mu.Unlock()
		}
	}()
}

func (c *cutter) do(f func() error) { c.failed.Store(f() != nil) }

// cut switches the motors off over the bus; mu is held. In virtual time it does so at once, because nobody waits there.
func (s *Safety) cut() {
	switch {
	case s.wired.Cut == nil:
	case s.mu.Open():
		s.cutter.do(s.wired.Cut)
	default:
		s.cutter.run(s.wired.Cut)
	}
}

// sharedChips counts how often each chip that several devices use was configured from nothing, so that each of them notices that its
// outputs were switched off.
type sharedChips struct {
	mu sync.Mutex
	by map[string]*atomic.Uint64
}

// of is the count of one chip.
func (c *sharedChips) of(chip string) *atomic.Uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil {
		c.by = map[string]*atomic.Uint64{}
	}
	if c.by[chip] == nil {
		c.by[chip] = new(atomic.Uint64)
	}
	return c.by[chip]
}
