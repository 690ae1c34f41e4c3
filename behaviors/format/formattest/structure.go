package formattest

import (
	"maps"
	"slices"
	"strings"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/format"
)

// structure adds the behaviors that give everyone a turn: at the bottom a list of priorities, above it what somebody asks for, what
// reacts to something, and what simply takes turns.
func (g *generator) structure() {
	shared := map[string]bool{} // a list that shares scope with one of these would ask it while it is active elsewhere
	for i := range format.Rows() {
		if r := &format.Rows()[i]; r.State != behaviors.Inert {
			for _, id := range fixedOf(r) {
				shared[id] = true
			}
		}
	}
	var asked, reacts, turns, last []string
	for _, id := range slices.Sorted(maps.Keys(g.files)) {
		r := format.Find(g.files[id]["behaviorClass"].(string))
		switch {
		case shared[id] && id != restID || strings.HasPrefix(id, "Leaf"):
			last = append(last, id)
		case id == restID || r.Hold == format.Forever && id != "ResetState":
		case r.Wants == format.IntentPending:
			asked = append(asked, id)
		case r.Wants == format.Always || r.Wants == format.Delegates || r.State == behaviors.Inert:
			turns = append(turns, id)
		default:
			reacts = append(reacts, id)
		}
	}
	g.files[Base] = object{
		"behaviorClass": "DispatcherStrictPriority", "behaviorID": Base, "interruptActiveBehavior": true,
		"behaviors": []string{"Asked", "Reactions", "Turns", "Last"},
	}
	// The last list shares no scope with its entries, and ends with one that always wants control.
	g.files["Last"] = g.withPauses("Last", last, 7200)
	g.files["Last"]["linkScope"], g.files["Last"]["interruptActiveBehavior"], g.files["Last"]["requireGentleInterruption"] = false, true, true
	g.files["Last"]["behaviors"] = append(g.files["Last"]["behaviors"].([]object), object{"behavior": restID, "cooldown_s": 0})
	g.files["Asked"] = object{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "Asked", "interruptActiveBehavior": false, "linkScope": true, "behaviors": asked}
	g.files["Reactions"] = g.withPauses("Reactions", reacts, 600)
	g.files["Turns"] = g.withPauses("Turns", turns, 7200)
}

// withPauses is a list in which everyone pauses after a turn.
func (g *generator) withPauses(id string, list []string, seconds float64) object {
	entries := make([]object, len(list))
	for i, b := range list {
		entries[i] = object{"behavior": b, "cooldown_s": seconds}
	}
	return object{
		"behaviorClass": "DispatcherStrictPriorityWithCooldown", "behaviorID": id, "interruptActiveBehavior": false, "linkScope": true, "behaviors": entries,
	}
}

// samples are the keys of one condition of each type.
func samples() map[string]object {
	always := object{"conditionType": "TrueCondition"}
	none := object{}
	types := []string{"cube", "charger"}
	pattern := []object{{"type": Nobody}}
	return map[string]object{
		"AlexaInteractionActive": none, "AnyUserIntent": none, "BatteryLevel": {"targetBatteryLevel": "Low"}, "BeatDetected": {"allowPotentialBeat": true},
		"AnyStimuli": {
			"MotionDetected": true, "FaceKnown": true, "FacePositionUpdated": true, "RobotTouched": true, "RobotShaken": true, "RobotPoked": true,
		},
		"BecameTrueThisTick": {"subCondition": always}, "BehaviorSuggested": {"postBehaviorSuggestion": "Sleep", "maxTicksForSuggestion": 5},
		"BehaviorTimer": {"timerName": timers[1], "cooldown_s": 15}, "BeingHeld": {"shouldBeHeld": true}, "CarryingCube": none,
		"CliffDetected": {"numCliffDetectionsToTrigger": 2}, "Compound": {"and": []object{always, always}}, "ConnectedToCube": none, "ConsoleVar": {"variable": "X", "value": 1},
		"CubeTapped": none, "DeviceFailed": {"device": "vision"}, "Emotion": {"emotion": "Happy", "min": 0.5}, "EngineErrorCodeReceived": {"engineErrorCode": "ImageQualityTooDark"},
		"EyeContact": none, "FaceKnown": {"maxFaceAge_s": 10}, "FacePositionUpdated": none, "FeatureGate": {"feature": "Exploring"}, "HighTemperature": none,
		"IlluminationDetected": {
			"preTriggerStates": []string{"Illuminated"}, "preConfirmationTime": 1, "preConfirmationMinNum": 2,
			"postTriggerStates": []string{"Darkened"}, "postConfirmationTime": 1, "postConfirmationMinNum": 2, "matchHoldTime": 1,
		},
		"IsMaintenanceReboot": none, "IsNightTime": none, "MotionDetected": {"motionArea": "Any", "motionLevel": "Any"}, "MotionDetectedWithProx": none,
		"ObjectInitialDetection": {"objectTypes": types, "firstTimeOnly": true}, "ObjectKnown": {"objectTypes": types}, "ObjectMoved": {"objectTypes": types},
		"ObjectPositionUpdated": none, "ObstacleDetected": none, "OffTreadsState": {"targetState": "InAir"}, "OnCharger": none, "OnChargerPlatform": none,
		"PetInitialDetection": none, "ProxInRange": {"maxProxDist_mm": 100}, "RobotHeldInPalm": {"shouldBeHeldInPalm": true}, "RobotInHabitat": none,
		"RobotPickedUp": none, "RobotPitchInRange": {"minPitchThreshold_deg": -20, "maxPitchThreshold_deg": 20}, "RobotPlacedOnSlope": none,
		"RobotPoked": {"wasPokedRecentlyTimeThreshold_sec": 1}, "RobotRollInRange": {"minRollThreshold_deg": -20, "maxRollThreshold_deg": 20}, "RobotShaken": none,
		"RobotTouched": {"minTouchTime": 0.5}, "SalientPointDetected": {"targetSalientPoint": "Hand"}, "SettingsUpdatePending": none, "SimpleMood": {"mood": "LowStim"},
		"StuckOnEdge": none, "TimePowerButtonPressed": {"minTimeButtonPressed_ms": 500}, "TimedDedup": {"subCondition": always, "dedupInterval_ms": 1000},
		"TimerInRange": {"begin_s": 1}, "TooHotToCharge": none, "TriggerWordPending": none, "TrueCondition": none, "UnexpectedMovement": none,
		"UnitTestCondition": {"value": true}, "UserIntentActive": {"list": pattern}, "UserIntentPending": {"list": pattern}, "UserIsHoldingCube": none,
	}
}
