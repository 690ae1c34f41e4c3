package engine

import (
	"cmp"
	"sync/atomic"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// A Cell is the state of one behavior that outlives the loss of an incarnation. State with a shorter life stands in a group of
// its own, which is reset in one place: one group for an activation, one for an incarnation, and one for the time in scope.
type Cell struct {
	// What every tick reads, for each behavior in scope, comes first.
	Node  *stack.Node
	Inc   *Incarnation
	drew  uint64 // tick of the newest hook other than a question
	draws uint64 // such hooks in it
	perIncarnation
	events []behaviors.Event

	Entry *catalog.Entry
	// Ext belongs to the hook runner.
	Ext any
	// ready is the instance of the next incarnation, if it was made in advance.
	ready *behaviors.Instance

	// For the life of the engine.
	started uint32 // activations
	counted uint32 // the same since the behavior reset it
	since   time.Time
	state   string
	code    *behaviors.Modifiers // that class code gives alone; nil until it said so
	*interrupts
	*seldom

	perActivation
	delegation
}

// seldom is what few behaviors have at any time. A cell that never had any of it shares nothingSeldom, so it is read as ever, and written
// through [Cell.own] only.
type seldom struct {
	notice   string      // shown in place of state: why the engine gave it the stack; empty for none
	failures []time.Time // of the last minute
	suppress string      // who keeps it from being activated in suppTick
	suppTick uint64
	hears    []string // names of the events under which the index has it
	data     any      // of the question that is being asked
	told     []string // words of other behaviors in toldTick
	toldTick uint64
	holdings
}

// nothingSeldom is never written.
var nothingSeldom seldom

// own is what few behaviors have, to be written.
func (c *Cell) own() *seldom {
	if c.seldom == &nothingSeldom {
		c.seldom = &seldom{}
	}
	return c.seldom
}

// perIncarnation ends when a fresh incarnation takes the place of a lost one: Cell.renew.
type perIncarnation struct {
	lost     atomic.Bool // the incarnation failed; Fresh will replace it
	modified bool        // HookModify of the present incarnation was begun
	depth    int32       // hooks of this cell in flight
	requests int32       // of the outermost one
}

// renew begins the life of a fresh incarnation.
func (c *Cell) renew() {
	c.modified, c.depth, c.requests = false, 0, 0
	c.lost.Store(false)
}

// perActivation begins with an activation: Cell.beginActivation.
type perActivation struct {
	stopAfter bool // ends with its present delegate
	succeeded bool // a helper declared success
	helping   bool // a helper whose activation has not been counted yet
}

// holdings are what a behavior holds and loses by itself when it is deactivated, leaves scope, or fails: the releases.
type holdings struct {
	locks      map[string]actions.Tracks
	intent     string                   // tag claimed; empty for none
	claim      uint64                   // number of the intent claimed
	feature    string                   // set from code for this activation
	suppressed map[string][]string      // key → IDs
	looks      map[string]hardware.Look // vision sets of the behavior ("") and its conditions (B-22, B-23); while in scope
}

// draw numbers the hooks of one behavior in one tick, so that each has a random source of its own that depends on nothing that other
// behaviors do. All questions of a tick have the same one: to ask once more changes no answer.
func (c *Cell) draw(hook stack.Hook, tick uint64) uint64 {
	if hook == stack.HookWants {
		return 0
	}
	if c.drew != tick {
		c.drew, c.draws = tick, 0
	}
	c.draws++
	return c.draws
}

// An Incarnation is one life of a behavior's code: the instance and the frames that its hooks run in. A lost one is dropped
// whole, because a hook that never returned may still touch it.
type Incarnation struct {
	Inst  *behaviors.Instance
	first *Frame   // nil until the first hook of an epoch
	more  []*Frame // of the hooks in flight beside the first one
	port  func(*Frame) behaviors.Port
}

// A Frame carries one hook in flight. A second one is needed while a hook waits for a request that runs another hook of
// the same behavior: a behavior that cancels itself gets its OnDeactivated.
type Frame struct {
	Control  *behaviors.Control
	inFlight bool // under [Direct]
	Inv      behaviors.Invocation
}

// A framed is a frame with its control: what every Update reads and writes lies side by side, in the first two of its three cache lines.
type framed struct {
	control behaviors.Control
	Frame
}

// Port is the port of the frame.
func (f *Frame) Port() behaviors.Port { return behaviors.PortOf(f.Control) }

// NewIncarnation wraps an instance; port makes one request port for each frame.
func NewIncarnation(i *behaviors.Instance, port func(*Frame) behaviors.Port) *Incarnation {
	return &Incarnation{Inst: i, port: port}
}

func (n *Incarnation) frame(depth int32) *Frame {
	if depth == 0 && n.first != nil {
		return n.first
	}
	return n.another(int(depth))
}

// another is a frame that may have to be made.
func (n *Incarnation) another(depth int) *Frame {
	if n.first == nil {
		n.first = n.newFrame()
	}
	if depth == 0 {
		return n.first
	}
	for len(n.more) < depth {
		n.more = append(n.more, n.newFrame())
	}
	return n.more[depth-1]
}

func (n *Incarnation) newFrame() *Frame {
	f := &framed{}
	f.Control = &f.control
	behaviors.InitControl(f.Control, n.Inst, n.port(&f.Frame))
	return &f.Frame
}

// renew begins the epoch of an activation: the frames from depth on are new, so that a Control kept from an
// earlier activation belongs to no hook any more, and its requests are refused as stale.
func (n *Incarnation) renew(depth int32) {
	if depth == 0 {
		n.first, n.more = nil, nil
		return
	}
	keep := min(int(depth)-1, len(n.more))
	n.more = n.more[:keep:keep]
}

// TakeReady returns the instance that was made in advance for the next incarnation; nil if there is none.
func (c *Cell) TakeReady() *behaviors.Instance {
	i := c.ready
	c.ready = nil
	return i
}

// Lost reports whether the present incarnation failed. A hook runner unwinds frames of it that wait for an answer, and leaves it
// out of a batch. Safe for concurrent use.
func (c *Cell) Lost() bool { return c.lost.Load() }

// Lose marks the present incarnation as failed. A hook runner calls it for a hook of a batch before it serves the next request: the
// stack is told of the failure only when the whole batch is done, and nothing may run on the lost incarnation until then.
func (c *Cell) Lose() { c.lost.Store(true) }

// Depth is the number of hooks of the behavior that are in flight. For hook runners and recorders, on the engine's goroutine.
func (c *Cell) Depth() int { return int(c.depth) }

// Started is the number of activations of the behavior.
func (c *Cell) Started() uint64 { return uint64(c.started) }

// Since is the instant of the newest activation.
func (c *Cell) Since() time.Time { return c.since }

// State is the debug state name, or what the engine shows in its place.
func (c *Cell) State() string { return cmp.Or(c.notice, c.state) }

// Why is the first gate that said no to the newest question. An incarnation that was lost when the engine ended has no successor and is not
// read: its hook may still write.
func (c *Cell) Why() string {
	switch {
	case c.Inc == nil:
		return "disabled"
	case c.Lost():
		return ""
	}
	return c.Inc.Inst.Why()
}
