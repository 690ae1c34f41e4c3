package behaviors

import (
	"time"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
)

// A GateFinding is one gate of a question in words.
type GateFinding struct {
	Name    string
	Reached bool
	Met     bool
	Values  condition.Values
	Text    string
	Parts   []condition.Finding // of a condition that asked others
}

// builtIn words the gates that need no condition, in their order: what is said of an open one, and of a closed one.
var builtIn = [...]struct {
	gate         Gate
	name         string
	open, closed string
	need         string
}{
	{GateActivated, "activated", "not activated yet", "already activated", "it must end before it can be activated again"},
	{GateSuppressed, "suppressed", "nobody suppresses it", "suppressed by ", ""},
	{GateTreads, "treads", "on its treads", "off treads: ", "put the robot on its treads"},
	{GateCharger, "charger", "off the charger", "on the charger", "the robot must leave the charger"},
	{GateCarrying, "carrying", "carries nothing", "carrying an object", "the robot must put down what it carries"},
	{GateCube, "cube", "a cube is connected", "no cube is connected", "a cube must be connected"},
	{
		GateEnsurer, "ensurer", "an active ancestor keeps the cube connected", "no active ancestor keeps the cube connected",
		"an active ancestor must keep the cube connected",
	},
}

// unreached is the text of a gate that was not looked at.
const unreached = "not asked: an earlier gate said no"

// Text is the reason of the answer in one line; mark writes elapsed times as [condition.Tell] does.
func (a *Asked) Text(mark func(time.Duration) string) string {
	switch {
	case a.Refused == stack.Disabled:
		return "disabled: failed too often"
	case a.Refused != 0:
		return "not asked: " + a.Refused.String()
	case a.Skipped:
		if r := a.because(); r != nil {
			return r.text(mark)
		}
		return "left out by " + a.By
	case a.Lost:
		return a.Class.Name + " failed"
	}
	switch d := a.Decline; d.Gate {
	case GateNone, GateClass:
		return a.classText(mark)
	case GateCondition:
		return condition.Tell(a.condition(d.Condition), mark).String()
	default:
		for i := range builtIn {
			if builtIn[i].gate == d.Gate {
				return builtIn[i].closed + d.detail()
			}
		}
	}
	return ""
}

// Reasoned reports whether the class gave a reason.
func (a *Asked) Reasoned() bool { return a.reason != 0 && a.Put() }

// Put reports whether the behavior was asked at all.
func (a *Asked) Put() bool { return a.Refused == 0 && !a.Skipped }

// detail is what a built-in gate saw.
func (d *Decline) detail() string {
	switch d.Gate {
	case GateSuppressed:
		return d.By
	case GateTreads:
		return d.Treads.String()
	default:
		return ""
	}
}

func (a *Asked) classText(mark func(time.Duration) string) string {
	switch r := a.because(); {
	case r != nil:
		return r.text(mark)
	case !a.own:
		return "every gate is open, and " + a.Class.Name + " has no answer of its own"
	}
	return a.Class.silent(a.Yes)
}

// condition are the notes of the n-th.
func (a *Asked) condition(n int32) []condition.Note {
	ns := a.notes()
	for range n {
		ns = condition.Rest(ns)
	}
	return ns
}

// Gates puts every gate of the question into words, in the order in which they are looked at. Nil for a question that was not put.
func (a *Asked) Gates(mark func(time.Duration) string) []GateFinding {
	if !a.Put() || a.Lost {
		return nil
	}
	out := a.builtIn()
	closed := a.Decline.Gate != GateNone && a.Decline.Gate < GateCondition
	n := 0
	for ns := a.notes(); len(ns) > 0; ns = condition.Rest(ns) {
		out = append(out, a.told(ns, n, mark))
		n++
	}
	if closed || a.Decline.Gate == GateCondition {
		return append(out, GateFinding{Name: "class", Text: unreached})
	}
	return append(out, GateFinding{Name: "class", Reached: true, Met: a.Yes, Text: a.classText(mark)})
}

func (a *Asked) builtIn() []GateFinding {
	var out []GateFinding
	decided := false
	for i := range builtIn {
		b := &builtIn[i]
		if a.applies&(1<<b.gate) == 0 {
			continue
		}
		g := GateFinding{Name: b.name, Reached: !decided, Met: !decided && a.Decline.Gate != b.gate, Text: b.open}
		switch {
		case decided:
			g.Text = unreached
		case !g.Met:
			decided = true
			g.Text = b.closed + a.Decline.detail()
			if detail := a.Decline.detail(); detail != "" {
				g.Values = condition.Values{{Name: map[Gate]string{GateSuppressed: "by", GateTreads: "treads"}[b.gate], Value: detail}}
			}
		}
		out = append(out, g)
	}
	return out
}

func (a *Asked) told(ns []condition.Note, n int, mark func(time.Duration) string) GateFinding {
	f := condition.Tell(ns, mark)
	g := GateFinding{Name: f.Name, Reached: a.reached(n), Met: f.Met, Values: f.Values, Text: f.Text, Parts: f.Parts}
	if !g.Reached {
		g.Text = unreached
	}
	return g
}

// Needs says what would have to change for a yes: each of the sentences is needed. Nil after a yes.
func (a *Asked) Needs(mark func(time.Duration) string) []string {
	switch {
	case a.Refused == stack.Disabled:
		return []string{"restart the program, or mend " + a.Class.Name + ": it failed too often"}
	case a.Skipped && a.reason != 0:
		return a.classNeeds(mark)
	case a.Skipped:
		return []string{a.By + " must ask it: it leaves it out"}
	case a.Refused != 0, a.Lost:
		return []string{a.ID + " must be asked again: " + a.Text(mark)}
	case a.Yes:
		return nil
	}
	switch d := a.Decline; d.Gate {
	case GateSuppressed:
		return []string{d.By + " must stop suppressing it"}
	case GateTreads:
		return []string{"put the robot on its treads (it is " + d.Treads.String() + ")"}
	case GateCondition:
		return condition.Needs(a.condition(d.Condition), mark)
	case GateClass:
		return a.classNeeds(mark)
	default:
		for i := range builtIn {
			if builtIn[i].gate == d.Gate {
				return []string{builtIn[i].need}
			}
		}
	}
	return nil
}

// classNeeds waits for the instant that the reason names, or else can only name who decides.
func (a *Asked) classNeeds(mark func(time.Duration) string) []string {
	if r := a.because(); r != nil {
		if d, ok := r.until(); ok && mark != nil {
			return []string{"wait " + mark(-d)}
		} else if ok {
			return []string{"wait " + condition.Spoken(d)}
		}
		return []string{"this must change: " + r.text(mark)}
	}
	return []string{a.Class.Name + " itself must say yes"}
}
