package behaviors

import (
	"slices"

	"github.com/robotd/robotd/resources"
)

// A Vocabulary are the words of a tree beside intents and timers (behavior_config.json). Every list is sorted.
type Vocabulary struct {
	Features []string // of the product; what associatedActiveFeature and FeatureGate may name
	Enabled  []string // those among them that are enabled
	Stats    []string // what behaviorStatToIncrement may name
}

// NoFeature is what associatedActiveFeature says to keep a behavior out of the search for the active feature. It is also
// the active feature when nobody on the stack has one.
const NoFeature = "NoFeature"

// StatActivated is the counter of all activations, which every activation increments (B-11 (10)).
const StatActivated = "BehaviorActivated"

// maxWords bounds each list: every word is a metric series.
const maxWords = 256

// readVocabulary reads the words.
func readVocabulary(root *resources.Object) Vocabulary {
	v := Vocabulary{Features: readWords(root, "features", NoFeature), Stats: readWords(root, "behaviorStats", StatActivated)}
	if root.Has("enabledFeatures") {
		v.Enabled = slices.Sorted(slices.Values(root.EnumsOr("enabledFeatures", nil, v.Features)))
	}
	return v
}

// readWords reads a list of words without the one that is there anyway.
func readWords(root *resources.Object, key, reserved string) []string {
	words := slices.Sorted(slices.Values(root.StringsOr(key, nil)))
	for i, w := range words {
		switch {
		case w == "" || w == reserved:
			root.KeyErrorf(key, "key-range", "%q cannot be declared", w)
		case i > 0 && w == words[i-1]:
			root.KeyErrorf(key, "key-range", "%q stands twice", w)
		}
	}
	if len(words) > maxWords {
		root.KeyErrorf(key, "limit", "%d words, more than the limit %d", len(words), maxWords)
		words = words[:maxWords]
	}
	return words
}

// life is what an activation does to the robot's mood, counters and feature.
type life struct {
	streamlined bool
	emotion     string // emotionEventOnActivated
	stat        string // behaviorStatToIncrement
	feature     string // associatedActiveFeature; empty if it is not given
	feedback    Feedback
}

// Feedback says what the back lights do while an intent is active that a behavior claimed.
type Feedback struct {
	Show    bool // the lights are on
	AutoOff bool // they go off after a while although the intent is still active
}

// readLife reads the keys that say so: data/1.4b, data/1.4e to data/1.4g, data/1.4j and data/1.4k.
func (i *Instance) readLife(cfg *Config) {
	i.life = life{
		streamlined: cfg.BoolOr("alwaysStreamline", false),
		emotion:     cfg.RefOr("emotionEventOnActivated", RefEmotionEvent, ""),
		stat:        cfg.RefOr("behaviorStatToIncrement", RefStat, ""),
		feedback:    Feedback{Show: cfg.BoolOr("showActiveIntentFeedback", true), AutoOff: cfg.BoolOr("autoShutOffIntentFeedback", false)},
	}
	if v, ok := cfg.Optional("associatedActiveFeature"); ok {
		if name, _ := v.Text(); name == NoFeature {
			i.life.feature = NoFeature
		} else {
			i.life.feature = cfg.RefOr("associatedActiveFeature", RefFeature, "")
		}
	}
	cfg.streamlined = i.life.streamlined
}

// Feature is the product feature that runs while the behavior is on the stack: empty if it does not say, NoFeature if it says
// that it is none.
func (i *Instance) Feature() string { return i.life.feature }

// Stat is the counter that every activation increments; empty for none.
func (i *Instance) Stat() string { return i.life.stat }
