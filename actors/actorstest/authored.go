package actorstest

import (
	"testing"

	"github.com/robotd/robotd/behaviors"

	"github.com/robotd/robotd/behaviors/catalog"
)

// Authored is a behavior made of functions, nil ones left out: what an author may write, hostile code included.
type Authored struct {
	Update func(c *behaviors.Control)
	Start  func(c *behaviors.Control)
	End    func(c *behaviors.Control)
	Modify func(of func(id string) behaviors.Modifiers)
}

// authored gives the functions of an Authored to the engine as hooks.
type authored struct{ *Authored }

func (a authored) OnActivated(c *behaviors.Control)   { call(a.Start, c) }
func (a authored) OnDeactivated(c *behaviors.Control) { call(a.End, c) }
func (a authored) Update(c *behaviors.Control)        { call(a.Authored.Update, c) }
func (a authored) Modify(m *behaviors.Modifiers, of func(id string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
	if a.Authored.Modify != nil {
		a.Authored.Modify(of)
	}
}

func call(f func(*behaviors.Control), c *behaviors.Control) {
	if f != nil {
		f(c)
	}
}

// Authors builds a catalog of authored behaviors: the first is the base, which may delegate to all others.
func Authors(t testing.TB, ids []string, of func(id string) *Authored) *catalog.Catalog {
	t.Helper()
	reg := behaviors.NewRegistry(behaviors.Class{Name: "Authored", New: func(cfg *behaviors.Config) behaviors.Behavior {
		cfg.MayDelegateTo(cfg.RefsOr("next", behaviors.RefBehavior)...)
		return authored{of(cfg.ID())}
	}})
	files := []string{Listing("Authored", ids[0], ids[1:]...)}
	for _, id := range ids[1:] {
		files = append(files, Listing("Authored", id))
	}
	return Catalog(t, reg, ids[0], ids[0], files...)
}
