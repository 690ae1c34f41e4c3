package emul

import "sync"

// A Guard is the mutex of an emulated part. It can be left open for a robot that is used by one goroutine at a time, as in
// virtual time: a locked instruction takes as long as all the rest of a register's read.
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

// LeaveOpen opens the guard for good. It is called before the part is shared.
func (g *Guard) LeaveOpen() { g.open = true }

// guarded is embedded in every part. Its guard guards the fields that follow it.
type guarded struct{ mu Guard }

// Alone leaves the guard of the part open. It is called before the part is used.
func (g *guarded) Alone() { g.mu.LeaveOpen() }

// A loner is a part that may be left unguarded.
type loner interface{ Alone() }

// attach makes a chip as unguarded as what it is attached to.
func (g *guarded) attach(chip any) {
	if l, ok := chip.(loner); ok && g.mu.open {
		l.Alone()
	}
}
