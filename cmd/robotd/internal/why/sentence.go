package why

import (
	"strings"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// A Teller puts into one sentence what the robot does and why, and lists what holds it back. It has one owner.
type Teller struct {
	doing map[string]string // by behavior
	since map[string]float64
	late  lateness
}

// NewTeller returns a teller that knows no behavior yet.
func NewTeller() *Teller { return &Teller{since: map[string]float64{}} }

// Learn makes the teller tell of the behaviors of a catalog, and of no others.
func (t *Teller) Learn(cat *catalog.Catalog) {
	t.doing = make(map[string]string, len(cat.Entries))
	for _, e := range cat.Entries {
		t.doing[e.ID] = e.Doing
	}
}

// Sentence tells what the robot does: what its active behavior is for, and in which phase it is. Reason is why that behavior wanted
// control; empty: it said none.
func (t *Teller) Sentence(s *Situation, reason string) control.SentenceState {
	if len(s.Layers) == 0 {
		return control.SentenceState{Text: "Doing nothing", Why: "no behavior is active yet"}
	}
	top := &s.Layers[len(s.Layers)-1]
	return control.SentenceState{Text: t.text(s, top), ID: top.ID, Why: t.because(s, reason)}
}

func (t *Teller) text(s *Situation, top *Layer) string {
	text := t.doing[top.ID]
	phase := top.State
	if _, choice := t.doing[phase]; phase == "" || choice { // a dispatcher publishes whom it chose
		phase = ""
		for _, a := range s.Actions {
			if a.Owner == top.ID {
				phase = strings.ToLower(catalog.Words(a.Name))
			}
		}
	}
	phase = unnumbered(phase)
	if phase == "" || strings.EqualFold(phase, text) {
		return text
	}
	if before, after, split := strings.Cut(phase, ": "); split { // a phase may name its cause: "backing off: front"
		phase = before + " (" + after + ")"
	}
	return text + ": " + phase
}

// unnumbered is a phase without its number: "s4 looking up".
func unnumbered(phase string) string {
	number, rest, found := strings.Cut(phase, " ")
	if digits := strings.TrimLeft(number, "s"); found && digits != "" && strings.Trim(digits, "0123456789") == "" {
		return rest
	}
	return phase
}

// because says who wanted it so: a person, the behavior itself, or the one that chose it.
func (t *Teller) because(s *Situation, reason string) string {
	switch n := len(s.Layers); {
	case s.Stop.Mind:
		return "a person pressed the emergency stop"
	case s.Intent != "":
		return "somebody said " + strings.ToLower(catalog.Words(s.Intent))
	case reason != "":
		return reason
	case n > 1:
		return "part of: " + firstLower(t.doing[s.Layers[n-2].ID])
	}
	return "nothing else wants control"
}

func firstLower(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
