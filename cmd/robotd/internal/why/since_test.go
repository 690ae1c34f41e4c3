package why_test

import (
	"testing"
	"time"
)

// A behavior that was asked, was active, and is asked no more is what it is since its end, not since the question.
func TestBehaviorIsUnaskedSinceItsEndNotSinceItsQuestion(t *testing.T) {
	l := newLife(t)
	l.steps(10)
	l.wants["Rest"] = true
	l.steps(20)
	if w := l.at("Rest", 30); w.Status != "in_control" {
		t.Fatalf("%+v", w)
	}
	l.wants["Greet"] = true
	l.steps(20)
	w := l.at("Rest", 50)
	if w.Asked || w.AskedTick == 0 || w.SinceTick != 31 || w.SinceS != 1.86 {
		t.Errorf("%s, asked in tick %d, so since tick %d, %g s; want 31", w.Status, w.AskedTick, w.SinceTick, w.SinceS)
	}
	if then := l.at("Rest", w.SinceTick); then.Status != w.Status {
		t.Errorf("%s since tick %d, in which it was %s", w.Status, w.SinceTick, then.Status)
	}
	l.steps(6000)
	if w := l.at("Rest", l.tick); w.SinceTick != 0 || w.SinceS != 0 {
		t.Errorf("so since tick %d, which is more than five minutes ago", w.SinceTick)
	}
}

// A time is recorded in milliseconds: the tick in which a behavior got control is the one that began then, also a little later.
func TestTickOfControlIsFoundByItsRoundedTime(t *testing.T) {
	for _, late := range []time.Duration{0, 400 * time.Microsecond, 500 * time.Microsecond, 600 * time.Microsecond} {
		l := newLife(t)
		l.late = late
		l.steps(30)
		l.wants["Greet"] = true
		l.steps(10)
		if w := l.at("Greet", l.tick); w.SinceTick != 31 {
			t.Errorf("ticks late by %v: in control since tick %d, %g s; want 31", late, w.SinceTick, w.SinceS)
		}
	}
}

// The time of a tick is its own, not that of the last change and as many periods: deadlines may have been skipped since.
func TestTimeOfTickAfterSkippedDeadlinesIsItsOwn(t *testing.T) {
	l := newLife(t)
	l.steps(100) // then no answer changes any more
	l.late = 20 * time.Second
	l.steps(30)
	for tick, want := range map[uint64]float64{90: 5.4, 100: 6, 101: 26.06, 120: 27.2, 130: 27.8} {
		if w := l.at("Far", tick); w.AtS != want {
			t.Errorf("tick %d was at %g s; want %g s", tick, w.AtS, want)
		}
	}
}
