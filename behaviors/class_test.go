package behaviors_test

import (
	"slices"
	"testing"

	"github.com/robotd/robotd/behaviors"
)

// A registry that is filled wrongly is a mistake of the program, which panics at its start.
// Rules: data/2.8b.
func TestRegistryRefusesDuplicatesAndNameless(t *testing.T) {
	make := func(*behaviors.Config) behaviors.Behavior { return nil }
	for name, classes := range map[string][]behaviors.Class{
		"duplicate":      {{Name: "A", New: make}, {Name: "A", New: make}},
		"no name":        {{New: make}},
		"no constructor": {{Name: "A"}},
		"blank in name":  {{Name: "do dishes!", New: make}},
		"small letter":   {{Name: "doDishes", New: make}},
		"not a name":     {{Name: "Käse", New: make}},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: accepted", name)
				}
			}()
			behaviors.NewRegistry(classes...)
		}()
	}
	r := behaviors.NewRegistry(behaviors.Class{Name: "B", New: make}, behaviors.Class{Name: "A", New: make})
	if !slices.Equal(r.Names(), []string{"A", "B"}) || r.Find("A").Name != "A" || r.Find("C") != nil {
		t.Errorf("names %v", r.Names())
	}
}
