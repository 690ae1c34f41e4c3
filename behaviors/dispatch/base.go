package dispatch

import "github.com/robotd/robotd/behaviors"

// interruption says when a dispatcher may take control back from a delegate that still runs (P-2).
type interruption struct {
	allowed bool // interruptActiveBehavior
	gently  bool // requireGentleInterruption
}

// readInterruption reads both keys where the class leaves the choice to JSON.
func readInterruption(cfg *behaviors.Config) interruption {
	i := interruption{allowed: cfg.Bool("interruptActiveBehavior"), gently: cfg.BoolOr("requireGentleInterruption", false)}
	if i.gently && !i.allowed {
		cfg.KeyErrorf("requireGentleInterruption", "key-conflict",
			"without interruptActiveBehavior nothing is interrupted, gently or not; remove one of the two")
	}
	return i
}

// refuseInterruption reports the keys where the class never interrupts; saying false is allowed.
func refuseInterruption(cfg *behaviors.Config, class string) {
	for _, key := range []string{"interruptActiveBehavior", "requireGentleInterruption"} {
		cfg.Refuses(key, false)
		if cfg.BoolOr(key, false) {
			cfg.KeyErrorf(key, "key-conflict", "%s never interrupts its delegate; remove the key", class)
		}
	}
}

// now reports whether the dispatcher may choose: it has no delegate, or may interrupt it.
func (i interruption) now(c *behaviors.Control) bool {
	switch {
	case !c.IsControlDelegated():
		return true
	case !i.allowed || c.Stopping(): // it was told to end with its delegate, and lets the delegate finish
		return false
	}
	return !i.gently || c.CanInterruptGently()
}

// give hands control to the desired behavior unless that has control already, and reports whether it has control now.
func give(c *behaviors.Control, desired string) bool {
	if desired == c.Delegate() {
		return true
	}
	c.SetState(desired)
	return c.CancelAndDelegateTo(desired, nil) // the engine counts and names a refusal; the next Update chooses anew
}

// join sets the modifiers of a dispatcher: it may do what any of its delegates may do (P-3).
func join(m *behaviors.Modifiers, of func(id string) behaviors.Modifiers, ids []string) {
	m.WhenCarryingObject, m.WhenOffTreads, m.WhenOnCharger, m.AlwaysDelegates = false, false, false, true
	for _, id := range ids {
		d := of(id)
		m.WhenCarryingObject = m.WhenCarryingObject || d.WhenCarryingObject
		m.WhenOffTreads = m.WhenOffTreads || d.WhenOffTreads
		m.WhenOnCharger = m.WhenOnCharger || d.WhenOnCharger
	}
}

// candidatesOf makes the list of behaviors that entries name.
func candidatesOf[E any](entries []E, id func(*E) string) *behaviors.Candidates {
	ids := make([]string, len(entries))
	for i := range entries {
		ids[i] = id(&entries[i])
	}
	return behaviors.NewCandidates(ids...)
}

// politely marks a dispatcher as gently interruptible exactly when its delegate is; the engine asks up the chain (B-27).
type politely struct{}

// GentlyInterruptible implements behaviors.GentlyInterruptible.
func (politely) GentlyInterruptible() {}
