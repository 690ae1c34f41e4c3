package catalog_test

import (
	"reflect"
	"strings"
	"testing"
)

// The tests of this file show files from their author's side: what a file must say, and what a class gets from it.

// mistakes builds a tree of Base and what is given, and returns the findings.
func mistakes(t *testing.T, archive string) string {
	t.Helper()
	base := "-- Base.json --\n{\"behaviorClass\": \"Plain\", \"behaviorID\": \"Base\"}\n"
	_, diags := build(t, base+archive)
	return diags.String()
}

// wantMistake demands a finding that begins with the place and contains the words.
func wantMistake(t *testing.T, findings string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(findings, w) {
			t.Errorf("no %q in %q", w, findings)
		}
	}
}

// victor and cozmo, "Constructor": it receives everything in the file, in one struct of parameters that never change afterwards, and a
// key that was forgotten or misspelled is an error instead of a silent default.
// Rules: 5/Constructor, data/1.3f, data/1.5a, data/2.8d.
func TestSeedConstructorGetsAllDataOrFails(t *testing.T) {
	cat, diags := build(t, goodTree)
	if len(diags) > 0 {
		t.Fatal(diags.String())
	}
	want := &walk{SpeedMMPS: 50, Loud: true, Next: []string{"Pant"}, Fallback: "Pant"}
	if got := cat.Find("Walk").New().Impl(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	got := mistakes(t, `-- Walk.json --
{"behaviorClass": "Walk", "behaviorID": "Walk",
 "lowd": true}`)
	wantMistake(t, got, `Walk.json:1:1: error: required key "speed_mmps" is missing`, `Walk.json:2:2: error: unknown key "lowd"`, `did you mean "loud"?`)
}

// Variants that differ only in data are instances of one class.
// Rules: data/2.8c.
func TestSeedVariantsAreInstancesOfOneClass(t *testing.T) {
	cat, diags := build(t, goodTree+`-- Stroll.json --
{"behaviorClass": "Walk", "behaviorID": "Stroll", "speed_mmps": 20}
`)
	if len(diags) > 0 {
		t.Fatal(diags.String())
	}
	fast, slow := cat.Find("Walk"), cat.Find("Stroll")
	if fast.Class != slow.Class || fast.New().Impl().(*walk).SpeedMMPS != 50 || slow.New().Impl().(*walk).SpeedMMPS != 20 {
		t.Error("the variants are not two instances of one class")
	}
}

// cozmo, "How behaviors are created", and system: class and ID are the two required fields; the ID is unique and named like the file;
// the class must exist in code.
// Rules: B-3, 5/BehaviorFactory, data/1.2c, data/1.2d, data/1.4a.
func TestSeedRequiredFieldsAndNames(t *testing.T) {
	for name, c := range map[string]struct {
		file string
		want []string
	}{
		"no class":      {"-- Sit.json --\n{\"behaviorID\": \"Sit\"}", []string{"Sit.json:1:1", "behaviorClass"}},
		"no ID":         {"-- Sit.json --\n{\"behaviorClass\": \"Plain\"}", []string{"Sit.json:1:1", "behaviorID"}},
		"unknown class": {"-- Sit.json --\n{\"behaviorClass\": \"Plian\", \"behaviorID\": \"Sit\"}", []string{"Sit.json:1:19", `did you mean "Plain"?`}},
		"other name":    {"-- Sit.json --\n{\"behaviorClass\": \"Plain\", \"behaviorID\": \"Lie\"}", []string{"Sit.json:1:42", "Lie", "file name"}},
		"taken ID":      {"-- a/Base.json --\n{\"behaviorClass\": \"Plain\", \"behaviorID\": \"Base\"}", []string{"already defined in Base.json"}},
	} {
		t.Run(name, func(t *testing.T) { wantMistake(t, mistakes(t, c.file), c.want...) })
	}
}

// cozmo, "How behaviors are loaded", and "Creating a behaviorClass/behaviorID/JSON File": a file in the folder is all it takes, and
// other behaviors find it by its ID.
// Rules: 5/BehaviorFactory, data/1.2h.
func TestSeedAFileMakesABehavior(t *testing.T) {
	if got := mistakes(t, "-- Sit.json --\n{\"behaviorClass\": \"Plain\", \"behaviorID\": \"Sit\"}"); got != "" {
		t.Fatal(got)
	}
	cat, _ := build(t, goodTree)
	for _, id := range cat.IDs() {
		if e := cat.Find(id); e == nil || e.New().ID != id {
			t.Errorf("%s is not found by its ID", id)
		}
	}
}
