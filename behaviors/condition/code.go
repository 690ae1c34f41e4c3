package condition

import "time"

// True returns the condition that is always met (TrueCondition).
func True() Condition {
	return newLeaf(typeTrue, func(*View) bool { return true }, func(*View) string { return "always" })
}

// Func returns a condition from code (Lambda). The test runs inside the hook of the condition's owner, and for explanations at any
// other time of the tick. It must be quick and change nothing.
func Func(name string, test func(v *View) bool) Condition {
	if test == nil {
		panic("condition: " + name + " has no function")
	}
	l := newLeaf(name, test, func(*View) string { return "code says so" })
	l.authored = true
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

func (u *UnitTest) peek(*View) bool  { return u.Value }
func (u *UnitTest) why(*View) string { return "value is " + yesNo(u.Value, "true", "false") }

// BecameTrue returns a condition that is met on an evaluation where sub is met and was not on the evaluation before
// (BecameTrueThisTick). The first evaluation never counts, nor does the first one after SetActive(false).
func BecameTrue(sub Condition) Condition {
	return &becameTrue{core: core{name: typeBecameTrue + "(" + sub.String() + ")", authored: authored(sub)}, sub: sub}
}

type becameTrue struct {
	core
	sub   Condition
	known bool // was is the answer of an earlier evaluation
	was   bool
}

// SetActive implements [Condition].
func (b *becameTrue) SetActive(v *View, active bool) {
	b.core.SetActive(v, active)
	if !active {
		b.known = false
	}
	b.sub.SetActive(v, active)
	b.authored = authored(b.sub)
}

// Met implements [Condition].
func (b *becameTrue) Met(v *View) bool {
	b.check()
	is := b.sub.Met(v)
	edge := is && b.known && !b.was
	b.known, b.was = true, is
	return b.answer(v, edge)
}

func (b *becameTrue) peek(v *View) bool {
	if met, ok := b.said(v); ok {
		return met
	}
	return b.known && !b.was && peek(b.sub, v)
}

func (b *becameTrue) why(v *View) string {
	switch {
	case b.peek(v):
		return "was false, became true: " + why(b.sub, v)
	case !b.known:
		return "first evaluation never counts"
	default:
		return "no change to true: " + why(b.sub, v)
	}
}

// Dedup returns a condition that repeats sub, but after each time it was met stays unmet for the interval, during which
// sub is not even evaluated (TimedDedup). SetActive does not end the interval.
func Dedup(sub Condition, interval time.Duration) Condition {
	name := typeDedup + "(" + sub.String() + ", " + short(interval) + ")"
	return &dedup{core: core{name: name, authored: authored(sub)}, sub: sub, interval: interval}
}

type dedup struct {
	core
	sub      Condition
	interval time.Duration
	next     time.Time // from which on sub is evaluated again; zero at the start
}

// SetActive implements [Condition].
func (d *dedup) SetActive(v *View, active bool) {
	d.core.SetActive(v, active)
	d.sub.SetActive(v, active)
	d.authored = authored(d.sub)
}

// Met implements [Condition].
func (d *dedup) Met(v *View) bool {
	d.check()
	if v.Now.Before(d.next) || !d.sub.Met(v) {
		return d.answer(v, false)
	}
	d.next = v.Now.Add(d.interval)
	return d.answer(v, true)
}

func (d *dedup) peek(v *View) bool {
	if met, ok := d.said(v); ok {
		return met
	}
	return !v.Now.Before(d.next) && peek(d.sub, v)
}

func (d *dedup) why(v *View) string {
	if met, _ := d.said(v); !met && v.Now.Before(d.next) {
		return "met " + short(d.interval-d.next.Sub(v.Now)) + " ago, again in " + short(d.next.Sub(v.Now))
	}
	return why(d.sub, v)
}
