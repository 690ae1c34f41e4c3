package robotmain

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/walk"
	"github.com/robotd/robotd/resources"
)

// walkFlags are those of check --walk.
type walkFlags struct {
	on         bool
	reachable  []string
	neverBelow []string
	dump       string
}

// walkDumps are what --dump may name. Never written.
var walkDumps = []string{"branches", "transitions"}

func (f *walkFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.on, "walk", false, "push and pop every behavior below every one that lists it, with its real code")
	c.Flags().StringSliceVar(&f.reachable, "reachable", nil, "with --walk: an error if this behavior is on no path")
	c.Flags().StringSliceVar(&f.neverBelow, "never-below", nil, "with --walk: ID=OTHER is an error if ID gets control below OTHER")
	c.Flags().StringVar(&f.dump, "dump", "", "with --walk: print branches (every stack) or transitions (every delegate) instead")
}

// check refuses flags that make no sense, before anything is read.
func (f *walkFlags) check() error {
	if !f.on && (len(f.reachable) > 0 || len(f.neverBelow) > 0 || f.dump != "") {
		return usage("--reachable, --never-below and --dump need --walk")
	}
	for _, pair := range f.neverBelow {
		if id, other, ok := strings.Cut(pair, "="); !ok || id == "" || other == "" {
			return usage("--never-below %q: want ID=OTHER", pair)
		}
	}
	switch f.dump {
	case "", "branches", "transitions":
		return nil
	}
	return usage("%v", resources.Unknown("dump", f.dump, walkDumps))
}

// known refuses names that no behavior has.
func (f *walkFlags) known(cat *catalog.Catalog) error {
	names := append([]string{}, f.reachable...)
	for _, pair := range f.neverBelow {
		id, other, _ := strings.Cut(pair, "=")
		names = append(names, id, other)
	}
	for _, id := range names {
		if cat.Find(id) == nil {
			return usage("%v", resources.Unknown("behavior", id, cat.IDs()))
		}
	}
	return nil
}

// walkTree walks a tree and prints what it found. Failures and broken assertions are findings.
func (f *walkFlags) walkTree(w io.Writer, cat *catalog.Catalog, asJSON bool) error {
	if err := f.known(cat); err != nil {
		return err
	}
	r, err := walk.Tree(cat, walk.Options{})
	if err != nil {
		return err
	}
	broken := f.broken(r)
	switch {
	case asJSON:
		err = json.NewEncoder(w).Encode(struct {
			*walk.Result
			Unreached []string `json:"unreached"`
			Broken    []string `json:"broken"`
		}{r, r.Unreached(cat), broken})
	case f.dump == "branches":
		err = r.WriteBranches(w)
	case f.dump == "transitions":
		err = walk.WriteTransitions(w, cat)
	default:
		err = printWalk(w, cat, r, broken)
	}
	if err == nil && len(broken)+len(r.Failures) > 0 {
		return findings()
	}
	return err
}

// broken are the assertions that do not hold.
func (f *walkFlags) broken(r *walk.Result) []string {
	broken := []string{}
	for _, id := range f.reachable {
		if !r.Reaches(id) {
			broken = append(broken, fmt.Sprintf("%s cannot be reached from %s", id, r.Base))
		}
	}
	for _, pair := range f.neverBelow {
		id, other, _ := strings.Cut(pair, "=")
		if s := r.Below(id, other); s != nil {
			broken = append(broken, fmt.Sprintf("%s is below %s: %s", id, other, strings.Join(s, " > ")))
		}
	}
	return broken
}

func printWalk(w io.Writer, cat *catalog.Catalog, r *walk.Result, broken []string) error {
	p := &printer{w: w}
	for i := range r.Failures {
		p.put("failed: %s\n", r.Failures[i].String())
	}
	for _, text := range broken {
		p.put("broken: %s\n", text)
	}
	for i := range r.Unwilling {
		p.put("unwilling: %s\n", r.Unwilling[i].String())
	}
	for _, id := range r.Unreached(cat) {
		p.put("not below %s: %s\n", r.Base, id)
	}
	if r.Cut {
		p.put("the walk ended after %s; there are more\n", plural(r.Visited, "stack"))
	}
	p.put("%s on %s below %s, the longest of %d; %d failed, %d unwilling\n",
		plural(len(r.Behaviors), "behavior"), plural(r.Visited, "stack"), r.Base, len(r.Longest), len(r.Failures), len(r.Unwilling))
	return p.err
}
