package dispatch_test

import (
	"testing"
	"time"
)

// Rules: P-9, Q-12, DT-S04, data/2.6j, data/2.6k, data/2.6n.
func TestMachineResumesItsState(t *testing.T) {
	m := beginMachine(t, `"states": [{"name": "One", "behavior": "A"}, {"name": "Two", "behavior": "B", "getInBehavior": "G", "resetBehaviorTimer": "T"}],
		"initialState": "One", `+definitions(from(`"One"`, "interruptingTransitions", on("Two", "a"))+`, {"from": "Two",
		"interruptingTransitions": [{"to": "One", "condition": {"customCondition": "long"}}]}`)+`,
		"stateTimerConditions": [{"name": "long", "begin_s": 3}]`, "A", "B", "G")
	m.runs("M A")
	m.met("a")
	m.runs("M G")
	entered := m.Now()
	if at := m.Engine.View().Timers["T"]; !at.Equal(entered) {
		t.Errorf("timer at %v, entered at %v", at, entered)
	}
	m.probe("G").End = true
	m.Step(2)
	m.runs("M B")
	m.met("")
	m.probe("Up").Wants = true
	m.runs("Up")
	left := m.Now()
	m.Step(100) // six seconds
	m.probe("Up").Wants, m.probe("Up").End = false, true
	m.Step(1)
	m.runs("M B") // the state that it was in, and no get-in
	pause := m.Now().Sub(left)
	if at := m.Engine.View().Timers["T"]; !at.Equal(entered) || m.probe("G").Activated != 1 {
		t.Errorf("timer at %v, %d times in", at, m.probe("G").Activated)
	}
	m.Until(5*time.Second, "the time of the state is over", func() bool { return m.Active("A") })
	if d := m.Now().Sub(entered) - pause; d != 3*time.Second {
		t.Errorf("after %v of its own time", d)
	}
	m.NoRefusals()
}

// A replacement of the state decides where the machine resumes; a suggestion overrides it.
// Rules: P-9, data/2.6j, data/5.9a, data/5.9b.
func TestMachineResumesInAnotherState(t *testing.T) {
	body := `"states": [{"name": "One", "behavior": "A"}, {"name": "Two", "behavior": "B", "getInBehavior": "G", "resetBehaviorTimer": "T"},
		{"name": "Three", "behavior": "C", "getInBehavior": "G"}], "initialState": "One", "resumeReplacements": {"One": "Two"},
		"postBehaviorSuggestionResumeOverrides": {"Sleep": "Three", "Nothing": "One"}, ` + definitions(from(`"*"`, "exitTransitions", on("Two", "a")))
	for name, c := range map[string]struct {
		suggest string
		age     uint64 // of the suggestion, in ticks, when the machine returns
		want    string
	}{
		"replaced":                    {"", 0, "M B"},
		"suggested":                   {"Sleep", 1, "M C"},
		"suggested five ticks ago":    {"Sleep", 5, "M C"},
		"suggested six ticks ago":     {"Sleep", 6, "M B"},
		"suggested, but not to us":    {"Socialize", 1, "M B"},
		"suggested to stay unchanged": {"Nothing", 1, "M A"},
	} {
		t.Run(name, func(t *testing.T) {
			m := beginMachine(t, body, "A", "B", "C", "G")
			m.runs("M A")
			m.Step(8)
			m.interrupted(2)
			if c.suggest != "" {
				m.Engine.View().Suggestions = map[string]uint64{c.suggest: m.Tick() + 1 - c.age}
			}
			m.runs(c.want)
			if m.probe("G").Activated != 0 {
				t.Error("it got in, although it resumed") // even where the state was replaced
			}
			if _, set := m.Engine.View().Timers["T"]; set {
				t.Error("the timer was reset")
			}
		})
	}
}

// The time of a state that replaces another one begins anew.
// Rules: P-9, data/2.6j, data/2.6k.
func TestMachineCountsTimeOfReplacementStateAnew(t *testing.T) {
	m := beginMachine(t, twoStates+`"resumeReplacements": {"One": "Two"}, `+
		definitions(from(`"One"`, "exitTransitions", on("Two", "a")), from(`"Two"`, "interruptingTransitions", on("One", "long")))+`,
		"stateTimerConditions": [{"name": "long", "begin_s": 3}]`, "A", "B")
	m.runs("M A")
	m.Step(50) // three seconds
	m.interrupted(2)
	m.runs("M B")
	entered := m.Now()
	m.Until(5*time.Second, "the time of the state is over", func() bool { return m.Active("A") })
	if d := m.Now().Sub(entered); d != 3*time.Second {
		t.Errorf("after %v", d)
	}
}

// Rules: P-9, data/5.9b.
func TestMachineUsesSuggestionsUp(t *testing.T) {
	m := beginMachine(t, twoStates+`"postBehaviorSuggestionResumeOverrides": {"Sleep": "Two"}, `+
		definitions(from(`"*"`, "exitTransitions", on("One", "a"))), "A", "B")
	m.runs("M A")
	m.probe("Up").Suggest = "Sleep"
	m.interrupted(1)
	m.WakeWord()
	m.runs("M B")
	if s := m.Engine.View().Suggestions; len(s) > 0 {
		t.Errorf("%v left", s)
	}
	if !m.Engine.View().TriggerWord {
		t.Error("the trigger word was forgotten with them")
	}
	m.Step(1)
	if !m.Engine.View().TriggerWord {
		t.Error("the trigger word was forgotten with them")
	}
}
