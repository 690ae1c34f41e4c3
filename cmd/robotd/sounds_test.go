package main

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/robotd/robotd/actions/animation"
)

// The page makes each sound of the shipped clips by a recipe: it takes a name without one for words, and says it.
func TestPageHasARecipeForEachSoundOfTheClips(t *testing.T) {
	script, err := os.ReadFile("../../resources/web/world/sound.js")
	if err != nil {
		t.Fatal(err)
	}
	var recipes []string
	for _, m := range regexp.MustCompile(`(?m)^\t([a-z_]+): (?:run|scale)\(`).FindAllSubmatch(script, -1) {
		recipes = append(recipes, string(m[1]))
	}
	if len(recipes) < 10 {
		t.Fatalf("recipes %q", recipes)
	}
	for _, sound := range animation.BuiltIn().Sounds() {
		if !slices.Contains(recipes, sound) {
			t.Errorf("no recipe for %q; there are %q", sound, recipes)
		}
	}
}
