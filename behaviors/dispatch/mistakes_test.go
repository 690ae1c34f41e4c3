package dispatch_test

import (
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/resources"
)

// A mistake in any key of any dispatcher is reported at its place, with what is expected.
// Rules: DT-M04, data/1.5c, data/2.1a, data/2.1.3e, data/2.1.5b, data/2.1.6, data/2.1.7a, data/5.2b, data/5.3a.
func TestMistakesNamePlaceAndExpectation(t *testing.T) {
	const (
		cooldownHead = `"behaviorClass": "DispatcherStrictPriorityWithCooldown", "interruptActiveBehavior": true, "behaviors": [{"behavior": "A", `
		randomHead   = `"behaviorClass": "DispatcherRandom", "behaviors": [{"behavior": "A", `
		scoringHead  = `"behaviorClass": "DispatcherScoring", "interruptActiveBehavior": true, "behaviors": [{"behaviorID": "A", "scoring": {`
		rerunHead    = `"behaviorClass": "DispatcherRerun", "delegateID": `
		priorityHead = `"behaviorClass": "DispatcherStrictPriority", "interruptActiveBehavior": true, "behaviors": `
	)
	for name, c := range map[string]struct{ body, want string }{
		"queue without a list":            {`"behaviorClass": "DispatcherQueue"`, `"behaviors" is missing`},
		"queue of a string":               {`"behaviorClass": "DispatcherQueue", "behaviors": "A"`, "behaviors: want an array"},
		"queue is gentle":                 {`"behaviorClass": "DispatcherQueue", "behaviors": ["A"], "requireGentleInterruption": true`, "never interrupts"},
		"random interrupts":               {`"behaviorClass": "DispatcherRandom", "behaviors": [], "interruptActiveBehavior": true`, "never interrupts"},
		"priority of numbers":             {priorityHead + `[1]`, "behaviors[0]: want a string"},
		"linkScope is no flag":            {priorityHead + `["A"], "linkScope": 1`, "linkScope: want true or false"},
		"actAsSelector is no flag":        {priorityHead + `["A"], "actAsSelector": "yes"`, "actAsSelector: want true or false"},
		"cooldown without interrupt":      {`"behaviorClass": "DispatcherStrictPriorityWithCooldown", "behaviors": []`, `"interruptActiveBehavior" is missing`},
		"cooldown_s is missing":           {cooldownHead + `"cooldown": 3}]`, `unknown key "cooldown" in behaviors[0]; did you mean "cooldown_s"?`},
		"cooldown_s is text":              {cooldownHead + `"cooldown_s": "3"}]`, "cooldown_s: want a number"},
		"cooldown_random_factor":          {cooldownHead + `"cooldown_s": 3, "cooldown_random_factor": -0.5}]`, "below the limit 0"},
		"cooldown_random_factor beyond":   {cooldownHead + `"cooldown_s": 3, "cooldown_random_factor": 11}]`, "above the limit 10"},
		"ignoreFastForward":               {cooldownHead + `"cooldown_s": 3, "ignoreFastForward": 1}]`, "want true or false"},
		"linkedBehaviorTimer":             {cooldownHead + `"cooldown_s": 3, "linkedBehaviorTimer": "TT"}]`, `no timer "TT"`},
		"timer at activation":             {cooldownHead + `"cooldown_s": 3, "resetLinkedTimerOnDispatcherActivation": 1}]`, "want true or false"},
		"resetCooldownOnDeactivation":     {cooldownHead + `"cooldown_s": 3}], "resetCooldownOnDeactivation": 1`, "want true or false"},
		"weight is missing":               {randomHead + `"cooldown_s": 3}]`, `"weight" is missing`},
		"weight beyond":                   {randomHead + `"cooldown_s": 3, "weight": 1e7}]`, "above the limit"},
		"scoring without interrupt":       {`"behaviorClass": "DispatcherScoring", "behaviors": []`, `"interruptActiveBehavior" is missing`},
		"scoring without behaviorID":      {`"behaviorClass": "DispatcherScoring", "interruptActiveBehavior": true, "behaviors": [{"scoring": {"flatScore": 1}}]`, `"behaviorID" is missing`},
		"scoring is missing":              {`"behaviorClass": "DispatcherScoring", "interruptActiveBehavior": true, "behaviors": [{"behaviorID": "A"}]`, `"scoring" is missing`},
		"scoring of an unknown":           {`"behaviorClass": "DispatcherScoring", "interruptActiveBehavior": true, "behaviors": [{"behaviorID": "B", "scoring": {"flatScore": 1}}]`, `no behavior "B"`},
		"no score":                        {scoringHead + `}}]`, "behaviors[0].scoring: needs flatScore or emotionScorers"},
		"two scores":                      {scoringHead + `"flatScore": 1, "emotionScorers": []}}]`, "remove one of the two"},
		"score misspelled":                {scoringHead + `"flatScor": 1}}]`, `unknown key "flatScor"`},
		"no emotions":                     {scoringHead + `"emotionScorers": []}}]`, "the list is empty"},
		"unknown emotion":                 {scoringHead + `"emotionScorers": [{"emotionType": "Hapy", "scoreGraph": {"nodes": [{"x": 0, "y": 1}, {"x": 1, "y": 1}]}}]}}]`, `unknown value "Hapy"; did you mean "Happy"?`},
		"no graph":                        {scoringHead + `"emotionScorers": [{"emotionType": "Happy"}]}}]`, `"scoreGraph" is missing`},
		"a graph of one node":             {scoringHead + `"emotionScorers": [{"emotionType": "Happy", "scoreGraph": {"nodes": [{"x": 0, "y": 1}]}}]}}]`, "nodes"},
		"a graph of no nodes":             {scoringHead + `"flatScore": 1, "activatedPenalty": {"nodes": []}}}]`, "nodes"},
		"a graph without nodes":           {scoringHead + `"flatScore": 1, "repetitionPenalty": {}}}]`, `"nodes" is missing`},
		"a graph that turns back":         {scoringHead + `"flatScore": 1, "repetitionPenalty": {"nodes": [{"x": 2, "y": 1}, {"x": 1, "y": 1}]}}}]`, "nodes"},
		"a node without y":                {scoringHead + `"flatScore": 1, "repetitionPenalty": {"nodes": [{"x": 2}]}}}]`, `"y" is missing`},
		"re-run without delegateID":       {`"behaviorClass": "DispatcherRerun", "numRuns": 1`, `"delegateID" is missing`},
		"re-run without a number":         {rerunHead + `"A"`, `"numRuns" is missing`},
		"re-run less than forever":        {rerunHead + `"A", "numRuns": -2`, "below the limit -1"},
		"re-run beyond":                   {rerunHead + `"A", "numRuns": 128`, "above the limit 127"},
		"re-run of what cannot be":        {rerunHead + `"A", "numRuns": 1, "presetConditions": true`, "cannot be made to want"},
		"pass-through without delegateID": {`"behaviorClass": "DispatcherPassThrough"`, `"delegateID" is missing`},
		"pass-through of an unknown":      {`"behaviorClass": "DispatcherPassThrough", "delegateID": "B"`, `no behavior "B"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, diags := behaviortest.Catalog(t, "-- Base.json --\n"+`{"behaviorID": "Base", `+c.body+"}\n"+probes("A"), classes(),
				catalog.Boot{Base: "Base", Fallback: "Base", Timers: []string{"T"}})
			if diags.Count(resources.Error) == 0 || !strings.Contains(diags.String(), c.want) {
				t.Errorf("%s\ndoes not say %q", diags.String(), c.want)
			}
		})
	}
}
