package dispatch

import "github.com/robotd/robotd/behaviors"

// A PassThrough stands in front of exactly one delegate: it wants what the delegate wants, may what the delegate may, and
// ends with it (P-8). On its own it gives one delegate a second set of conditions, timers or locks; a class in Go may
// embed it and watch the rest of the tree from below, suppressing behaviors in its own Update.
type PassThrough struct {
	politely
	id string
}

// NewPassThrough reads delegateID and links the delegate's scope.
func NewPassThrough(cfg *behaviors.Config) *PassThrough {
	p := &PassThrough{id: cfg.Delegate("delegateID")}
	cfg.Link(p.id)
	return p
}

// PassThroughClass is the class DispatcherPassThrough.
func PassThroughClass() behaviors.Class {
	return behaviors.Class{
		Name: "DispatcherPassThrough",
		Doc:  "Gives control to its one delegate, with conditions and modifiers of its own in front.",
		New:  func(cfg *behaviors.Config) behaviors.Behavior { return NewPassThrough(cfg) },
	}
}

// DelegateID is the one delegate.
func (p *PassThrough) DelegateID() string { return p.id }

// Modify copies what the delegate may.
func (p *PassThrough) Modify(m *behaviors.Modifiers, of func(id string) behaviors.Modifiers) {
	*m = of(p.id)
	m.AlwaysDelegates = true
}

// WantsToBeActivated asks the delegate.
func (p *PassThrough) WantsToBeActivated(c *behaviors.Control) bool { return c.Wants(p.id) }

// OnActivated delegates at once, unlike the choosers. A delegate that no longer wants control ends the behavior in its
// first Update.
func (p *PassThrough) OnActivated(c *behaviors.Control) {
	if !c.Wants(p.id) {
		c.SetState("declined")
		return
	}
	give(c, p.id)
}
