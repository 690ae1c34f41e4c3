package condition_test

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

var update = flag.Bool("update", false, "write the golden file instead of comparing with it")

const golden = "testdata/diagnostics.txt"

// The diagnostics of every mistake are those of the golden file. A condition is built exactly if none of them is an error.
// Rules: DT-C21, DT-C22, data/1.7b, data/1.7c, data/1.7d, data/3.1a, data/3.1b, data/3.1c, data/3.2a, data/3.2b, data/3.3c, data/3.3d.
// Rules: data/3.3e, data/3.3f, data/3.3g, data/3.3h, data/3.3i, data/3.3j, data/3.3m, data/3.3o, data/3.3p, data/3.3q, data/3.3r.
// Rules: data/3.3t.
// Cases: testdata/diagnostics.txt.
func TestDiagnosticsMatchGoldenFile(t *testing.T) {
	raw, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	p := condition.Parser{
		Custom:     map[string]condition.Condition{"Known": condition.True(), "TestConditions": condition.True()},
		Predicates: map[string]func(*condition.Intent) bool{"known": func(*condition.Intent) bool { return true }},
	}
	blocks := strings.Split(string(raw), "\n== ")
	if len(blocks) < 60 {
		t.Fatalf("%d blocks in %s", len(blocks), golden)
	}
	for i, block := range blocks[1:] {
		title, rest, _ := strings.Cut(block, "\n")
		src, want, ok := strings.Cut(rest, "\n--\n")
		if !ok {
			t.Fatalf("%s: case without a -- line", title)
		}
		c, diags := read(t, p, src)
		if (c == nil) != diags.HasErrors() {
			t.Errorf("%s: got condition %v with\n%s", title, c, diags)
		}
		if len(diags) == 0 {
			t.Errorf("%s: no diagnostics", title)
		}
		got := diags.String()
		if !*update && got != strings.TrimSpace(want) {
			t.Errorf("%s\n%s\n got: %s\nwant: %s", title, src, got, strings.TrimSpace(want))
		}
		blocks[i+1] = title + "\n" + src + "\n--\n" + got + "\n"
	}
	if *update {
		if err := os.WriteFile(golden, []byte(strings.Join(blocks, "\n== ")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// samples has a correct file for every type.
func samples() map[string]string {
	return map[string]string{
		"AlexaInteractionActive":  `{"conditionType": "AlexaInteractionActive"}`,
		"AnyStimuli":              `{"conditionType": "AnyStimuli", "MotionDetected": true, "FaceKnown": true, "FacePositionUpdated": false, "RobotTouched": true, "RobotShaken": true, "RobotPoked": true}`,
		"BeatDetected":            `{"conditionType": "BeatDetected", "allowPotentialBeat": true}`,
		"BeingHeld":               `{"conditionType": "BeingHeld", "shouldBeHeld": true, "minTimeSinceChange_ms": 10}`,
		"CarryingCube":            `{"conditionType": "CarryingCube"}`,
		"ConnectedToCube":         `{"conditionType": "ConnectedToCube", "connectionType": "Interactable"}`,
		"ConsoleVar":              `{"conditionType": "ConsoleVar", "variable": "Speed", "value": 5}`,
		"CubeTapped":              `{"conditionType": "CubeTapped", "maxTapResponseTimeSec": 0.5}`,
		"EngineErrorCodeReceived": `{"conditionType": "EngineErrorCodeReceived", "engineErrorCode": "ImageQualityTooDark"}`,
		"EyeContact":              `{"conditionType": "EyeContact"}`,
		"FacePositionUpdated":     `{"conditionType": "FacePositionUpdated"}`,
		"HighTemperature":         `{"conditionType": "HighTemperature"}`,
		"IlluminationDetected":    `{"conditionType": "IlluminationDetected", "preTriggerStates": ["Illuminated"], "preConfirmationTime": 0, "preConfirmationMinNum": 1, "postTriggerStates": ["Darkened"], "postConfirmationTime": 0.1, "postConfirmationMinNum": 1, "matchHoldTime": 1}`,
		"IsMaintenanceReboot":     `{"conditionType": "IsMaintenanceReboot"}`,
		"IsNightTime":             `{"conditionType": "IsNightTime"}`,
		"MotionDetected":          `{"conditionType": "MotionDetected", "motionArea": "Any", "motionLevel": "Low"}`,
		"MotionDetectedWithProx":  `{"conditionType": "MotionDetectedWithProx"}`,
		"ObjectMoved":             `{"conditionType": "ObjectMoved", "objectTypes": ["cube"]}`,
		"ObjectPositionUpdated":   `{"conditionType": "ObjectPositionUpdated"}`,
		"ObstacleDetected":        `{"conditionType": "ObstacleDetected"}`,
		"PetInitialDetection":     `{"conditionType": "PetInitialDetection"}`,
		"RobotHeldInPalm":         `{"conditionType": "RobotHeldInPalm", "shouldBeHeldInPalm": true, "minDuration_s": 0.1}`,
		"RobotInHabitat":          `{"conditionType": "RobotInHabitat"}`,
		"RobotPlacedOnSlope":      `{"conditionType": "RobotPlacedOnSlope"}`,
		"RobotPoked":              `{"conditionType": "RobotPoked", "wasPokedRecentlyTimeThreshold_sec": 0.5}`,
		"SalientPointDetected":    `{"conditionType": "SalientPointDetected", "targetSalientPoint": "Person"}`,
		"SettingsUpdatePending":   `{"conditionType": "SettingsUpdatePending", "setting": "eye_color"}`,
		"StuckOnEdge":             `{"conditionType": "StuckOnEdge", "enableWhileHeldOnPalm": true}`,
		"TimePowerButtonPressed":  `{"conditionType": "TimePowerButtonPressed", "minTimeButtonPressed_ms": 100}`,
		"TooHotToCharge":          `{"conditionType": "TooHotToCharge"}`,
		"UnexpectedMovement":      `{"conditionType": "UnexpectedMovement"}`,
		"UserIsHoldingCube":       `{"conditionType": "UserIsHoldingCube"}`,
		"AnyUserIntent":           `{"conditionType": "AnyUserIntent"}`,
		"BatteryLevel":            `{"conditionType": "BatteryLevel", "targetBatteryLevel": "Low"}`,
		"BecameTrueThisTick":      `{"conditionType": "BecameTrueThisTick", "subCondition": {"conditionType": "RobotPickedUp"}}`,
		"BehaviorSuggested":       `{"conditionType": "BehaviorSuggested", "postBehaviorSuggestion": "Sleep", "maxTicksForSuggestion": 3}`,
		"BehaviorTimer":           `{"conditionType": "BehaviorTimer", "timerName": "FistBump", "cooldown_s": 15}`,
		"CliffDetected":           `{"conditionType": "CliffDetected", "numCliffDetectionsToTrigger": 2, "minDuration_ms": 10}`,
		"Compound":                `{"conditionType": "Compound", "and": [{"not": {"conditionType": "OnCharger"}}, {"conditionType": "RobotPickedUp"}]}`,
		"DeviceFailed":            `{"conditionType": "DeviceFailed", "device": "imu"}`,
		"Emotion":                 `{"conditionType": "Emotion", "emotion": "Confident", "min": -0.75, "max": -0.5}`,
		"FaceKnown":               `{"conditionType": "FaceKnown", "maxFaceDist_mm": 900, "maxFaceAge_s": 2, "mustBeNamed": true}`,
		"FeatureGate":             `{"conditionType": "FeatureGate", "feature": "Exploring"}`,
		"ObjectInitialDetection":  `{"conditionType": "ObjectInitialDetection", "objectTypes": ["cube"], "firstTimeOnly": true}`,
		"ObjectKnown":             `{"conditionType": "ObjectKnown", "objectTypes": ["cube", "charger"], "maxAge_ms": 0}`,
		"OffTreadsState":          `{"conditionType": "OffTreadsState", "targetState": "InAir", "minTimeSinceChange_ms": 10}`,
		"OnCharger":               `{"conditionType": "OnCharger"}`,
		"OnChargerPlatform":       `{"conditionType": "OnChargerPlatform"}`,
		"ProxInRange":             `{"conditionType": "ProxInRange", "minProxDist_mm": 40, "maxProxDist_mm": 90}`,
		"RobotPickedUp":           `{"conditionType": "RobotPickedUp"}`,
		"RobotPitchInRange":       `{"conditionType": "RobotPitchInRange", "minPitchThreshold_deg": 10, "maxPitchThreshold_deg": 90}`,
		"RobotRollInRange":        `{"conditionType": "RobotRollInRange", "minRollThreshold_deg": 10, "maxRollThreshold_deg": 90}`,
		"RobotShaken":             `{"conditionType": "RobotShaken", "minAccelMagnitudeThreshold": 15000}`,
		"RobotTouched":            `{"conditionType": "RobotTouched", "minTouchTime": 0.2}`,
		"SimpleMood":              `{"conditionType": "SimpleMood", "from": "LowStim"}`,
		"TimedDedup":              `{"conditionType": "TimedDedup", "dedupInterval_ms": 100, "subCondition": {"conditionType": "RobotPickedUp"}}`,
		"TimerInRange":            `{"conditionType": "TimerInRange", "begin_s": 0.1, "end_s": 0.3}`,
		"TriggerWordPending":      `{"conditionType": "TriggerWordPending"}`,
		"TrueCondition":           `{"conditionType": "TrueCondition"}`,
		"UnitTestCondition":       `{"conditionType": "UnitTestCondition", "value": true}`,
		"UserIntentActive":        `{"conditionType": "UserIntentActive", "list": [{"type": "greet"}]}`,
		"UserIntentPending":       `{"conditionType": "UserIntentPending", "list": [{"type": "timer", "time_s": 20}, {"type": "greet"}]}`,
	}
}

// Rules: data/3.3b.
func TestEveryTypeHasASampleAndIsSorted(t *testing.T) {
	types := condition.Types()
	if !slices.IsSorted(types) || len(types) != len(samples()) {
		t.Errorf("types %v; samples %d", types, len(samples()))
	}
	for _, name := range types {
		if samples()[name] == "" {
			t.Errorf("no sample of %s", name)
			continue
		}
		parse(t, condition.Parser{}, samples()[name])
	}
}

// The enumeration of the format has 63 members: two that no file can give, and those that a file can, beside which this project has one.
// Rules: data/3.3a.
func TestEveryMemberOfTheEnumerationIsDeclared(t *testing.T) {
	members := strings.Fields(`Invalid Lambda
		Compound BecameTrueThisTick TimedDedup TrueCondition UnitTestCondition ConsoleVar
		TimerInRange BehaviorTimer Emotion SimpleMood FeatureGate BehaviorSuggested IsNightTime IsMaintenanceReboot EngineErrorCodeReceived
		SettingsUpdatePending AlexaInteractionActive
		TriggerWordPending UserIntentPending UserIntentActive AnyUserIntent BeatDetected
		OnCharger OnChargerPlatform BatteryLevel HighTemperature TooHotToCharge TimePowerButtonPressed
		OffTreadsState BeingHeld RobotHeldInPalm RobotPickedUp RobotInHabitat RobotPitchInRange RobotRollInRange RobotPlacedOnSlope RobotShaken
		RobotPoked RobotTouched UnexpectedMovement CliffDetected StuckOnEdge ProxInRange ObstacleDetected
		ObjectKnown ObjectInitialDetection ObjectMoved ObjectPositionUpdated CarryingCube UserIsHoldingCube ConnectedToCube CubeTapped
		FaceKnown FacePositionUpdated EyeContact MotionDetected MotionDetectedWithProx SalientPointDetected IlluminationDetected
		PetInitialDetection AnyStimuli`)
	if len(members) != 63 {
		t.Fatalf("%d members", len(members))
	}
	own := append([]string{"DeviceFailed"}, members[2:]...)
	slices.Sort(own)
	if got := condition.Types(); !slices.Equal(got, own) {
		t.Errorf("types:\n got %v\nwant %v", got, own)
	}
	for _, name := range members[:2] {
		if c, diags := read(t, condition.Parser{}, `{"conditionType": "`+name+`"}`); c != nil || len(diags) != 1 || !diags.HasErrors() {
			t.Errorf("%s: got %v with %s", name, c, diags)
		}
	}
}

// What the robot does not have the facts for is never met, however the world changes, and says so.
// Rules: data/3.3a.
func TestUnsupportedConditionIsNeverMetAndSaysSo(t *testing.T) {
	for _, name := range condition.Unsupported() {
		for _, m := range moments() {
			r := newRig(t)
			c := r.parse(samples()[name])
			m.set(r)
			if c.Met(r.view) || condition.Found(c).Text != "not supported on this robot" {
				t.Errorf("%s, %s: got %s", name, m.name, condition.Found(c))
			}
		}
	}
}

// Rules: data/3.3c.
func TestRangeOfOneValueIsAccepted(t *testing.T) {
	for _, src := range []string{
		`{"conditionType": "CliffDetected", "minDuration_ms": 5, "maxDuration_ms": 5}`,
		`{"conditionType": "OffTreadsState", "targetState": "InAir", "minTimeSinceChange_ms": 5, "maxTimeSinceChange_ms": 5}`,
		`{"conditionType": "ProxInRange", "minProxDist_mm": 5, "maxProxDist_mm": 5}`,
		`{"conditionType": "RobotPitchInRange", "minPitchThreshold_deg": 5, "maxPitchThreshold_deg": 5}`,
		`{"conditionType": "TimedDedup", "dedupInterval_ms": 0, "subCondition": {"conditionType": "OnCharger"}}`,
	} {
		parse(t, condition.Parser{}, src)
	}
}

// Rules: M-34, DT-C23, data/3.1d.
func TestEvaluatingAnInactiveConditionPanics(t *testing.T) {
	for _, name := range condition.Types() {
		r := newRig(t)
		c := parse(t, condition.Parser{}, samples()[name])
		met := func() { c.Met(r.view) }
		wantPanic := func(when string) {
			t.Helper()
			if with, _ := panicked(met).(string); !strings.Contains(with, "M-34") {
				t.Errorf("%s %s: panicked with %q", name, when, with)
			}
		}
		wantPanic("before it was active")
		c.SetActive(r.view, true)
		if with := panicked(met); with != nil {
			t.Errorf("%s while active: %v", name, with)
		}
		c.SetActive(r.view, false)
		wantPanic("after it was active")
	}
}

// Rules: data/3.1f, data/3.4j.
func TestCustomConditionIsUsedItself(t *testing.T) {
	r := newRig(t)
	u := condition.NewUnitTest(true)
	custom := map[string]condition.Condition{"Mine": u}
	p := condition.Parser{Custom: custom}
	c := parse(t, p, `{"customCondition": "Mine"}`)
	not := parse(t, p, `{"conditionType": "Compound", "not": {"customCondition": "Mine"}}`)
	if c != condition.Condition(u) {
		t.Fatal("a copy was made")
	}
	delete(custom, "Mine")
	r.want(r.active(not), false)
	r.want(c, true)
	if u.Activations != 1 || u.Evaluations != 2 {
		t.Errorf("activated %d and evaluated %d times, want 1 and 2", u.Activations, u.Evaluations)
	}
	if late, diags := read(t, p, `{"customCondition": "Mine"}`); late != nil || !diags.HasErrors() {
		t.Errorf("a released name still works: %v, %s", late, diags)
	}
}

// Rules: data/3.1f.
func TestParseWithPassesCustomConditionsDown(t *testing.T) {
	r := newRig(t)
	doc, _ := resources.Parse("c.json", []byte(`{"conditionType": "Compound", "and": [
		{"conditionType": "Compound", "or": [{"customCondition": "Mine"}, {"conditionType": "UnitTestCondition"}]},
		{"not": {"conditionType": "BecameTrueThisTick", "subCondition": {"customCondition": "Mine"}}}]}`))
	c := condition.ParseWith(doc.Root(), map[string]condition.Condition{"Mine": condition.True()})
	if c == nil {
		t.Fatal(doc.Diagnostics())
	}
	r.want(r.active(c), true)
	if c := condition.Parse(doc.Root()); c != nil {
		t.Errorf("without custom conditions: got %v", c)
	}
}

// Rules: data/3.1g, data/3.5e, data/3.5f.
func TestAskingDoesNotAllocate(t *testing.T) {
	for name, src := range lives() {
		for _, moment := range moments() {
			r := newRig(t)
			c := r.parse(src)
			moment.set(r)
			c.Met(r.view)
			if n := testing.AllocsPerRun(100, func() { c.Met(r.view); condition.Ahead(c, r.view); condition.Own(c) }); n != 0 {
				t.Errorf("%s, %s: %v allocations", name, moment.name, n)
			}
		}
	}
}
