package engine_test

import (
	"fmt"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// countdown cancels itself in the second Update of each activation.
type countdown struct{ left int }

func (*countdown) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

func (d *countdown) OnActivated(*behaviors.Control) { d.left = 2 }

func (d *countdown) Update(c *behaviors.Control) {
	if d.left--; d.left == 0 {
		c.CancelSelf()
	}
}

// A tick is one call of Step: facts go in, effects come out. A base that ends itself is activated anew
// at the begin of the next tick.
func ExampleEngine_Step() {
	class := behaviors.Class{Name: "Countdown", New: func(*behaviors.Config) behaviors.Behavior { return &countdown{} }}
	base, _ := resources.Parse("behaviors/Base.json", []byte(`{"behaviorClass": "Countdown", "behaviorID": "Base"}`))
	boot, _ := resources.Parse(catalog.BootFile, []byte(`{"normalBaseBehavior": "Base", "fallbackBehavior": "Base", "userIntents": []}`))
	cat, diags := catalog.Build(catalog.Sources{Behaviors: []*resources.Document{base}, Boot: boot}, behaviors.NewRegistry(class))
	if cat == nil {
		fmt.Println(diags)
		return
	}
	e, err := engine.New(engine.Options{Catalog: cat})
	if err != nil {
		fmt.Println(err)
		return
	}
	now := time.Unix(0, 0)
	if err := e.Start(now); err != nil {
		fmt.Println(err)
		return
	}
	for tick := range uint64(3) {
		now = now.Add(60 * time.Millisecond)
		out := e.Step(engine.Input{Tick: tick + 1, Now: now, World: hardware.Snapshot{Now: now}})
		for _, event := range out.Events {
			fmt.Printf("tick %d: %s\n", out.Tick, event)
		}
	}
	// Output:
	// tick 1: Base.init
	// tick 1: Base.entered-scope
	// tick 1: Base.push
	// tick 1: Base.activated
	// tick 2: Base.deactivated
	// tick 2: Base.pop
	// tick 2: Base.empty
	// tick 2: Base.left-scope
	// tick 3: Base.entered-scope
	// tick 3: Base.push
	// tick 3: Base.activated
}
