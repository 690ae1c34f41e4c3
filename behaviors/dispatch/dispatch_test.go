package dispatch_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"

	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/dispatch"
	"github.com/robotd/robotd/resources"
)

func classes() *behaviors.Registry {
	return behaviors.NewRegistry(append(dispatch.Classes(), behaviortest.ProbeClass(), behaviortest.GentleProbeClass())...)
}

// probes defines one Probe for each name; a name may carry extra keys after a colon.
func probes(names ...string) string {
	var s strings.Builder
	for _, n := range names {
		id, extra, _ := strings.Cut(n, ":")
		s.WriteString("-- " + id + ".json --\n{\"behaviorClass\": \"Probe\", \"behaviorID\": \"" + id + "\"" + extra + "}\n")
	}
	return s.String()
}

// a scenario of a base dispatcher over probes.
type scenario struct {
	*behaviortest.Env
	t *testing.T
}

func begin(t *testing.T, base string, rest ...string) scenario {
	t.Helper()
	files := "-- Base.json --\n" + base + "\n" + strings.Join(rest, "\n")
	return scenario{behaviortest.New(t, behaviortest.Options{Classes: classes(), Files: files, Timers: []string{"T"}}), t}
}

func (s scenario) probe(id string) *behaviortest.Probe {
	if g, ok := s.Impl(id).(*behaviortest.GentleProbe); ok {
		return &g.Probe
	}
	return s.Impl(id).(*behaviortest.Probe)
}

// runs steps once and checks which behaviors are on the stack above the base.
func (s scenario) runs(want string) {
	s.t.Helper()
	s.Step(1)
	if got := strings.Join(s.Chain()[min(1, len(s.Chain())):], " "); got != want {
		s.t.Fatalf("tick %d: %q has control, want %q", s.Tick(), got, want)
	}
}

// Rules: P-1, DT-D01, data/2.1c, data/2.1.1a.
func TestQueueRunsEachInOrderAndSkipsTheUnwilling(t *testing.T) {
	s := begin(t, `{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "Base", "interruptActiveBehavior": false, "behaviors": ["Q", "Z"]}`,
		"-- Q.json --\n"+`{"behaviorClass": "DispatcherQueue", "behaviorID": "Q", "wantsToBeActivatedCondition": {"conditionType": "BehaviorTimer", "timerName": "T", "cooldown_s": 60},
			"resetTimers": ["T"], "behaviors": ["A", "B", "C"]}`,
		probes("A", `B:, "wants": false`, "C", "Z"))
	s.runs("Q A")
	s.runs("Q A") // until it ends
	s.probe("A").End = true
	s.Step(1) // A ends in its own Update, after the queue's
	s.runs("Q C")
	s.probe("B").Wants = true
	s.probe("C").End = true
	s.Step(2)
	s.runs("Z")
	if s.probe("B").Activated != 0 {
		t.Error("B was skipped and ran later")
	}
	s.NoRefusals()
}

// Rules: data/2.1.1b.
func TestQueueRunsAnEntryListedTwiceTwice(t *testing.T) {
	s := begin(t, `{"behaviorClass": "DispatcherQueue", "behaviorID": "Base", "behaviors": ["A", "A"]}`, probes("A"))
	s.runs("A")
	s.probe("A").End = true
	s.Step(1)
	s.runs("A")
	if s.probe("A").Activated != 2 {
		t.Errorf("activated %d times", s.probe("A").Activated)
	}
}

// Rules: DT-D02, data/2.1c, data/2.1f.
func TestQueueWithoutWillingBehaviorEndsInTickOfActivation(t *testing.T) {
	s := begin(t, `{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "Base", "interruptActiveBehavior": true, "behaviors": ["Q"]}`,
		"-- Q.json --\n"+`{"behaviorClass": "DispatcherQueue", "behaviorID": "Q", "behaviors": ["A"]}`, probes(`A:, "wants": false`))
	s.Step(1)
	log := s.Log()
	if on, off := slices.Index(log, "Q.activated"), slices.Index(log, "Q.deactivated"); on < 0 || off < on {
		t.Errorf("events: %v", log)
	}
}

const strict = `{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "Base", "interruptActiveBehavior": `

// Rules: 5/BehaviorManager, DT-D03, data/2.1a, data/2.1.2a.
func TestPriorityWithoutInterruptionWaitsForTheEnd(t *testing.T) {
	s := begin(t, strict+`false, "behaviors": ["A", "B"]}`, probes(`A:, "wants": false`, "B"))
	s.runs("B")
	s.probe("A").Wants = true
	s.runs("B")
	s.probe("B").End = true
	s.Step(1)
	s.runs("A")
	s.NoRefusals()
}

// Rules: 5/BehaviorManager, DT-D04, data/2.1d, data/2.1.2a.
func TestPriorityWithInterruptionReplacesTheRunningOne(t *testing.T) {
	s := begin(t, strict+`true, "behaviors": ["A", "B"]}`, probes(`A:, "wants": false`, "B"))
	s.runs("B")
	s.probe("A").Wants = true
	s.Log()
	s.runs("A")
	if log := s.Log(); slices.Index(log, "B.deactivated") > slices.Index(log, "A.activated") {
		t.Errorf("B was still active when A began: %v", log)
	}
	if s.probe("B").Deactivated != 1 {
		t.Error("B was not deactivated")
	}
	s.NoRefusals()
}

// The running delegate keeps its place in the list although it no longer wants control.
// Rules: P-4, data/2.1.2a.
func TestPriorityKeepsTheRunningOneThatNoLongerWants(t *testing.T) {
	s := begin(t, strict+`true, "behaviors": ["A", "B"]}`, probes("A", "B"))
	s.runs("A")
	s.probe("A").Wants = false
	s.runs("A")
}

// Rules: P-2, DT-D05, data/2.1b.
func TestGentleInterruptionWaitsForConsent(t *testing.T) {
	s := begin(t, strict+`true, "requireGentleInterruption": true, "behaviors": ["A", "B"]}`, probes(`A:, "wants": false`),
		"-- B.json --\n"+`{"behaviorClass": "GentleProbe", "behaviorID": "B", "act_s": 0.2}`)
	s.runs("B")
	s.probe("A").Wants = true
	s.runs("B") // it still acts
	s.Until(time.Second, "A takes over when the action is done", func() bool { return s.Active("A") })
	if s.Tick() < 4 {
		t.Errorf("interrupted in tick %d, while it acted", s.Tick())
	}
}

// Rules: B-27, data/2.1b, data/2.1e.
func TestGentleInterruptionNeedsGentleBehavior(t *testing.T) {
	s := begin(t, strict+`true, "requireGentleInterruption": true, "behaviors": ["A", "B"]}`, probes(`A:, "wants": false`, "B"))
	s.runs("B")
	s.probe("A").Wants = true
	s.Step(10)
	s.runs("B")
}

// Rules: data/2.1e.
func TestGentleInterruptionAsksThroughDispatchers(t *testing.T) {
	s := begin(t, strict+`true, "requireGentleInterruption": true, "behaviors": ["A", "Q"]}`, probes(`A:, "wants": false`),
		"-- Q.json --\n"+`{"behaviorClass": "DispatcherQueue", "behaviorID": "Q", "behaviors": ["B"]}`,
		"-- B.json --\n"+`{"behaviorClass": "GentleProbe", "behaviorID": "B"}`)
	s.runs("Q B")
	s.probe("A").Wants = true
	s.runs("A")
}

// Rules: P-4, DT-D06, data/2.1.2c.
func TestSelectorChoosesOnce(t *testing.T) {
	s := begin(t, strict+`true, "behaviors": ["S"]}`,
		"-- S.json --\n"+`{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "S", "interruptActiveBehavior": true, "actAsSelector": true, "behaviors": ["A", "B"]}`,
		probes("A", "B"))
	s.runs("S A")
	s.probe("A").Wants = false
	s.probe("A").End = true
	s.Log()
	s.Step(2)
	log := s.Log()
	end, next := slices.Index(log, "S.deactivated"), slices.Index(log, "B.activated")
	if end < 0 || next >= 0 && next < end {
		t.Errorf("the selector chose again: %v", log)
	}
	s.runs("S B") // in its next activation it does
}

// Rules: DT-D07, data/1.9b, data/2.1.2b.
func TestLinkScopeBringsChildrenIntoScope(t *testing.T) {
	link := func(extra string) scenario {
		return begin(t, strict+`true, "behaviors": ["S", "Z"]}`,
			"-- S.json --\n"+`{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "S", "interruptActiveBehavior": true`+extra+`, "behaviors": ["A", "B"]}`,
			probes(`A:, "wants": false`, `B:, "wants": false`, "Z"))
	}
	s := link(`, "linkScope": true`)
	s.Step(1)
	if s.probe("A").Entered != 1 || s.Active("S") {
		t.Errorf("entered %d times, stack %v", s.probe("A").Entered, s.Chain())
	}
	s = link(``)
	s.Step(1)
	if log := s.Log(); !slices.Contains(log, "S.activated") {
		t.Errorf("without linkScope it always wants: %v", log)
	}
}

// Rules: L-22, DT-D07, data/2.1.2b.
func TestLinkScopeWantsWhenAChildWants(t *testing.T) {
	s := begin(t, strict+`true, "behaviors": ["S", "Z"]}`,
		"-- S.json --\n"+`{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "S", "interruptActiveBehavior": true, "linkScope": true, "behaviors": ["A"]}`,
		probes(`A:, "wants": false`, "Z"))
	s.runs("Z")
	s.probe("A").Wants = true
	s.runs("S A")
	s.NoRefusals()
}

// A child that is activated below another behavior does not count for a linked list or a pass-through, and is no refusal in each tick.
// Rules: M-32, DT-D07, data/1.9b, data/2.1.2b.
func TestLinkedChildThatIsActiveElsewhereDoesNotCount(t *testing.T) {
	gate := `"wantsToBeActivatedCondition": {"conditionType": "TriggerWordPending"}`
	for class, rest := range map[string]string{
		"DispatcherStrictPriority": `"interruptActiveBehavior": true, "linkScope": true, "behaviors": ["A"]`, "DispatcherPassThrough": `"delegateID": "A"`,
	} {
		s := begin(t, strict+`true, "behaviors": ["S", "Mid"]}`,
			"-- S.json --\n"+`{"behaviorClass": "`+class+`", "behaviorID": "S", `+gate+`, `+rest+`}`+
				"\n-- Mid.json --\n"+`{"behaviorClass": "DispatcherQueue", "behaviorID": "Mid", "behaviors": ["A"]}`, probes("A"))
		s.runs("Mid A")
		s.WakeWord()
		s.Step(1)
		if !s.Engine.View().TriggerWord {
			t.Errorf("%s: the gate of S is closed", class)
		}
		s.runs("Mid A")
		s.NoRefusals()
	}
}

// Rules: P-3, DT-D08, data/1.2g, data/1.6b, data/1.6e.
func TestModifiersAreUnionOverChildren(t *testing.T) {
	s := begin(t, strict+`true, "behaviors": ["Mid"], "behaviorModifiers": {"wantsToBeActivatedWhenOffTreads": true}}`,
		// The base is made before its child in the order of IDs: it must use the modifiers of that child all the same.
		"-- Mid.json --\n"+`{"behaviorClass": "DispatcherQueue", "behaviorID": "Mid", "behaviors": ["Zc", "Zd"]}`,
		probes(`Zc:, "carrying": true, "onCharger": false`, `Zd:, "onCharger": false`))
	got := s.Engine.Cell("Base").Inc.Inst.Modifiers()
	if want := (behaviors.Modifiers{WhenCarryingObject: true, AlwaysDelegates: true}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Rules: data/1.6e.
func TestDispatcherWithoutChildrenHasNoModifiersOfItsOwn(t *testing.T) {
	s := begin(t, strict+`true, "behaviors": ["Q", "Z"]}`,
		"-- Q.json --\n"+`{"behaviorClass": "DispatcherQueue", "behaviorID": "Q", "behaviors": [],
			"behaviorModifiers": {"wantsToBeActivatedWhenOnCharger": true, "wantsToBeActivatedWhenCarryingObject": true}}`, probes("Z"))
	if got := s.Engine.Cell("Q").Inc.Inst.Modifiers(); got != (behaviors.Modifiers{AlwaysDelegates: true}) {
		t.Errorf("modifiers %+v", got)
	}
}

// Rules: L-22, P-8, DT-D09, data/1.6f, data/2.1.7a.
func TestPassThroughWantsAndMayWhatItsDelegateDoes(t *testing.T) {
	s := begin(t, strict+`true, "behaviors": ["P", "Z"]}`,
		"-- P.json --\n"+`{"behaviorClass": "DispatcherPassThrough", "behaviorID": "P", "delegateID": "A"}`,
		probes(`A:, "wants": false, "offTreads": true, "onCharger": false`, "Z"))
	s.runs("Z")
	s.probe("A").Wants = true
	s.runs("P A")
	if got := s.Engine.Cell("P").Inc.Inst.Modifiers(); got != (behaviors.Modifiers{WhenOffTreads: true, AlwaysDelegates: true}) {
		t.Errorf("modifiers %+v", got)
	}
	s.probe("A").Wants, s.probe("A").End = false, true
	s.Step(2)
	s.runs("Z")
	s.NoRefusals()
}

// Rules: DT-F05, DT-F10, data/1.5a, data/1.11g, data/2.1a, data/2.1b, data/2.1g, data/2.1.4a.
func TestMistakesInListsAreReported(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"queue interrupts", `{"behaviorClass": "DispatcherQueue", "behaviorID": "Base", "behaviors": ["A"], "interruptActiveBehavior": true}`, "never interrupts"},
		{"priority does not say", `{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "Base", "behaviors": ["A"]}`, "interruptActiveBehavior"},
		{"gentle without interrupting", strict + `false, "requireGentleInterruption": true, "behaviors": ["A"]}`, "nothing is interrupted"},
		{"unknown child", strict + `true, "behaviors": ["B"]}`, `"B"`},
		{"unknown key in an entry", `{"behaviorClass": "DispatcherRandom", "behaviorID": "Base", "behaviors": [{"behavior": "A", "weight": 1, "cooldown_s": 0, "wieght": 2}]}`, "wieght"},
		{"weight below zero", `{"behaviorClass": "DispatcherRandom", "behaviorID": "Base", "behaviors": [{"behavior": "A", "weight": -1, "cooldown_s": 0}]}`, "below"},
	} {
		_, diags := behaviortest.Catalog(t, "-- Base.json --\n"+c.file+"\n"+probes("A"), classes(), catalog.Boot{Base: "Base", Fallback: "Base"})
		if diags.Count(resources.Error) == 0 || !strings.Contains(diags.String(), c.want) {
			t.Errorf("%s: %q does not mention %q", c.name, diags.String(), c.want)
		}
	}
}
