package emul

import "github.com/robotd/robotd/hardware"

// guarded is embedded in every part. Its guard guards the fields that follow it. It can be left open for a robot that one goroutine
// at a time uses.
type guarded struct{ mu hardware.Guard }

// Alone leaves the guard of the part open. It is called before the part is used.
func (g *guarded) Alone() { g.mu.LeaveOpen() }

// A loner is a part that may be left unguarded.
type loner interface{ Alone() }

// attach makes a chip as unguarded as what it is attached to.
func (g *guarded) attach(chip any) {
	if l, ok := chip.(loner); ok && g.mu.Open() {
		l.Alone()
	}
}
