package bench

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/robotd/robotd/actors"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/metrics"
	"github.com/robotd/robotd/resources"
)

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Ours is the peer with which the others are compared.
const Ours = "robotd"

// baseID is the base behavior of every tree here.
const baseID = "Base"

// unitID is the ID of a unit's behavior.
func unitID(i int) string { return fmt.Sprintf("U%04d", i) }

// A tree is a base behavior over one behavior for each unit, in JSON as always.
type tree struct {
	base  string // keys of the base, before the list of units
	units []string
	extra map[string]string // further behaviors by ID, after the units in the base's list
}

// catalog reads the tree.
func (t tree) catalog(classes ...behaviors.Class) (*catalog.Catalog, error) {
	var all resources.Diagnostics
	var docs []*resources.Document
	var ids []string
	parse := func(file, src string) *resources.Document {
		doc, diags := resources.Parse(file, []byte(src))
		all = append(all, diags...)
		return doc
	}
	add := func(id, keys string) {
		ids = append(ids, id)
		docs = append(docs, parse(id+".json", fmt.Sprintf(`{"behaviorID":%q,%s}`, id, keys)))
	}
	for i, keys := range t.units {
		add(unitID(i), keys)
	}
	for id, keys := range t.extra {
		add(id, keys)
	}
	docs = append(docs, parse(baseID+".json", fmt.Sprintf(`{"behaviorID":%q,%s:["%s"]}`, baseID, t.base, strings.Join(ids, `","`))))
	boot := parse(catalog.BootFile, fmt.Sprintf(`{"normalBaseBehavior":%q,"fallbackBehavior":%[1]q,"userIntents":[]}`, baseID))
	cat, diags := catalog.Build(catalog.Sources{Behaviors: docs, Boot: boot}, behaviors.NewRegistry(classes...))
	if all = append(all, diags...); all.HasErrors() {
		return nil, fmt.Errorf("robotd: %s", all)
	}
	return cat, nil
}

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

// unitCatalog is a base behavior over one behavior for each unit.
func unitCatalog(us []*Unit) (*catalog.Catalog, error) {
	byID := make(map[string]*Unit, len(us))
	t := tree{base: `"behaviorClass":"Base","units"`}
	for i, u := range us {
		byID[unitID(i)] = u
		t.units = append(t.units, `"behaviorClass":"Unit"`)
	}
	return t.catalog(
		behaviors.Class{Name: "Unit", New: func(c *behaviors.Config) behaviors.Behavior { return &unitBehavior{byID[c.ID()]} }},
		behaviors.Class{Name: "Base", New: func(c *behaviors.Config) behaviors.Behavior { c.DelegateList("units"); return &base{} }},
	)
}

// robotd runs each unit as a supervised behavior actor, watched for hangs, in virtual time. Supervisor, inbox and the observers of the
// metrics take part in each tick.
type robotd struct {
	system *actors.System
	top    *stackTop
}

// stackTop is a tick observer that keeps the name of the behavior in control.
type stackTop struct {
	id   string
	also func(event.Tick, *engine.Engine) // of tests
}

// ObserveTick implements actors.TickObserver.
func (t *stackTop) ObserveTick(tick event.Tick, _ *engine.Output, e *engine.Engine) {
	t.id = topOf(e)
	if t.also != nil {
		t.also(tick, e)
	}
}

func topOf(e *engine.Engine) string {
	if n := e.Stack().Top(); n != nil {
		return n.ID
	}
	return ""
}

func startRobotd(cat *catalog.Catalog, devices ...actors.DeviceSpec) (*robotd, error) {
	m := metrics.New(metrics.Options{Period: actors.DefaultPeriod, Devices: hardware.Names, Behaviors: cat.IDs()})
	top := &stackTop{}
	s, err := actors.Start(actors.Config{
		Catalog: cat, Timeline: clock.NewVirtual(epoch), Devices: devices, Observer: m, Ticks: []actors.TickObserver{m, top},
	})
	if err != nil {
		return nil, err
	}
	return &robotd{s, top}, nil
}

func newRobotd(us []*Unit) (Barrier, error) {
	cat, err := unitCatalog(us)
	if err != nil {
		return nil, err
	}
	return startRobotd(cat)
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

func startDirect(cat *catalog.Catalog) (*robotdDirect, error) {
	e, err := engine.New(engine.Options{Catalog: cat})
	if err != nil {
		return nil, err
	}
	return &robotdDirect{engine: e}, e.Start(epoch)
}

func newRobotdDirect(us []*Unit) (Barrier, error) {
	cat, err := unitCatalog(us)
	if err != nil {
		return nil, err
	}
	return startDirect(cat)
}

// Tick implements Barrier.
func (r *robotdDirect) Tick() {
	r.tick++
	now := epoch.Add(time.Duration(r.tick) * actors.DefaultPeriod)
	r.engine.Step(engine.Input{Tick: r.tick, Now: now, World: hardware.Snapshot{Now: now}})
}

// Close implements Barrier.
func (r *robotdDirect) Close() {}
