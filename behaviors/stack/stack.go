package stack

import (
	"errors"
	"fmt"
	"slices"
)

// A Host runs hooks for the stack.
type Host interface {
	// Call runs one hook of n, any but HookWants, and returns when it and everything that it requested is done. An error means
	// that the incarnation of n is lost: it panicked or overran its budget.
	Call(n *Node, h Hook) error
	// Foresee answers a question to n without n's code, if that is possible. It changes nothing unless turn says that n is
	// asked now.
	Foresee(n *Node, turn bool) Foresight
	// Ask runs HookWants of nodes in order until one says yes or fails. It may stop earlier, but not before the first, and it does
	// so after a node whose question led to the loss of another, or to one that [Stack.Overtaken] counts. It returns how many it
	// ran, and answer and loss of the last.
	// Before it serves a request of one, it calls [Stack.Asks].
	Ask(nodes []*Node) (ran int, yes bool, err error)
	// Batch runs HookUpdate of every node in order and returns those that failed. Their requests are refused: none of
	// them is on the stack. They may ask, however. A node whose answer failed is Broken when its turn comes, and is left
	// out. A node that failed in the batch is known to the host alone until Batch returns; the host answers no for it.
	Batch(nodes []*Node) []Failure
	// Replace makes a fresh incarnation of n, initialized and out of control. The first error disables n for good.
	Replace(n *Node) error
}

// phase says what of a tick has happened.
type phase uint8

const (
	raw     phase = iota // before Init
	between              // ticks
	begun
	walked
)

// A Failure is one lost incarnation.
type Failure struct {
	Node *Node
	Err  error
}

// A Stack is the ordered list of activated behaviors with everything in scope. Make one with New.
type Stack struct {
	host  Host
	nodes []*Node           // all, by ID
	owned map[*Node][]*Node // by owner, then by ID; Init of the owner runs theirs first
	scope []*Node           // count > 0, by ID; includes what is on the stack
	early []*Node           // all that are Early, by ID

	layers  []Layer // base first
	root    Layer   // pseudo-layer whose only delegate is the base (L-25)
	base    *Node   // of the present stack
	started bool    // root layer holds scope
	pending *Node   // base of a reset that waits for the next tick (L-27)

	tick      uint64
	phase     phase
	hooks     int          // in flight, nested
	asking    int          // questions being answered, nested (L-6)
	polls     []*questions // by depth
	overtaken uint64       // questions to who waited for its turn in a list
	changed   uint64       // tick of the newest delegation or cancellation (L-40)
	moves     uint64       // pushes and pops
	broken    []*Node      // waiting for Repair
	events    []Event
	unchecked bool    // layers or scope changed since the invariants were checked last
	batch     []*Node // scratch of Scope
	watch     func(by, n *Node, yes bool, why Reason)
}

// New returns a stack over nodes. IDs must be unique, and there may be 4096 at most, which bounds every set of delegates and every
// closure of links (M-23). A behavior belongs to one stack, and all behaviors that it lists belong to the same one (M-22).
func New(host Host, nodes []*Node) (*Stack, error) {
	for _, n := range nodes {
		switch {
		case n == nil:
			return nil, errors.New("stack: one of the behaviors is nothing")
		case n.of != nil:
			return nil, fmt.Errorf("stack: %s belongs to a stack already", n.ID)
		}
	}
	s := &Stack{host: host, nodes: ordered(nodes)}
	if len(s.nodes) > maxNodes {
		return nil, fmt.Errorf("stack: %d behaviors, at most %d", len(s.nodes), maxNodes)
	}
	for i := 1; i < len(s.nodes); i++ {
		if s.nodes[i].ID == s.nodes[i-1].ID {
			return nil, fmt.Errorf("stack: duplicate ID %s", s.nodes[i].ID)
		}
	}
	for _, n := range s.nodes {
		n.of = s
	}
	if err := s.checkLists(); err != nil {
		for _, n := range s.nodes {
			n.of = nil
		}
		return nil, err
	}
	s.findEarly()
	return s, nil
}

// checkLists finds a behavior that lists one of no stack, or of another.
func (s *Stack) checkLists() error {
	for _, n := range s.nodes {
		for _, list := range [2][]*Node{n.delegates, n.links} {
			for _, d := range list {
				if d.of != s {
					return fmt.Errorf("stack: %s lists %s, which is not in its stack", n.ID, d.ID)
				}
			}
		}
	}
	return nil
}

func (s *Stack) findEarly() {
	s.early = nil
	for _, n := range s.nodes {
		if n.Early {
			s.early = append(s.early, n)
		}
	}
}

// SetOwned names the anonymous behaviors that n owns: Init of n runs theirs first (B-6). A behavior has one owner at most, and owns
// none that owns it. Call SetOwned before Init.
func (s *Stack) SetOwned(n *Node, owned []*Node) {
	if s.owned == nil {
		s.owned = map[*Node][]*Node{}
	}
	s.owned[n] = ordered(owned)
	for _, o := range owned {
		o.owned = true
	}
}

// Init runs every behavior's Init, by ID, and before it the Init of what it owns (B-6). Then it runs every HookModify, by ID, once
// (L-1, M-1). A behavior that fails in one of them is replaced by Repair like any other.
func (s *Stack) Init() *Refusal {
	if s.phase != raw {
		return s.Refuse(OpInit, nil, nil, AlreadyInitialized)
	}
	s.phase = between
	s.events = slices.Grow(s.events, len(s.nodes))
	for _, n := range s.nodes {
		if !n.owned {
			s.initWhole(n)
		}
	}
	for _, n := range s.nodes {
		s.Modify(n)
	}
	return nil
}

func (s *Stack) initWhole(n *Node) {
	for _, o := range s.owned[n] {
		s.initWhole(o)
	}
	n.state = OutOfScope
	s.emit(Event{Kind: EventInit, ID: n.ID})
	s.call(n, HookInit)
}

// Modify runs HookModify of n, if it has one. The host calls it too, when one behavior's modifiers depend on another's.
func (s *Stack) Modify(n *Node) {
	if n.Modifies {
		s.call(n, HookModify)
	}
}

// Find returns the behavior with an ID, or nil.
func (s *Stack) Find(id string) *Node {
	if i, ok := slices.BinarySearchFunc(s.nodes, id, byID); ok {
		return s.nodes[i]
	}
	return nil
}

// Nodes lists all behaviors by ID. Not to be modified.
func (s *Stack) Nodes() []*Node { return s.nodes }

// Layers lists the stack, base first. Not to be modified, valid until the next request.
func (s *Stack) Layers() []Layer { return s.layers }

// Depth is the number of activated behaviors.
func (s *Stack) Depth() int { return len(s.layers) }

// Top is the behavior in control, or nil.
func (s *Stack) Top() *Node {
	if len(s.layers) == 0 {
		return nil
	}
	return s.layers[len(s.layers)-1].node
}

// Base is the configured base behavior.
func (s *Stack) Base() *Node { return s.base }

// Pending is the base of a reset that waits for the next tick, or nil.
func (s *Stack) Pending() *Node { return s.pending }

// Moves counts everything that was ever pushed or popped.
func (s *Stack) Moves() uint64 { return s.moves }

// Tick is the number of the present tick.
func (s *Stack) Tick() uint64 { return s.tick }

// Changed is the tick of the newest successful delegation or cancellation, or loss of a behavior on the stack; starting and resetting do
// not count (L-40).
func (s *Stack) Changed() uint64 { return s.changed }

// Watch has f called for each question in the order in which they count: who asked, who was asked, the answer, and why the question was
// refused, 0 if it was not. It is called when the answer stands; f may make no request. Nil ends it. An answer that was found without a
// question, because the behavior has control already, is none.
func (s *Stack) Watch(f func(by, n *Node, yes bool, why Reason)) { s.watch = f }

// Asking reports whether a question is being answered, so that delegation is hidden (L-6).
func (s *Stack) Asking() bool { return s.asking > 0 }

// keptEvents is how many events a buffer may hold that is used again. An ordinary tick has a dozen; the first one has one or
// two for each behavior, and its memory is not kept for a repetition that never comes.
const keptEvents = 512

// TakeEvents returns the events since the last call, and takes the memory of earlier ones for those to come.
func (s *Stack) TakeEvents(earlier []Event) []Event {
	if cap(earlier) > keptEvents {
		earlier = nil
	}
	taken := s.events
	s.events = earlier[:0]
	return taken
}

// Index is the position of n on the stack, or -1.
func (s *Stack) Index(n *Node) int {
	if n == nil || n.state != Activated {
		return -1
	}
	for i := range s.layers {
		if s.layers[i].node == n {
			return i
		}
	}
	return -1
}

// DelegatedTo is the behavior that n delegated to: the next entry, or nil (L-39).
func (s *Stack) DelegatedTo(n *Node) *Node {
	if i := s.Index(n); i >= 0 && i+1 < len(s.layers) {
		return s.layers[i+1].node
	}
	return nil
}

// DelegatedFrom is the behavior that delegated to n: the previous entry, or nil for the base (L-39).
func (s *Stack) DelegatedFrom(n *Node) *Node {
	if i := s.Index(n); i > 0 {
		return s.layers[i-1].node
	}
	return nil
}

// Each walks the stack from base to top, or from top to base, until f returns false (L-38). It begins at from, or with nil at
// the end of the stack that comes first; if from is not on the stack nothing is visited.
func (s *Stack) Each(fromTop bool, from *Node, f func(*Node) bool) {
	for i := range s.layers {
		if fromTop {
			i = len(s.layers) - 1 - i
		}
		n := s.layers[i].node
		if from != nil && n != from {
			continue
		}
		from = nil
		if !f(n) {
			return
		}
	}
}

// IsControlDelegated reports whether n is on the stack and either not the top or waiting for its action. In its OnDeactivated it
// is still the top, and waits for the action that still runs (L-12, B-12). It is false for every behavior while a question is answered
// (L-6).
func (s *Stack) IsControlDelegated(n *Node) bool {
	if s.asking > 0 || n == nil {
		return false
	}
	if s.Top() == n {
		return n.busy
	}
	return n.state == Activated
}

// InControl reports whether n may delegate now.
func (s *Stack) InControl(n *Node) bool {
	return s.asking == 0 && n != nil && n.state == Activated && s.Top() == n && !n.busy
}

// DeclareCycle records that a and b hand control back and forth (L-41). Either may be nil, which stands for an empty stack. The flag
// again says that this pair was recorded before.
func (s *Stack) DeclareCycle(a, b *Node, again bool) {
	s.emit(Event{Kind: EventCycle, ID: idOf(a), To: idOf(b), Text: map[bool]string{true: "again"}[again]})
}

func (s *Stack) emit(e Event) {
	s.events = append(s.events, e)
	s.unchecked = true
}

// Refuse records a refusal: of the stack itself, or of its owner for reasons that only the owner knows.
func (s *Stack) Refuse(op Op, by, to *Node, why Reason) *Refusal {
	r := &Refusal{Op: op, By: idOf(by), To: idOf(to), Reason: why}
	s.emit(Event{Kind: EventRefused, Op: op, ID: r.By, To: r.To, Reason: why})
	return r
}

func idOf(n *Node) string {
	if n == nil {
		return ""
	}
	return n.ID
}
