package main_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/dispatch"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/resources"
)

// lifeCatalog is the shipped tree with what the tutorial says about behaviors of one's own and about mood: ShowOff comes
// before NoticeObstacle, is applauded, and wants control while the robot is not happy.
func lifeCatalog(t *testing.T) *behaviors.Catalog {
	t.Helper()
	tree := tutorialTree(t)
	snippets := blocks(t, tutorial, "jsonc")
	if len(snippets) != 3 {
		t.Fatalf("%d snippets, want 3", len(snippets))
	}
	tree["behaviors/freeplay/ShowOff.json"] = &fstest.MapFile{Data: []byte(strings.Replace(snippets[0], `"behaviorID": "ShowOff",`,
		`"behaviorID": "ShowOff", "emotionEventOnActivated": "Applause",
		"wantsToBeActivatedCondition": { "conditionType": "Compound", "not": `+snippets[2]+` },`, 1))}
	tree["emotionevents/applause.json"] = &fstest.MapFile{Data: []byte(snippets[1])}
	edit(t, tree, selector, `"NoticeObstacle"`, `"ShowOff", "NoticeObstacle"`)
	docs, diags := resources.LoadBehaviors(tree)
	boot, more := resources.LoadFile(tree, behaviors.BootFile)
	mood, found := behaviors.LoadMood(tree)
	diags = slices.Concat(diags, more, found)
	classes := slices.Concat(dispatch.Classes(), library.Classes(), []behaviors.Class{NodClass()})
	catalog, found := behaviors.BuildCatalog(behaviors.Sources{Behaviors: docs, Boot: boot, Mood: mood}, behaviors.NewRegistry(classes...))
	if diags = append(diags, found...); len(diags) > 0 {
		t.Fatal(diags)
	}
	return catalog
}

// Rules: data/1.8a, data/1.8h.
func TestTutorialShowsOffAndIsApplauded(t *testing.T) {
	b := newBench(t, lifeCatalog(t))
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
