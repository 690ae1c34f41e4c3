package behaviors_test

import (
	"fmt"
	"time"

	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// Nod moves the head to an angle and then ends.
type Nod struct{ params nodParams }

type nodParams struct {
	Angle float64 `key:"angle_rad" range:"-0.4..0.8" doc:"angle of the head"`
}

// OnActivated delegates to an action. Without a delegate the behavior ends with its Update.
func (n *Nod) OnActivated(c *behaviors.Control) {
	c.Act(motion.NewMoveHead(motion.HeadParams{AngleRad: n.params.Angle}), nil)
}

// NodClass is what a program registers.
func NodClass() behaviors.Class {
	return behaviors.Class{
		Name: "Nod",
		Doc:  "Moves the head to an angle.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			n := &Nod{}
			param.ReadConfig(cfg, &n.params)
			return n
		},
	}
}

// A behavior is a Go type with some hooks, a class that makes it, and a file that names the class and gives the parameters. Here
// one tick activates it, and its action moves the head.
func Example() {
	nod, _ := resources.Parse("behaviors/Nod.json", []byte(`{"behaviorClass": "Nod", "behaviorID": "Nod", "angle_rad": 0.3}`))
	boot, _ := resources.Parse(catalog.BootFile, []byte(`{"normalBaseBehavior": "Nod", "fallbackBehavior": "Nod", "userIntents": []}`))
	cat, diags := catalog.Build(catalog.Sources{Behaviors: []*resources.Document{nod}, Boot: boot}, behaviors.NewRegistry(NodClass()))
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
	world := hardware.Snapshot{Now: now, Servos: hardware.Reading[hardware.ServoState]{Quality: hardware.OK}}
	for _, c := range e.Step(engine.Input{Tick: 1, Now: now, World: world}).Commands {
		if move, ok := c.(hardware.MoveHead); ok {
			fmt.Printf("head to %.1f rad\n", move.AngleRad)
		}
	}
	fmt.Println("on the stack:", e.Stack().Top().ID)
	// Output:
	// head to 0.3 rad
	// on the stack: Nod
}
