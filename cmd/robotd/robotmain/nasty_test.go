package robotmain

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/resources"
)

// fill repeats a piece, which is given its number, until a file is as large as it may be.
func fill(head, tail, between string, piece func(i int) string) string {
	var b strings.Builder
	b.WriteString(head)
	for i := 0; ; i++ {
		p := piece(i)
		if i > 0 {
			p = between + p
		}
		if b.Len()+len(p)+len(tail) > resources.MaxFileBytes {
			return b.String() + tail
		}
		b.WriteString(p)
	}
}

const (
	subjectHead = `{"behaviorClass": "StandStill", "behaviorID": "Subject", "duration_s": 1`
	gateHead    = subjectHead + `, "wantsToBeActivatedCondition": `
	queueHead   = `{"behaviorClass": "DispatcherQueue", "behaviorID": "Subject", "behaviors": [`
	rankedHead  = `{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "Subject", "interruptActiveBehavior": false, "behaviors": [`
)

// nasty are files of one mebibyte, each as hard for a part of the check as it can be.
func nasty() map[string]string {
	number := func(format string) func(int) string { return func(i int) string { return fmt.Sprintf(format, i) } }
	same := func(text string) func(int) string { return func(int) string { return text } }
	nested := strings.Repeat(`{"conditionType":"Compound","and":[`, 60/2)
	closing := strings.Repeat(`,{"conditionType":"Compound","not":{"conditionType":"OnCharger"}}]}`, 60/2)
	return map[string]string{
		"unknown names":        fill(queueHead, "]}", ",", number(`"Nobody%d"`)),
		"one name":             fill(rankedHead, "]}", ",", same(`"Wait"`)),
		"unknown keys":         fill(subjectHead+",", "}", ",", number(`"duratoin%d_s":1`)),
		"near keys":            fill(`{"behaviorClass": "StandStill", "behaviorID": "Subject",`, "}", ",", number(`"duration%d":1`)),
		"equal operands":       fill(gateHead+`{"conditionType":"Compound","and":[`, "]}}", ",", same(`{"conditionType":"OnCharger"}`)),
		"opposite operands":    fill(gateHead+`{"conditionType":"Compound","or":[`, "]}}", ",", number(`{"not":{"conditionType":"RobotTouched","minTouchTime":%[1]d}},{"conditionType":"RobotTouched","minTouchTime":%[1]d}`)),
		"wrong operands":       fill(gateHead+`{"conditionType":"Compound","and":[`, "]}}", ",", number(`{"conditionType":"OnChrger%d"}`)),
		"deep operands":        fill(gateHead+nested, closing+"}", ",", number(`{"conditionType":"RobotTouched","minTouchTime":%d}`)),
		"anonymous":            fill(queueHead+`"Wait"],"anonymousBehaviors":[`, "]}", ",", number(`{"behaviorClass":"Wait","behaviorName":"N%d"}`)),
		"wrong anonymous":      fill(queueHead+`"Wait"],"anonymousBehaviors":[`, "]}", ",", number(`{"behaviorClass":"Wayt","behaviorName":"N%d","doign":1}`)),
		"nameless":             fill(queueHead+`"Wait"],"anonymousBehaviors":[`, "]}", ",", number(`{"behaviorClass":"Wait","behaviorNme":"N%d"}`)),
		"entries without keys": fill(`{"behaviorClass": "DispatcherRandom", "behaviorID": "Subject", "weight": 1, "behaviors": [`, "]}", ",", same(`{"behavior":"Wait"}`)),
		"patterns":             fill(subjectHead+`,"respondToUserIntents":[`, "]}", ",", number(`{"type":"nobody%d"}`)),
		"payload":              fill(subjectHead+`,"respondToUserIntents":[{"type":"hello",`, "}]}", ",", number(`"k%d":1`)),
		"timers":               fill(subjectHead+`,"resetTimers":[`, "]}", ",", number(`"Npa%d"`)),
		"states":               fill(`{"behaviorClass": "StateMachine", "behaviorID": "Subject", "initialState": "s0", "states": [`, "]}", ",", number(`{"name":"s%d","behavior":"Wait"}`)),
		"transitions":          fill(`{"behaviorClass": "StateMachine", "behaviorID": "Subject", "initialState": "s", "states": [{"name":"s","behavior":"Wait"}], "transitionDefinitions": [`, "]}", ",", number(`{"from":"s%d","exitTransitions":[{"to":"x","condition":{}}]}`)),
		"one long word":        fill(`{"behaviorClass": "`, `"}`, "", same(`StandStill`)),
		"same key":             fill("{", "}", ",", same(`"behaviorID":"Subject"`)),
		"trailing commas":      fill(subjectHead+`,"resetTimers":[`, "]}", ",", same(`[1,]`)),
		"brackets":             fill("", "", "", same("[")),
		"comments":             fill("", subjectHead+"}", "", same("/**/")),
	}
}

func nastyTree(text string) fstest.MapFS {
	return fstest.MapFS{
		"behavior_config.json":   {Data: []byte(`{"normalBaseBehavior": "Subject", "fallbackBehavior": "Wait", "userIntents": ["hello"], "timers": ["Nap"]}`)},
		"behaviors/Subject.json": {Data: []byte(text)},
		"behaviors/Wait.json":    {Data: []byte(`{"behaviorClass": "Wait", "behaviorID": "Wait"}`)},
	}
}

// The findings of a file have a number at most, whatever stands in it. BenchmarkNasty has the time: a second at most.
// Rules: data/1.11e.
func TestNastyFilesHaveAtMostAThousandFindings(t *testing.T) {
	for name, text := range nasty() {
		t.Run(name, func(t *testing.T) {
			if len(text) > resources.MaxFileBytes || len(text) < resources.MaxFileBytes*9/10 {
				t.Fatalf("%d bytes", len(text))
			}
			cat, diags := setup.Tree{FS: nastyTree(text)}.Catalog(library.Registry())
			shown := 0
			for _, d := range diags {
				if d.More == 0 {
					shown++
				}
			}
			if shown > resources.MaxDiagnostics || len(diags)-shown > 3 || len(diags) == 0 && cat == nil {
				t.Errorf("%d findings, %d of them counts", len(diags), len(diags)-shown)
			}
		})
	}
}

// BenchmarkNasty is what the check of one file costs that is as large and as hard as it can be. The goal is a second for each.
func BenchmarkNasty(b *testing.B) {
	reg := library.Registry()
	for name, text := range nasty() {
		tree := nastyTree(text)
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			for b.Loop() {
				setup.Tree{FS: tree}.Catalog(reg)
			}
		})
	}
}
