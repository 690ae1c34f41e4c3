package condition

import "github.com/robotd/robotd/hardware"

// Adopt returns a condition that asks c, which is of another package, and keeps its name and its answers, so that [Found] tells them. A
// condition of this package is returned as it is. It runs c's String.
func Adopt(c Condition) Condition {
	if ours(c) != nil {
		return c
	}
	return &adopted{core: core{name: c.String(), authored: true}, c: c}
}

type adopted struct {
	core
	c Condition
}

// SetActive implements [Condition].
func (a *adopted) SetActive(v *View, active bool) {
	a.core.SetActive(v, active)
	a.c.SetActive(v, active)
}

// Met implements [Condition].
func (a *adopted) Met(v *View) bool {
	a.check()
	return a.answer(v, a.c.Met(v))
}

// Looks implements [VisionUser].
func (a *adopted) Looks() hardware.Look { return Looks(a.c) }

func (a *adopted) ahead(*View) (met, ok bool) { return false, false }

func (a *adopted) tell(f *Finding, _ *Note) { f.Text = unexplained }
