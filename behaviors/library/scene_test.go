package library_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/dispatch"
	"github.com/robotd/robotd/behaviors/library"
)

// A scene is a scenario of one behavior, the subject, under a base that also has a more urgent behavior and one to fall back to.
type scene struct {
	*behaviortest.Env
	t *testing.T
}

// play starts a scene from the JSON of the subject, whose ID is S, and of the behaviors that it needs.
func play(t *testing.T, subject string, others ...string) scene {
	t.Helper()
	return playAt(t, time.Time{}, subject, others...)
}

// playAt is play from an instant on.
func playAt(t *testing.T, begin time.Time, subject string, others ...string) scene {
	t.Helper()
	files := `
-- Base.json --
{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "Base", "interruptActiveBehavior": true, "behaviors": ["Urgent", "S", "Wait"]}
-- Urgent.json --
{"behaviorClass": "Probe", "behaviorID": "Urgent", "wants": false, "offTreads": true, "carrying": true}
-- Wait.json --
{"behaviorClass": "Wait", "behaviorID": "Wait"}
-- S.json --
{"behaviorID": "S", ` + completed(t, subject) + "}\n" + strings.Join(others, "\n")
	classes := slices.Concat(dispatch.Classes(), library.Classes(), []behaviors.Class{behaviortest.ProbeClass()})
	return scene{behaviortest.New(t, behaviortest.Options{
		Classes: behaviors.NewRegistry(classes...), Files: files, Intents: []string{"come_here", "other"}, Seed: 3, Begin: begin,
	}), t}
}

// usual holds the parameters of each class as the tests use them unless they say otherwise.
var usual = map[string]string{
	"ComeHere": `"stopDistance_mm": 200, "speed_mmps": 100, "maxFaceAge_s": 10, "retriesWhenLost": 2, ` + usualSearch + `,
		"ackClip": "come_here_ack", "arrivedClip": "greet_happy", "noFaceClip": "sad_no_face"`,
	"Dance":         `"bars": 4, "beat_s": 0.5, "swing_deg": 20, "finaleClip": "celebrate"`,
	"DockOnCharger": `"nuzzleAnimTrigger": "charging_start", "failureAnimTrigger": "sad_no_face", "sidestepMin_mm": 80, "sidestepMax_mm": 200, "speed_mmps": 80`,
	"LeaveCharger":  `"extraDistanceToDrive_mm": 60, "maxFaceAge_s": 600`,
	"ReactToEdge":   `"backUpDistance_mm": 70, "turnAwayMin_deg": 120, "turnAwayMax_deg": 180, "minTimeOverEdge_ms": 400, "startledClip": "startled_cliff"`,
	"LookAround": `"params": {"s0_MainTurnCWChance": 0.5, "s1_BodyAngleRangeMin_deg": 5, "s1_BodyAngleRangeMax_deg": 20, "s1_HeadAngleRangeMin_deg": 0,
		"s1_HeadAngleRangeMax_deg": 15, "s2_WaitMin_sec": 0.5, "s2_WaitMax_sec": 1.5, "s3_BodyAngleRangeMin_deg": 30, "s3_BodyAngleRangeMax_deg": 70,
		"s3_HeadAngleRangeMin_deg": 0, "s3_HeadAngleRangeMax_deg": 15, "s4_HeadAngleChangesMin": 0, "s4_HeadAngleChangesMax": 2, "s4_HeadAngleRangeMin_deg": -5,
		"s4_HeadAngleRangeMax_deg": 35, "s4_WaitBetweenChangesMin_sec": 0.5, "s4_WaitBetweenChangesMax_sec": 1.5, "sx_BodyTurnSpeed_degPerSec": 90}`,
	"Explore": `"legsMin": 2, "legsMax": 5, "driveMin_mm": 100, "driveMax_mm": 300, "turnMin_deg": 10, "turnMax_deg": 80,
		"turnAwayMin_deg": 80, "turnAwayMax_deg": 150, "speed_mmps": 80, "obstacleDistance_mm": 90, "obstacleClip": "look_curious",
		"headAngle_deg": 12, "glanceAtCharger_s": 60`,
	"FindCharger":        `"searchTurn_deg": 40, "lookTime_s": 0.5, "minDrivingDist_mm": 120, "maxDrivingDist_mm": 250, "headAngle_deg": 0, "speed_mmps": 80`,
	"GreetFace":          `"maxFaceAge_s": 2, "maxFaceDist_mm": 1500, "clip": "greet_happy", "greeting": "Hello"`,
	"LookAtFace":         `"maxFaceAge_s": 10, "lookTime_s": 5, "clip": "look_curious", "noFaceClip": "sad_no_face", ` + usualSearch,
	"ObservingOnCharger": `"lookUp_deg": 30, "lookDown_deg": -5, "lookUpMin_s": 3, "lookUpMax_s": 8, "lookDownMin_s": 2, "lookDownMax_s": 5`,
	"ReactToPickup": `"pickupClip": "picked_up", "wriggleClip": "shaken_dizzy", "putDownClip": "look_curious", "headMin_deg": -15, "headMax_deg": 35,
		"lookPauseMin_s": 1, "lookPauseMax_s": 3, "looksBeforeWriggle": 4`,
	"ReactToShake": `"dizzyClip": "shaken_dizzy", "staggers": 3, "sway_deg": 15`,
	"ReactToTouch": `"minTouchTime_s": 0.3, "linger_s": 1.5, "purrClip": "petted_purr", "endClip": "greet_happy"`,
	"Sleep":        `"wakeByFace": true, "snorePauseMin_s": 3, "snorePauseMax_s": 6, "getInClip": "sleepy_yawn", "wakeUpClip": "wake_up"`,
}

const usualSearch = `"searchHead_deg": 25, "searchTurn_deg": 45, "searchTurns": 8, "searchLook_s": 0.6`

// completed adds the usual parameters of the subject's class that the subject does not say itself.
func completed(t *testing.T, subject string) string {
	t.Helper()
	var said, class map[string]json.RawMessage
	if err := json.Unmarshal([]byte("{"+subject+"}"), &said); err != nil {
		t.Fatal(err)
	}
	name := strings.Trim(string(said["behaviorClass"]), `"`)
	if err := json.Unmarshal([]byte("{"+usual[name]+"}"), &class); err != nil {
		t.Fatal(err)
	}
	for _, key := range slices.Sorted(maps.Keys(class)) {
		if _, ok := said[key]; !ok {
			subject += `, "` + key + `": ` + string(class[key])
		}
	}
	return subject
}

// interrupt lets the more urgent behavior take over for a moment, and checks that the subject holds nothing afterwards.
func (s scene) interrupt() {
	s.t.Helper()
	if !s.Active("S") {
		s.t.Fatalf("nothing to interrupt\n%s", s.Describe())
	}
	urgent := s.Impl("Urgent").(*behaviortest.Probe)
	urgent.Wants = true
	s.Step(1)
	if s.Active("S") || !s.Active("Urgent") {
		s.t.Fatalf("not interrupted\n%s", s.Describe())
	}
	s.Step(1)
	if left := s.Actions(); len(left) > 0 {
		s.t.Errorf("actions left behind: %v", left)
	}
	urgent.Wants, urgent.End = false, true
	s.Step(1)
}

// state waits until the debug state of the subject begins with a prefix.
func (s scene) state(limit time.Duration, prefix string) {
	s.t.Helper()
	s.Until(limit, "state "+prefix, func() bool { return s.Active("S") && strings.HasPrefix(s.State("S"), prefix) })
}

// over waits until the subject has ended.
func (s scene) over(limit time.Duration) {
	s.t.Helper()
	s.Until(limit, "the end", func() bool { return !s.Active("S") })
	s.NoRefusals()
}

// modifiers checks (off treads, on charger).
func (s scene) modifiers(offTreads, onCharger bool) {
	s.t.Helper()
	if m := s.Engine.Cell("S").Inc.Inst.Modifiers(); m.WhenOffTreads != offTreads || m.WhenOnCharger != onCharger {
		s.t.Errorf("modifiers %+v", m)
	}
}
