package hardware

import "sync"

// A Guard is a mutex that can be left open for a robot that is used by one goroutine at a time, as in virtual time: a locked
// instruction takes as long as all the rest of a register's read.
type Guard struct {
	mu   sync.Mutex
	open bool
}

// Lock locks the guard unless it is open.
func (g *Guard) Lock() {
	if !g.open {
		g.mu.Lock()
	}
}

// Unlock unlocks the guard unless it is open.
func (g *Guard) Unlock() {
	if !g.open {
		g.mu.Unlock()
	}
}

// LeaveOpen opens the guard for good. It is called before what it guards is shared.
func (g *Guard) LeaveOpen() { g.open = true }

// Open reports whether the guard was left open.
func (g *Guard) Open() bool { return g.open }
