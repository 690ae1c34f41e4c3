package condition

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// inner is implemented by this package's own conditions.
type inner interface {
	Condition
	// base is the part that it shares with all others.
	base() *core
	// ahead is [Ahead].
	ahead(v *View) (met, ok bool)
	// note copies what the newest answer rests on.
	note(n *Note)
	// part is the i-th condition that the newest answer asked; nil if there are fewer.
	part(i int) *part
	// tell completes the finding of a note, which has its parts, by its values and the sentence that they make. It reads nothing of the
	// condition that an evaluation changes.
	tell(f *Finding, n *Note)
	// need says what would have to change for the answer want, where a note has the other one.
	need(n *Note, want bool) string
}

// core is the part that all conditions share: the name, the active flag, and the newest answer.
type core struct {
	name     string
	active   bool
	authored bool   // evaluating it runs code of an author
	met      bool   // the newest answer
	tick     uint64 // when it was given
	count    uint64 // answers so far
}

// SetActive implements [Condition]. The newest answer remains until there is another.
func (c *core) SetActive(_ *View, active bool) { c.active = active }

// String implements [Condition].
func (c *core) String() string { return c.name }

func (c *core) base() *core { return c }

func (c *core) note(*Note) {}

func (c *core) part(int) *part { return nil }

func (c *core) need(*Note, bool) string { return "" }

// check panics if the condition is inactive: that is a mistake of the calling code, not of a file.
func (c *core) check() {
	if !c.active {
		c.refuse()
	}
}

func (c *core) refuse() { panic("M-34: condition " + c.name + " evaluated while inactive") }

// answer remembers what Met is about to return.
func (c *core) answer(v *View, met bool) bool {
	c.met, c.tick = met, v.Tick
	c.count++
	return met
}

// facts are the few values that an answer rests on, taken from a view. They hold no pointer, so that they can be kept while the view is
// used again, and cost little to keep. What each field means is known to the condition that took them.
type facts struct {
	d    time.Duration
	x    float64
	n, m int32
	q    hardware.Quality
	a, b bool
}

// A leaf is a condition without memory. Its functions are built once, together with the condition: read takes the facts, and neither the
// test nor the sentence sees anything else, so that the sentence tells what was tested. The read sets every field that these two use.
type leaf struct {
	core
	facts facts // of the newest evaluation
	probe facts // of the newest answer ahead; nothing reads it later
	read  func(v *View, f *facts)
	test  func(f *facts) bool
	say   func(f *facts) (string, Values)
	needs func(f *facts, want bool) string // nil: what every condition can say
	look  hardware.Look                    // vision modes that it needs
}

func newLeaf(name string, read func(*View, *facts), test func(*facts) bool, say func(*facts) (string, Values)) *leaf {
	return &leaf{core: core{name: name}, read: read, test: test, say: say}
}

// newFlag returns a leaf on one fact: field a.
func newFlag(name string, read func(*View, *facts), say func(*facts) (string, Values)) *leaf {
	return newLeaf(name, read, func(f *facts) bool { return f.a }, say)
}

// Met implements [Condition].
func (l *leaf) Met(v *View) bool {
	l.check()
	l.read(v, &l.facts)
	return l.answer(v, l.test(&l.facts))
}

func (l *leaf) ahead(v *View) (met, ok bool) {
	if l.closed() {
		return false, false
	}
	l.read(v, &l.probe)
	return l.test(&l.probe), true
}

func (l *leaf) note(n *Note) { n.facts = l.facts }

func (l *leaf) tell(f *Finding, n *Note) { f.Text, f.Values = l.say(&n.facts) }

func (l *leaf) need(n *Note, want bool) string {
	if l.needs == nil {
		return ""
	}
	return l.needs(&n.facts, want)
}

// needing sets what the leaf says of what would have to change.
func (l *leaf) needing(needs func(f *facts, want bool) string) *leaf {
	l.needs = needs
	return l
}
