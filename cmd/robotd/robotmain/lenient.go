package robotmain

import (
	"fmt"
	"io"
	"strings"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/resources"
)

// lenientUsage is the help of --lenient.
const lenientUsage = "load the folder of another robot: what this one does not have is left out or stood in for, and told"

// openTree opens a resource folder, strictly or of another robot.
func openTree(dir string, lenient bool) (setup.Tree, error) {
	if !lenient {
		return setup.OpenTree(dir)
	}
	tree, err := setup.OpenForeign(dir)
	tree.Foreign = true
	return tree, err
}

// loadEither loads a resource folder for a command that needs the catalog. A lenient load tells in one line what it did.
func (p *program) loadEither(dir string, lenient bool, w io.Writer) (*catalog.Catalog, error) {
	if !lenient {
		return p.loadTree(dir, w)
	}
	tree, err := openTree(dir, true)
	if err != nil {
		return nil, usage("%v", err)
	}
	cat, l, diags := tree.Lenient(p.classes)
	if cat == nil {
		_, _ = fmt.Fprintln(w, diags)
		return nil, findings()
	}
	_, _ = fmt.Fprintf(w, "robotd: lenient: %s; robotd check --lenient tells all of it\n", lenientCounts(l))
	return cat, nil
}

// lenientCounts are the notes of a lenient load in one line.
func lenientCounts(l *catalog.Lenience) string {
	counts := l.Counts()
	var parts []string
	for _, k := range catalog.NoteKinds() {
		parts = append(parts, fmt.Sprintf("%d %s", counts[k], k))
	}
	return strings.Join(parts, ", ")
}

// A lenientReport is what check --lenient prints.
type lenientReport struct {
	Behaviors int                      `json:"behaviors"`
	Base      string                   `json:"base"`
	States    map[string]int           `json:"states"` // behaviors by what their classes are
	Counts    map[catalog.NoteKind]int `json:"counts"`
	Notes     []catalog.Note           `json:"notes"`
	// Diagnostics are warnings that a strict load has too.
	Diagnostics resources.Diagnostics `json:"diagnostics"`
}

func newLenientReport(cat *catalog.Catalog, l *catalog.Lenience, diags resources.Diagnostics) lenientReport {
	r := lenientReport{Behaviors: len(cat.Entries), Base: cat.Boot.Base, States: statesOf(cat), Counts: l.Counts(), Notes: l.Notes, Diagnostics: diags}
	if r.Notes == nil {
		r.Notes = []catalog.Note{}
	}
	if r.Diagnostics == nil {
		r.Diagnostics = resources.Diagnostics{}
	}
	return r
}

// statesOf counts behaviors by what their classes are on this robot.
func statesOf(cat *catalog.Catalog) map[string]int {
	n := make(map[string]int, len(behaviors.StateNames))
	for _, name := range behaviors.StateNames {
		n[name] = 0
	}
	for _, e := range cat.Entries {
		n[e.Class.State.String()]++
	}
	return n
}

// write writes the report for people: the notes by kind, each with its place, and the counts last.
func (r *lenientReport) write(w io.Writer) error {
	p := &printer{w: w}
	var kind catalog.NoteKind
	for _, n := range r.Notes {
		if n.Kind != kind {
			kind = n.Kind
			p.put("%s (%d)\n", kind, r.Counts[kind])
		}
		at := n.File
		if n.Line > 0 {
			at = fmt.Sprintf("%s:%d:%d", n.File, n.Line, n.Col)
		}
		p.put("  %s: %s\n", at, n.Text)
	}
	if len(r.Diagnostics) > 0 {
		p.put("%s\n", r.Diagnostics)
	}
	p.put("%s from %s: %d real, %d stand-in, %d inert\n", plural(r.Behaviors, "behavior"), r.Base, r.States["real"], r.States["stand-in"], r.States["inert"])
	for _, k := range catalog.NoteKinds() {
		p.put("%6d %s\n", r.Counts[k], k)
	}
	return p.err
}
