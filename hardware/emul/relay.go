package emul

import "github.com/robotd/robotd/hardware"

// A relay tells the world about changed outputs in order, without holding a lock during the call: at most one goroutine
// delivers at a time, and others leave their change to it. Several changes may reach the world as one.
type relay[T comparable] struct {
	mu    *hardware.Guard  // guards the fields and everything that state reads
	state func() T         // current output; called with mu held
	send  func(old, now T) // called without mu; nil without a listener
	sent  T                // newest delivered output
	busy  bool             // a goroutine is delivering
}

// flush delivers until the world knows the current state. mu must not be held.
func (r *relay[T]) flush() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.busy || r.send == nil {
		return
	}
	r.busy = true
	defer func() { r.busy = false }() // also if send panics: a restarted driver must reach the world again
	for now := r.state(); now != r.sent && r.send != nil; now = r.state() {
		r.deliver(now)
	}
}

// deliver sends one state with mu released; mu is held again when it returns or panics.
func (r *relay[T]) deliver(now T) {
	old, send := r.sent, r.send
	r.sent = now
	r.mu.Unlock()
	defer r.mu.Lock()
	send(old, now)
}
