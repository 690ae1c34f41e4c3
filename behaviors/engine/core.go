package engine

import (
	"fmt"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// core is what the phases of a tick and the components of the engine share. A component (mood, lights, cube …) keeps its own state and
// a pointer to the core; it sees neither the engine nor other components unless it is handed one.
type core struct {
	catalog *catalog.Catalog
	stack   *stack.Stack
	actions *actions.List
	view    *condition.View // of this tick, as hooks see it now
	out     Output          // of this tick, as far as it is known
	raised  []behaviors.Event
	states  states
	halted  bool // emergency stop
	// settings grows with each change of what operators set for good.
	settings uint64
	warned   [Warnings]uint64
}

// change replaces the view by an altered copy; hooks that hold the old one are not disturbed.
func (k *core) change(f func(*condition.View)) {
	v := *k.view
	f(&v)
	k.view = &v
}

// send gives a command to a device at the end of the tick.
func (k *core) send(cmd hardware.Command) { k.out.Commands = append(k.out.Commands, cmd) }

// raise makes an event of the engine's own. It is raised before the walk of its tick, in which behaviors see it.
func (k *core) raise(p behaviors.Payload) {
	k.raised = append(k.raised, behaviors.Event{Source: "engine", Payload: p, At: k.view.Now})
}

// refuse records that a request for a facility was refused, and tells its author.
func (k *core) refuse(c *Cell, r *behaviors.Request, why stack.Reason) {
	r.OK, r.Refusal = false, &stack.Refusal{Op: r.Op, By: c.Node.ID, To: r.Key, Reason: why}
	k.out.Misuses = append(k.out.Misuses, *r.Refusal)
}

// applied records that a request had its effect although it is probably a mistake.
func (k *core) applied(c *Cell, r *behaviors.Request, why stack.Reason) {
	r.Refusal = &stack.Refusal{Op: r.Op, By: c.Node.ID, To: r.Key, Reason: why, Applied: true}
	k.out.Misuses = append(k.out.Misuses, *r.Refusal)
}

// released is the answer to the early release of something that the behavior may not have held.
func (k *core) released(c *Cell, r *behaviors.Request, was bool) {
	if !was {
		k.refuse(c, r, stack.NotSet)
	}
}

// maxWarnings bounds those of one tick; more are counted and not kept.
const maxWarnings = 64

// warn records a warning about a word of the data.
func (k *core) warn(kind WarningKind, what string) {
	k.warned[kind]++
	if len(k.out.Warnings) < maxWarnings {
		k.out.Warnings = append(k.out.Warnings, Warning{Kind: kind, What: what})
	}
}

// Warned is how often there was a warning since the start.
func (k *core) Warned(kind WarningKind) uint64 { return k.warned[kind] }

// WarningKind names an undesired event of an intent or the trigger word.
type WarningKind uint8

// The warnings.
const (
	WarnIntentOverwritten WarningKind = iota // a pending intent gave way to a newer one
	WarnIntentLate                           // not claimed yet; the next tick is its last
	WarnIntentUnclaimed                      // dropped unclaimed
	WarnIntentReplaced                       // another one was claimed, which took its place
	WarnTriggerLate                          // no reaction to the trigger word yet; this tick is its last
	WarnTriggerDropped                       // the trigger word was cleared: its time is over
	Warnings              = int(WarnTriggerDropped) + 1
)

var warningNames = [Warnings]string{"intent_overwritten", "intent_late", "intent_unclaimed", "intent_replaced", "trigger_late", "trigger_dropped"}

func (k WarningKind) String() string { return warningNames[k] }

// WarningNames lists the names of the warnings, in their order.
func WarningNames() []string { return warningNames[:] }

// A Warning is one of them.
type Warning struct {
	Kind WarningKind
	What string // the intent that it is about; empty for the trigger word
}

func (w Warning) String() string { return fmt.Sprintf("%s: %q", w.Kind, w.What) }
