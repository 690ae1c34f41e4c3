package setup

import (
	"fmt"
	"slices"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/resources"
)

// unreachable warns of behaviors that no path of delegates leads to from a base. Of those that lead to one another only the first is told: what
// it leads to comes back with it.
func unreachable(cat *catalog.Catalog) (diags resources.Diagnostics) {
	w := walk{cat: cat, seen: map[string]bool{}}
	for _, root := range cat.Boot.Roots() {
		w.visit(root)
	}
	led := map[string]bool{} // to, by another that is not reached
	for _, e := range cat.Entries {
		if !w.seen[e.ID] {
			for _, next := range slices.Concat(e.Delegates, e.Links) {
				led[next] = led[next] || next != e.ID
			}
		}
	}
	for _, circles := range []bool{false, true} { // those in a circle are all led to
		for _, e := range cat.Entries {
			if w.seen[e.ID] || led[e.ID] != circles {
				continue
			}
			diags = append(diags, lost(e, cat.Boot.Base, w.visit(e.ID)-1))
		}
	}
	return diags
}

// lost is the finding about a behavior that leads to some more of its kind.
func lost(e *catalog.Entry, base string, more int) resources.Diagnostic {
	d := resources.Diagnostic{
		File: e.File, Severity: resources.Warning, Code: "behavior-unreachable",
		Message: fmt.Sprintf("no behavior leads from %s to %s", base, e.ID),
		Hint:    "name it as a delegate, or delete it; it can still be run by hand",
	}
	if more > 0 {
		d.Message += fmt.Sprintf(", nor to %d more that it leads to", more)
	}
	return d
}

// A walk visits behaviors along their delegates.
type walk struct {
	cat  *catalog.Catalog
	seen map[string]bool
}

// visit returns the number of behaviors that it saw for the first time.
func (w *walk) visit(id string) int {
	e := w.cat.Find(id)
	if e == nil || w.seen[id] {
		return 0
	}
	w.seen[id] = true
	n := 1
	for _, next := range slices.Concat(e.Delegates, e.Links) {
		n += w.visit(next)
	}
	return n
}
