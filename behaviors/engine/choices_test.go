package engine_test

import (
	"slices"
	"testing"

	"github.com/robotd/robotd/actions/animation"
	"github.com/robotd/robotd/behaviors/engine"
)

// The words for the mood in animation files are those of the mood.
func TestMoodsOfGroupsAreSimpleMoods(t *testing.T) {
	if !slices.Equal(animation.Moods(), engine.SimpleMoodNames()) {
		t.Errorf("%q, %q", animation.Moods(), engine.SimpleMoodNames())
	}
}
