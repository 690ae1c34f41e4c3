package faultmatrix

import (
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/resources"
)

// script is what a probe does in each tick in which its action is asked; n counts from 0.
type script func(n int, env *actions.Env)

// probe is a behavior that follows a script.
type probe struct{ script script }

func (p *probe) OnActivated(c *behaviors.Control) { c.Act(&job{script: p.script}, nil) }

// job is the probe's only action. It holds the tracks of the body and never ends.
type job struct {
	script script
	n      int
}

func (*job) Name() string                     { return "Script" }
func (*job) Type() actions.Type               { return actions.TypeDriveStraight }
func (*job) Tracks() actions.Tracks           { return actions.Body }
func (*job) Init(*actions.Env) actions.Result { return actions.Success }
func (j *job) CheckIfDone(env *actions.Env) actions.Result {
	j.script(j.n, env)
	j.n++
	return actions.Running
}

// following is a catalog with a probe as its base behavior.
func following(t testing.TB, s script) *catalog.Catalog {
	t.Helper()
	doc, diags := resources.Parse("Probe.json", []byte(`{"behaviorClass": "Probe", "behaviorID": "Probe"}`))
	boot, found := resources.Parse(catalog.BootFile, []byte(`{"normalBaseBehavior": "Probe", "fallbackBehavior": "Probe", "userIntents": []}`))
	reg := behaviors.NewRegistry(behaviors.Class{Name: "Probe", New: func(*behaviors.Config) behaviors.Behavior { return &probe{script: s} }})
	cat, more := catalog.Build(catalog.Sources{Behaviors: []*resources.Document{doc}, Boot: boot}, reg)
	if all := append(append(diags, found...), more...); all.HasErrors() {
		t.Fatal(all)
	}
	return cat
}
