package catalog

import (
	"slices"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/resources"
)

// A Vocabulary holds the words that a tree declares beside intents and timers (behavior_config.json). Every list is sorted.
type Vocabulary struct {
	Features []string // of the product; what associatedActiveFeature and FeatureGate may name
	Enabled  []string // those among them that are enabled
	Stats    []string // what behaviorStatToIncrement may name
}

// StatActivated is the counter of all activations, which every activation increments (B-11 (10)).
const StatActivated = "BehaviorActivated"

// maxWords bounds each list: every word is a metric series.
const maxWords = 256

// readVocabulary reads the words.
func readVocabulary(root *resources.Object) Vocabulary {
	v := Vocabulary{Features: readWords(root, "features", behaviors.NoFeature), Stats: readWords(root, "behaviorStats", StatActivated)}
	if _, misspelt := root.Resembles("features"); misspelt {
		root.StringsOr("enabledFeatures", nil)
	} else if root.Has("enabledFeatures") {
		v.Enabled = slices.Sorted(slices.Values(root.EnumsOr("enabledFeatures", nil, v.Features)))
	}
	return v
}

// readWords reads a list of words. The reserved word is always known and must not be declared.
func readWords(root *resources.Object, key, reserved string) []string {
	words := slices.Sorted(slices.Values(root.StringsOr(key, nil)))
	for i, w := range words {
		switch {
		case w == "" || w == reserved:
			root.Errorf(root.ValuePos(key), "key-range", "%s: %q cannot be declared", key, w)
		case i > 0 && w == words[i-1]:
			root.Errorf(root.ValuePos(key), "key-range", "%s: %q stands twice", key, w)
		}
	}
	if len(words) > maxWords {
		root.KeyErrorf(key, "limit", "%d words, more than the limit %d", len(words), maxWords)
		words = words[:maxWords]
	}
	return words
}
