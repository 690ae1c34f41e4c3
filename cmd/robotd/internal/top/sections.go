package top

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

// Data is what one frame shows.
type Data struct {
	State  *control.State
	Budget []control.BudgetEntry
	// NoBudget says why there is none.
	NoBudget string
	// Events have the newest last; NoEvents says why there are none.
	Events   []control.EventEntry
	NoEvents string
}

// A section is one part of the body.
type section struct {
	name string
	// lines are as wide as width; head says how many of them stay when the rest is scrolled.
	lines func(d *Data, width int) (lines []line, head int)
}

// sections are in the order of the tab key. The first half is the left column.
var sections = []section{
	{"stack", stackLines},
	{"scope", scopeLines},
	{"events", eventLines},
	{"actions", actionLines},
	{"devices", deviceLines},
	{"expensive", budgetLines},
}

// none is what an empty section shows.
func none(text string, width int) ([]line, int) { return []line{ln(clip(text, width), faint)}, 0 }

// stackLines has the layer in control first and the base last.
func stackLines(d *Data, width int) ([]line, int) {
	if len(d.State.Stack) == 0 {
		return none("the stack is empty", width)
	}
	var out []line
	for _, e := range slices.Backward(d.State.Stack) {
		mark, t := "  ", plain
		if e.InControl {
			mark, t = "▶ ", good
		}
		out = append(out, line{text: row(width, cell{text: mark + e.ID}, cell{text: e.State, width: width / 3}, cell{span(e.ActiveS), 8, true}), tone: t})
	}
	return out, 0
}

// scopeLines has the behaviors in the order in which they are asked, below the one that asks.
func scopeLines(d *Data, width int) ([]line, int) {
	if len(d.State.Scope) == 0 {
		return none("nobody may be chosen", width)
	}
	var out []line
	asker, depth := "", map[string]int{}
	for i, e := range d.State.Scope {
		if depth[e.Asker] == 0 && (e.Asker != asker || i == 0) {
			asker = e.Asker
			out = append(out, ln(clip(cmp.Or(asker, "nobody")+" asks, in order:", width), faint))
		}
		depth[e.ID] = depth[e.Asker] + 1
		t := plain
		if e.Wants == "yes" {
			t = good
		}
		id := strings.Repeat(" ", depth[e.ID]) + e.ID
		out = append(out, line{text: row(width, cell{text: id, width: width * 2 / 5}, cell{text: cmp.Or(e.Wants, "–"), width: 3}, cell{text: e.Why}), tone: t})
	}
	return out, 0
}

// eventLines has the newest event first.
func eventLines(d *Data, width int) ([]line, int) {
	if len(d.Events) == 0 {
		return none(cmp.Or(d.NoEvents, "nothing happened in the last minute"), width)
	}
	var out []line
	for _, e := range slices.Backward(d.Events) {
		what := strings.TrimSpace(e.Who + " " + e.Text)
		out = append(out, line{text: row(width, cell{fmt.Sprintf("%.1f", e.AtS), 8, true}, cell{text: e.Kind, width: 11}, cell{text: what}), tone: eventTone(e.Kind)})
	}
	return out, 0
}

func eventTone(kind string) tone {
	switch kind {
	case "failure", "stop":
		return bad
	case "fault", "restart", "reinit":
		return warn
	}
	return plain
}

func actionLines(d *Data, width int) ([]line, int) {
	if len(d.State.Actions) == 0 {
		return none("no action runs", width)
	}
	var out []line
	for _, a := range d.State.Actions {
		t := plain
		if strings.HasPrefix(a.Status, "pending") {
			t = faint
		}
		what := a.Status + "; " + a.Owner
		if len(a.Tracks) > 0 {
			what += "; " + strings.Join(a.Tracks, " ")
		}
		out = append(out, line{text: row(width, cell{text: a.Name, width: width / 3}, cell{span(a.ForS), 7, true}, cell{text: what}), tone: t})
	}
	return out, 0
}

func deviceLines(d *Data, width int) ([]line, int) {
	if len(d.State.Devices) == 0 {
		return none("there is no device", width)
	}
	tones := map[string]tone{"ok": plain, "stale": warn, "failed": bad, "absent": bad}
	var out []line
	for _, v := range d.State.Devices {
		t := tones[v.Quality]
		if v.Fault != "" {
			t = max(t, warn)
		}
		out = append(out, line{text: row(width, cell{text: v.Name, width: 9}, cell{text: v.Quality, width: 6}, cell{age(v.AgeMS), 8, true}, cell{text: deviceNote(&v)}), tone: t})
	}
	return out, 0
}

// deviceNote says what is wrong with a device, or else what it reads. The cause of a failure that is over comes last.
func deviceNote(d *control.DeviceState) string {
	var notes []string
	if d.Fault != "" {
		notes = append(notes, "broken on purpose: "+d.Fault)
	}
	if d.Quality != "ok" && d.Cause != "" {
		notes = append(notes, d.Cause)
	}
	if d.Value != "" {
		notes = append(notes, d.Value)
	}
	if d.Restarts > 0 {
		notes = append(notes, fmt.Sprintf("restarts: %d", d.Restarts))
	}
	if d.Quality == "ok" && d.Cause != "" {
		notes = append(notes, "last failure "+d.Cause)
	}
	return strings.Join(notes, "; ")
}

// dearest is how many behaviors are listed.
const dearest = 10

// budgetLines has the behaviors whose hooks took most of the last minute.
func budgetLines(d *Data, width int) ([]line, int) {
	rows := slices.DeleteFunc(slices.Clone(d.Budget), func(b control.BudgetEntry) bool { return b.Calls == 0 })
	switch {
	case d.NoBudget != "":
		return none(d.NoBudget, width)
	case len(rows) == 0:
		return none("no hook was measured yet", width)
	}
	slices.SortStableFunc(rows, func(a, b control.BudgetEntry) int { return cmp.Compare(b.Share, a.Share) })
	put := func(id, share, mean, p99, worst string) string {
		return row(width, cell{text: id}, cell{share, 6, true}, cell{mean, 5, true}, cell{p99, 5, true}, cell{worst, 6, true})
	}
	out := []line{ln(put("hooks, in µs", "share", "mean", "p99", "worst"), faint)}
	us := func(v float64) string { return fmt.Sprintf("%.0f", v) }
	for _, b := range rows[:min(dearest, len(rows))] {
		out = append(out, ln(put(b.ID, fmt.Sprintf("%.1f %%", 100*b.Share), us(b.MeanUS), us(b.P99US), us(b.WorstUS)), plain))
	}
	return out, 1
}
