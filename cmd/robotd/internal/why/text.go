package why

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
)

func secondsOf(s float64) time.Duration { return time.Duration(math.Round(s * float64(time.Second))) }

// Write puts an answer into lines for people, the most important first.
func Write(out io.Writer, w *control.Why) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", w.Text)
	fmt.Fprintf(&b, "  at %.2f s, tick %d; %s", w.AtS, w.Tick, strings.ReplaceAll(w.Status, "_", " "))
	if w.SinceTick > 0 {
		fmt.Fprintf(&b, "; so for %s, since tick %d", Spoken(math.Max(0, w.AtS-w.SinceS)), w.SinceTick)
	}
	fmt.Fprintf(&b, "\n  %s, %s:%d", w.Class, w.File, w.Line)
	if w.State.Debug != "" {
		fmt.Fprintf(&b, ", state %q", w.State.Debug)
	}
	b.WriteByte('\n')
	if len(w.Gates) > 0 {
		fmt.Fprintf(&b, "\nGates, in order%s:\n", askedWhen(w))
		writeGates(&b, "  ", w.Gates)
	}
	writeOthers(&b, fmt.Sprintf("%s asks before it:", w.Asker), w.Before)
	writeOthers(&b, "It asks:", w.Delegates)
	if w.Won != "" && w.Status != inControl && w.Status != active {
		fmt.Fprintf(&b, "\n%s has given control to %s.\n", w.Asker, w.Won)
	}
	if w.Suppressed != "" {
		fmt.Fprintf(&b, "\n%s suppresses it.\n", w.Suppressed)
	}
	if len(w.Needs) > 0 {
		b.WriteString("\nFor it to get control:\n")
		for _, n := range w.Needs {
			fmt.Fprintf(&b, "  %s\n", n)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func askedWhen(w *control.Why) string {
	if w.Asked {
		return ", asked by " + w.Asker
	}
	return fmt.Sprintf(", asked %s before", Spoken(w.AtS-w.AskedS))
}

func writeGates(b *strings.Builder, indent string, gs []control.WhyGate) {
	for i := range gs {
		g := &gs[i]
		fmt.Fprintf(b, "%s%s %s: %s\n", indent, sign(g.Met), g.Name, g.Text)
		if len(g.Parts) > 1 {
			writeGates(b, indent+"  ", g.Parts)
		}
	}
}

func sign(met *bool) string {
	switch {
	case met == nil:
		return "–"
	case *met:
		return "✓"
	}
	return "✗"
}

func writeOthers(b *strings.Builder, title string, of []control.WhyOf) {
	if len(of) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s\n", title)
	for i := range of {
		o := &of[i]
		mark := sign(nil)
		if o.Asked {
			mark = sign(&o.Wanted)
		}
		fmt.Fprintf(b, "  %s %s: %s\n", mark, o.ID, o.Text)
	}
}
