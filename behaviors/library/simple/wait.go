// Package simple holds behaviors of one idea each: waiting, playing animations, standing still.
package simple

import "github.com/robotd/robotd/behaviors"

// A Wait does nothing. It is the last entry of every list of priorities, so that one behavior always wants control. It may be interrupted
// at any time.
type Wait struct{}

// WaitClass is the class Wait.
func WaitClass() behaviors.Class {
	return behaviors.Class{
		Name: "Wait",
		Doc:  "Does nothing, anywhere and for as long as it may.",
		New:  func(*behaviors.Config) behaviors.Behavior { return &Wait{} },
	}
}

// GentlyInterruptible implements behaviors.GentlyInterruptible.
func (*Wait) GentlyInterruptible() {}

// Modify lets it wait everywhere and without a delegate.
func (*Wait) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOffTreads, m.WhenOnCharger, m.AlwaysDelegates = true, true, true, false
}

// OnActivated only sets the debug state.
func (*Wait) OnActivated(c *behaviors.Control) { c.SetState("waiting") }
