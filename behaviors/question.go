package behaviors

import (
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// A Gate is a reason for which a behavior says no without being called, or with: those of B-8 in their order.
type Gate uint8

// The gates.
const (
	GateNone       Gate = iota // it said yes, or was not asked yet
	GateActivated              // it is activated already
	GateSuppressed             // another behavior keeps it from being activated
	GateTreads                 // the robot is not on its treads
	GateCharger                // the robot is on the charger
	GateCarrying               // the robot carries an object
	GateCube                   // no cube is connected
	GateEnsurer                // no active ancestor keeps the cube connected
	GateCondition              // a condition is not met
	GateClass                  // the class's own code says no
)

// A Decline is why a behavior said no: facts of the question, which [Instance.Why] puts into words.
type Decline struct {
	Gate      Gate
	Treads    hardware.Treads // GateTreads
	Condition int32           // GateCondition: its number
	By        string          // GateSuppressed: who
}

// A Question is what an instance needs to know of one.
type Question struct {
	View       *condition.View
	Suppressed string // who keeps the behavior from being activated; empty for none
	Ensured    bool   // an active ancestor keeps the cube connected
	Data       bool   // it came with data
	Turn       bool   // the behavior is asked now; otherwise nothing is changed
	Met        int    // set by Foresee: conditions that are known to be met, also if the next one panics
}

// Foresee answers a question without the author's code, if gates and conditions of this program decide, and counts the conditions that
// are known to be met otherwise (B-8). The first gate that is closed decides. It runs on the engine's goroutine.
func (i *Instance) Foresee(q *Question) stack.Foresight {
	q.Met = 0
	if q.Data && !i.takesData || !q.Data && !i.takesNone {
		return stack.TakesNot
	}
	d := i.closed(q)
	if d.Gate == GateNone {
		for ; q.Met < len(i.wants); q.Met++ {
			yes, known := i.known(q.Met, q)
			if !known {
				return stack.Unknown
			}
			if !yes {
				d = Decline{Gate: GateCondition, Condition: int32(q.Met)}
				break
			}
		}
	}
	switch {
	case d.Gate == GateNone && (q.Data || i.wanter != nil):
		return stack.Unknown
	case q.Turn:
		i.decline = d
	}
	if d.Gate != GateNone {
		return stack.SaysNo
	}
	return stack.SaysYes
}

// known is the answer of one condition if it needs no code of an author. When it is the behavior's turn the condition remembers it.
func (i *Instance) known(n int, q *Question) (yes, known bool) {
	w := i.wants[n]
	if !q.Turn {
		return condition.Ahead(w, q.View)
	}
	if !condition.Ready(w) {
		return false, false
	}
	return w.Met(q.View), true
}

// closed checks the gates that only look at facts.
func (i *Instance) closed(q *Question) Decline {
	body := &q.View.World.Body
	switch {
	case i.activated: // gate 1
		return Decline{Gate: GateActivated}
	case q.Suppressed != "":
		return Decline{Gate: GateSuppressed, By: q.Suppressed}
	case body.Treads != 0 && !i.mods.WhenOffTreads:
		return Decline{Gate: GateTreads, Treads: body.Treads}
	case body.OnContacts && !i.mods.WhenOnCharger:
		return Decline{Gate: GateCharger}
	case body.Carrying && !i.mods.WhenCarryingObject: // gate 5
		return Decline{Gate: GateCarrying}
	case !i.mods.Cube.Required():
		return Decline{}
	case !body.CubeConnected: // gate 6
		return Decline{Gate: GateCube}
	case i.mods.Cube == CubeRequiredManaged && !q.Ensured:
		return Decline{Gate: GateEnsurer}
	}
	return Decline{}
}

// answer is HookWants: the conditions from the from-th on, and gate 8, the class's own function for this kind of question.
func (i *Instance) answer(c *Control, from int, data any) bool {
	for n := from; n < len(i.wants); n++ {
		if !i.wants[n].Met(c.inv.View) {
			i.decline = Decline{Gate: GateCondition, Condition: int32(n)}
			return false
		}
	}
	yes := true
	i.reason.clear()
	switch {
	case data != nil:
		yes = i.impl.(WanterWith).WantsToBeActivatedWith(c, data)
	case i.wanter != nil:
		yes = i.wanter.WantsToBeActivated(c)
	}
	i.decline = Decline{}
	if !yes {
		i.decline.Gate = GateClass
	}
	return yes
}

// readQuestions notes which kinds of questions the class answers: plain ones, and those that come with data (see [WanterWith]).
func (i *Instance) readQuestions() {
	i.wanter, _ = i.impl.(Wanter)
	_, i.takesData = i.impl.(WanterWith)
	i.takesNone = !i.takesData || i.wanter != nil
}

// TakesData reports whether the class answers questions with data.
func (i *Instance) TakesData() bool { return i.takesData }

// Decline is why the behavior said no to the newest question.
func (i *Instance) Decline() Decline { return i.decline }

// Why words the reason of the newest no; empty if the answer was yes. It is called between two ticks.
func (i *Instance) Why() string {
	switch d := i.decline; d.Gate {
	case GateActivated:
		return "already activated"
	case GateSuppressed:
		return "suppressed by " + d.By
	case GateTreads:
		return "off treads: " + d.Treads.String()
	case GateCharger:
		return "on the charger"
	case GateCarrying:
		return "carrying an object"
	case GateCube:
		return "no cube is connected"
	case GateEnsurer:
		return "no active ancestor keeps the cube connected"
	case GateCondition:
		return condition.Tell(condition.Notes(nil, i.wants[d.Condition]), condition.Spoken).String()
	case GateClass:
		if i.reason.given() {
			return i.reason.String()
		}
		return i.Class.silent(false)
	}
	return ""
}

// silent is what there is to say of the answer of a class that gives no reason.
func (c *Class) silent(yes bool) string {
	if yes {
		return c.Name + ".WantsToBeActivated returned true"
	}
	return c.Name + ".WantsToBeActivated returned false"
}
