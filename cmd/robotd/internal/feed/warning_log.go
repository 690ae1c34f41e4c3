package feed

import (
	"cmp"
	"slices"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// Kinds of entries of the warning log.
const (
	warnCycle   = "cycle"
	warnMisuse  = "misuse"
	warnRefusal = "refusal"
	warnWarning = "warning"
)

// maxWarnings bounds the warning log. The reasons of refusals, misuses and warnings are fixed sets, which fit; pairs of behaviors in
// a cycle are not.
const maxWarnings = 160

// ObserveTick implements actors.TickObserver: it logs refusals, misuses, warnings and cycles.
func (t *Troubles) ObserveTick(_ event.Tick, o *engine.Output, _ *engine.Engine) {
	for i := range o.Events {
		switch e := &o.Events[i]; e.Kind {
		case stack.EventRefused:
			t.note(warnRefusal, e.Reason.String(), e)
		case stack.EventCycle:
			t.note(warnCycle, e.ID+" and "+e.To, e)
		}
	}
	for i := range o.Misuses {
		m := &o.Misuses[i]
		t.note(warnMisuse, m.Op.String()+": "+m.Reason.String(), text(m.Error()))
	}
	for _, w := range o.Warnings {
		t.note(warnWarning, w.Kind.String(), w)
	}
}

// text is a string that implements fmt.Stringer.
type text string

func (t text) String() string { return string(t) }

// note counts one entry. It makes the text only if the entry is kept.
func (t *Troubles) note(kind, what string, newest interface{ String() string }) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := control.WarningState{Kind: kind, What: what}
	i, known := slices.BinarySearchFunc(t.warnings, n, func(a, b control.WarningState) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.What, b.What))
	})
	if !known {
		if len(t.warnings) == maxWarnings {
			return
		}
		t.warnings = slices.Insert(t.warnings, i, n)
	}
	t.changes.Add(1)
	t.warnings[i].Count++
	t.warnings[i].Text = newest.String()
}
