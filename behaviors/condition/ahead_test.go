package condition_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

// lives are all types, and trees of those with a memory.
func lives() map[string]string {
	all := samples()
	wrap := func(name, format string, inner ...any) { all[name] = fmt.Sprintf(format, inner...) }
	wrap("edge of a dedup", `{"conditionType": "BecameTrueThisTick", "subCondition": %s}`, all["TimedDedup"])
	wrap("dedup of an edge", `{"conditionType": "TimedDedup", "dedupInterval_ms": 100, "subCondition": %s}`, all["BecameTrueThisTick"])
	wrap("tree", `{"conditionType": "Compound", "or": [%s, {"and": [%s, %s]}]}`, all["TimedDedup"], all["ObjectKnown"], all["TimerInRange"])
	wrap("seen lately", `{"conditionType": "ObjectKnown", "objectTypes": ["cube"], "maxAge_ms": 100}`)
	wrap("first sighting of a tree", `{"conditionType": "Compound", "not": %s}`, all["ObjectInitialDetection"])
	return all
}

// Whatever happens, and however often it is asked, Ahead tells the answer of the evaluation that follows, and changes none.
// Rules: data/3.5e.
func TestAheadTellsWhatMetWillAnswer(t *testing.T) {
	for name, src := range lives() {
		var answers [2]string
		for run := range answers {
			r := newRig(t)
			c := r.parse(src)
			for i := range 16 {
				r.at(time.Duration(i) * 60 * time.Millisecond)
				switch i % 5 {
				case 1, 4:
					moments()[1].set(r)
				case 2:
					r.world.Body, r.world.Objects, r.view.Intent = hardware.Body{}, nil, condition.Intents{}
				case 3:
					c.SetActive(r.view, true)
				}
				for range 2 {
					for range run { // not at all in the first run
						if met, ok := condition.Ahead(c, r.view); !ok {
							t.Fatalf("%s: unknown ahead", name)
						} else {
							answers[run] += letter(met)
						}
					}
					met := letter(c.Met(r.view))
					answers[run] += strings.Repeat(met, 2-run)
				}
			}
		}
		if answers[0] != answers[1] {
			t.Errorf("%s: alone each answer twice\n%s, ahead and then\n%s", name, answers[0], answers[1])
		}
	}
}

func letter(met bool) string { return map[bool]string{false: "F", true: "T"}[met] }

// timerOf overrides a method of a condition that it embeds.
type timerOf struct {
	*condition.Timer
	asked int
}

func (m *timerOf) Met(*condition.View) bool { m.asked++; return true }

// What may run code of an author is not ours, wherever it stands in the tree, and is never run ahead.
// Rules: data/3.5c, data/3.5e.
func TestCodeOfAnAuthorIsNeverRunAhead(t *testing.T) {
	r := newRig(t)
	r.view.Intent.Pending = intent("greet")
	ran := 0
	code := condition.Func("Code", func(*condition.View) bool { ran++; return true })
	other, wrapped := &foreign{}, &timerOf{Timer: condition.NewTimer(0, -1, false)}
	late := condition.NewUserIntentPending("greet")
	late.SetActive(r.view, true)
	if met, ok := condition.Ahead(late, r.view); !condition.Own(late) || !met || !ok {
		t.Errorf("an intent by its tag: own %v, ahead %v %v", condition.Own(late), met, ok)
	}
	holder := condition.Not(late)
	late.Add(condition.AwaitedIntent{Tag: "greet", Test: func(*condition.Intent) bool { ran++; return true }})
	bare := []condition.Condition{code, other, wrapped, late, holder}
	for _, c := range bare {
		for _, in := range []condition.Condition{
			c, condition.Not(c), condition.And(condition.True(), c), condition.Or(c, condition.True()), condition.BecameTrue(c), condition.Dedup(c, time.Second),
			condition.Not(condition.Dedup(condition.BecameTrue(c), time.Second)),
		} {
			r.active(in)
			if met, ok := condition.Ahead(in, r.view); condition.Own(in) || ok || met {
				t.Errorf("%s: own %v, ahead %v %v", in, condition.Own(in), met, ok)
			}
			condition.Found(wrapped)
			if ran+other.met+wrapped.asked > 0 {
				t.Fatalf("%s: code ran", in)
			}
		}
	}
}

// Rules: data/3.1f, data/3.5e.
func TestAnswerAheadIsUnknownWhereOneMemoryIsAskedTwice(t *testing.T) {
	r := newRig(t)
	custom := condition.Dedup(condition.True(), time.Second)
	for _, c := range []condition.Condition{
		condition.And(custom, custom), condition.Or(condition.Not(custom), condition.BecameTrue(custom)),
		condition.Not(condition.And(custom, condition.Not(custom))),
	} {
		r.active(c)
		if _, ok := condition.Ahead(c, r.view); ok || !condition.Own(c) {
			t.Errorf("%s: own %v, ahead %v", c, condition.Own(c), ok)
		}
	}
	timer := condition.NewTimer(0, -1, false) // its answer depends on no other
	if met, ok := condition.Ahead(r.active(condition.And(timer, timer)), r.view); !met || !ok {
		t.Errorf("a timer in two places: %v %v", met, ok)
	}
}

// Rules: data/3.5e.
func TestAnswerAheadOfAnInactiveConditionIsUnknown(t *testing.T) {
	for name, src := range lives() {
		r := newRig(t)
		c := r.parse(src)
		c.SetActive(r.view, false)
		if _, ok := condition.Ahead(c, r.view); ok {
			t.Errorf("%s: known though Met would panic", name)
		}
	}
}

// Rules: data/3.5e.
func TestAnswerAheadIsUnknownWhenSightingsMayBeForgotten(t *testing.T) {
	r := newRig(t)
	c := r.parse(samples()["ObjectKnown"])
	for id := range 65 {
		if _, ok := condition.Ahead(c, r.view); !ok {
			t.Fatalf("unknown with %d objects", id)
		}
		r.see(id, hardware.KindCube)
	}
	if _, ok := condition.Ahead(c, r.view); ok {
		t.Error("known with more objects than the condition remembers")
	}
}
