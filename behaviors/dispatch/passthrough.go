package dispatch

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/param"
)

// A PassThrough gives control to exactly one delegate. It wants control when the delegate does, has the modifiers of the delegate, and
// ends with it (P-8). It gives one delegate a second set of conditions, timers or locks. A [Coordinator] also suppresses behaviors.
type PassThrough struct {
	politely
	params passThroughParams
}

type passThroughParams struct {
	Delegate string `key:"delegateID" delegate:"true" doc:"the behavior that gets control"`
}

// NewPassThrough reads delegateID and links the delegate's scope.
func NewPassThrough(cfg *behaviors.Config) *PassThrough {
	p := &PassThrough{}
	param.ReadConfig(cfg, &p.params)
	cfg.Link(p.params.Delegate)
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

// DelegateID returns the ID of the one delegate.
func (p *PassThrough) DelegateID() string { return p.params.Delegate }

// Modify copies the modifiers of the delegate.
func (p *PassThrough) Modify(m *behaviors.Modifiers, of func(id string) behaviors.Modifiers) {
	resumable := m.ResumableInterrupt // its own file may say so, or the delegate's class
	*m = of(p.params.Delegate)
	m.AlwaysDelegates, m.ResumableInterrupt = true, resumable || m.ResumableInterrupt
}

// WantsToBeActivated asks the delegate.
func (p *PassThrough) WantsToBeActivated(c *behaviors.Control) bool {
	if c.Wants(p.params.Delegate) {
		return true
	}
	c.Because("its delegate %v does not want control", p.params.Delegate)
	return false
}

// OnActivated delegates at once, unlike the other dispatchers. If the delegate no longer wants control, because something changed since
// the question in this tick, the stack refuses and counts that, and the behavior ends in its first Update.
func (p *PassThrough) OnActivated(c *behaviors.Control) {
	c.Wants(p.params.Delegate)
	give(c, p.params.Delegate)
}
