package bench

import (
	"strconv"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/dispatch"
)

// dispatcher is the shipped chooser, which asks its delegates in every tick, also while one of them runs.
const dispatcher = `"behaviorClass":"DispatcherStrictPriority","interruptActiveBehavior":true,"behaviors"`

// The conditions of a unit: nobody measures a battery here, so it is not full.
const (
	saysNo  = `"wantsToBeActivatedCondition":{"conditionType":"BatteryLevel","targetBatteryLevel":"Full"}`
	saysYes = `"wantsToBeActivatedCondition":{"conditionType":"BatteryLevel","targetBatteryLevel":"Unknown"}`
)

// stayID is the behavior that has control while every unit says no, and stays: a dispatcher that found nobody would end. It is what the
// running action is to a behavior tree.
const stayID = "Stay"

// gated is a behavior of which the file alone says when it wants control.
type gated struct{}

// Modify implements behaviors.Modifier.
func (*gated) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

// gatedCatalog is a dispatcher over units that the gates and one condition answer for.
func gatedCatalog(qs []*Question) (*catalog.Catalog, error) {
	t := askTree()
	for _, q := range qs {
		condition := saysNo
		if *q.level < q.below {
			condition = saysYes
		}
		t.units = append(t.units, `"behaviorClass":"Gated",`+condition)
	}
	return t.catalog(dispatch.StrictPriorityClass(), gatedClass())
}

// askTree is a dispatcher over no units yet and the behavior that stays.
func askTree() tree {
	return tree{base: dispatcher, extra: map[string]string{stayID: `"behaviorClass":"Gated"`}}
}

func gatedClass() behaviors.Class {
	return behaviors.Class{Name: "Gated", New: func(*behaviors.Config) behaviors.Behavior { return &gated{} }}
}

// owned is a behavior whose own code says when it wants control.
type owned struct {
	gated
	question *Question
}

// WantsToBeActivated implements behaviors.Wanter.
func (b *owned) WantsToBeActivated(*behaviors.Control) bool { return b.question.Wants() }

// ownedCatalog is a dispatcher over units that answer by code, after the gates.
func ownedCatalog(qs []*Question) (*catalog.Catalog, error) {
	t := askTree()
	byID := make(map[string]*Question, len(qs))
	for i, q := range qs {
		byID[unitID(i)] = q
		t.units = append(t.units, `"behaviorClass":"Owned"`)
	}
	return t.catalog(dispatch.StrictPriorityClass(), gatedClass(),
		behaviors.Class{Name: "Owned", New: func(c *behaviors.Config) behaviors.Behavior { return &owned{question: byID[c.ID()]} }})
}

// askRobotd asks through actors.
type askRobotd struct{ *robotd }

func newAskRobotd(qs []*Question) (Asker, error)    { return askThroughActors(gatedCatalog(qs)) }
func newAskRobotdOwn(qs []*Question) (Asker, error) { return askThroughActors(ownedCatalog(qs)) }

func askThroughActors(cat *catalog.Catalog, err error) (Asker, error) {
	if err != nil {
		return nil, err
	}
	r, err := startRobotd(cat)
	if err != nil {
		return nil, err
	}
	r.Tick() // the dispatcher becomes the base and chooses
	return askRobotd{r}, nil
}

// Tick implements Asker.
func (a askRobotd) Tick() int {
	a.robotd.Tick()
	return unitIndex(a.top.id)
}

// askDirect asks by direct call.
type askDirect struct{ *robotdDirect }

func newAskRobotdDirect(qs []*Question) (Asker, error) {
	cat, err := gatedCatalog(qs)
	if err != nil {
		return nil, err
	}
	r, err := startDirect(cat)
	if err != nil {
		return nil, err
	}
	r.Tick()
	return askDirect{r}, nil
}

// Tick implements Asker.
func (a askDirect) Tick() int {
	a.robotdDirect.Tick()
	return unitIndex(topOf(a.engine))
}

// unitIndex is the index of the unit that has control, or noUnit if none has it.
func unitIndex(id string) int {
	if id == stayID {
		return noUnit
	}
	i, err := strconv.Atoi(id[1:])
	if err != nil {
		panic(err)
	}
	return i
}
