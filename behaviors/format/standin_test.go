package format_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/dispatch"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/format"
	"github.com/robotd/robotd/behaviors/library/simple"
)

const (
	base   = `-- Base.json --` + "\n" + `{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "Base", "behaviors": ["X", "Rest"], "interruptActiveBehavior": true}` + "\n"
	rest   = `-- Rest.json --` + "\n" + `{"behaviorClass": "Wait", "behaviorID": "Rest"}` + "\n"
	period = behaviortest.Period
)

func live(t *testing.T, files string, intents ...string) *behaviortest.Env {
	t.Helper()
	classes := append(dispatch.Classes(), simple.WaitClass())
	real := func(name string) bool {
		return slices.ContainsFunc(classes, func(c behaviors.Class) bool { return c.Name == name })
	}
	reg := behaviors.NewRegistry(append(classes, format.StandIns(real)...)...) // the others stand in, even those that have code by now
	return behaviortest.New(t, behaviortest.Options{Classes: reg, Files: base + rest + files, Intents: intents})
}

// stack is the stack as IDs, from the base up.
func stack(e *behaviortest.Env) string { return strings.Join(e.Chain(), " ") }

func steps(d time.Duration) int { return int(d / period) }

func TestStandInHoldsControlForItsTimeThenEnds(t *testing.T) {
	e := live(t, `-- X.json --
{"behaviorClass": "WireTest", "behaviorID": "X", "respondToUserIntents": [{"type": "test_wire"}]}
`, "test_wire")
	e.Step(2)
	if got := stack(e); got != "Base Rest" {
		t.Fatalf("before the intent: %s", got)
	}
	e.Intent("test_wire")
	e.Step(2)
	if got := stack(e); got != "Base X" {
		t.Fatalf("after the intent: %s", got)
	}
	if v := e.Engine.View(); v.Intent.Active == nil || v.Intent.Pending != nil {
		t.Error("the intent was not claimed")
	}
	if e.Engine.FaceLayer() != engine.FaceHeld {
		t.Error("the display shows nothing of it")
	}
	e.Step(steps(5 * time.Second))
	if got := stack(e); got != "Base Rest" || e.Engine.View().Intent.Active != nil {
		t.Errorf("afterwards: %s", got)
	}
	e.NoRefusals()
}

func TestStandInRunsEachDelegateThatWantsToInOrder(t *testing.T) {
	e := live(t, `-- X.json --
{"behaviorClass": "KnowledgeGraphQuestion", "behaviorID": "X", "readyStringID": "x", "respondToUserIntents": [{"type": "knowledge_question"}]}
-- KnowledgeGraphTTS.json --
{"behaviorClass": "TextToSpeechLoop", "behaviorID": "KnowledgeGraphTTS", "loopAnimation": "look_curious"}
`, "knowledge_question")
	e.Step(1)
	e.Intent("knowledge_question")
	var seen []string
	for range steps(20 * time.Second) {
		e.Step(1)
		if s := stack(e); len(seen) == 0 || seen[len(seen)-1] != s {
			seen = append(seen, s)
		}
	}
	if want := []string{"Base X", "Base X KnowledgeGraphTTS", "Base X", "Base Rest"}; !slices.Equal(compact(seen), compact(want)) {
		t.Errorf("%q", seen)
	}
	e.NoRefusals()
}

// compact leaves out the moments in which a behavior is between two others.
func compact(seen []string) []string {
	return slices.DeleteFunc(slices.Clone(seen), func(s string) bool { return s == "Base" || s == "Base X" })
}

func TestStandInEndsWhenItsConditionIsMet(t *testing.T) {
	e := live(t, `-- X.json --
{"behaviorClass": "AnimGetInLoop", "behaviorID": "X", "getIn": "look_curious", "loopAnimation": "look_curious", "getOut": "look_curious",
 "loopEndCondition": {"conditionType": "TimerInRange", "begin_s": 2}, "respondToUserIntents": [{"type": "x"}]}
`, "x")
	e.Step(1)
	e.Intent("x")
	e.Step(steps(time.Second))
	if got := stack(e); got != "Base X" {
		t.Fatalf("before the condition: %s", got)
	}
	e.Step(steps(2 * time.Second))
	if got := stack(e); got != "Base Rest" {
		t.Errorf("after it: %s", got)
	}
}

func TestInertClassNeverWantsControl(t *testing.T) {
	e := live(t, `-- X.json --
{"behaviorClass": "SDKLock", "behaviorID": "X"}
`)
	e.Step(50)
	if got := stack(e); got != "Base Rest" {
		t.Errorf("%s", got)
	}
}
