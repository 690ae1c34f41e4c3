package condition

import (
	"strconv"
	"time"
)

// Explain says in one line what c answers at v and which fact decides, for example
//
//	not(OnCharger)=false: on contacts
//
// It changes no memory: a combination or a condition with a memory that was evaluated at v repeats that answer; any other is evaluated
// anew. An inactive condition is reported as inactive. A condition of another package is reported by its name alone.
func Explain(c Condition, v *View) string {
	in := ours(c)
	switch {
	case in == nil:
		return c.String()
	case !in.base().active:
		return c.String() + ": inactive"
	}
	return c.String() + "=" + strconv.FormatBool(in.peek(v)) + ": " + in.why(v)
}

// peek returns the answer of a condition without changing its memory; false for a condition of another package.
func peek(c Condition, v *View) bool {
	in := ours(c)
	return in != nil && in.peek(v)
}

// why returns the fact that decides a condition.
func why(c Condition, v *View) string {
	if in := ours(c); in != nil {
		return in.why(v)
	}
	return "no explanation"
}

// yesNo picks the words for a flag.
func yesNo(flag bool, yes, no string) string {
	if flag {
		return yes
	}
	return no
}

// short prints a duration rounded to milliseconds.
func short(d time.Duration) string { return d.Round(time.Millisecond).String() }

// fixed prints a measurement with one decimal.
func fixed(f float64) string { return strconv.FormatFloat(f, 'f', 1, 64) }
