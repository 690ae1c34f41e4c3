package condition

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// True returns the condition that is always met (TrueCondition).
func True() Condition {
	return newFlag(TypeTrue, func(_ *View, f *facts) { f.a = true }, func(*facts) (string, Values) { return "always", nil }).
		needing(func(*facts, bool) string { return "nothing can change this: " + TypeTrue + " is always met" })
}

// Always reports whether c is the condition that is always met.
func Always(c Condition) bool {
	l, ok := c.(*leaf)
	return ok && l.name == TypeTrue
}

// Func returns a condition from code (Lambda). The test runs inside the hook of the condition's owner. It must be quick and change
// nothing.
func Func(name string, test func(v *View) bool) Condition {
	if test == nil {
		panic("condition: " + name + " has no function")
	}
	l := newFlag(name, func(v *View, f *facts) { *f = facts{a: test(v)} }, func(*facts) (string, Values) { return "code says so", nil })
	l.needs = func(_ *facts, want bool) string {
		return "the code of " + name + " must say " + yesNo(want, "yes", "no")
	}
	l.authored = true
	return l
}

// FuncSeeing is [Func] for a test that needs something to be seen while it is active.
func FuncSeeing(name string, look hardware.Look, test func(v *View) bool) Condition {
	l := Func(name, test).(*leaf)
	l.look = look
	return l
}

// A UnitTest is a condition for tests: a test sets its value, and it counts the calls of its methods. From JSON it is
// UnitTestCondition with key value (false).
type UnitTest struct {
	core
	Value       bool
	Activations int // calls of SetActive(true)
	Evaluations int // calls of Met
}

// NewUnitTest returns a test condition.
func NewUnitTest(value bool) *UnitTest {
	return &UnitTest{core: core{name: typeUnitTest}, Value: value}
}

// SetActive implements [Condition].
func (u *UnitTest) SetActive(v *View, active bool) {
	u.core.SetActive(v, active)
	if active {
		u.Activations++
	}
}

// Met implements [Condition].
func (u *UnitTest) Met(v *View) bool {
	u.check()
	u.Evaluations++
	return u.answer(v, u.Value)
}

func (u *UnitTest) ahead(*View) (met, ok bool) {
	if u.closed() {
		return false, false
	}
	return u.Value, true
}

func (u *UnitTest) need(_ *Note, want bool) string {
	return "the value of the test must be " + yesNo(want, "true", "false")
}

func (u *UnitTest) tell(f *Finding, _ *Note) {
	f.Text, f.Values = "value is "+yesNo(f.Met, "true", "false"), one("value", f.Met)
}

// BecameTrue returns a condition that is met on an evaluation where sub is met and was not on the evaluation before
// (BecameTrueThisTick). The first evaluation never counts, nor does the first one after SetActive(false).
func BecameTrue(sub Condition) Condition {
	return &becameTrue{core: core{name: typeBecameTrue + "(" + sub.String() + ")", authored: authored(sub)}, sub: newPart(sub)}
}

type becameTrue struct {
	core
	sub   part
	known bool // was is the answer of an earlier evaluation
	was   bool
	first bool // the newest evaluation had none before it
}

// SetActive implements [Condition].
func (b *becameTrue) SetActive(v *View, active bool) {
	b.core.SetActive(v, active)
	if !active {
		b.known = false
	}
	b.sub.SetActive(v, active)
	b.authored = authored(b.sub.Condition)
}

// Met implements [Condition].
func (b *becameTrue) Met(v *View) bool {
	b.check()
	is := b.sub.ask(v)
	edge := is && b.known && !b.was
	b.first, b.known, b.was = !b.known, true, is
	return b.answer(v, edge)
}

func (b *becameTrue) ahead(v *View) (met, ok bool) {
	if b.closed() {
		return false, false
	}
	is, ok := Ahead(b.sub.Condition, v)
	return is && b.known && !b.was, ok
}

func (b *becameTrue) note(n *Note) { n.facts.a = b.first }

func (b *becameTrue) part(i int) *part { return only(&b.sub, i) }

// only is the one part.
func only(p *part, i int) *part {
	if i > 0 {
		return nil
	}
	return p
}

func (b *becameTrue) tell(f *Finding, n *Note) {
	sub := &f.Parts[0]
	f.Values = Values{{"first", n.facts.a}, {"is", sub.Met}}
	switch {
	case f.Met:
		f.Text = "was false, became true: " + sub.Text
	case n.facts.a:
		f.Text = "first evaluation never counts"
	default:
		f.Text = "no change to true: " + sub.Text
	}
}

// Dedup returns a condition that repeats sub, but after each time it was met stays unmet for the interval, during which
// sub is not even evaluated (TimedDedup). SetActive does not end the interval.
func Dedup(sub Condition, interval time.Duration) Condition {
	name := typeDedup + "(" + sub.String() + ", " + short(interval) + ")"
	return &dedup{core: core{name: name, authored: authored(sub)}, sub: newPart(sub), interval: interval}
}

type dedup struct {
	core
	sub      part
	interval time.Duration
	next     time.Time     // from which on sub is evaluated again; zero at the start
	wait     time.Duration // until next, at the newest evaluation; 0 if it evaluated sub
}

// SetActive implements [Condition].
func (d *dedup) SetActive(v *View, active bool) {
	d.core.SetActive(v, active)
	d.sub.SetActive(v, active)
	d.authored = authored(d.sub.Condition)
}

// Met implements [Condition].
func (d *dedup) Met(v *View) bool {
	d.check()
	if v.Now.Before(d.next) {
		d.wait = d.next.Sub(v.Now)
		return d.answer(v, false)
	}
	d.wait = 0
	if !d.sub.ask(v) {
		return d.answer(v, false)
	}
	d.next = v.Now.Add(d.interval)
	return d.answer(v, true)
}

func (d *dedup) ahead(v *View) (met, ok bool) {
	if d.closed() {
		return false, false
	}
	if v.Now.Before(d.next) {
		return false, true
	}
	return Ahead(d.sub.Condition, v)
}

func (d *dedup) note(n *Note) { n.facts.d = d.wait }

func (d *dedup) part(i int) *part {
	if d.wait > 0 {
		return nil // it was not asked
	}
	return only(&d.sub, i)
}

func (d *dedup) tell(f *Finding, n *Note) {
	wait := n.facts.d
	if wait == 0 {
		f.Values = one("wait_s", 0.0).seconds("interval_s", d.interval)
		f.Text = f.Parts[0].Text
		return
	}
	f.Values = Values(nil).elapsed("wait_s", -wait).seconds("interval_s", d.interval)
	f.Text = "met " + Elapsed(d.interval-wait).String() + " ago, again in " + Elapsed(-wait).String()
}
