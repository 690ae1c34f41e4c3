package emul

import "github.com/robotd/robotd/hardware"

// A relay tells the world about changed outputs in order, without holding a lock during the call: at most one goroutine
// delivers at a time, and others leave their change to it. Several changes may reach the world as one.
type relay[T comparable] struct {
	mu       *hardware.Guard   // guards the fields and everything that state reads
	state    func(*T)          // sets all of it to the current output; called with mu held
	send     func(old, now *T) // called without mu; both are valid until it returns; nil without a listener
	sent     T                 // newest delivered output
	old, now T                 // what the goroutine that delivers hands to send
	busy     bool              // a goroutine is delivering
	stale    bool              // state may have changed since it was sent
}

// change says that the state may have changed, so that the next flush looks. mu must be held.
func (r *relay[T]) change() { r.stale = true }

// flush delivers until the world knows the current state, if that may have changed. mu must not be held.
func (r *relay[T]) flush() {
	r.mu.Lock()
	if r.busy || r.send == nil || !r.stale {
		r.mu.Unlock()
		return
	}
	r.deliverAll()
}

// deliverAll delivers as long as the state changes, and unlocks mu.
func (r *relay[T]) deliverAll() {
	r.busy = true
	sending := false
	defer func() { // also if send panics: a restarted driver must reach the world again
		if sending {
			r.mu.Lock()
		}
		r.busy = false
		r.mu.Unlock()
	}()
	for r.stale && r.send != nil {
		r.stale = false
		if r.state(&r.now); r.now != r.sent {
			send := r.send
			r.old, r.sent, sending = r.sent, r.now, true
			r.mu.Unlock()
			send(&r.old, &r.now)
			r.mu.Lock()
			sending = false
		}
	}
}
