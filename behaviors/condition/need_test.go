package condition_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
)

// needsOf are what a condition and its opposite need, in the moments in which either is not met: each sentence once.
func needsOf(t *testing.T, src string) (to, not []string) {
	t.Helper()
	for _, m := range moments() {
		for _, opposite := range []bool{false, true} {
			r := newRig(t)
			text, into := src, &to
			if opposite {
				text, into = fmt.Sprintf(`{"conditionType": "Compound", "not": %s}`, src), &not
			}
			c := r.parse(text)
			for range 2 {
				m.set(r)
				met := c.Met(r.view)
				got := condition.Needs(condition.Notes(nil, c), nil)
				if met != (len(got) == 0) {
					t.Errorf("%s: met %v, needs %q", c, met, got)
				}
				for _, s := range got {
					if !strings.Contains(strings.Join(*into, "\n"), s) {
						*into = append(*into, s)
					}
				}
			}
		}
	}
	return to, not
}

// Every type of condition says what would have to change, to be met and to be so no longer. Words in which the reading of a device fails
// differ by the device alone, and stand here once.
// Rules: Q-16.
func TestEveryConditionTypeSaysWhatItNeeds(t *testing.T) {
	want := map[string][2]string{
		"AnyStimuli": {
			"either more than 20.0 % must move in any part of the picture, or the robot must see a face nearer than 2000.0 mm, or touch the robot's back for more than 100ms, or pick the robot up and shake it, to 16000.0 mm/s² or more, or poke the robot | either the camera must work (the reading is failed), or the touch sensor must work (the reading is failed), or the motion sensor must work (the reading is failed), or poke the robot",
			"not more than 20.0 % must move in any part of the picture | the robot must not see a face | take the hand off the robot's back | the robot must not be shaken | wait 200ms",
		},
		"BeatDetected": {
			"music must play, with a beat that is Possible or surer (it is None)",
			"the music must end (it is Steady)",
		},
		"BeingHeld": {
			"the robot must be held in a hand for 10ms or longer | the motion sensor must work (the reading is failed)",
			"the robot must not be held in a hand, or not for 10ms or longer",
		},
		"CarryingCube": {
			"the robot must carry an object",
			"the robot must not carry an object",
		},
		"ConnectedToCube": {
			"a cube must be connected for interactable use (it is idle)",
			"a cube must not be connected for interactable use (it is interactable)",
		},
		"ConsoleVar": {
			"the console variable \"Speed\" must be set to 5",
			"the console variable \"Speed\" must not be set to 5",
		},
		"CubeTapped": {
			"tap the cube",
			"wait 500ms",
		},
		"EngineErrorCodeReceived": {
			"the vision process must report ImageQualityTooDark",
			"the vision process must report another error than ImageQualityTooDark",
		},
		"EyeContact": {
			"somebody must look into the robot's eyes | the camera must work (the reading is failed)",
			"nobody must look into the robot's eyes",
		},
		"FacePositionUpdated": {
			"the robot must see a face that is new, or elsewhere than before | the camera must work (the reading is failed)",
			"wait for the next image",
		},
		"HighTemperature": {
			"the battery must have 55.0 °C or more, or the processor 90.0 °C | the battery monitor must work (the reading is failed)",
			"the battery must be below 55.0 °C, and the processor below 90.0 °C",
		},
		"IlluminationDetected": {
			"the light must change from Illuminated to Darkened | the camera must work (the reading is failed)",
			"",
		},
		"IsNightTime": {
			"it must be night: from 22:00 to 6:00",
			"it must be day: from 6:00 to 22:00",
		},
		"MotionDetected": {
			"more than 20.0 % must move in any part of the picture | the camera must work (the reading is failed)",
			"not more than 20.0 % must move in any part of the picture",
		},
		"MotionDetectedWithProx": {
			"something must move in the picture and change the distance ahead | the camera must work (the reading is failed)",
			"nothing must move ahead of the robot",
		},
		"ObjectPositionUpdated": {
			"the robot must see an object that is new, or elsewhere than before | the camera must work (the reading is failed)",
			"wait for the next image",
		},
		"ObstacleDetected": {
			"an obstacle must suddenly be ahead | the range sensor must work (the reading is failed)",
			"wait 500ms",
		},
		"PetInitialDetection": {
			"the robot must see a pet that it did not see before, three times | the camera must work (the reading is failed)",
			"wait for the next question",
		},
		"RobotHeldInPalm": {
			"the robot must lie on a palm for 100ms or longer | the motion sensor must work (the reading is failed)",
			"the robot must not lie on a palm, or not for 100ms or longer",
		},
		"RobotInHabitat": {
			"the robot must believe to be in its habitat (it believes Unknown)",
			"the robot must not believe to be in its habitat (it believes InHabitat)",
		},
		"RobotPlacedOnSlope": {
			"put the robot on a slope, its nose up by 10° to 55° | the motion sensor must work (the reading is failed)",
			"",
		},
		"RobotPoked": {
			"poke the robot",
			"wait 500ms",
		},
		"SalientPointDetected": {
			"the camera must find a salient point of the kind Person | the camera must work (the reading is failed)",
			"the camera must not find a salient point of the kind Person",
		},
		"StuckOnEdge": {
			"the robot must stand over an edge with two wheels for more than 550ms | the cliff sensor must work (the reading is failed)",
			"",
		},
		"TimePowerButtonPressed": {
			"press the power button for 100ms or longer | the touch sensor must work (the reading is failed)",
			"let the power button go",
		},
		"TooHotToCharge": {
			"the battery must be too warm to be charged: 45.0 °C or more, on the charger | the battery monitor must work (the reading is failed)",
			"the battery must cool down to 40.0 °C, or the robot leave the charger",
		},
		"UnexpectedMovement": {
			"the robot must be turned by hand, or be blocked while it turns | the motion sensor must work (the reading is failed)",
			"the robot must move as its wheels do",
		},
		"AnyUserIntent": {
			"an intent must be pending or active",
			"the intent \"timer\" must be over",
		},
		"BatteryLevel": {
			"the battery must be Low (it is Unknown)",
			"the battery must be at least Nominal (it is Low) | the battery monitor must work (the reading is failed)",
		},
		"BecameTrueThisTick": {
			"pick the robot up | put the robot down, and after that the opposite | the motion sensor must work (the reading is failed)",
			"",
		},
		"BehaviorSuggested": {
			"a behavior must suggest Sleep",
			"the suggestion Sleep must be taken or older than 3 ticks",
		},
		"BehaviorTimer": {
			"wait 15s",
			"the timer \"FistBump\" must be reset",
		},
		"CliffDetected": {
			"2 of the cliff sensors must see no floor for 10ms or longer (0 do) | wait 10ms | the cliff sensor must work (the reading is failed)",
			"",
		},
		"Compound": {
			"pick the robot up | the robot must not stand on the contacts of the charger | the motion sensor must work (the reading is failed)",
			"",
		},
		"DeviceFailed": {
			"the motion sensor must fail (the reading is ok)",
			"the motion sensor must work (the reading is failed)",
		},
		"Emotion": {
			"the emotion Confident must be from -0.75 to -0.5 (it is 0.00)",
			"the emotion Confident must not be from -0.75 to -0.5 (it is -0.60)",
		},
		"FaceKnown": {
			"the robot must see a face that the robot knows by name nearer than 900.0 mm, seen within 2s | the camera must work (the reading is failed)",
			"the robot must not see a face that the robot knows by name",
		},
		"FeatureGate": {
			"the feature Exploring must be enabled (it is disabled)",
			"the feature Exploring must not be enabled (it is enabled)",
		},
		"ObjectInitialDetection": {
			"the robot must see a cube for the first time | the camera must work (the reading is failed)",
			"no cube must be known",
		},
		"ObjectKnown": {
			"the robot must see a cube or charger anew | the camera must work (the reading is failed)",
			"no cube or charger must be known",
		},
		"OffTreadsState": {
			"the robot must be InAir for 10ms or longer (it is OnTreads) | the motion sensor must work (the reading is failed)",
			"the robot must not be InAir for 10ms or longer",
		},
		"OnCharger": {
			"the robot must stand on the contacts of the charger | the sensor of the charger contacts must work (the reading is failed)",
			"the robot must not stand on the contacts of the charger",
		},
		"OnChargerPlatform": {
			"the robot must stand on the charger's platform",
			"the robot must not stand on the charger's platform",
		},
		"ProxInRange": {
			"an object must be from 40 mm to 90 mm ahead (nothing is ahead) | the range sensor must work (the reading is failed)",
			"an object must not be from 40 mm to 90 mm ahead (it is 50.0 mm ahead)",
		},
		"RobotPickedUp": {
			"pick the robot up | the motion sensor must work (the reading is failed)",
			"put the robot down",
		},
		"RobotPitchInRange": {
			"the robot's pitch must be from 10.0° to 90.0° (it is 0.0°) | the motion sensor must work (the reading is failed)",
			"the robot's pitch must not be from 10.0° to 90.0° (it is 57.3°)",
		},
		"RobotRollInRange": {
			"the robot's roll must be from 10.0° to 90.0° (it is 0.0°) | the motion sensor must work (the reading is failed)",
			"the robot's roll must not be from 10.0° to 90.0° (it is 57.3°)",
		},
		"RobotShaken": {
			"pick the robot up and shake it, to 15000.0 mm/s² or more | the motion sensor must work (the reading is failed)",
			"the robot must not be shaken",
		},
		"RobotTouched": {
			"touch the robot's back for more than 200ms | the touch sensor must work (the reading is failed)",
			"take the hand off the robot's back",
		},
		"SimpleMood": {
			"the mood must change from LowStim to any (it is LowStim)",
			"the mood must not change from LowStim to any (it is Frustrated)",
		},
		"TimedDedup": {
			"pick the robot up | wait 100ms | the motion sensor must work (the reading is failed)",
			"put the robot down",
		},
		"TimerInRange": {
			"wait 100ms",
			"wait 100ms",
		},
		"TriggerWordPending": {
			"say the wake word",
			"the wake word must be dealt with",
		},
		"TrueCondition": {
			"",
			"nothing can change this: TrueCondition is always met",
		},
		"UnitTestCondition": {
			"",
			"the value of the test must be false",
		},
		"UserIntentActive": {
			"the active intent must be \"greet\"",
			"the active intent must not be \"greet\" (it is \"greet\")",
		},
		"UserIntentPending": {
			"the pending intent must be \"greet\" or \"timer\"",
			"the pending intent must not be \"greet\" or \"timer\" (it is \"timer\")",
		},
		"UserIsHoldingCube": {
			"somebody must hold a cube where the robot sees it",
			"somebody must not hold a cube where the robot sees it",
		},
	}
	for _, name := range condition.Unsupported() {
		want[name] = [2]string{"nothing can change this: " + name + " is not supported on this robot", ""}
	}
	all := samples()
	for _, name := range condition.Types() {
		to, not := needsOf(t, all[name])
		if got := [2]string{strings.Join(to, " | "), strings.Join(not, " | ")}; got != want[name] {
			t.Errorf("%s:\n got %q\nwant %q", name, got, want[name])
		}
	}
}

// Of a compound condition those parts are named that stand in the way: each of them, or one of several.
// Rules: Q-16.
func TestCompoundConditionNeedsThePartsThatStandInTheWay(t *testing.T) {
	const charger, hand, picked = `{"conditionType": "OnCharger"}`, `{"conditionType": "RobotTouched", "minTouchTime": 1}`, `{"conditionType": "RobotPickedUp"}`
	for _, c := range []struct{ src, want string }{
		{`"and": [` + charger + `, {"not": ` + hand + `}, ` + picked + `]`, "the robot must stand on the contacts of the charger | pick the robot up"},
		{`"or": [` + charger + `, ` + picked + `]`, "either the robot must stand on the contacts of the charger, or pick the robot up"},
		{`"not": {"conditionType": "Compound", "or": [{"not": ` + charger + `}, {"not": ` + picked + `}]}`, "the robot must stand on the contacts of the charger | pick the robot up"},
		{
			`"not": {"conditionType": "Compound", "and": [{"not": ` + charger + `}, {"not": ` + picked + `}]}`,
			"either the robot must stand on the contacts of the charger, or pick the robot up",
		},
		{
			`"or": [` + charger + `, {"and": [` + hand + `, ` + picked + `]}]`,
			"either the robot must stand on the contacts of the charger, or touch the robot's back for more than 1s and pick the robot up",
		},
	} {
		r := newRig(t)
		cond := r.parse(`{"conditionType": "Compound", ` + c.src + `}`)
		cond.Met(r.view)
		if got := strings.Join(condition.Needs(condition.Notes(nil, cond), nil), " | "); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", cond, got, c.want)
		}
	}
}

// A condition from code, and one of another package, need what only their authors know: that is said.
// Rules: Q-16.
func TestConditionOfAnAuthorNeedsWhatItsCodeSays(t *testing.T) {
	r := newRig(t)
	lambda := condition.Func("Bored", func(*condition.View) bool { return false })
	lambda.SetActive(r.view, true)
	lambda.Met(r.view)
	if got := condition.Needs(condition.Notes(nil, lambda), nil); len(got) != 1 || got[0] != "the code of Bored must say yes" {
		t.Errorf("got %q", got)
	}
	strange := condition.Adopt(stranger{})
	strange.SetActive(r.view, true)
	strange.Met(r.view)
	if got := condition.Needs(condition.Notes(nil, strange), nil); len(got) != 1 || got[0] != "Stranger must be met (no explanation)" {
		t.Errorf("got %q", got)
	}
}

// stranger is a condition of another package.
type stranger struct{}

func (stranger) SetActive(*condition.View, bool) {}
func (stranger) Met(*condition.View) bool        { return false }
func (stranger) String() string                  { return "Stranger" }

// Notes are copies: what is said of them stays as it is while the condition is asked again, with elapsed times written as asked for.
// Rules: Q-14, data/3.5f.
func TestNotesStayAsTheyWereWhileConditionIsAskedAgain(t *testing.T) {
	mark := func(d time.Duration) string { return "<" + d.String() + ">" }
	for name, src := range lives() {
		for _, before := range moments() {
			r := newRig(t)
			c := r.parse(src)
			before.set(r)
			c.Met(r.view)
			notes := condition.Notes(nil, c)
			want, needs := fmt.Sprint(condition.Tell(notes, nil)), condition.Needs(notes, mark)
			if found := fmt.Sprint(condition.Found(c)); found != want {
				t.Errorf("%s: found %s, notes %s", name, found, want)
			}
			for _, after := range moments() {
				r.at(time.Second)
				after.set(r)
				c.Met(r.view)
				if got := fmt.Sprint(condition.Tell(notes, nil)); got != want || !slices.Equal(condition.Needs(notes, mark), needs) {
					t.Errorf("%s, %s then %s:\n got %s\nwant %s", name, before.name, after.name, got, want)
				}
			}
			if text := condition.Tell(notes, mark).Text; strings.ContainsAny(want+text, "\x01\x02") {
				t.Errorf("%s: an elapsed time is not written: %q", name, text)
			}
		}
	}
}
