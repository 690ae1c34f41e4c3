package condition

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robotd/robotd/hardware"
)

// Needs says what would have to change for the first of the notes to be met: each of the sentences is needed. Nil if it is met. Elapsed
// times are written as [Tell] does.
func Needs(ns []Note, mark func(time.Duration) string) []string {
	if ns[0].met {
		return nil
	}
	out := needs(ns, true)
	for i := range out {
		out[i] = fill(out[i], mark)
	}
	return out
}

// needs says what would have to change for the answer want.
func needs(ns []Note, want bool) []string {
	n, parts := &ns[0], ns[1:1+ns[0].parts]
	switch in := n.in.(type) {
	case *compound:
		return in.needs(parts, want)
	case *becameTrue:
		return becoming(parts, want)
	case *told:
		if len(parts) > 0 && in.need(n, want) == "" {
			return needs(parts, want)
		}
	case *dedup:
		switch {
		case want && len(parts) == 0:
			return []string{wait(n.facts.d)}
		case len(parts) > 0:
			return needs(parts, want)
		}
	}
	if n.in != nil && n.asked {
		if s := n.in.need(n, want); s != "" {
			return []string{s}
		}
	}
	f := Tell(ns[:1+n.parts], func(d time.Duration) string { return Elapsed(d).String() })
	return []string{f.Name + yesNo(want, " must be met (", " must not be met (") + f.Text + ")"}
}

// needs says which operands stand in the way: all of them if all must change, or else that one of them must.
func (c *compound) needs(parts []Note, want bool) []string {
	of := want != (c.op == opNot) // what an operand must answer
	every := want && c.op == opAnd || !want && c.op == opOr || c.op == opNot
	var out []string
	for ; len(parts) > 0; parts = Rest(parts) {
		if parts[0].met == of {
			continue
		}
		s := needs(parts, of)
		if !every && slices.Contains(out, strings.Join(s, " and ")) {
			continue
		}
		if every {
			out = append(out, s...)
		} else {
			out = append(out, strings.Join(s, " and "))
		}
	}
	if !every && len(out) > 1 {
		return []string{"either " + strings.Join(out, ", or ")}
	}
	return out
}

// becoming says how a condition becomes true, or does not.
func becoming(sub []Note, want bool) []string {
	switch {
	case !want:
		return []string{"wait for the next question"}
	case sub[0].met:
		return []string{strings.Join(needs(sub, false), " and ") + ", and after that the opposite"}
	}
	return needs(sub, true)
}

// must is an obligation or a prohibition.
func must(who string, yes bool, what string) string {
	return who + yesNo(yes, " must ", " must not ") + what
}

// it says what is.
func it(is string) string { return " (it is " + is + ")" }

// wait is the time that must pass.
func wait(d time.Duration) string { return "wait " + Elapsed(-max(d, time.Millisecond)).String() }

// needReading says that a device must work.
func needReading(device string, q hardware.Quality) string {
	return "the " + hardware.Spoken(device) + " must work (the reading is " + q.String() + ")"
}

// needOK says what is needed if a device works, and otherwise that it must.
func needOK(device string, need func(f *facts, yes bool) string) func(*facts, bool) string {
	return func(f *facts, yes bool) string {
		if f.q != hardware.OK {
			return needReading(device, f.q)
		}
		return need(f, yes)
	}
}

// lasting says for how long something must be so.
func lasting(low, high time.Duration) string {
	switch {
	case low > 0 && high != noLimit:
		return " for " + short(low) + " to " + short(high)
	case low > 0:
		return " for " + short(low) + " or longer"
	case high != noLimit:
		return " for " + short(high) + " at most"
	}
	return ""
}

// span names a range of numbers, of which either end may be open.
func span(low, high float64, unit string) string {
	write := func(f float64) string { return strconv.FormatFloat(f, 'g', 6, 64) + unit }
	lower, upper := low > -math.MaxFloat64, high < math.MaxFloat64
	switch {
	case lower && upper:
		return "from " + write(low) + " to " + write(high)
	case lower:
		return write(low) + " or more"
	}
	return write(high) + " or less"
}

// needBattery words a level of charge: levels are in order, and the ends say more than "not".
func needBattery(want hardware.BatteryLevel, yes bool) string {
	switch {
	case !yes && want == hardware.BatteryLow:
		return "the battery must be at least " + hardware.BatteryNominal.String()
	case !yes && want == hardware.BatteryFull:
		return "the battery must be at most " + hardware.BatteryNominal.String()
	}
	return must("the battery", yes, "be "+want.String())
}

// needFace words which face must be seen.
func needFace(dist float64, age time.Duration, named, yes bool) string {
	what := yesNo(named, "a face that the robot knows by name", "a face")
	if !yes {
		return must("the robot", false, "see "+what)
	}
	text := "the robot must see " + what
	if dist >= 0 {
		text += " nearer than " + fixed(dist) + " mm"
	}
	if age != noLimit {
		text += ", seen within " + short(age)
	}
	return text
}
