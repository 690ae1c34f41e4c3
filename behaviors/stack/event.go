package stack

import (
	"fmt"
	"strings"
)

// Kind of a lifecycle event.
type Kind uint8

// The kinds. An Update is no event: it happens once per tick to everything in scope.
const (
	EventInit Kind = iota
	EventEnteredScope
	EventLeftScope
	EventPush // the layer was appended; scope hooks follow
	EventActivated
	EventDeactivated
	EventPop     // the layer was removed
	EventRefused // a request was refused; Reason says why, To whom it concerned
	EventFault   // a hook of ID failed; Hook says which, Text why
	EventReplaced
	EventDisabled
	EventReset // the base is being changed to ID
	EventBaseDeclined
	EventEmpty    // the stack ran empty: a fault (L-29)
	EventCycle    // ID and To hand control back and forth: a fault (L-41)
	EventReloaded // its definition changed, or what that rests on: a fresh incarnation takes its place (L-44)
	EventRemoved  // no definition is left of it (L-44)
)

var kindNames = [...]string{
	"init", "entered-scope", "left-scope", "push", "activated", "deactivated", "pop", "refused", "fault", "replaced",
	"disabled", "reset", "base-declined", "empty", "cycle", "reloaded", "removed",
}

func (k Kind) String() string { return kindNames[k] }

// Resumed is the text of an activation that goes on where an interrupt took control away.
const Resumed = "resumed"

// An Event is one fact of a tick, in the order in which it happened.
type Event struct {
	Kind   Kind
	ID     string // the behavior it happened to
	To     string // EventRefused: the target; EventCycle: the other
	Op     Op     // EventRefused
	Reason Reason // EventRefused
	Hook   Hook   // EventFault
	Text   string // EventFault: what the host said; EventActivated: Resumed after an interrupt
}

func (e Event) String() string {
	switch e.Kind {
	case EventRefused:
		return (&Refusal{Op: e.Op, By: e.ID, To: e.To, Reason: e.Reason}).Error()
	case EventFault:
		return e.ID + "." + e.Hook.String() + " failed: " + e.Text
	case EventCycle:
		return strings.TrimSpace(fmt.Sprintf("cycle of %q and %q %s", e.ID, e.To, e.Text))
	case EventActivated:
		if e.Text != "" {
			return e.ID + "." + e.Kind.String() + " (" + e.Text + ")"
		}
		return e.ID + "." + e.Kind.String()
	default:
		return e.ID + "." + e.Kind.String()
	}
}
