package engine

import "fmt"

// WarningKind names something that was done although it is probably a mistake, or left out because it cannot be.
type WarningKind uint8

// The warnings.
const (
	WarnIntentOverwritten WarningKind = iota // a pending intent gave way to a newer one
	WarnIntentLate                           // nobody claimed it yet; the next tick is its last
	WarnIntentUnclaimed                      // dropped: nobody claimed it
	WarnIntentNotPending                     // a claim of an intent that is not pending; nothing was claimed
	WarnIntentNotActive                      // a release of an intent that is not active any more
	WarnIntentReplaced                       // a claim while another intent was active, which is not active any more
	WarnIntentUnmatched                      // a behavior that responds to intents was activated without one
	WarnTriggerLate                          // nobody reacted to the trigger word yet; this tick is its last
	WarnTriggerDropped                       // the trigger word was cleared: its time is over
	WarnEmotionUnknown                       // there is no such emotion event
	WarnFeatureRefused                       // the feature of an activation cannot be set, or not any more
	Warnings              = int(WarnFeatureRefused) + 1
)

var warningNames = [Warnings]string{
	"intent_overwritten", "intent_late", "intent_unclaimed", "intent_not_pending", "intent_not_active", "intent_replaced",
	"intent_unmatched", "trigger_late", "trigger_dropped", "emotion_unknown", "feature_refused",
}

func (k WarningKind) String() string { return warningNames[k] }

// WarningNames lists the names of the warnings, in their order.
func WarningNames() []string { return warningNames[:] }

// A Warning is one of them.
type Warning struct {
	Kind WarningKind
	ID   string // of the behavior; empty if it is nobody's
	What string // the word that it is about
}

func (w Warning) String() string {
	if w.ID == "" {
		return fmt.Sprintf("%s: %q", w.Kind, w.What)
	}
	return fmt.Sprintf("%s: %s: %q", w.ID, w.Kind, w.What)
}

// maxWarnings bounds those of one tick; more are counted and not kept.
const maxWarnings = 64

// warn notes a warning about c, or about nobody.
func (e *Engine) warn(k WarningKind, c *Cell, what string) {
	e.warned[k]++
	if len(e.out.Warnings) >= maxWarnings {
		return
	}
	w := Warning{Kind: k, What: what}
	if c != nil {
		w.ID = c.Node.ID
	}
	e.out.Warnings = append(e.out.Warnings, w)
}

// Warned is how often there was a warning since the start.
func (e *Engine) Warned(k WarningKind) uint64 { return e.warned[k] }
