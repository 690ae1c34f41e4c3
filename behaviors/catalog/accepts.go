package catalog

import (
	"slices"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/intents"
	"github.com/robotd/robotd/resources"
)

// InstanceKeys lists the keys of a behavior that this package reads itself: its class, its name, and the behaviors inside it.
func InstanceKeys() []resources.KeyInfo {
	return resources.Explore(func(o *resources.Object) {
		o.Describe("behaviorClass", "the Go code that it is an instance of; see robotd list classes")
		o.Describe("behaviorID", "its name, that of the file without .json; only in a file of its own")
		o.Describe(keyName, "its name within its owner; only inside "+keyAnonymous)
		o.Describe(keyDoing, "what the robot does while it is active, in a few words for people")
		o.Describe(keyAnonymous, "behaviors that only this one may name")
		o.String("behaviorClass")
		o.StringOr("behaviorID", "")
		o.StringOr(keyName, "")
		o.StringOr(keyDoing, "")
		for _, a := range o.ObjectsOr(keyAnonymous) {
			a.String("behaviorClass")
			a.String(keyName)
		}
	})
}

// IntentKeys lists the keys of user_intent_map.json.
func IntentKeys() []resources.KeyInfo {
	return resources.Explore(func(o *resources.Object) { intents.Read(o.Document(), nil) })
}

// BootKeys lists the keys of [BootFile].
func BootKeys() []resources.KeyInfo {
	const anID = "\x00" // in place of all IDs
	keys := resources.Explore(func(o *resources.Object) {
		describeBoot(o)
		readBoot(o.Document(), []string{anID})
	})
	for i := range keys {
		k := &keys[i]
		if slices.Equal(k.Words, []string{anID}) {
			k.Kind, k.Ref, k.Words = resources.KindRef, behaviors.RefBehavior, nil
		}
		if k.Name == "enabledFeatures" {
			k.Elem = &resources.KeyInfo{Kind: resources.KindRef, Ref: behaviors.RefFeature}
		}
	}
	return keys
}

func describeBoot(o *resources.Object) {
	for _, d := range [][2]string{
		{"normalBaseBehavior", "at the bottom of the stack; everything else is reached from it"},
		{"fallbackBehavior", "takes its place when it has failed too often"},
		{"onboardingBehavior", "the base while the robot is introduced to its people"},
		{"postOnboardingBehavior", "the base right after that"},
		{"devBaseBehavior", "the base of the stage for developers"},
		{"factoryBehavior", "the base in the factory"},
		{"selfTestBehavior", "the base during a self-test"},
		{"resetSafelyBehavior", "the base for a moment when behaviors hand control back and forth in a hurry"},
		{"emergencyStopBehavior", "the base from an emergency stop until somebody resumes"},
		{"userIntents", "what people may ask for: the names that patterns of intents may use"},
		{"timers", "clocks that behaviors set back and others look at"},
		{"features", "what the product does for people"},
		{"enabledFeatures", "the features that are on"},
		{"behaviorStats", "what is counted over a life"},
	} {
		o.Describe(d[0], d[1])
	}
}

// MoodKeys lists the keys of [MoodFile].
func MoodKeys() []resources.KeyInfo {
	return resources.Explore(func(o *resources.Object) {
		o.Describe("decayGraphs", "how each emotion fades")
		o.Describe("valueRanges", "limits of emotions, -1 to 1 without")
		o.Describe("defaultRepetitionPenalty", "factor for an event over the seconds since it happened last")
		o.Describe("eventMapper", "emotion events, beside those of "+EmotionsDir)
		o.Describe("actionResultEmotionEvents", "emotion events of ends of actions, by type and category of the result")
		newMoodReader().config(o.Document())
	})
}

// EventKeys lists the keys of a file in [EmotionsDir].
func EventKeys() []resources.KeyInfo {
	return resources.Explore(func(o *resources.Object) {
		o.Describe("name", "what behaviors call it")
		o.Describe("emotionEvents", "several events in one file")
		o.Describe("emotionAffectors", "what it adds to emotions")
		o.Describe("repetitionPenalty", "factor for all of it over the seconds since it happened last")
		newMoodReader().events(o, true)
	})
}
