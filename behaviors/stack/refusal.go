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
	OpSwap
	OpShutdown

	// Requests for something of the robot that a behavior may hold or use. The stack decides none of them; they stand here so that
	// there is one vocabulary of what was refused.
	OpProfile     // motion profile
	OpLights      // custom lights
	OpResponse    // response to the trigger word
	OpHearing     // ignoring the trigger word
	OpPower       // power-save request
	OpFace        // expression on the display, and the lock on blinks
	OpGetOut      // emergency get-out
	OpCube        // connection to the cube
	OpVision      // vision modes
	OpTracks      // track locks
	OpSuppress    // suppression of other behaviors
	OpIntent      // claim of a user intent
	OpTriggerWord // the pending trigger word
	OpEmotion     // emotion events and fixed emotions
	OpFeature     // active feature of an activation
	OpCommand     // device command outside an action
	OpLocation    // what the robot believes of its place
	OpNotes       // timers, suggestions, counters and the debug state
	OpSubscribe   // subscription of events
	Ops           = int(OpSubscribe) + 1
)

var opNames = [Ops]string{
	"delegate to", "cancel delegates of", "cancel", "ask", "act with",
	"initialize", "configure", "begin a tick", "update", "reset to", "repair", "change the behaviors", "shut down",
	"motion profile", "custom lights", "trigger-word response", "trigger-word lock", "power-save request", "face",
	"emergency get-out", "cube connection", "vision modes", "track lock", "suppression", "user intent", "trigger word", "emotion",
	"active feature", "device command", "location", "note", "event subscription",
}

func (o Op) String() string { return opNames[o] }

// owners reports whether a request is one of the owner's, not of a behavior.
func (o Op) owners() bool { return o >= OpInit && o <= OpShutdown }

// Facility reports whether a request is about something that a behavior holds or uses, and not about the stack.
func (o Op) Facility() bool { return o >= OpProfile }

// Facilities lists the requests that are about something that a behavior holds or uses, for metrics that create their series in
// advance.
func Facilities() []Op {
	var all []Op
	for o := OpProfile; int(o) < Ops; o++ {
		all = append(all, o)
	}
	return all
}

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

	// Mistakes of the owner of the stack.
	AlreadyInitialized // Init twice (M-1)
	Uninitialized      // a tick before Init (M-2)
	AlreadyConfigured  // a base was named before (M-10)
	NotConfigured      // a tick without a base (M-11)
	OutOfOrder         // the number of the tick does not grow, or a pass runs twice or before its turn (M-3, M-4)
	InsideHook         // while a hook runs (L-27)

	// Mistakes in a request for a facility.
	AlreadySet          // the behavior holds it already
	NotSet              // the behavior does not hold it
	UnknownObject       // there is no object of that name
	UnknownName         // nothing declares that name
	NothingToAlter      // there is no response to alter
	NoAnimation         // no animation was given, or it could not be queued
	GetInExpected       // the trigger word is being answered
	HeldReplaced        // an action that waited for the get-out gave way to a newer one
	Halted              // the robot is stopped
	NoEnsurer           // no active ancestor keeps the cube connected
	NotPending          // the intent is not pending; nothing was claimed
	NotActive           // the intent is not active any more
	Unmatched           // a behavior that responds to intents was activated without one
	MotionOutsideAction // only an action may move the body (stopping it is always allowed)
	TrackLocked         // another holder has locked a track that the command needs
	NotTheTime          // the request belongs to another hook
	EmptyName           // a name is missing
)

var reasonNames = [...]string{
	"", "not_in_control", "not_activated", "no_target", "not_a_delegate", "not_asked", "declined", "already_activated",
	"not_in_scope", "hidden", "cycle", "too_deep", "faulted", "broken", "disabled", "not_on_stack", "not_top", "stale", "unsupported", "stopping",
	"already_initialized", "uninitialized", "already_configured", "not_configured", "out_of_order", "inside_hook",
	"already_set", "not_set", "unknown_object", "unknown_name", "nothing_to_alter", "no_animation", "trigger_word_is_being_answered",
	"a_waiting_action_was_replaced", "the_robot_is_halted", "no_active_ancestor_keeps_the_cube_connected", "not_pending", "not_active",
	"unmatched", "motion_outside_action", "track_locked", "not_the_time", "empty_name",
}

// String is the name for logs and metric labels.
func (r Reason) String() string { return reasonNames[r] }

// Reasons lists the reasons for which the stack refuses, for metrics that create their series in advance.
func Reasons() []Reason { return reasons(nil, NotInControl, InsideHook) }

// Mistakes lists the reasons for which a request for a facility is refused, for the same purpose.
func Mistakes() []Reason {
	return reasons([]Reason{NotActivated, NotInScope, NotInControl, NoTarget}, AlreadySet, EmptyName)
}

func reasons(list []Reason, from, to Reason) []Reason {
	for r := from; r <= to; r++ {
		list = append(list, r)
	}
	return list
}

// A Refusal says who asked for what, and why not. It never wraps another error.
type Refusal struct {
	Op     Op
	By     string // ID of the behavior that asked; "" is the root
	To     string // what it was about: a behavior ID, or the object, key or name of a facility
	Reason Reason
	// Applied says that the request had its effect all the same: it replaced something, which is probably a mistake. False for
	// requests to the stack: a refusal of the stack changed nothing.
	Applied bool
}

func (r *Refusal) Error() string {
	by := r.By
	if by == "" {
		by = "root"
	}
	switch {
	case r.Op.Facility():
		return fmt.Sprintf("behaviors: %s: %s: %s", by, strings.TrimSpace(r.Op.String()+" "+r.To), r.Reason)
	case r.Op.owners():
		return fmt.Sprintf("stack: cannot %s: %s", strings.TrimSpace(r.Op.String()+" "+r.To), r.Reason)
	case r.Op == OpCancelSelf:
		return fmt.Sprintf("stack: %s cannot cancel itself: %s", by, r.Reason)
	}
	return fmt.Sprintf("stack: %s cannot %s %s: %s", by, r.Op, r.To, r.Reason)
}
