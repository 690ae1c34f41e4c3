package main

import (
	"fmt"
	"strings"
)

// machine are the facts in the order of the heading.
var machine = []struct{ key, label string }{
	{"date", "measured"},
	{"commit", "commit"},
	{"cpu", "processor"},
	{"cores", "cores"},
	{"gomaxprocs", "GOMAXPROCS"},
	{"kernel", "kernel"},
	{"go", "Go"},
	{"load", "load average before the run"},
	{"rounds", "rounds"},
}

// head explains the table.
const head = `# Speed

Written by ` + "`make bench`" + `. Each value is the median of all rounds, which take turns, with the lowest and the highest beside it. A goal
is what the project wants; its ratio is measured over target, so below 1 is good where the target is a limit from above. The rows *ask* are
one tick of n units under a runtime: each is asked in turn whether it wants control, and all say no. The rows *barrier* are one tick of n
units that update once; the tick waits for all. Their time is per unit, their allocations are per tick, their ratio is to robotd with its
actors, so above 1 is slower than robotd. M1, M1b and *ask* are in processor time, the others by the clock.

`

var columns = []string{"goal", "what", "n", "measured", "lowest–highest", "allocs", "target", "ratio", ""}

// render writes the whole document.
func render(r *run, rows []row, versions []string) string {
	var b strings.Builder
	b.WriteString(head)
	var facts []string
	for _, m := range machine {
		if v := r.facts[m.key]; v != "" {
			facts = append(facts, m.label+" "+v)
		}
	}
	fmt.Fprintf(&b, "%s.\n\n", strings.Join(facts, " · "))
	if len(versions) > 0 {
		fmt.Fprintf(&b, "Peers: %s.\n\n", strings.Join(versions, ", "))
	}
	line(&b, columns)
	line(&b, strings.Split(strings.Repeat("---|", len(columns)-1)+"---", "|"))
	for _, x := range rows {
		if x.measured == "" {
			x.measured = "not measured"
		}
		line(&b, []string{x.goal, x.what, x.n, x.measured, x.spread, x.allocs, x.target, x.ratio, x.verdict})
	}
	return b.String()
}

func line(b *strings.Builder, cells []string) {
	fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
}

// figure prints three digits that count.
func figure(v float64) string {
	switch a := max(v, -v); {
	case a >= 100 || a == 0:
		return fmt.Sprintf("%.0f", v)
	case a >= 10:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0")
	case a >= 0.1:
		return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", v), "0"), ".")
	default:
		return fmt.Sprintf("%.2g", v)
	}
}
