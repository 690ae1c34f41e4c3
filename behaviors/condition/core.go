package condition

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// inner is implemented by this package's own conditions. Explanations use it to get the answer without changing any memory.
type inner interface {
	Condition
	// base is the part that it shares with all others.
	base() *core
	// peek returns what Met answers or answered at v. Unlike Met it changes nothing, and it works for an inactive condition.
	peek(v *View) bool
	// why names the fact that decides, in a few words.
	why(v *View) string
	// ahead is [Ahead].
	ahead(v *View) (met, ok bool)
}

// core is the part that all conditions share: the name, the active flag, and the newest answer.
type core struct {
	name     string
	active   bool
	authored bool // evaluating it runs code of an author

	asked bool // since the newest SetActive
	met   bool // the newest answer, given at tick and now
	tick  uint64
	now   time.Time
}

// SetActive implements [Condition].
func (c *core) SetActive(_ *View, active bool) { c.active, c.asked = active, false }

// String implements [Condition].
func (c *core) String() string { return c.name }

func (c *core) base() *core { return c }

// check panics if the condition is inactive: that is a mistake of the calling code, not of a file.
func (c *core) check() {
	if !c.active {
		panic("M-34: condition " + c.name + " evaluated while inactive")
	}
}

// answer remembers what Met is about to return.
func (c *core) answer(v *View, met bool) bool {
	c.asked, c.met, c.tick, c.now = true, met, v.Tick, v.Now
	return met
}

// said returns the newest answer, and whether it was given at v. A condition with a memory must repeat that answer, because a second
// evaluation may give another one.
func (c *core) said(v *View) (met, ok bool) {
	return c.met, c.asked && c.tick == v.Tick && c.now.Equal(v.Now)
}

// A leaf is a condition without memory. Its functions are built once, together with the condition.
type leaf struct {
	core
	test    func(v *View) bool
	because func(v *View) string
	look    hardware.Look // vision modes that it needs
}

func newLeaf(name string, test func(*View) bool, because func(*View) string) *leaf {
	return &leaf{core: core{name: name}, test: test, because: because}
}

// Met implements [Condition].
func (l *leaf) Met(v *View) bool {
	l.check()
	return l.answer(v, l.test(v))
}

func (l *leaf) peek(v *View) bool  { return l.test(v) }
func (l *leaf) why(v *View) string { return l.because(v) }
