// Package condition holds the conditions that gate activation and cancel behaviors. A condition is built from JSON by
// [Parse], set active and inactive by its owner, and evaluated on demand. It reads what it needs from a read-only [View] and never
// subscribes to anything. It belongs to one owner, and runs on the goroutine of its owner's hook or, if no code of an author is part of it
// ([Own]), on the engine's while no such hook runs. Each evaluation keeps the few values that it rests on; [Found] makes them into text.
package condition

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// A View is what conditions and behaviors may know at one moment of a tick. It is immutable: when a request changes one
// of these facts within the tick, the engine hands out a new View. A later tick uses its memory and that of its World again, so a
// View must not be kept beyond the hook, the action step or the observation that it was handed to.
type View struct {
	Tick   uint64
	Now    time.Time // constant for the whole tick
	World  *hardware.World
	Intent Intents
	// TriggerWord says that the wake word was heard and is pending (T-20).
	TriggerWord bool
	// Timers holds the instant at which each named timer was last reset; never reset means absent.
	Timers map[string]time.Time
	// Suggestions holds the tick at which each post-behavior suggestion was offered last.
	Suggestions map[string]uint64
	// Mood holds the present emotions.
	Mood Mood
	// Services are the shared facilities as they are in force.
	Services Services
	// MoodHistory holds the emotions of the latest ticks.
	MoodHistory MoodHistory
	// Vars holds the console variables that were set; never set means absent.
	Vars map[string]int32
	// TimeMultiplier is a developer's: TimerInRange counts so much faster, and cooldowns are so much shorter. 0 is 1.
	TimeMultiplier int32
	// Features holds the enabled features; absent means disabled.
	Features map[string]bool
	// Reactions holds the behavior that people chose as the reaction to a type of condition.
	Reactions map[string]string
	// Analyses are the results of the analyzers that some behavior in scope reads.
	Analyses Analyses
}

// Analyses are results of analyzers, by name. A view shares them with earlier ones; they are not to be modified.
type Analyses []Analysis

// An Analysis is the newest result of one analyzer.
type Analysis struct {
	Name  string
	Value any
	Tick  uint64 // in which it was made
}

// Find returns the result of the analyzer with a name.
func (as Analyses) Find(name string) (any, bool) {
	for i := range as {
		if as[i].Name == name {
			return as[i].Value, true
		}
	}
	return nil, false
}

// Faster is the time multiplier, at least 1.
func (v *View) Faster() time.Duration { return time.Duration(max(1, v.TimeMultiplier)) }

// Intents are the pending and the active user intent; at most one each (T-19).
type Intents struct {
	Pending, Active *Intent
	// Unclaimed counts intents that no behavior claimed in time.
	Unclaimed uint64
}

// An Intent is one command of a user, from voice, page or ctl.
type Intent struct {
	Tag    string            `json:"name"`
	Data   map[string]string `json:"data,omitempty"`
	Source string            `json:"source,omitempty"` // "ctl", "page", "voice", …
	Tick   uint64            `json:"-"`                // when it became pending
	// Activation is the number of its activation; they increase. 0 while it is pending (B-26).
	Activation uint64 `json:"-"`
}

// A Condition answers one question about a View. Evaluation may change its own memory, nothing else.
type Condition interface {
	// SetActive is called at each edge, and not deduplicated: every call runs (T-17).
	SetActive(v *View, active bool)
	// Met evaluates. The condition must be active; evaluating an inactive one is a programmer error and panics with
	// "M-34".
	Met(v *View) bool
	// String names the condition for "why not" answers, for example "not(OnCharger)".
	String() string
}
