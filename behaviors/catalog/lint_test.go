package catalog_test

import (
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

// A gate and a cancel condition that read alike are a mistake only if they answer alike: not if their type forgets at an activation what
// it saw, and not if an author's code decides.
func TestEqualGateAndCancelConditionsOfForgetfulTypes(t *testing.T) {
	types, err := condition.NewSet(condition.Type{
		Name: "HeadRaised", Doc: "the head is raised",
		New: func(*resources.Object) (condition.Condition, condition.Texts) {
			return condition.True(), condition.Texts{}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for text, conflict := range map[string]bool{
		`{"conditionType": "OnCharger"}`:                                                              true,
		`{"conditionType": "CliffDetected"}`:                                                          true,
		`{"conditionType": "CliffDetected", "minDuration_ms": 500}`:                                   true,
		`{"conditionType": "CliffDetected", "numCliffDetectionsToTrigger": 2}`:                        true,
		`{"conditionType": "CliffDetected", "numCliffDetectionsToTrigger": 2, "minDuration_ms": 500}`: false,
		`{"conditionType": "CliffDetected", "shouldDetectNoCliffs": true, "minDuration_ms": 500}`:     false,
		`{"conditionType": "StuckOnEdge"}`:                                                            false,
		`{"conditionType": "IlluminationDetected", "matchHoldTime": 1}`:                               false,
		`{"conditionType": "RobotPlacedOnSlope"}`:                                                     false,
		`{"conditionType": "FacePositionUpdated"}`:                                                    false,
		`{"conditionType": "HeadRaised"}`:                                                             false,
		`{"conditionType": "Compound", "not": {"conditionType": "HeadRaised"}}`:                       false,
	} {
		doc, _ := resources.Parse("Base.json", []byte(`{"behaviorClass": "Plain", "behaviorID": "Base",
			"wantsToBeActivatedCondition": `+text+`, "wantsToCancelSelfCondition": `+text+`}`))
		boot, _ := resources.Parse(catalog.BootFile, []byte(goodBoot))
		_, diags := catalog.Build(catalog.Sources{Behaviors: []*resources.Document{doc}, Boot: boot, Lint: true}, classes().WithConditions(types))
		if got := strings.Contains(diags.String(), "equals wantsToBeActivatedCondition"); got != conflict || diags.HasErrors() != conflict {
			t.Errorf("%s: %s", text, diags)
		}
	}
}

// A changed map of intents is part of the plan, although no behavior changes.
// Rules: L-44.
func TestPlanTellsOfAChangedMapOfIntents(t *testing.T) {
	build := func(cloud string) *catalog.Catalog {
		t.Helper()
		doc, _ := resources.Parse("Base.json", []byte(`{"behaviorClass": "Plain", "behaviorID": "Base"}`))
		boot, _ := resources.Parse(catalog.BootFile, []byte(goodBoot))
		words, _ := resources.Parse("user_intent_map.json", []byte(`{"unmatched_intent": "unmatched_intent", "is_test": true,
			"user_intent_map": [{"user_intent": "hello", "cloud_intent": "`+cloud+`"}]}`))
		cat, diags := catalog.Build(catalog.Sources{Behaviors: []*resources.Document{doc}, Boot: boot, Intents: words}, classes())
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		return cat
	}
	for cloud, want := range map[string]bool{"greeting": false, "salute": true} {
		c, err := catalog.Compare(build("greeting"), build(cloud))
		if err != nil {
			t.Fatal(err)
		}
		p := &c.Plan
		if p.Intents != want || p.Empty() == want || strings.Contains(p.String(), "another map of intents") != want || len(p.Untouched) != 1 {
			t.Errorf("%s: %+v, %s", cloud, p, p)
		}
	}
}

// NoFeature is a hint where it may stand, and nowhere else.
// Rules: data/5.7a.
func TestHintOfNoFeatureStandsWhereItIsAllowed(t *testing.T) {
	const gate = `{"behaviorClass": "Plain", "behaviorID": "Base", "wantsToBeActivatedCondition": {"conditionType": "FeatureGate", "feature": "NoFeature"}}`
	const named = `{"behaviorClass": "Plain", "behaviorID": "Base", "associatedActiveFeature": "NoFeatur"}`
	const inner = `{"behaviorClass": "Plain", "behaviorID": "Base",
		"anonymousBehaviors": [{"behaviorClass": "Plain", "behaviorName": "Step", "associatedActiveFeature": "NoFeatur"}]}`
	for text, hint := range map[string]bool{gate: false, named: true, inner: true} {
		_, diags := build(t, "-- Base.json --\n"+text+"\n")
		if got := diags.String(); strings.Contains(got, `did you mean "NoFeature"?`) != hint || !strings.Contains(got, "there is no feature") {
			t.Errorf("%s: %s", text, got)
		}
	}
}
