package feed

import (
	"cmp"
	"slices"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// Kinds of what is noted.
const (
	notedCycle   = "cycle"
	notedMisuse  = "misuse"
	notedRefusal = "refusal"
	notedWarning = "warning"
)

// maxNoted bounds what is noted. Refusals, misuses and warnings have fixed sets of words, which fit; pairs of behaviors that hand
// control back and forth do not have to.
const maxNoted = 160

// ObserveTick implements actors.TickObserver: it notes what was refused, misused, came to nothing or was broken off.
func (t *troubles) ObserveTick(_ event.Tick, o *engine.Output, _ *engine.Engine) {
	for i := range o.Events {
		switch e := &o.Events[i]; e.Kind {
		case stack.EventRefused:
			t.note(notedRefusal, e.Reason.String(), e)
		case stack.EventCycle:
			t.note(notedCycle, e.ID+" and "+e.To, e)
		}
	}
	for i := range o.Misuses {
		m := &o.Misuses[i]
		t.note(notedMisuse, m.Facility.String()+": "+m.Mistake.String(), text(m.Error()))
	}
	for _, w := range o.Warnings {
		t.note(notedWarning, w.Kind.String(), w)
	}
}

// text is a string that says itself.
type text string

func (t text) String() string { return string(t) }

// note counts one. The text is made only of what is kept.
func (t *troubles) note(kind, what string, newest interface{ String() string }) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := control.NotedState{Kind: kind, What: what}
	i, known := slices.BinarySearchFunc(t.warnings, n, func(a, b control.NotedState) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.What, b.What))
	})
	if !known {
		if len(t.warnings) == maxNoted {
			return
		}
		t.warnings = slices.Insert(t.warnings, i, n)
	}
	t.warnings[i].Count++
	t.warnings[i].Text = newest.String()
}
