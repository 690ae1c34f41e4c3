// Package recent counts how often something happened lately: the rule and the memory that behaviors share which change what they do when
// it happens too often.
package recent

import "time"

// A Rule says how often within what time is too often.
type Rule struct {
	Times  int           `key:"numberOfTimes" range:"1..100" doc:"this often"`
	Within time.Duration `key:"amountOfSeconds" unit:"s" doc:"within this time"`
}

// An Occurrence is what happened lately. The zero value has no memory.
type Occurrence struct{ at []time.Time }

// Note remembers that it happens now, and forgets what is too old for the rule.
func (o *Occurrence) Note(r Rule, now time.Time) {
	o.at = append(o.at, now)
	if over := len(o.at) - max(r.Times, 1); over > 0 {
		o.at = append(o.at[:0], o.at[over:]...)
	}
}

// Often reports whether it happened as often as the rule says, within its time up to now.
func (o *Occurrence) Often(r Rule, now time.Time) bool {
	if len(o.at) < r.Times {
		return false
	}
	return now.Sub(o.at[len(o.at)-r.Times]) <= r.Within
}
