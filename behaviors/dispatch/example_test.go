package dispatch_test

import (
	"fmt"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/dispatch"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// idle keeps control until another behavior takes it.
type idle struct{}

func (idle) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

// A dispatcher gives control to the first behavior of its list that wants it. Here the first one wants it from the third second on,
// and interrupts the second one.
func Example() {
	classes := append(dispatch.Classes(), behaviors.Class{Name: "Idle", New: func(*behaviors.Config) behaviors.Behavior { return idle{} }})
	var docs []*resources.Document
	for file, text := range map[string]string{
		"Base.json": `{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "Base", "interruptActiveBehavior": true, "behaviors": ["Dance", "Wait"]}`,
		"Dance.json": `{"behaviorClass": "Idle", "behaviorID": "Dance",
			"wantsToBeActivatedCondition": {"conditionType": "TimerInRange", "begin_s": 3}}`,
		"Wait.json": `{"behaviorClass": "Idle", "behaviorID": "Wait"}`,
	} {
		doc, _ := resources.Parse(file, []byte(text))
		docs = append(docs, doc)
	}
	boot, _ := resources.Parse(catalog.BootFile, []byte(`{"normalBaseBehavior": "Base", "fallbackBehavior": "Base", "userIntents": []}`))
	cat, diags := catalog.Build(catalog.Sources{Behaviors: docs, Boot: boot}, behaviors.NewRegistry(classes...))
	if cat == nil {
		fmt.Println(diags)
		return
	}
	e, err := engine.New(engine.Options{Catalog: cat})
	if err != nil {
		fmt.Println(err)
		return
	}
	start := time.Unix(0, 0)
	if err := e.Start(start); err != nil {
		fmt.Println(err)
		return
	}
	for second := range uint64(6) {
		now := start.Add(time.Duration(second) * time.Second)
		e.Step(engine.Input{Tick: second + 1, Now: now, World: hardware.Snapshot{Now: now}})
		fmt.Printf("%d s: %s\n", second, e.Stack().Top().ID)
	}
	// Output:
	// 0 s: Wait
	// 1 s: Wait
	// 2 s: Wait
	// 3 s: Dance
	// 4 s: Dance
	// 5 s: Dance
}
