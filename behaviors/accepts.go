package behaviors

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotd/robotd/resources"
)

// Accepted is what a class accepts beside the common keys.
type Accepted struct {
	Keys []resources.KeyInfo
	// Delegates are the IDs that its code declares whatever the file says, sorted. One that begins with @ is the name of an anonymous
	// behavior that the file must have.
	Delegates []string
	// Intents are the tags of user intents that its code waits for, sorted.
	Intents []string
	// Timers are the named timers that its code relies on, sorted.
	Timers []string
}

// Accepts learns what a class accepts by running its constructor on probes. A constructor that panics there is an error of its author; what
// it read before is returned along.
func Accepts(class *Class) (a Accepted, err error) {
	var names, tags, timers []string
	a.Keys = resources.Explore(func(o *resources.Object) {
		cfg := &Config{Object: o, id: class.Name, class: class}
		defer func() {
			if r := recover(); r != nil && err == nil {
				err = fmt.Errorf("class %s: New panics when it reads parameters that are all valid: %v", class.Name, r)
			}
			names, tags = append(names, cfg.delegates.sorted()...), append(tags, cfg.waitTags()...)
			for _, ref := range o.Document().References() { // a probe has only those that code names
				if ref.Kind == RefTimer {
					timers = append(timers, ref.Name)
				}
			}
		}()
		class.New(cfg)
	})
	slices.Sort(names)
	for _, id := range slices.Compact(names) {
		if id != RefBehavior && !isDefault(a.Keys, id) {
			if own, ok := strings.CutPrefix(id, class.Name+"@"); ok {
				id = "@" + own
			}
			a.Delegates = append(a.Delegates, id)
		}
	}
	slices.Sort(tags)
	slices.Sort(timers)
	a.Intents, a.Timers = slices.Compact(tags), slices.Compact(timers)
	return a, err
}

// isDefault reports whether a behavior is the default of a key, and so not fixed.
func isDefault(keys []resources.KeyInfo, id string) bool {
	return slices.ContainsFunc(keys, func(k resources.KeyInfo) bool {
		return k.Ref == RefBehavior && k.Default == any(id) || isDefault(k.Keys, id)
	})
}

// CommonKeys lists the keys that package behaviors reads for every class.
func CommonKeys() []resources.KeyInfo {
	class := &Class{Name: "Any", New: func(*Config) Behavior { return nil }}
	return resources.Explore(func(o *resources.Object) {
		newInstance(class.Name, class, o)
		for key, doc := range commonDocs() {
			o.Describe(key, doc)
		}
		if m, ok := o.ObjectOr("behaviorModifiers"); ok {
			for key, doc := range modifierDocs() {
				m.Describe(key, doc)
			}
		}
	})
}

// commonDocs says what the keys do that every behavior has.
func commonDocs() map[string]string {
	return map[string]string{
		"behaviorModifiers":           "in which states of the body it may be activated, and what it needs of the cube; the class may decide otherwise",
		"wantsToBeActivatedCondition": "it wants control only while this is met",
		"wantsToCancelSelfCondition":  "it ends as soon as this is met",
		"respondToUserIntents":        "it wants control only for one of these intents, and carries it out",
		"resetTimers":                 "set back when it is activated",
		"postBehaviorSuggestion":      "what it suggests to do next when it ends",
		locksKey:                      "parts of the body that nothing else moves while it is activated",
		"expressionWhileActivated":    "what the face shows while it is activated and nothing else is shown",
		"alterStreamAfterWakeword":    "what happens to stream and lights after the wake word while it is activated, in place of the usual",
		"pushTriggerWordResponse":     "how the robot answers the wake word while it is activated",
		"alwaysStreamline":            "leave out the flourishes of the class",
		"emotionEventOnActivated":     "what its activation does to the mood",
		"behaviorStatToIncrement":     "counts its activations over the life of the robot",
		"showActiveIntentFeedback":    "light the back while it carries out an intent",
		"autoShutOffIntentFeedback":   "end that light after a while",
		"associatedActiveFeature":     "what the product does for people while it is active; NoFeature says that it is nothing",
	}
}

// modifierDocs says what the keys of behaviorModifiers do.
func modifierDocs() map[string]string {
	return map[string]string{
		"wantsToBeActivatedWhenCarryingObject": "it may be activated while the robot carries something",
		"wantsToBeActivatedWhenOffTreads":      "it may be activated while the robot does not stand on its treads",
		"wantsToBeActivatedWhenOnCharger":      "it may be activated on the contacts of the charger",
		"resumableInterrupt":                   "it is short and leaves the world as it was: whom it interrupts is resumed after it",
		"cubeConnectionRequirements":           "what it needs of the connection to the cube",
		"connectToCubeInBackground":            "its connection to the cube shows no lights",
		"ensuresCubeConnectionAtDelegation":    "it keeps the cube connected for what it delegates to",
	}
}
