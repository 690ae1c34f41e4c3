package behaviortest

import (
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/walk"
)

// A Walk is a walk over a whole tree of behaviors, for the assertions of its author.
type Walk struct {
	*walk.Result
	t   testing.TB
	cat *catalog.Catalog
}

// WalkTree goes down every path of a catalog's tree with the real hooks: each declared delegate is asked, pushed and popped below every
// behavior that lists it. What fails on the way fails the test. A behavior that does not want control in any situation is pushed all the
// same; see Unwilling.
//
//	tree := behaviortest.WalkTree(t, cat, walk.Options{})
//	tree.Reachable("GreetFace", "GoHome")
//	tree.NeverBelow("Explore", "SleepOnCharger")
func WalkTree(t testing.TB, cat *catalog.Catalog, o walk.Options) *Walk {
	t.Helper()
	r, err := walk.Tree(cat, o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Failures {
		t.Error(r.Failures[i].String())
	}
	if r.Cut {
		t.Errorf("the walk ended after %d stacks; there are more", r.Visited)
	}
	return &Walk{r, t, cat}
}

// Reachable fails the test for each behavior that is on no path.
func (w *Walk) Reachable(ids ...string) {
	w.t.Helper()
	for _, id := range ids {
		if !w.Reaches(id) {
			w.t.Errorf("%s cannot be reached from %s", id, w.Base)
		}
	}
}

// AllReachable fails the test for each behavior of the catalog that is on no path.
func (w *Walk) AllReachable() {
	w.t.Helper()
	w.Reachable(w.Unreached(w.cat)...)
}

// NeverBelow fails the test if there is a path on which id gets control below other.
func (w *Walk) NeverBelow(id, other string) {
	w.t.Helper()
	if s := w.Below(id, other); s != nil {
		w.t.Errorf("%s is below %s: %s", id, other, strings.Join(s, " > "))
	}
}

// AllWilling fails the test for each behavior that wants control in no situation, but for those excused.
func (w *Walk) AllWilling(excused ...string) {
	w.t.Helper()
	left := map[string]bool{}
	for _, id := range excused {
		left[id] = true
	}
	for i := range w.Unwilling {
		if f := &w.Unwilling[i]; !left[f.ID] {
			w.t.Error(f.String())
		} else {
			delete(left, f.ID)
		}
	}
	for id := range left {
		w.t.Errorf("%s is excused and wants control", id)
	}
}
