package library_test

import (
	"os"
	"slices"
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/format"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/resources"
)

// shipped builds the catalog of the resource tree of this repository, without its mood.
func shipped(t testing.TB) *catalog.Catalog {
	t.Helper()
	return shippedWith(t, nil)
}

// moody is shipped with the mood.
func moody(t testing.TB) *catalog.Catalog {
	t.Helper()
	mood, diags := catalog.LoadMood(os.DirFS("../../resources"))
	if len(diags) > 0 {
		t.Fatal(diags.String())
	}
	return shippedWith(t, mood)
}

func shippedWith(t testing.TB, mood *catalog.MoodFiles) *catalog.Catalog {
	t.Helper()
	tree := os.DirFS("../../resources")
	docs, diags := resources.LoadBehaviors(tree)
	boot, more := resources.LoadFile(tree, catalog.BootFile)
	if diags = append(diags, more...); len(diags) > 0 {
		t.Fatal(diags.String())
	}
	cat, diags := catalog.Build(catalog.Sources{Behaviors: docs, Boot: boot, Mood: mood}, library.Registry())
	if len(diags) > 0 {
		t.Fatalf("the shipped tree has findings:\n%s", diags.String())
	}
	return cat
}

// Rules: DT-F03, data/1.11m.
func TestShippedTreeLoadsWithoutFindings(t *testing.T) {
	if n := len(shipped(t).Entries); n < 25 {
		t.Errorf("only %d behaviors", n)
	}
}

// Rules: data/2.8e.
func TestEveryShippedBehaviorIsReachable(t *testing.T) {
	cat := shipped(t)
	reached := map[string]bool{}
	var visit func(id string)
	visit = func(id string) {
		if reached[id] {
			return
		}
		reached[id] = true
		for _, d := range cat.Find(id).Delegates {
			visit(d)
		}
	}
	for _, root := range cat.Boot.Roots() {
		visit(root)
	}
	for _, id := range cat.IDs() {
		if !reached[id] {
			t.Errorf("%s cannot be reached from %s", id, cat.Boot.Base)
		}
	}
	if !reached[cat.Boot.Fallback] {
		t.Errorf("the fallback %s is not part of the tree", cat.Boot.Fallback)
	}
}

// Classes for authors that the shipped tree does not use, besides those of the format, which other trees name.
func spare() []string {
	return []string{
		"AnimGetInLoop", "AnimSequenceWithFace", "AnimSequenceWithObject", "CountingAnimation", "TextToSpeechLoop",
		"AdvanceClock", "DisplayWallTime", "ProceduralClock", "DanceToTheBeat", "DanceToTheBeatCoordinator", "ListenForBeats",
		"DispatcherPassThrough", "DispatcherRerun", "DispatcherScoring", "DispatcherStrictPriorityWithCooldown", "StateMachine",
		"DriveToCube", "PlaceCubeOn", "PutCubeOnGround", "RollCube",
	}
}

// Rules: data/2.8e.
func TestEveryClassIsUsed(t *testing.T) {
	cat := shipped(t)
	classes := library.Registry()
	for _, name := range classes.Names() {
		if classes.Find(name).State != behaviors.Real {
			continue
		}
		used := slices.ContainsFunc(cat.Entries, func(e *catalog.Entry) bool { return e.Class.Name == name })
		if !used && !slices.Contains(spare(), name) && format.Find(name) == nil {
			t.Errorf("no shipped behavior is a %s", name)
		}
	}
}

// Rules: 6.4/UserIntentsHandled, DT-S01, data/2.8e.
func TestEveryIntentIsAnswered(t *testing.T) {
	cat := shipped(t)
	for _, tag := range cat.Boot.Intents {
		if !slices.ContainsFunc(cat.Entries, func(e *catalog.Entry) bool { return slices.Contains(e.Intents, tag) }) {
			t.Errorf("no behavior responds to %q", tag)
		}
	}
}
