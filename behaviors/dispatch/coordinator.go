package dispatch

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

// A Coordinator is a PassThrough with a [Watcher]. It looks at the robot before its delegate and the behaviors above are updated, and may
// suppress some of them for this tick (B-10). It can, because a layer is updated before the layers above it.
type Coordinator struct {
	*PassThrough
	watch Watcher
}

// A Watcher is the part of a coordinator that its author writes. Its hooks run at the activation before the coordinator delegates, in
// every Update while the coordinator is activated, and at its deactivation. They get a [WatcherControl], which cannot delegate, act or
// cancel, so the one delegate keeps control (P-8).
type Watcher interface {
	OnActivated(c WatcherControl)
	Update(c WatcherControl)
	OnDeactivated(c WatcherControl)
}

// A WatcherControl is the part of the behavior's Control that a Watcher may use. It is valid as long as the Control.
type WatcherControl interface {
	ID() string
	Now() time.Time
	Tick() uint64
	World() *hardware.World
	View() *condition.View
	SetState(name string)
	Vision() behaviors.Vision
	Suppression() behaviors.Suppression
	ResetTimer(name string)
	Tracks() behaviors.Tracks
	Instances(class string) []string
	AnyActivated(cs *behaviors.Candidates) bool
	Tell(w behaviors.Word, ids ...string)
}

// An InitWatcher is a Watcher that looks around once, before anything else: whom it watches does not change.
type InitWatcher interface{ Init(c WatcherControl) }

// A ModifyWatcher is a Watcher that needs to know what others may do. The modifiers of the coordinator are those of its delegate.
type ModifyWatcher interface {
	Modify(of func(id string) behaviors.Modifiers)
}

var _ WatcherControl = (*behaviors.Control)(nil)

// NewCoordinator reads delegateID, and puts the watcher in front of that behavior.
func NewCoordinator(cfg *behaviors.Config, w Watcher) *Coordinator {
	return &Coordinator{PassThrough: NewPassThrough(cfg), watch: w}
}

// Init calls the watcher's.
func (p *Coordinator) Init(c *behaviors.Control) {
	if w, ok := p.watch.(InitWatcher); ok {
		w.Init(c)
	}
}

// Modify copies the modifiers of the delegate.
func (p *Coordinator) Modify(m *behaviors.Modifiers, of func(id string) behaviors.Modifiers) {
	p.PassThrough.Modify(m, of)
	if w, ok := p.watch.(ModifyWatcher); ok {
		w.Modify(of)
	}
}

// OnActivated calls the watcher, then delegates.
func (p *Coordinator) OnActivated(c *behaviors.Control) {
	p.watch.OnActivated(c)
	p.PassThrough.OnActivated(c)
}

// UpdateWhileActivated calls the watcher. The behaviors that it suppresses are suppressed when the dispatchers above ask them, later in this tick.
func (p *Coordinator) UpdateWhileActivated(c *behaviors.Control) { p.watch.Update(c) }

// OnDeactivated calls the watcher.
func (p *Coordinator) OnDeactivated(c *behaviors.Control) { p.watch.OnDeactivated(c) }
