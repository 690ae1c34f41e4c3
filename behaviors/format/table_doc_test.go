package format_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/format"
	"github.com/robotd/robotd/behaviors/library"
)

var update = flag.Bool("update", false, "write CLASSES.md")

// classesFile lists the classes of the format for people.
const classesFile = "CLASSES.md"

func TestListOfClassesIsWhatTheTableSays(t *testing.T) {
	text := classList()
	if *update {
		if err := os.WriteFile(classesFile, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(classesFile)
	if err != nil || string(got) != text {
		t.Errorf("%s is not what the table says (%v); write it with go test ./behaviors/format -run ListOfClasses -update", classesFile, err)
	}
}

func classList() string {
	classes := library.Registry()
	real := func(name string) bool { return classes.Find(name) != nil && classes.Find(name).State == behaviors.Real }
	count := map[behaviors.State]int{}
	var b strings.Builder
	for i := range format.Rows() {
		r := &format.Rows()[i]
		state := format.StateOf(r, real)
		count[state]++
		wants := r.Wants.String()
		if state != behaviors.StandIn {
			wants = ""
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", r.Name, state, r.Doc, wants, strings.Join(delegates(r), ", "))
	}
	return fmt.Sprintf(`# The classes of the format

Generated from the table by a test of this folder. %d classes: %d are real, for %d a stand-in lives in their place, %d are inert.

* real: its code does what the class is for.
* stand-in: gates, conditions, intents, claims and delegates are real. While it has control it shows its name, for its seconds or until its delegates are done.
* inert: its file is read, and it never wants control.

| class | here | what it does | when a stand-in wants control | behaviors that its code names |
|---|---|---|---|---|
`, len(format.Rows()), count[behaviors.Real], count[behaviors.StandIn], count[behaviors.Inert]) + b.String()
}

func delegates(r *format.Row) []string {
	out := slices.Clone(r.Fixed)
	for _, f := range r.FixedIf {
		out = append(out, f.ID+" (by `"+f.Key+"`)")
	}
	for _, name := range r.FixedAnonymous {
		out = append(out, "@"+name)
	}
	slices.Sort(out)
	return out
}
