package catalog

import (
	"slices"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/intents"
	"github.com/robotd/robotd/resources"
)

// A Boot is the configuration that names the base behavior and the vocabulary of the tree (behavior_config.json).
type Boot struct {
	Base     string // activated at start
	Fallback string // base when Base failed too often
	// The bases of the other stages of a robot's life, and of its tests (L-31…L-33); empty where there is none.
	Onboarding, PostOnboarding, Dev, Factory, SelfTest string
	// ResetSafely becomes the base when behaviors hand control back and forth in a hurry (L-41); empty for none.
	ResetSafely string
	// EmergencyStop is the base from an emergency stop until the operator resumes; empty: Fallback is.
	EmergencyStop string
	Intents       []string // tags of user intents, sorted
	Timers        []string // named timers, sorted
	Vocabulary
}

// IntentFile is the name of the map of intents in a resource folder, which may be absent.
const IntentFile = intents.File

// BootFile is the name of the boot configuration in a resource folder.
const BootFile = "behavior_config.json"

func readBoot(d *resources.Document, ids []string) Boot {
	root := d.Root()
	b := Boot{
		Vocabulary: readVocabulary(root),

		Base:     root.Enum("normalBaseBehavior", ids),
		Fallback: root.Enum("fallbackBehavior", ids),
		Intents:  slices.Sorted(slices.Values(root.Strings("userIntents"))),
		Timers:   slices.Sorted(slices.Values(root.StringsOr("timers", nil))),
	}
	role := func(key string) string {
		if !root.Has(key) {
			return ""
		}
		return root.Enum(key, ids)
	}
	b.Onboarding, b.PostOnboarding = role("onboardingBehavior"), role("postOnboardingBehavior")
	b.Dev, b.Factory = role("devBaseBehavior"), role("factoryBehavior")
	b.SelfTest, b.ResetSafely = role("selfTestBehavior"), role("resetSafelyBehavior")
	b.EmergencyStop = role("emergencyStopBehavior")
	root.Finish()
	return b
}

// readReactions reads the map of reactions. It is read before the behaviors, which know what it offers.
func readReactions(src *Sources, classes *behaviors.Registry) *behaviors.ReactionMap {
	if src.Reactions == nil {
		return nil
	}
	defined := make(map[string]bool, len(src.Behaviors))
	for _, d := range src.Behaviors {
		if v, ok := d.Root().Peek("behaviorID"); ok {
			id, _ := v.Text()
			defined[id] = true
		}
	}
	return behaviors.ReadReactions(src.Reactions, classes, func(id string) bool { return defined[id] })
}

// wordKeys are the kinds of references that the configuration declares, by the key of their list.
var wordKeys = map[string]string{
	"userIntents": behaviors.RefIntent, "timers": behaviors.RefTimer, "features": behaviors.RefFeature, "behaviorStats": behaviors.RefStat,
}

// markUnsure marks the kinds of words whose list has a mistake, so that words of it may be missing.
func markUnsure(root *resources.Object, out map[string]bool) {
	for key, kind := range wordKeys {
		_, misspelt := root.Resembles(key)
		v, there := root.Peek(key)
		out[kind] = misspelt || root.Spoilt(key) || key == "userIntents" && !there || there && v.Kind() != resources.KindArray
	}
}

// readIntents reads the map of names on the wire. Its tags need not be declared as well.
func (b *builder) readIntents(d *resources.Document) {
	boot := &b.cat.Boot
	if d == nil {
		b.cat.Intents = intents.Empty(boot.Intents)
		return
	}
	b.cat.Intents = intents.Read(d, boot.Intents)
	boot.Intents = append(boot.Intents, b.cat.Intents.Tags()...)
	slices.Sort(boot.Intents)
	boot.Intents = slices.Compact(boot.Intents)
	if d.Errors() > 0 {
		b.unsure[behaviors.RefIntent] = true
	}
}

// Roots lists the behaviors that the configuration names as a base, without duplicates.
func (b *Boot) Roots() []string {
	var roots []string
	for _, id := range []string{b.Base, b.Fallback, b.Onboarding, b.PostOnboarding, b.Dev, b.Factory, b.SelfTest, b.ResetSafely, b.EmergencyStop} {
		if id != "" && !slices.Contains(roots, id) {
			roots = append(roots, id)
		}
	}
	return roots
}
