package facts

import (
	"strings"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/stack"
)

const catalogActivated = catalog.StatActivated

// Kinds of events.
const (
	kindAction      = "action"
	kindActivated   = "activated"
	kindCommand     = "command"
	kindCycle       = "cycle"
	kindDeactivated = "deactivated"
	kindFailure     = "failure"
	kindFault       = "fault" // injected
	kindFeature     = "feature"
	kindIntent      = "intent"
	kindLapse       = "lapse"
	kindReinit      = "reinit"
	kindReload      = "reload"
	kindReset       = "reset"
	kindRestart     = "restart"
	kindSlow        = "slow"
	kindStop        = "stop"
)

// told reports whether an event of the stack is one of the stream. Scope, pushes and pops are the topics /scope and /stack; refusals
// are counted; the failure of a hook is reported by its actor.
func told(k stack.Kind) bool {
	switch k {
	case stack.EventActivated, stack.EventDeactivated, stack.EventReplaced, stack.EventDisabled, stack.EventReset, stack.EventCycle:
		return true
	}
	return false
}

// wordStack words an event of the stack.
func wordStack(e *stack.Event) eventValue {
	switch e.Kind {
	case stack.EventActivated:
		return eventValue{kindActivated, e.ID, e.Text}
	case stack.EventDeactivated:
		return eventValue{kindDeactivated, e.ID, e.Text}
	case stack.EventReplaced:
		return eventValue{kindRestart, e.ID, "a fresh incarnation"}
	case stack.EventDisabled:
		return eventValue{kindFailure, e.ID, "disabled until restart: " + e.Text}
	case stack.EventReset:
		return eventValue{kindReset, e.ID, "becomes the base"}
	}
	return eventValue{kindCycle, e.ID, "hands control back and forth with " + e.To}
}

// eventOf words the records of actors that are events of the stream.
func eventOf(r event.Record) (eventValue, bool) {
	switch r := r.(type) {
	case event.Failure:
		return eventValue{kindFailure, nameOf(r.Actor), strings.TrimSuffix(r.Where+" ("+r.Reason+"): "+r.Text, ": ")}, true
	case event.Restart:
		return eventValue{kindRestart, nameOf(r.Actor), "works again after " + r.Downtime.Round(time.Millisecond).String()}, true
	case event.Overdue:
		return eventValue{kindFailure, nameOf(r.Actor), r.Stage + " did not end within " + r.Limit.String()}, true
	case event.Lapse:
		return eventValue{kindLapse, r.Device, "no control cycle for " + r.For.Round(time.Millisecond).String()}, true
	case event.Reload:
		return eventValue{kindReload, r.Cause, "definitions " + r.Result + ": " + r.Text}, true
	case event.Slow:
		return eventValue{kindSlow, nameOf(r.Actor), r.Where + " took " + r.Took.Round(time.Millisecond).String()}, true
	}
	return eventValue{}, false
}

// nameOf is the name of a device or behavior without its group.
func nameOf(actor string) string {
	if _, name, ok := strings.Cut(actor, "/"); ok {
		return name
	}
	return actor
}
