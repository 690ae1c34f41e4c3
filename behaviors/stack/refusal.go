package stack

import (
	"fmt"
	"strings"
)

// Op is a request to the stack.
type Op uint8

// The requests.
const (
	OpDelegate Op = iota
	OpCancelDelegates
	OpCancelSelf
	OpAsk
	OpAct // delegation to an action, checked by the same rules

	// Requests of the owner of the stack.
	OpInit
	OpConfigure
	OpTick
	OpUpdate
	OpReset
	OpRepair
	OpShutdown
)

func (o Op) String() string {
	return [...]string{
		"delegate to", "cancel delegates of", "cancel", "ask", "act with",
		"initialize", "configure", "begin a tick", "update", "reset to", "repair", "shut down",
	}[o]
}

// owners reports whether a request is one of the owner's, not of a behavior.
func (o Op) owners() bool { return o >= OpInit }

// Reason says why a request changed nothing.
type Reason uint8

// The reasons. Metrics use their names as label values.
const (
	NotInControl     Reason = iota + 1 // the requester is not the top, or has an action outstanding (M-12)
	NotActivated                       // the requester is not on the stack
	NoTarget                           // no such behavior (M-13)
	NotADelegate                       // the target is not in the requester's snapshot (M-14)
	NotAsked                           // the target was not asked this tick
	Declined                           // the target answered no this tick
	AlreadyActivated                   // the target is on the stack (M-31, M-32)
	NotInScope                         // the target may not be asked now (L-3)
	Hidden                             // delegation is hidden while a question is answered (L-6)
	Cycle                              // the target would list an activated behavior (L-36), or asks in a circle
	TooDeep                            // limit on depth
	Faulted                            // the target failed while it was activated
	Broken                             // the target failed earlier in this tick
	Disabled                           // the target failed too often
	NotOnStack                         // the requester is not on the stack (M-17)
	NotTop                             // not top after its delegates were cancelled (M-18)
	Stale                              // the request belongs to an activation or incarnation that has ended
	Unsupported                        // the target does not answer this kind of question, or is no helper
	Stopping                           // the requester was told to stop after its current delegate, or the robot is halted

	// What the owner of the stack may do wrong.
	AlreadyInitialized // Init twice (M-1)
	Uninitialized      // a tick before Init (M-2)
	AlreadyConfigured  // a base was named before (M-10)
	NotConfigured      // a tick without a base (M-11)
	OutOfOrder         // the number of the tick does not grow, or a pass runs twice or before its turn (M-3, M-4)
	InsideHook         // while a hook runs (L-27)
)

var reasonNames = [...]string{
	"", "not_in_control", "not_activated", "no_target", "not_a_delegate", "not_asked", "declined", "already_activated",
	"not_in_scope", "hidden", "cycle", "too_deep", "faulted", "broken", "disabled", "not_on_stack", "not_top", "stale", "unsupported", "stopping",
	"already_initialized", "uninitialized", "already_configured", "not_configured", "out_of_order", "inside_hook",
}

// String is the name for logs and metric labels.
func (r Reason) String() string { return reasonNames[r] }

// Reasons lists all reasons, for metrics that create their series in advance.
func Reasons() []Reason {
	all := make([]Reason, 0, len(reasonNames)-1)
	for r := NotInControl; int(r) < len(reasonNames); r++ {
		all = append(all, r)
	}
	return all
}

// A Refusal says why a request changed nothing. It never wraps another error.
type Refusal struct {
	Op     Op
	By, To string // behavior IDs; By is "" for the root
	Reason Reason
}

func (r *Refusal) Error() string {
	if r.Op.owners() {
		return fmt.Sprintf("stack: cannot %s: %s", strings.TrimSpace(r.Op.String()+" "+r.To), r.Reason)
	}
	by := r.By
	if by == "" {
		by = "root"
	}
	if r.Op == OpCancelSelf {
		return fmt.Sprintf("stack: %s cannot cancel itself: %s", by, r.Reason)
	}
	return fmt.Sprintf("stack: %s cannot %s %s: %s", by, r.Op, r.To, r.Reason)
}
