package condition

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// A stateful is a condition with a memory of what it saw. Its functions are built once, together with the condition: step takes the facts
// of a view, and changes the memory if told to; it takes the same facts either way. Neither the test nor the sentence sees anything else.
type stateful struct {
	core
	facts facts // of the newest evaluation
	probe facts // of the newest answer ahead; nothing reads it later
	step  func(v *View, f *facts, remember bool)
	test  func(f *facts) bool
	say   func(f *facts) (string, Values)
	needs func(f *facts, want bool) string
	clear func() // at each SetActive; nil: the memory stays
	look  hardware.Look
}

// SetActive implements [Condition].
func (s *stateful) SetActive(v *View, active bool) {
	s.core.SetActive(v, active)
	if s.clear != nil {
		s.clear()
	}
}

// Met implements [Condition].
func (s *stateful) Met(v *View) bool {
	s.check()
	s.step(v, &s.facts, true)
	return s.answer(v, s.test(&s.facts))
}

func (s *stateful) ahead(v *View) (met, ok bool) {
	if s.closed() {
		return false, false
	}
	s.step(v, &s.probe, false)
	return s.test(&s.probe), true
}

func (s *stateful) note(n *Note) { n.facts = s.facts }

func (s *stateful) tell(f *Finding, n *Note) { f.Text, f.Values = s.say(&n.facts) }

func (s *stateful) need(n *Note, want bool) string { return s.needs(&n.facts, want) }

// Looks implements [VisionUser].
func (s *stateful) Looks() hardware.Look { return s.look }

// devices are those whose readings a condition needs. The facts have the quality of the first that is not OK, and m is its place.
type devices []string

func (d devices) read(w *hardware.World, f *facts) {
	f.q = hardware.OK
	for i, name := range d {
		if q := w.QualityOf(name); q != hardware.OK {
			f.q, f.m = q, int32(i)
			return
		}
	}
}

// say tells the device without a good reading, or else what the condition says.
func (d devices) say(say func(f *facts) (string, Values)) func(*facts) (string, Values) {
	return func(f *facts) (string, Values) {
		if f.q != hardware.OK {
			return noReading(d[f.m], f.q)
		}
		return say(f)
	}
}

// need says that the device must work, or else what the condition needs.
func (d devices) need(need func(f *facts, yes bool) string) func(*facts, bool) string {
	return func(f *facts, yes bool) string {
		if f.q != hardware.OK {
			return needReading(d[f.m], f.q)
		}
		return need(f, yes)
	}
}

// since is the time since an instant; noLimit if there was none.
func since(v *View, at time.Time) time.Duration {
	if at.IsZero() {
		return noLimit
	}
	return v.Now.Sub(at)
}

// ago words the time since something happened.
func ago(d time.Duration, what string) string {
	if d == noLimit {
		return "never " + what
	}
	return what + " " + Elapsed(d).String() + " ago"
}
