package sets

import (
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/resources"
)

// The definitions of each time of a recorded life are found: a change that the robot refused, and one that this program does not accept, are
// not among them, and what comes after them is.
func TestLifetimeFindsTheDefinitionsOfEachTime(t *testing.T) {
	classes := library.Registry()
	builds := 0
	build := func(tree setup.Tree) (*catalog.Catalog, resources.Diagnostics) {
		builds++
		return tree.Catalog(classes)
	}
	sumOf := func(wait string) string {
		t.Helper()
		cat, diags := setup.Tree{FS: files(wait)}.Catalog(classes)
		if cat == nil {
			t.Fatal(diags)
		}
		return cat.Sum
	}
	to := func(from, to string) *engine.Command {
		t.Helper()
		more, gone, err := diff(files(from), files(to))
		if err != nil {
			t.Fatal(err)
		}
		return &engine.Command{Kind: engine.Reload, Files: more, Gone: gone}
	}
	type change struct {
		command *engine.Command
		sum     string // after it
	}
	broken := &engine.Command{Kind: engine.Reload, Files: map[string]string{"behaviors/Rest.json": `{"behaviorClass": "Wayt", "behaviorID": "Rest"}`}}
	life := []change{
		{to("S0", "S1"), sumOf("S1")},
		{to("S1", "S2"), sumOf("S1")}, // refused
		{broken, "of another program"},
		{to("S1", "S3"), sumOf("S3")},
		{to("S3", "S1"), ""}, // not recorded
		{to("S1", "S4"), sumOf("S4")},
	}
	var bad error
	l := NewLifetime(setup.Tree{FS: files("S0")}, build, func(see func(*engine.Command, string) bool) error {
		for _, c := range life {
			if !see(c.command, c.sum) {
				return nil
			}
		}
		return bad
	})
	has := func(sum, wait string) {
		t.Helper()
		cat, err := l.Of(sum)
		if err != nil || cat.Find(wait) == nil || len(cat.Entries) != 2 {
			t.Errorf("%s: %+v, %v", wait, cat, err)
		}
	}
	has("", "S0")
	has(sumOf("S0"), "S0")
	if builds != 1 {
		t.Errorf("%d builds for the files of the start", builds)
	}
	for _, wait := range []string{"S4", "S1", "S3"} {
		has(sumOf(wait), wait)
	}
	before := builds
	if has(sumOf("S4"), "S4"); builds != before {
		t.Error("known definitions were built again")
	}
	for _, sum := range []string{sumOf("S2"), "of another program"} {
		if cat, err := l.Of(sum); cat != nil || err == nil || err.Error() != "the recording does not have the behavior files of that time" {
			t.Errorf("%v, %v", cat, err)
		}
	}
	bad = errors.New("a gap")
	if _, err := l.Of("other"); err == nil || !strings.HasSuffix(err.Error(), " of that time: a gap") {
		t.Error(err)
	}
	for i := range 2 * maxFound {
		_, _ = l.Of(strings.Repeat("x", i+1))
	}
	if len(l.found) > maxFound+1 {
		t.Errorf("%d are kept", len(l.found))
	}
	has("", "S0")
	has(sumOf("S3"), "S3")
}

// A robot that lives has the definitions of the last changes, also those that it went back from.
func TestStoreHasTheDefinitionsOfTheLastChanges(t *testing.T) {
	now := fs.FS(files("S0"))
	s, _ := newStore(t, &now, takes)
	var sums []string
	note := func() { sums = append(sums, s.Now().Catalog.Sum) }
	note()
	change := func(wait string) {
		t.Helper()
		now = files(wait)
		if o := s.Reload(t.Context(), CauseOperator); o.Result != Applied {
			t.Fatalf("%+v", o)
		}
		note()
	}
	change("S1")
	if o := s.Rollback(t.Context()); o.Result != Applied {
		t.Fatalf("%+v", o)
	}
	change("S2")
	for i, sum := range sums {
		if cat, err := s.Of(sum); err != nil || cat.Sum != sum || cat.Find([]string{"S0", "S1", "S2"}[i]) == nil {
			t.Errorf("%d: %+v, %v", i, cat, err)
		}
	}
	if cat, err := s.Of(""); err != nil || cat != s.Now().Catalog {
		t.Errorf("%+v, %v", cat, err)
	}
	for i := range kept {
		change("T" + strconv.Itoa(i))
	}
	if cat, err := s.Of(sums[1]); cat != nil || err == nil || err.Error() != "the robot does not keep the definitions of that time: there were more than 8 changes since" {
		t.Errorf("%+v, %v", cat, err)
	}
}
