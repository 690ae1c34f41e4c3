package library_test

import (
	"testing"

	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/walk"
)

// Rules: DT-T01, DT-T03, DT-T04.
func TestEveryPathOfTheShippedTreeIsWalkedWithRealHooks(t *testing.T) {
	w := behaviortest.WalkTree(t, shipped(t), walk.Options{})
	t.Logf("%d behaviors, %d stacks, the longest of %d", len(w.Behaviors), w.Visited, len(w.Longest))
	w.Reachable("GreetFace", "GoHome", "SleepOnCharger")
	w.AllWilling()
}
