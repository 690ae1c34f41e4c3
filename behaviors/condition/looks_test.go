package condition_test

import (
	"testing"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

// Every condition type names the vision modes that it needs; a combination needs those of its operands (B-23, T-17).
// Rules: B-23, data/3.1i.
func TestConditionTypesNameTheirVisionModes(t *testing.T) {
	faces, markers := hardware.LookFor(hardware.SeeFaces, hardware.Low), hardware.LookFor(hardware.SeeMarkers, hardware.Low)
	motion := hardware.LookFor(hardware.SeeMotion, hardware.Low)
	eyes := map[string]hardware.Look{
		"FaceKnown": faces, "ObjectKnown": markers, "ObjectInitialDetection": markers, "ObjectPositionUpdated": markers, "UserIsHoldingCube": markers, "FacePositionUpdated": faces,
		"EyeContact":     faces.With(hardware.SeeGaze, hardware.Low).With(hardware.SeeBlink, hardware.Low),
		"MotionDetected": motion, "MotionDetectedWithProx": motion, "AnyStimuli": faces.Or(motion),
		"SalientPointDetected": hardware.LookFor(hardware.SeePeople, hardware.Low), "PetInitialDetection": hardware.LookFor(hardware.SeePets, hardware.Low),
		"IlluminationDetected": hardware.LookFor(hardware.SeeLight, hardware.Low),
	}
	r := newRig(t)
	for _, name := range condition.Types() {
		switch name {
		case "BecameTrueThisTick", "TimedDedup", "Compound":
			continue // those of their operands, see below
		}
		if got := condition.Looks(r.parse(samples()[name])); got != eyes[name] {
			t.Errorf("%s needs %v, want %v", name, got, eyes[name])
		}
	}
	face, object := `{"conditionType": "FaceKnown"}`, `{"conditionType": "ObjectKnown", "objectTypes": ["cube"]}`
	for src, want := range map[string]hardware.Look{
		`{"conditionType": "Compound", "or": [` + face + `, {"not": ` + object + `}]}`:                                  faces.Or(markers),
		`{"conditionType": "BecameTrueThisTick", "subCondition": ` + object + `}`:                                       markers,
		`{"conditionType": "TimedDedup", "dedupInterval_ms": 5, "subCondition": ` + face + `}`:                          faces,
		`{"conditionType": "Compound", "not": {"conditionType": "TrueCondition"}}`:                                      {},
		`{"conditionType": "BecameTrueThisTick", "subCondition": {"conditionType": "OnCharger"}}`:                       {},
		`{"conditionType": "Compound", "and": [{"conditionType": "OnCharger"}, {"and": [` + face + `, ` + face + `]}]}`: faces,
	} {
		if got := condition.Looks(r.parse(src)); got != want {
			t.Errorf("%s needs %v, want %v", src, got, want)
		}
	}
}
