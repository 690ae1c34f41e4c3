package walk

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/robotd/robotd/behaviors/catalog"
)

// Reaches reports whether the walk reached a behavior.
func (r *Result) Reaches(id string) bool {
	_, ok := slices.BinarySearch(r.Behaviors, id)
	return ok
}

// Below returns the first stack on which a behavior stands anywhere above another one; nil if there is none.
func (r *Result) Below(id, other string) []string {
	for _, s := range r.Stacks {
		if at := slices.Index(s, other); at >= 0 && slices.Contains(s[at+1:], id) {
			return s
		}
	}
	return nil
}

// Unreached lists the behaviors of a catalog that the walk did not reach, by ID.
func (r *Result) Unreached(cat *catalog.Catalog) (ids []string) {
	for _, e := range cat.Entries {
		if e.Analyzer == "" && !r.Reaches(e.ID) {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// WriteBranches writes every visited stack as one line, base first.
func (r *Result) WriteBranches(w io.Writer) error {
	for _, s := range r.Stacks {
		if _, err := fmt.Fprintln(w, strings.Join(s, " ")); err != nil {
			return err
		}
	}
	return nil
}

// WriteTransitions writes a line "ID label" for every behavior of a catalog and each of its delegates, by ID. The number that tells anonymous
// behaviors of one name apart is left out.
func WriteTransitions(w io.Writer, cat *catalog.Catalog) error {
	for _, e := range cat.Entries {
		for _, id := range e.Delegates {
			d := cat.Find(id)
			label := d.Label
			if d.Owner != "" {
				label = strings.TrimRight(label, "0123456789")
			}
			if _, err := fmt.Fprintln(w, e.ID, label); err != nil {
				return err
			}
		}
	}
	return nil
}
