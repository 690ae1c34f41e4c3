package resources_test

import (
	"fmt"
	"time"

	"github.com/robotd/robotd/resources"
)

// All mistakes of a file are reported in one go, each at its place.
func Example() {
	src := []byte(`{
  "behaviorClas": "Greet",
  "speed_mmps": 800,
  "timeout_s": 2.5 // seconds
}`)
	doc, diags := resources.Parse("behaviors/greet.json", src)
	if doc != nil {
		root := doc.Root()
		class := root.String("behaviorClass")
		speed := root.FloatRangeOr("speed_mmps", 100, 0, 300)
		timeout := root.SecondsOr("timeout_s", time.Second)
		doc.Finish()
		diags = append(diags, doc.Diagnostics()...)
		fmt.Printf("%q %v %v\n", class, speed, timeout)
	}
	fmt.Println(diags)
	// Output:
	// "" 100 2.5s
	// behaviors/greet.json:2:3: error: unknown key "behaviorClas"; did you mean "behaviorClass"?
	// behaviors/greet.json:3:17: error: speed_mmps: 800 is above the limit 300
}

// Names of other behaviors are recorded and resolved when all files have been read.
func ExampleReference_Unresolved() {
	doc, _ := resources.Parse("behaviors/greet.json", []byte(`{"next": "LokUp"}`))
	doc.Root().Ref("next", "behavior")
	for _, ref := range doc.References() {
		fmt.Println(ref.Unresolved("delegate-unresolved", []string{"LookUp", "Wait"}))
	}
	// Output:
	// behaviors/greet.json:1:10: error: no behavior is named "LokUp"; did you mean "LookUp"?
}

// A class reads its nested objects with the same readers.
func ExampleObject_Objects() {
	doc, _ := resources.Parse("behaviors/ai.json", []byte(`{
  "states": [
    { "name": "idle", "minimum_ms": 500 },
    { "name": "play", "minimum_ms": -1 }
  ]
}`))
	for _, state := range doc.Root().Objects("states") {
		fmt.Println(state.Path(), state.String("name"), state.MillisOr("minimum_ms", 0))
	}
	fmt.Println(doc.Diagnostics())
	// Output:
	// states[0] idle 500ms
	// states[1] play 0s
	// behaviors/ai.json:4:37: error: states[1].minimum_ms: -1 is below the limit 0
}

func ExampleNearest() {
	fmt.Println(resources.Nearest("dlegates", []string{"delegates", "next"}))
	fmt.Println(resources.Nearest("speed", []string{"heading_deg", "speed_mmps"}))
	// Output:
	// delegates true
	// speed_mmps true
}

func ExampleLoadBehaviors() {
	docs, diags := resources.LoadBehaviors(resources.Embedded())
	if err := diags.Err(); err != nil {
		fmt.Println(err)
		return
	}
	for _, doc := range docs {
		_ = doc.Root().String("behaviorID")
	}
}
