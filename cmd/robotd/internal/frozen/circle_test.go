package frozen

import (
	"fmt"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// circle is a behavior that drives in a circle whenever the motors let it, so that the test need not wait for a robot that looks
// around or rests.
type circle struct{}

func (circle) OnActivated(c *behaviors.Control) { c.Act(&round{}, nil) }

// round is its only action. It never ends; a motion that was aborted is followed by another one.
type round struct{ id uint64 }

func (*round) Name() string                     { return "Round" }
func (*round) Type() actions.Type               { return actions.TypeDriveStraight }
func (*round) Tracks() actions.Tracks           { return actions.Body }
func (*round) Init(*actions.Env) actions.Result { return actions.Success }
func (r *round) CheckIfDone(env *actions.Env) actions.Result {
	m := env.World.Motors.Value
	if m.CliffLatched {
		env.Send(hardware.AckCliff{})
	}
	if r.id == 0 || m.Segment == r.id && m.Phase != hardware.PhaseMoving {
		r.id = env.NextID()
	}
	env.Send(hardware.Drive{ID: r.id, Kind: hardware.Wheels, LeftMMPS: 60, RightMMPS: 90})
	return actions.Running
}

// circling is a catalog of that behavior alone.
func circling() (*catalog.Catalog, error) {
	doc, diags := resources.Parse("Circle.json", []byte(`{"behaviorClass": "Circle", "behaviorID": "Circle"}`))
	boot, found := resources.Parse(catalog.BootFile, []byte(`{"normalBaseBehavior": "Circle", "fallbackBehavior": "Circle", "userIntents": []}`))
	reg := behaviors.NewRegistry(behaviors.Class{Name: "Circle", New: func(*behaviors.Config) behaviors.Behavior { return circle{} }})
	cat, more := catalog.Build(catalog.Sources{Behaviors: []*resources.Document{doc}, Boot: boot}, reg)
	if all := append(append(diags, found...), more...); all.HasErrors() {
		return nil, fmt.Errorf("%v", all)
	}
	return cat, nil
}
