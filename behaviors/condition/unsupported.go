package condition

import (
	"math"
)

// RefUnsupported is the kind of the references that name a condition type whose facts this robot does not have.
const RefUnsupported = "unsupported condition"

// notSupported is the finding of a condition whose facts this robot does not have.
const notSupported = "not supported on this robot"

// Names of the members of the enumeration of types that no file can give.
const (
	typeInvalid = "Invalid"
	typeLambda  = "Lambda"
)

// unsupportedKinds are the types whose keys are read and checked, and whose facts this robot does not have: they are never met.
func unsupportedKinds() []kind {
	never := func(name string, keys []string, read func(r *reader)) kind {
		return kind{name: name, keys: keys, unsupported: true, build: func(r *reader) Condition {
			if read != nil {
				read(r)
			}
			return r.unsupported(name)
		}}
	}
	object := func(r *reader) { r.objectTypes() }
	return []kind{
		never("AlexaInteractionActive", nil, nil),
		never("AnyStimuli", stimuli(), (*reader).anyStimuli),
		never("BeatDetected", []string{"allowPotentialBeat"}, func(r *reader) { r.flagOr("allowPotentialBeat", false) }),
		never("BeingHeld", []string{"shouldBeHeld", "minTimeSinceChange_ms", "maxTimeSinceChange_ms"}, func(r *reader) {
			r.flag("shouldBeHeld")
			low, high := r.millisOr("minTimeSinceChange_ms", 0), r.millisOr("maxTimeSinceChange_ms", noLimit)
			r.ordered("maxTimeSinceChange_ms", high < low)
		}),
		never("CarryingCube", nil, nil),
		never("ConnectedToCube", []string{"connectionType"}, func(r *reader) { r.wordOr("connectionType", "Unspecified", connectionTypes()) }),
		never("ConsoleVar", []string{"variable", "value"}, func(r *reader) { r.text("variable"); r.count("value", math.MinInt32, math.MaxInt32) }),
		never("CubeTapped", []string{"maxTapResponseTimeSec"}, func(r *reader) { r.secondsOr("maxTapResponseTimeSec", 0) }),
		never("EngineErrorCodeReceived", []string{"engineErrorCode"}, func(r *reader) { r.word("engineErrorCode", engineErrors()) }),
		never("EyeContact", nil, nil),
		never("FacePositionUpdated", nil, nil),
		never("HighTemperature", nil, nil),
		never("IlluminationDetected", []string{
			"preTriggerStates", "preConfirmationTime", "preConfirmationMinNum",
			"postTriggerStates", "postConfirmationTime", "postConfirmationMinNum", "matchHoldTime",
		}, (*reader).illumination),
		never("IsMaintenanceReboot", nil, nil),
		never("IsNightTime", nil, nil),
		never("MotionDetected", []string{"motionArea", "motionLevel"}, func(r *reader) {
			r.word("motionArea", motionAreas())
			r.word("motionLevel", motionLevels())
		}),
		never("MotionDetectedWithProx", nil, nil),
		never("ObjectMoved", []string{"objectTypes"}, object),
		never("ObjectPositionUpdated", nil, nil),
		never("ObstacleDetected", nil, nil),
		never("PetInitialDetection", nil, nil),
		never("RobotHeldInPalm", []string{"shouldBeHeldInPalm", "minDuration_s", "maxDuration_s"}, func(r *reader) {
			r.flag("shouldBeHeldInPalm")
			low, high := r.secondsOr("minDuration_s", 0), r.secondsOr("maxDuration_s", noLimit)
			r.ordered("maxDuration_s", high < low)
		}),
		never("RobotInHabitat", nil, nil),
		never("RobotPlacedOnSlope", nil, nil),
		never("RobotPoked", []string{"wasPokedRecentlyTimeThreshold_sec"}, func(r *reader) { r.seconds("wasPokedRecentlyTimeThreshold_sec") }),
		never("SalientPointDetected", []string{"targetSalientPoint"}, func(r *reader) { r.word("targetSalientPoint", salientPoints()) }),
		never("SettingsUpdatePending", []string{"setting"}, func(r *reader) { r.wordOr("setting", "", settings()) }),
		never("StuckOnEdge", []string{"enableWhileHeldOnPalm"}, func(r *reader) { r.flagOr("enableWhileHeldOnPalm", false) }),
		never("TimePowerButtonPressed", []string{"minTimeButtonPressed_ms"}, func(r *reader) { r.millis("minTimeButtonPressed_ms") }),
		never("TooHotToCharge", nil, nil),
		never("UnexpectedMovement", nil, nil),
		never("UserIsHoldingCube", nil, nil),
	}
}

// unsupported returns a condition that is never met, and notes the type for the catalog, which tells it once.
func (r *reader) unsupported(name string) Condition {
	if !r.bad {
		r.Mention(RefUnsupported, name)
	}
	return newFlag(name, func(_ *View, f *facts) { *f = facts{} }, func(*facts) (string, Values) { return notSupported, nil }).
		needing(func(*facts, bool) string { return "nothing can change this: " + name + " is " + notSupported })
}

// Unsupported lists the types whose facts this robot does not have, sorted: they are read from a file and never met.
func Unsupported() []string {
	var names []string
	for _, k := range kinds() {
		if k.unsupported {
			names = append(names, k.name)
		}
	}
	return names
}

func connectionTypes() []string { return []string{"Unspecified", "Interactable", "Background"} }

// engineErrors is the vocabulary of what an engine complains of: pictures that are of no use.
func engineErrors() []string { return []string{"ImageQualityTooDark", "ImageQualityTooBright"} }

// motionAreas are the parts of the picture in which something can move.
func motionAreas() []string { return []string{"Left", "Right", "Top", "Ground", "Any"} }

// motionLevels are how much of a part must move.
func motionLevels() []string { return []string{"Any", "Low", "High"} }

// salientPoints are what a vision process may find worth looking at.
func salientPoints() []string {
	return []string{"Unknown", "Person", "Face", "Hand", "Pet", "Object", "BrightColors", "SceneDescription"}
}

// settings are what a user can set on the robot.
func settings() []string {
	return []string{
		"clock_24_hour", "eye_color", "default_location", "dist_is_metric", "locale", "master_volume", "temp_is_fahrenheit", "time_zone", "button_wakeword",
	}
}

// illuminationStates are how bright the surroundings are.
func illuminationStates() []string { return []string{"Unknown", "Illuminated", "Darkened"} }

// illumination reads the two states of the light and how each is confirmed. A list that is given needs its confirmation.
func (r *reader) illumination() {
	for _, when := range []string{"pre", "post"} {
		if list := r.wordsOr(when+"TriggerStates", illuminationStates()); len(list) > 0 {
			r.seconds(when + "ConfirmationTime")
			r.count(when+"ConfirmationMinNum", 0, maxCount)
			continue
		}
		r.secondsOr(when+"ConfirmationTime", 0)
		r.countOr(when+"ConfirmationMinNum", 0, 0, maxCount)
	}
	r.seconds("matchHoldTime")
}

// stimuli are the keys of AnyStimuli, each the name of a type.
func stimuli() []string {
	return []string{"MotionDetected", "FaceKnown", "FacePositionUpdated", "RobotTouched", "RobotShaken", "RobotPoked"}
}

// anyStimuli reads which stimuli count: each key must be there, and one be true.
func (r *reader) anyStimuli() {
	some := false
	for _, name := range stimuli() {
		some = r.flag(name) || some
	}
	if !some && !r.bad {
		r.invalid("", "needs at least one stimulus that is true")
	}
}

// fromCode reports a member of the enumeration that a file cannot give.
func (r *reader) fromCode(name string) {
	what := "stands for no condition"
	if name == typeLambda {
		what = "is made by code alone; give it a name there and write customCondition here"
	}
	r.fail(keyType, "%s %s", name, what)
}
