package why_test

import "testing"

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
