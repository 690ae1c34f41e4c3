package bench

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/robotd/robotd/actors"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// unitBehavior is a behavior that is always in scope.
type unitBehavior struct{ unit *Unit }

// Update implements behaviors.Updater.
func (b *unitBehavior) Update(*behaviors.Control) { b.unit.Update() }

// base lists all units and stays in control.
type base struct{}

// Modify implements behaviors.Modifier.
func (*base) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

// unitCatalog is a base behavior over one behavior for each unit, read from JSON as always.
func unitCatalog(us []*Unit) (*catalog.Catalog, error) {
	byID := make(map[string]*Unit, len(us))
	ids := make([]string, len(us))
	for i, u := range us {
		ids[i] = fmt.Sprintf("U%04d", i)
		byID[ids[i]] = u
	}
	classes := behaviors.NewRegistry(
		behaviors.Class{Name: "Unit", New: func(c *behaviors.Config) behaviors.Behavior { return &unitBehavior{byID[c.ID()]} }},
		behaviors.Class{Name: "Base", New: func(c *behaviors.Config) behaviors.Behavior { c.DelegateList("units"); return &base{} }},
	)
	docs := make([]*resources.Document, 0, len(us)+1)
	var all resources.Diagnostics
	parse := func(file, src string) *resources.Document {
		doc, diags := resources.Parse(file, []byte(src))
		all = append(all, diags...)
		return doc
	}
	docs = append(docs, parse("Base.json", `{"behaviorClass":"Base","behaviorID":"Base","units":["`+strings.Join(ids, `","`)+`"]}`))
	for _, id := range ids {
		docs = append(docs, parse(id+".json", fmt.Sprintf(`{"behaviorClass":"Unit","behaviorID":%q}`, id)))
	}
	boot := parse(catalog.BootFile, `{"normalBaseBehavior":"Base","fallbackBehavior":"Base","userIntents":[]}`)
	cat, diags := catalog.Build(catalog.Sources{Behaviors: docs, Boot: boot}, classes)
	if all = append(all, diags...); all.HasErrors() {
		return nil, fmt.Errorf("robotd: %s", all)
	}
	return cat, nil
}

// robotd runs each unit as a supervised behavior actor, watched for hangs, in virtual time.
type robotd struct{ system *actors.System }

func newRobotd(us []*Unit) (Barrier, error) {
	cat, err := unitCatalog(us)
	if err != nil {
		return nil, err
	}
	s, err := actors.Start(actors.Config{Catalog: cat, Timeline: clock.NewVirtual(epoch)})
	if err != nil {
		return nil, err
	}
	r := &robotd{s}
	return r, nil
}

// Tick implements Barrier: one period of virtual time holds one tick.
func (r *robotd) Tick() {
	if err := r.system.RunFor(actors.DefaultPeriod, nil); err != nil {
		panic(err)
	}
}

// Close implements Barrier.
func (r *robotd) Close() {
	if err := r.system.Stop(context.Background()); err != nil {
		panic(err)
	}
}

// robotdDirect runs the same engine without actors.
type robotdDirect struct {
	engine *engine.Engine
	tick   uint64
}

func newRobotdDirect(us []*Unit) (Barrier, error) {
	cat, err := unitCatalog(us)
	if err != nil {
		return nil, err
	}
	e, err := engine.New(engine.Options{Catalog: cat})
	if err != nil {
		return nil, err
	}
	return &robotdDirect{engine: e}, e.Start(epoch)
}

// Tick implements Barrier.
func (r *robotdDirect) Tick() {
	r.tick++
	now := epoch.Add(time.Duration(r.tick) * actors.DefaultPeriod)
	r.engine.Step(engine.Input{Tick: r.tick, Now: now, World: hardware.Snapshot{Now: now}})
}

// Close implements Barrier.
func (r *robotdDirect) Close() {}
