package examples_test

import (
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/examples"
)

// Rules: 5/Constructor.
func TestMistakesInFilesAreReported(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"chore without work":        {`"behaviorClass": "Chore"`, `"work_s" is missing`},
		"poem without a line":       {`"behaviorClass": "Recite", "lines": []`, "lines: the list is empty; want at least 1"},
		"cube onto itself":          {`"behaviorClass": "StackCubes", "cube": 1, "onCube": 1`, "cannot be put onto itself"},
		"cube zero":                 {`"behaviorClass": "StackCubes", "cube": 0, "onCube": 1`, "below the limit 1"},
		"lock that ends before":     {`"behaviorClass": "Concentrate", "delegateID": "X", "locks": ["X"], "from_s": 2, "to_s": 1`, "must be later than from_s"},
		"lock on unknown behavior":  {`"behaviorClass": "Concentrate", "delegateID": "X", "locks": ["Y"]`, `no behavior "Y"`},
		"unknown clip":              {`"behaviorClass": "Approach", "clip": "greet_hapy"`, `did you mean "greet_happy"?`},
		"selection without silence": {`"behaviorClass": "Selection", "behaviors": ["X"]`, `"silence_s" is missing`},
		"shift of unknown behavior": {`"behaviorClass": "Shift", "worker": "Y", "shift_s": 1`, `no behavior "Y"`},
		"fetch without a helper":    {`"behaviorClass": "Fetch", "cube": 1, "patience_s": 1`, `"helper" is missing`},
		"patrol without legs":       {`"behaviorClass": "Patrol", "legs": 0, "side_mm": 100`, "below the limit 1"},
		"helper without attempts":   {`"behaviorClass": "PickUp", "attempts": 0`, "below the limit 1"},
		"activity in the dark": {
			`"behaviorClass": "Activity", "interruptActiveBehavior": false, "behaviors": ["X"]`, `"light" is missing`,
		},
		"activity too bright": {
			`"behaviorClass": "Activity", "interruptActiveBehavior": false, "behaviors": ["X"], "light": {"r": 256, "g": 0, "b": 0}`, "256 is above the limit 255",
		},
		"activity of an unknown color": {
			`"behaviorClass": "Activity", "interruptActiveBehavior": false, "behaviors": ["X"], "light": {"r": 0, "g": 0, "b": 0, "a": 0}`, `unknown key "a"`,
		},
		"activity that does not say": {
			`"behaviorClass": "Activity", "behaviors": ["X"]`, `"interruptActiveBehavior" is missing`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, diags := behaviortest.Catalog(t, "-- S.json --\n"+`{"behaviorID": "S", `+c.body+"}\n-- X.json --\n"+`{"behaviorClass": "PutDown", "behaviorID": "X"}`,
				examples.Registry(), catalog.Boot{Base: "S", Fallback: "S"})
			if !diags.HasErrors() || !strings.Contains(diags.String(), c.want) {
				t.Errorf("%s\ndoes not say %q", diags.String(), c.want)
			}
		})
	}
}
