package format_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/format"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/resources"
)

// Rules: data/2.8a.
func TestEveryRowIsCompleteAndStandsOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range format.Rows() {
		if seen[r.Name] || r.Name == "" {
			t.Errorf("%q stands twice", r.Name)
		}
		seen[r.Name] = true
		if !strings.HasSuffix(r.Doc, ".") || strings.Trim(r.Modifiers, "cond") != "" {
			t.Errorf("%s: doc %q, modifiers %q", r.Name, r.Doc, r.Modifiers)
		}
		if r.State == behaviors.Real {
			t.Errorf("%s is real by the table", r.Name)
		}
		if (r.Wants == format.Never) != (r.State == behaviors.Inert) {
			t.Errorf("%s wants control %v and is %v", r.Name, r.Wants, r.State)
		}
		checkKeys(t, r.Name, r.Keys)
	}
	if len(seen) < 173 {
		t.Errorf("%d rows", len(seen))
	}
}

func checkKeys(t *testing.T, at string, keys []format.Key) {
	t.Helper()
	seen := map[string]bool{}
	for _, k := range keys {
		path := at + "." + k.Name
		if seen[k.Name] || k.Name == "" || strings.TrimSpace(k.Name) != k.Name {
			t.Errorf("%s stands twice", path)
		}
		seen[k.Name] = true
		if k.Doc == "" || k.Type == format.Enum && len(k.Words) == 0 || (k.Type == format.Object || k.Type == format.Objects) == (len(k.Keys) == 0) {
			t.Errorf("%s: doc %q, words %v, %d keys", path, k.Doc, k.Words, len(k.Keys))
		}
		checkKeys(t, path, k.Keys)
	}
}

// The stand-in reads every key of its row, with its type, so that tools which ask it learn the whole row.
func TestStandInReadsEveryKeyOfItsRow(t *testing.T) {
	for _, r := range format.Rows() {
		class := r.Class()
		got, err := behaviors.Accepts(&class)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, diff := range missing("", r.Keys, got.Keys) {
			t.Errorf("%s: %s", r.Name, diff)
		}
		for _, id := range r.Fixed {
			if !slices.Contains(got.Delegates, id) {
				t.Errorf("%s: delegate %s is not declared", r.Name, id)
			}
		}
	}
}

// missing lists the keys of a row that a class does not read, or reads as something else.
func missing(at string, want []format.Key, have []resources.KeyInfo) (diffs []string) {
	for _, k := range want {
		i := slices.IndexFunc(have, func(h resources.KeyInfo) bool { return h.Name == k.Name })
		if i < 0 {
			diffs = append(diffs, fmt.Sprintf("%s%s is not read", at, k.Name))
			continue
		}
		if k.Required && !have[i].Required {
			diffs = append(diffs, fmt.Sprintf("%s%s is not required", at, k.Name))
		}
		sub := have[i].Keys
		if have[i].Elem != nil {
			sub = have[i].Elem.Keys
		}
		diffs = append(diffs, missing(at+k.Name+".", k.Keys, sub)...)
	}
	return diffs
}

// differences are real classes that do not take all of their rows, with the reason.
var differences = map[string]string{
	"ResetState": "has no behavior that follows",
}

// A class that has code takes what its row says, or says here why not.
func TestRealClassTakesTheKeysOfItsRow(t *testing.T) {
	classes := library.Registry()
	used := map[string]bool{}
	for _, r := range format.Rows() {
		class := classes.Find(r.Name)
		if class == nil {
			t.Errorf("%s is not registered", r.Name)
			continue
		}
		if class.State != behaviors.Real {
			continue
		}
		got, err := behaviors.Accepts(class)
		if err != nil {
			t.Error(err)
		}
		diffs := missing("", r.Keys, got.Keys)
		may := slices.Clone(r.Fixed)
		for _, f := range r.FixedIf {
			may = append(may, f.ID)
		}
		for _, name := range r.FixedAnonymous {
			may = append(may, "@"+name)
		}
		for _, id := range r.Fixed {
			if !slices.Contains(got.Delegates, id) {
				diffs = append(diffs, "does not delegate to "+id)
			}
		}
		for _, id := range got.Delegates {
			if !slices.Contains(may, id) {
				diffs = append(diffs, "delegates to "+id+" too")
			}
		}
		for _, diff := range diffs {
			if used[r.Name] = true; differences[r.Name] == "" {
				t.Errorf("%s: %s", r.Name, diff)
			}
		}
	}
	for name := range differences {
		if !used[name] {
			t.Errorf("%s takes its whole row: remove the difference", name)
		}
	}
}
