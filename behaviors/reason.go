package behaviors

import (
	"fmt"
	"math"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
)

// maxReasonArgs bounds the arguments of a reason.
const maxReasonArgs = 4

// A Reason is why class code answered a question as it did: facts, which become text when somebody reads them. It is a plain value.
type Reason struct {
	format string
	args   [maxReasonArgs]reasonArg
	n      uint8
	at     time.Time // of the question
}

// A reasonArg is one argument.
type reasonArg struct {
	kind reasonKind
	text string
	bits uint64
	at   time.Time
}

type reasonKind uint8

const (
	reasonText reasonKind = iota
	reasonInt
	reasonFloat
	reasonBool
	reasonSpan
	reasonTime
	reasonUnknown
)

// Because says why the answer of a WantsToBeActivated is what it is, in the words of [fmt.Printf]; the newest call before the answer
// counts, and anywhere else it does nothing. The text is made when somebody asks why, and never during the tick, so the verb of every
// argument is %v or, to be exact, one that fits: arguments are strings, booleans, numbers, and a [time.Duration] or [time.Time]. A time is
// shown as its distance from now, "40 s": it may lie in the past or in the future. At most four count.
//
//	c.Because("%v was greeted %v ago, again in %v", name, greeted, greeted.Add(pause))
func (c *Control) Because(format string, args ...any) {
	if c.inv.Hook != stack.HookWants {
		return
	}
	r := c.inst.reason
	if r == nil {
		r = &Reason{}
		c.inst.reason = r
	}
	r.format, r.n, r.at = format, 0, c.inv.View.Now
	for _, a := range args[:min(len(args), maxReasonArgs)] {
		r.args[r.n].take(a)
		r.n++
	}
}

// take copies the value. It keeps no reference to a, so that a call of Because allocates nothing.
func (r *reasonArg) take(a any) {
	*r = reasonArg{}
	switch a := a.(type) {
	case string:
		r.text = a
	case bool:
		r.kind = reasonBool
		if a {
			r.bits = 1
		}
	case int:
		r.kind, r.bits = reasonInt, uint64(a)
	case int32:
		r.kind, r.bits = reasonInt, uint64(a)
	case int64:
		r.kind, r.bits = reasonInt, uint64(a)
	case uint64:
		r.kind, r.bits = reasonInt, a
	case float64:
		r.kind, r.bits = reasonFloat, math.Float64bits(a)
	case time.Duration:
		r.kind, r.bits = reasonSpan, uint64(a)
	case time.Time:
		r.kind, r.at = reasonTime, a
	default:
		r.kind = reasonUnknown
	}
}

// value is what the formatting gets; an instant is a distance from at, as mark writes it, nil: rounded.
func (r *reasonArg) value(at time.Time, mark func(time.Duration) string) any {
	switch r.kind {
	case reasonInt:
		return int64(r.bits)
	case reasonFloat:
		return math.Float64frombits(r.bits)
	case reasonBool:
		return r.bits == 1
	case reasonSpan:
		return condition.Spoken(time.Duration(r.bits))
	case reasonTime:
		if mark != nil {
			return mark(at.Sub(r.at))
		}
		return condition.Spoken(at.Sub(r.at))
	case reasonUnknown:
		return "(a value of another type)"
	default:
		return r.text
	}
}

// clear makes r say nothing.
func (r *Reason) clear() {
	if r != nil {
		r.format = ""
	}
}

// given reports whether the class gave one.
func (r *Reason) given() bool { return r != nil && r.format != "" }

// String is the reason in words.
func (r *Reason) String() string { return r.text(nil) }

func (r *Reason) text(mark func(time.Duration) string) string {
	var args [maxReasonArgs]any
	for i := range r.n {
		args[i] = r.args[i].value(r.at, mark)
	}
	return fmt.Sprintf(r.format, args[:r.n]...)
}

// until is how long after the question the first instant lies that the reason names and that was still to come.
func (r *Reason) until() (d time.Duration, ok bool) {
	for _, a := range r.args[:r.n] {
		if a.kind == reasonTime && a.at.After(r.at) {
			return a.at.Sub(r.at), true
		}
	}
	return 0, false
}

// same reports whether two reasons are the same text at any later time.
func (r *Reason) same(o *Reason) bool { return r.format == o.format && r.n == o.n && r.args == o.args }
