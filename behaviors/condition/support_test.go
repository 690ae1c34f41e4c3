package condition_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

const supportDoc = "CONDITIONS.md"

// supportPage is the table of all types, as the code has them.
func supportPage(t *testing.T) string {
	var b strings.Builder
	unsupported := condition.Unsupported()
	types := condition.Types()
	fmt.Fprintf(&b, `# Condition types by support

Written by the test of this file (`+"`go test ./behaviors/condition -run Support -update`"+`); do not edit.

The format has 63 members of the enumeration. `+"`Invalid` and `Lambda`"+` cannot be written in a file; `+"`DeviceFailed`"+` is a type of this project. Of the %d types
that a file may name, %d are real and %d unsupported: their keys are read and checked, they are never met, they say "not supported on this robot", and a load tells each once.

| type | keys | eyes | support |
|---|---|---|---|
`, len(types), len(types)-len(unsupported), len(unsupported))
	for _, name := range types {
		support := "real"
		if slices.Contains(unsupported, name) {
			support = "**unsupported**"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", name, keysOf(name), eyesOf(t, name), support)
	}
	return b.String()
}

func keysOf(name string) string {
	var keys []string
	for _, k := range condition.Keys(name) {
		keys = append(keys, "`"+k+"`")
	}
	return strings.Join(keys, ", ")
}

// eyesOf are the vision modes that the type asks for while it is active.
func eyesOf(t *testing.T, name string) string {
	doc, _ := resources.Parse("c.json", []byte(samples()[name]))
	if doc == nil {
		t.Fatal(name)
	}
	var modes []string
	for mode, f := range condition.Looks(condition.Parse(doc.Root())) {
		if f != 0 {
			modes = append(modes, hardware.VisionModeNames[mode])
		}
	}
	return strings.Join(modes, ", ")
}

// The document says what the code does.
// Rules: data/3.3a.
func TestSupportDocumentIsThatOfTheCode(t *testing.T) {
	want := supportPage(t)
	if *update {
		if err := os.WriteFile(supportDoc, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(supportDoc)
	if err != nil || string(got) != want {
		t.Errorf("%s is not that of the code (%v): run go test ./behaviors/condition -run Support -update", supportDoc, err)
	}
}
