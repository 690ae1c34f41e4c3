package dispatch_test

import (
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

// Rules: DT-S05, data/2.6a, data/2.6b, data/2.6c, data/2.6k, data/2.6m, data/2.6p, data/3.1f.
func TestMachineMistakesAreReported(t *testing.T) {
	ok := definitions(from(`"One"`, "exitTransitions", on("Two", "a")), from(`"Two"`, "exitTransitions", on("One", "a")))
	for name, c := range map[string]struct{ body, want string }{
		"no states":              {`"states": [], "initialState": "One", ` + ok, "states: has 0 states"},
		"a state twice":          {`"states": [{"name": "One", "behavior": "A"}, {"name": "One", "behavior": "B"}], "initialState": "One"`, `there is a state "One" already`},
		"behavior and end":       {`"states": [{"name": "One", "behavior": "A", "cancelSelf": true}], "initialState": "One"`, "keep one of the two"},
		"neither":                {`"states": [{"name": "One"}], "initialState": "One"`, `needs "behavior" or "cancelSelf": true`},
		"star as a name":         {`"states": [{"name": "*", "behavior": "A"}], "initialState": "*"`, `"*" is no name`},
		"unknown initial state":  {`"states": [{"name": "One", "behavior": "A"}], "initialState": "Onee"`, `no state "Onee"; did you mean "One"?`},
		"no initial state":       {`"states": [{"name": "One", "behavior": "A"}]`, `"initialState" is missing`},
		"unknown to":             {twoStates + definitions(from(`"One"`, "exitTransitions", on("Tow", "a"))), `to: there is no state "Tow"; did you mean "Two"?`},
		"unknown from":           {twoStates + definitions(from(`"Tow"`, "exitTransitions", on("One", "a"))), `from: there is no state "Tow"`},
		"unknown from in a list": {twoStates + definitions(from(`["One", "Tow"]`, "exitTransitions", on("One", "a"))), `from: there is no state "Tow"`},
		"empty from":             {twoStates + definitions(from(`[]`, "exitTransitions", on("One", "a"))), "the list is empty"},
		"from is a number":       {twoStates + definitions(from(`3`, "exitTransitions", on("One", "a"))), "from: want a string, found the number 3"},
		"no from":                {twoStates + definitions(`{"exitTransitions": [`+on("One", "a")+`]}`), `"from" is missing`},
		"no to":                  {twoStates + definitions(`{"from": "*", "exitTransitions": [{"condition": {"customCondition": "a"}}]}`), `"to" is missing`},
		"no condition":           {twoStates + definitions(`{"from": "*", "exitTransitions": [{"to": "One"}]}`), `"condition" is missing`},
		"unknown condition":      {twoStates + definitions(from(`"*"`, "exitTransitions", on("One", "lnog"))) + `, "stateTimerConditions": [{"name": "long", "begin_s": 1}]`, `did you mean "long"?`},
		"timer of a taken name":  {twoStates + ok + `, "stateTimerConditions": [{"name": "a", "begin_s": 1}]`, `there is a condition "a" already`},
		"unused timer":           {twoStates + ok + `, "stateTimerConditions": [{"name": "long", "begin_s": 1}]`, `no transition refers to the condition "long"`},
		"unreached state":        {twoStates + `"transitionDefinitions": [` + from(`"*"`, "exitTransitions", on("One", "a")) + `]`, `nothing leads to state "Two"`},
		"no way out":             {twoStates + `"transitionDefinitions": [` + from(`"One"`, "exitTransitions", on("Two", "a")) + `]`, `nothing leads out of state "Two"`},
		"dead end":               {`"states": [{"name": "One", "behavior": "A"}, {"name": "End", "cancelSelf": true}], "initialState": "One", ` + definitions(from(`"One"`, "exitTransitions", on("End", "a"))), "ends there at once"},
		"replacement of nothing": {twoStates + ok + `, "resumeReplacements": {"Oen": "Two"}`, `resumeReplacements: there is no state "Oen"`},
		"replacement by nothing": {twoStates + ok + `, "resumeReplacements": {"One": "Tow"}`, `there is no state "Tow"`},
		"unknown suggestion":     {twoStates + ok + `, "postBehaviorSuggestionResumeOverrides": {"Slep": "One"}`, `did you mean "Sleep"?`},
		"suggestion of nothing":  {twoStates + ok + `, "postBehaviorSuggestionResumeOverrides": {"Sleep": "Oen"}`, `no state "Oen"`},
		"stimulation":            {`"states": [{"name": "One", "behavior": "A", "ensureMinStimValue": 1.5}], "initialState": "One"`, "ensureMinStimValue"},
		"unknown key":            {twoStates + ok + `, "inititalState": "One"`, `unknown key "inititalState"`},
		"unknown key in a state": {`"states": [{"name": "One", "behavior": "A", "getIn": "B"}], "initialState": "One"`, `unknown key "getIn"`},
		"unknown transition key": {twoStates + definitions(`{"from": "*", "exitTransition": []}`), `unknown key "exitTransition"`},
		"unknown behavior":       {`"states": [{"name": "One", "behavior": "AA"}], "initialState": "One"`, `there is no behavior "AA"`},
		"unknown timer":          {`"states": [{"name": "One", "behavior": "A", "resetBehaviorTimer": "TT"}], "initialState": "One"`, `there is no timer "TT"`},
		"unknown intent":         {`"states": [{"name": "One", "behavior": "A", "activateIntent": "helo"}], "initialState": "One"`, `there is no intent "helo"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, diags := behaviortest.Catalog(t, "-- Base.json --\n"+`{"behaviorClass": "Machine", "behaviorID": "Base", `+c.body+"}\n"+probes("A", "B"),
				machineClasses(map[string]*condition.UnitTest{}),
				catalog.Boot{Base: "Base", Fallback: "Base", Timers: []string{"T"}, Intents: []string{"hello"}})
			if !strings.Contains(diags.String(), c.want) {
				t.Errorf("%s\ndoes not say %q", diags.String(), c.want)
			}
			for _, d := range diags {
				if d.Line == 0 || d.File == "" || d.Severity == resources.Info {
					t.Errorf("without a place: %v", d)
				}
			}
		})
	}
}

// Files of the earlier system have keys without a meaning here. A file with such a key is accepted.
// Rules: data/1.5c.
func TestKeysWithoutMeaningAreAccepted(t *testing.T) {
	ok := definitions(from(`"One"`, "exitTransitions", on("Two", "a")), from(`"Two"`, "exitTransitions", on("One", "a")))
	for name, body := range map[string]string{
		"machine": `"behaviorClass": "Machine", "use_debug_lights": true, "emotionEvent": "Any", "initialState": "One", ` + ok +
			`, "states": [{"name": "One", "behavior": "A", "debugColor": "RED"}, {"name": "Two", "behavior": "B"}]`,
		"re-run":   `"behaviorClass": "DispatcherRerun", "delegateID": "A", "numRuns": 1, "behaviors": ["A"]`,
		"cooldown": `"behaviorClass": "DispatcherRandom", "behaviors": [{"behavior": "A", "weight": 1, "cooldown_s": 1, "ignoreFastForward": true}]`,
	} {
		cat, diags := behaviortest.Catalog(t, "-- Base.json --\n"+`{"behaviorID": "Base", `+body+"}\n"+probes("A", "B"),
			machineClasses(map[string]*condition.UnitTest{}), catalog.Boot{Base: "Base", Fallback: "Base"})
		if cat == nil || len(diags) > 0 {
			t.Errorf("%s: %s", name, diags)
		}
	}
}
