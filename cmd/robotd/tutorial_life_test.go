package main_test

import (
	"math"
	"slices"
	"testing"

	"github.com/robotd/robotd/behaviors/condition"
)

func TestTutorialShowsOffAndIsApplauded(t *testing.T) {
	catalog, diags := catalogOf(tutorialTree(t))
	if catalog == nil {
		t.Fatal(diags)
	}
	b := newBench(t, catalog)
	b.until(t, "ShowOff@Bow.activated")
	b.until(t, "ShowOff@Bow.deactivated")
	b.until(t, "LookAroundInPlace.activated")
	if slices.Contains(b.events, "ShowOff.deactivated") {
		t.Error("the queue ended before its second step")
	}
	if got := b.View().Mood[condition.Happy]; math.Abs(got-0.3) > 1e-9 {
		t.Errorf("applause made it %g happy, want 0.3", got)
	}
}
