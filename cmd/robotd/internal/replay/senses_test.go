package replay_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/headless"
)

// sensing are conditions on what a person can cause, first those that are met for a moment, last those that stay.
var sensing = []struct{ name, keys string }{
	{"UnexpectedMovement", ""},
	{"MotionDetectedWithProx", ""},
	{"ObstacleDetected", ""},
	{"ObjectPositionUpdated", ""},
	{"FacePositionUpdated", ""},
	{"PetInitialDetection", ""},
	{"MotionDetected", `, "motionArea": "Left", "motionLevel": "High"`},
	{"RobotPoked", `, "wasPokedRecentlyTimeThreshold_sec": 0.3`},
	{"CubeTapped", `, "maxTapResponseTimeSec": 0.3`},
	{"TimePowerButtonPressed", `, "minTimeButtonPressed_ms": 500`},
	{"BeatDetected", ""},
	{"IlluminationDetected", `, "preTriggerStates": ["Illuminated"], "preConfirmationTime": 0.5, "preConfirmationMinNum": 2, "postTriggerStates": ["Darkened"],
		"postConfirmationTime": 0.3, "postConfirmationMinNum": 1, "matchHoldTime": 1`},
	{"EyeContact", ""},
	{"SalientPointDetected", `, "targetSalientPoint": "Hand"`},
	{"RobotInHabitat", ""},
	{"RobotHeldInPalm", `, "shouldBeHeldInPalm": true`},
	{"BeingHeld", `, "shouldBeHeld": true`},
	{"TooHotToCharge", ""},
	{"HighTemperature", ""},
	{"ConsoleVar", `, "variable": "Speed", "value": 5`},
	{"EngineErrorCodeReceived", `, "engineErrorCode": "ImageQualityTooDark"`},
	{"IsNightTime", ""},
}

// causes is what people do for them.
var causes = []string{
	"2s heat seconds=3", "8s place", "10s heat seconds=2", "14s poke", "16s tap", "18s button seconds=1", "20s beat seconds=4",
	"26s motion name=Left seconds=1", "29s pet seconds=2", "33s point name=Hand seconds=1", "36s habitat", "38s habitat name=NotInHabitat",
	"40s face name=Ada seconds=3", "46s cube x_mm=140", "50s twist seconds=1", "53s pickup", "55s palm", "58s putdown", "60s var Speed 5", "61s var Speed 0", "62s dark seconds=3",
}

// sensingTree has a behavior for each condition, which is activated while it is met.
func sensingTree() fstest.MapFS {
	tree := fstest.MapFS{"behavior_config.json": {Data: []byte(`{"normalBaseBehavior": "Root", "fallbackBehavior": "Rest", "userIntents": []}`)}}
	put := func(id, text string) { tree["behaviors/"+id+".json"] = &fstest.MapFile{Data: []byte(text)} }
	var list []string
	for _, s := range sensing {
		cond := fmt.Sprintf(`{"conditionType": %q%s}`, s.name, s.keys)
		put("On"+s.name, fmt.Sprintf(`{"behaviorClass": "Wait", "behaviorID": "On%s", "wantsToBeActivatedCondition": %s,
			"wantsToCancelSelfCondition": {"conditionType": "Compound", "not": %s}}`, s.name, cond, cond))
		list = append(list, fmt.Sprintf("%q", "On"+s.name))
	}
	put("Rest", `{"behaviorClass": "Wait", "behaviorID": "Rest"}`)
	put("Root", `{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "Root", "interruptActiveBehavior": true, "behaviors": [`+strings.Join(list, ", ")+`, "Rest"]}`)
	return tree
}

// What people cause reaches the condition that asks for it, from the chips and the camera through the view, with the vision modes that the
// condition requests; and the life is decided again from its recording.
// Rules: data/3.3u, data/3.3w, data/3.3x, data/3.3y, data/3.3z, data/3.1i.
func TestEverySenseReachesItsConditionAndIsReplayed(t *testing.T) {
	tree := sensingTree()
	s := newStudio(t, tree)
	o := s.options(catalogOf(t, s.tree), 3)
	var script []headless.Line
	for _, text := range causes {
		l, err := headless.ParseAct(text, o)
		if err != nil {
			t.Fatal(err)
		}
		script = append(script, l)
	}
	var trace bytes.Buffer
	if _, err := headless.Run(t.Context(), o, headless.Options{For: 66 * time.Second, Script: script, Trace: &trace}); err != nil {
		t.Fatal(err)
	}
	for _, c := range sensing {
		if !strings.Contains(trace.String(), " On"+c.name+".activated\n") {
			t.Errorf("nothing met %s", c.name)
		}
	}
	if v := verified(t, s.write(t)); v.Parted != nil || v.Unreadable != nil || v.Ticks != 1100 {
		t.Errorf("%+v", v)
	}
}
