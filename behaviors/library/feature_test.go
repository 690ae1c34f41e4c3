package library_test

import (
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors"
)

// On every path from a base to a leaf some behavior declares which feature runs, and no behavior below an explicit NoFeature that came
// first declares another.
// Rules: data/5.8d.
func TestEveryPathOfTheShippedTreeDeclaresOneFeature(t *testing.T) {
	cat := shipped(t)
	feature := map[string]string{}
	for _, e := range cat.Entries {
		feature[e.ID] = e.New().Feature()
	}
	leaves := 0
	var down func(path []string, first string)
	down = func(path []string, first string) {
		id := path[len(path)-1]
		switch f := feature[id]; {
		case first == "":
			first = f
		case first == behaviors.NoFeature && f != "" && f != behaviors.NoFeature:
			t.Errorf("%s: %s is declared below %s", strings.Join(path, "/"), f, behaviors.NoFeature)
		}
		next := cat.Find(id).Delegates
		for _, d := range next {
			down(append(path[:len(path):len(path)], d), first)
		}
		if len(next) > 0 {
			return
		}
		if leaves++; first == "" {
			t.Errorf("%s declares no feature", strings.Join(path, "/"))
		}
	}
	for _, root := range cat.Boot.Roots() {
		down([]string{root}, "")
	}
	if leaves < len(cat.Entries)/2 {
		t.Errorf("only %d paths", leaves)
	}
}
