package catalog_test

import (
	"fmt"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/resources"
)

// All files of a tree are checked together, so that a name in one file that no other file defines is reported at its place.
func Example() {
	classes := behaviors.NewRegistry(
		behaviors.Class{Name: "Rest", New: func(*behaviors.Config) behaviors.Behavior { return struct{}{} }},
		behaviors.Class{Name: "Turn", New: func(cfg *behaviors.Config) behaviors.Behavior { return cfg.DelegateList("between") }},
	)
	build := func(turn string) (*catalog.Catalog, resources.Diagnostics) {
		a, _ := resources.Parse("behaviors/Turn.json", []byte(turn))
		b, _ := resources.Parse("behaviors/Sleep.json", []byte(`{"behaviorClass": "Rest", "behaviorID": "Sleep"}`))
		return catalog.Build(catalog.Sources{Behaviors: []*resources.Document{a, b}}, classes)
	}
	cat, diags := build(`{"behaviorClass": "Turn", "behaviorID": "Turn", "between": ["Sleeep"]}`)
	fmt.Println(cat == nil, diags)
	cat, _ = build(`{"behaviorClass": "Turn", "behaviorID": "Turn", "between": ["Sleep"]}`)
	for _, e := range cat.Entries {
		fmt.Println(e.ID, e.Class.Name, e.Delegates)
	}
	// Output:
	// true behaviors/Turn.json:1:61: error: there is no behavior "Sleeep"; did you mean "Sleep"?
	// Sleep Rest []
	// Turn Turn [Sleep]
}
