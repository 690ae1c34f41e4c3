package stack

import (
	"fmt"
	"slices"
)

// State is where a behavior stands in its lifecycle.
type State uint8

// The states. There is no edge between OutOfScope and Activated.
const (
	NotInitialized State = iota
	OutOfScope
	InScope
	Activated
)

func (s State) String() string {
	return [...]string{"not-initialized", "out-of-scope", "in-scope", "activated"}[s]
}

// Hook names one lifecycle function of a behavior.
type Hook uint8

// The hooks, in the order of a life.
const (
	HookInit Hook = iota
	HookEnteredScope
	HookWants
	HookActivated
	HookUpdate
	HookDeactivated
	HookLeftScope
	// HookModify computes the operation modifiers: after every Init, in a second pass, and after the Init of a fresh
	// incarnation (L-1). It belongs to no place on the stack.
	HookModify
)

func (h Hook) String() string {
	return [...]string{
		"Init", "OnEnteredActivatableScope", "WantsToBeActivated", "OnActivated", "Update", "OnDeactivated", "OnLeftActivatableScope",
		"Modify",
	}[h]
}

// A Node is one behavior as the stack sees it. The owner of the stack sets the exported fields before Init. The stack alone changes the
// other fields.
type Node struct {
	// ID is unique in a stack. Order by ID is the order of everything that has no other order.
	ID string
	// Data is for the owner of the stack, which finds its own record of the behavior there. The stack does not read it.
	Data any
	// Updates says that the behavior has an Update of its own. Without it, and without a Nudge, its in-scope Update is a
	// mere mark: the stack makes no call and records no event.
	Updates bool
	// Modifies says that the behavior has a HookModify.
	Modifies bool
	// Early says that its in-scope Update comes before the walk (T-21).
	Early bool
	owned bool // belongs to another behavior, which is initialized after it

	// What every tick looks at, for each behavior in scope, comes first: it shares a cache line of 64 bytes.
	state    State
	answer   bool   // to the newest question
	nudged   bool   // has an event or a due callback this tick
	busy     bool   // has an action outstanding: it delegated control to it
	broken   bool   // its incarnation failed and was not replaced yet
	disabled bool   // failed too often; out of everything until restart
	asking   bool   // its question is being answered
	fresh    bool   // its incarnation is new and has not entered scope yet, whatever the count says
	resumes  bool   // its next activation goes on where an interrupt took control away
	queued   uint8  // lists in which it waits for its turn to be asked, or is asked now; one for each depth at most
	count    int    // scope count (L-16)
	updated  uint64 // tick of the newest Update
	asked    uint64 // tick of the newest question, 0 = never

	delegates []*Node // may ever delegate to; by ID
	links     []*Node // share scope with this one (L-20); by ID
	of        *Stack  // that it belongs to; with it a Node is 128 bytes, two cache lines
}

// State is the lifecycle state.
func (n *Node) State() State { return n.state }

// Activated reports whether n is on the stack.
func (n *Node) Activated() bool { return n.state == Activated }

// InScope reports whether n is in activatable scope or activated.
func (n *Node) InScope() bool { return n.state >= InScope }

// Count is the scope count: one for each layer that lists n as a delegate, one more for each that links it.
func (n *Node) Count() int { return n.count }

// Asked returns the tick of the newest question and the answer to it.
func (n *Node) Asked() (tick uint64, answer bool) { return n.asked, n.answer }

// Broken reports whether the incarnation failed and waits for its replacement.
func (n *Node) Broken() bool { return n.broken }

// Disabled reports whether n failed too often and is out of use.
func (n *Node) Disabled() bool { return n.disabled }

// Busy reports whether n delegated control to an action.
func (n *Node) Busy() bool { return n.busy }

// SetBusy marks an action as outstanding (true) or ended. While busy, n is not in control and cannot delegate (B-19).
func (n *Node) SetBusy(busy bool) { n.busy = busy }

// Nudge makes sure that n's Update is called this tick although it has none of its own: an event or a callback is due.
func (n *Node) Nudge() { n.nudged = true }

// SetResumes says whether the next activation of n is the return from an interrupt. The push uses it up; it shows in
// the event of the activation and changes nothing else here.
func (n *Node) SetResumes(resumes bool) { n.resumes = resumes }

// SayYes makes n's answer of this tick a yes, whatever it was, for tools that visit every behavior. It is for the owner of the stack.
func (n *Node) SayYes() { n.asked, n.answer = n.of.tick, true }

// Delegates lists all behaviors that n may ever delegate to, by ID. Not to be modified.
func (n *Node) Delegates() []*Node { return n.delegates }

// Links lists the behaviors that share scope with n, by ID. Not to be modified.
func (n *Node) Links() []*Node { return n.links }

// SetDelegates replaces the delegates and links. A layer already pushed keeps its snapshot (L-10). Duplicates are dropped. A set
// that contains nothing, or a behavior that is not in the same stack, is refused and changes nothing (M-22); before New, any
// behavior will do, and New checks.
func (n *Node) SetDelegates(delegates, links []*Node) error {
	for _, d := range slices.Concat(delegates, links) {
		switch {
		case d == nil:
			return fmt.Errorf("stack: the delegates or links of %s contain nothing", n.ID)
		case n.of != nil && d.of != n.of:
			return fmt.Errorf("stack: %s lists %s, which is not in its stack", n.ID, d.ID)
		}
	}
	n.delegates, n.links = ordered(delegates), ordered(links)
	return nil
}
