package dispatch

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/resources"
)

// interruption says when a dispatcher may take control back from a delegate that still runs (P-2).
type interruption struct {
	Allowed bool `key:"interruptActiveBehavior" doc:"a behavior with precedence takes control from one that runs"`
	Gently  bool `key:"requireGentleInterruption" default:"false" why:"most behaviors may be interrupted at any moment" doc:"waits until the running behavior agrees"`
}

// Check refuses a gentle interruption where nothing is interrupted.
func (i *interruption) Check(o *resources.Object, _ *behaviors.Config) {
	if i.Gently && !i.Allowed {
		o.KeyErrorf("requireGentleInterruption", "key-conflict",
			"without interruptActiveBehavior nothing is interrupted, gently or not; remove one of the two")
	}
}

// uninterrupted are the same keys of a class that never interrupts: a file may say so.
type uninterrupted struct {
	Allowed bool `key:"interruptActiveBehavior" default:"false" why:"the class never interrupts, whatever the file says" doc:"accepted if it is false"`
	Gently  bool `key:"requireGentleInterruption" default:"false" why:"the class never interrupts, whatever the file says" doc:"accepted if it is false"`
}

// Check refuses true.
func (u *uninterrupted) Check(o *resources.Object, _ *behaviors.Config) {
	refuse := func(key string, said bool) {
		o.Refuses(key, false)
		if said {
			o.KeyErrorf(key, "key-conflict", "this class never interrupts its delegate; remove the key")
		}
	}
	refuse("interruptActiveBehavior", u.Allowed)
	refuse("requireGentleInterruption", u.Gently)
}

// now reports whether the dispatcher may choose: it has no delegate, or may interrupt it.
func (i interruption) now(c *behaviors.Control) bool {
	switch {
	case !c.IsControlDelegated():
		return true
	case !i.Allowed || c.Stopping(): // it was told to end with its delegate, and lets the delegate finish
		return false
	}
	return !i.Gently || c.CanInterruptGently()
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

// politely marks a dispatcher as gently interruptible exactly when its delegate is; the engine asks up the chain (B-27).
type politely struct{}

// GentlyInterruptible implements behaviors.GentlyInterruptible.
func (politely) GentlyInterruptible() {}
