package tape

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// A TickLog is what one tick decided, one line for each thing: events, then completions, commands, replies and violations,
// each in order. Ticks with equal logs were decided equally: they have the same decision hash (see [Hasher]).
type TickLog struct {
	Tick  uint64
	Lines []string
}

// LogOf is the log of an output.
func LogOf(o *engine.Output) TickLog {
	l := TickLog{Tick: o.Tick}
	add := func(format string, args ...any) { l.Lines = append(l.Lines, fmt.Sprintf(format, args...)) }
	for _, e := range o.Events {
		if e.Text != "" && e.Kind != stack.EventFault {
			add("%s: %s", e, e.Text)
		} else {
			add("%s", e)
		}
	}
	for _, d := range o.Done {
		add("= %s of %s, %d: %s %v %s", d.Name, d.Owner, d.Tag, d.Result, d.Sub, d.Detail)
	}
	for _, c := range o.Commands {
		add("> %s %#v", hardware.TargetOf(c), c)
	}
	for _, r := range o.Replies {
		add("< %d %s%s", r.Number, r.Text, r.Err)
	}
	for _, v := range o.Violations {
		add("! %s", v)
	}
	return l
}

// A Difference is the first line in which two runs differ.
type Difference struct {
	Tick   uint64
	Line   int      // of the tick, from 0
	A, B   string   // the two lines; "(nothing more in this tick)" or "(the run ended)" if one has none
	Before []string // lines that came before, of this tick and the ticks before, each with its tick
}

// What a run says where the other one says more.
const (
	nothingMore = "(nothing more in this tick)"
	runEnded    = "(the run ended)"
)

// Diff finds the first tick and the first line in it in which two runs differ, with up to context lines before it. It is nil
// if the runs are equal. Ticks without lines count as ticks in which nothing happened, whether they are listed or not, but
// for the end of the runs, which must be the same.
func Diff(a, b []TickLog, context int) *Difference {
	var before []string
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		x, y := a[i], b[j]
		switch { // a tick that only one of them lists
		case x.Tick < y.Tick && len(x.Lines) == 0:
			i++
			continue
		case y.Tick < x.Tick && len(y.Lines) == 0:
			j++
			continue
		case x.Tick < y.Tick:
			y = TickLog{Tick: x.Tick}
		case y.Tick < x.Tick:
			x = TickLog{Tick: y.Tick}
		}
		if p := firstDifference(x, y, before, context); p != nil {
			return p
		}
		for _, l := range x.Lines {
			before = append(before, fmt.Sprintf("%d %s", x.Tick, l))
		}
		before = before[max(0, len(before)-context):]
		i++
		j++
	}
	switch {
	case i < len(a):
		return &Difference{Tick: a[i].Tick, A: first(a[i]), B: runEnded, Before: before}
	case j < len(b):
		return &Difference{Tick: b[j].Tick, A: runEnded, B: first(b[j]), Before: before}
	}
	return nil
}

func first(l TickLog) string { return lineOf(l, 0) }

func lineOf(l TickLog, i int) string {
	if i < len(l.Lines) {
		return l.Lines[i]
	}
	return nothingMore
}

// partOf compares one tick.
func firstDifference(x, y TickLog, before []string, context int) *Difference {
	for k := range max(len(x.Lines), len(y.Lines)) {
		if a, b := lineOf(x, k), lineOf(y, k); a != b {
			for _, l := range x.Lines[:k] {
				before = append(before, fmt.Sprintf("%d %s", x.Tick, l))
			}
			before = before[max(0, len(before)-context):]
			return &Difference{Tick: x.Tick, Line: k, A: a, B: b, Before: before}
		}
	}
	return nil
}

// String describes the difference in a few lines; "the runs are equal" for nil.
func (p *Difference) String() string {
	if p == nil {
		return "the runs are equal"
	}
	var s strings.Builder
	fmt.Fprintf(&s, "the runs part in tick %d, line %d:\n", p.Tick, p.Line+1)
	for _, l := range p.Before {
		fmt.Fprintf(&s, "    %s\n", l)
	}
	fmt.Fprintf(&s, "  a %d %s\n  b %d %s", p.Tick, p.A, p.Tick, p.B)
	return s.String()
}

// ReadTickLogs reads the trace file of a headless run: lines of "tick seconds what". The seconds are left out. A line of
// another form is an error that names it.
func ReadTickLogs(r io.Reader) ([]TickLog, error) {
	var logs []TickLog
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxLine)
	for n := 1; s.Scan(); n++ {
		words := strings.SplitN(s.Text(), " ", 3)
		tick, err := strconv.ParseUint(words[0], 10, 64)
		if err != nil || len(words) < 3 {
			return logs, fmt.Errorf("engine: trace line %d is %q, want \"tick seconds what\"", n, s.Text())
		}
		if k := len(logs); k == 0 || logs[k-1].Tick != tick {
			logs = append(logs, TickLog{Tick: tick})
		}
		last := &logs[len(logs)-1]
		last.Lines = append(last.Lines, words[2])
	}
	if err := s.Err(); err != nil {
		return logs, fmt.Errorf("engine: trace: %w", err)
	}
	return logs, nil
}

// maxLine bounds one line of a trace or a tape. The longest known entry, a tick with the limit of 1024 events, has 200 KiB.
const maxLine = 16 << 20
