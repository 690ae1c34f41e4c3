package dispatch

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

// A Coordinator is a PassThrough with a [Watcher]: it sees from below what its delegate and those above it are about to do,
// and keeps some of them from it (B-10). Its place in the tick makes that work: it is updated before they are.
type Coordinator struct {
	*PassThrough
	watch Watcher
}

// A Watcher is the part of a coordinator that its author writes. Its hooks run before anything is delegated at activation,
// and in every Update while activated. It gets a [Lookout], which cannot delegate, act or cancel: the one delegate keeps
// control (P-8).
type Watcher interface {
	OnActivated(l Lookout)
	Update(l Lookout)
	OnDeactivated(l Lookout)
}

// A Lookout is what a Watcher may see and do: the behavior's Control without delegation, valid as long.
type Lookout interface {
	ID() string
	Now() time.Time
	Tick() uint64
	World() *hardware.World
	View() *condition.View
	SetState(name string)
	Vision() behaviors.Vision
	Suppression() behaviors.Suppression
	ResetTimer(name string)
}

var _ Lookout = (*behaviors.Control)(nil)

// NewCoordinator reads delegateID, and puts the watcher in front of that behavior.
func NewCoordinator(cfg *behaviors.Config, w Watcher) *Coordinator {
	return &Coordinator{PassThrough: NewPassThrough(cfg), watch: w}
}

// OnActivated lets the watcher look, then delegates.
func (p *Coordinator) OnActivated(c *behaviors.Control) {
	p.watch.OnActivated(c)
	p.PassThrough.OnActivated(c)
}

// Update lets the watcher look. What it suppresses now is suppressed when those above it ask, later in this tick.
func (p *Coordinator) Update(c *behaviors.Control) {
	if c.Activated() {
		p.watch.Update(c)
	}
}

// OnDeactivated tells the watcher.
func (p *Coordinator) OnDeactivated(c *behaviors.Control) { p.watch.OnDeactivated(c) }
