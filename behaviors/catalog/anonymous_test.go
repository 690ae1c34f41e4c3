package catalog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const anonymousTree = `
-- Base.json --
{
  "behaviorClass": "Leader", "behaviorID": "Base", "behaviors": ["Step", "Nest", "Pant"],
  "anonymousBehaviors": [
    { "behaviorClass": "Walk", "behaviorName": "Step", "speed_mmps": 7, "otherwise": "Pant" },
    { "behaviorClass": "Leader", "behaviorName": "Nest", "behaviors": ["Step", "Pant"],
      "anonymousBehaviors": [{ "behaviorClass": "Walk", "behaviorName": "Step", "speed_mmps": 9 }] }
  ]
}
-- Pant.json --
{"behaviorClass": "Plain", "behaviorID": "Pant"}
`

// Each anonymous behavior is an entry of its own; a name means the owner's own first, then an ID.
// Rules: B-4, B-6, DT-F08, data/1.8a, data/1.8e, data/1.8f, data/1.8i.
func TestAnonymousBehaviorsAreEntries(t *testing.T) {
	cat, diags := build(t, anonymousTree)
	if len(diags) > 0 {
		t.Fatal(diags.String())
	}
	if got, want := cat.IDs(), []string{"Base", "Base@Nest", "Base@Nest@Step", "Base@Step", "Pant"}; !slices.Equal(got, want) {
		t.Fatalf("IDs %q, want %q", got, want)
	}
	for _, w := range []struct{ id, owner, label, delegates, class string }{
		{"Base", "", "Base", "Base@Nest Base@Step Pant", "Leader"},
		{"Base@Nest", "Base", "@Nest", "Base@Nest@Step Pant", "Leader"},
		{"Base@Nest@Step", "Base@Nest", "@Step", "", "Walk"},
		{"Base@Step", "Base", "@Step2", "Pant", "Walk"},
		{"Pant", "", "Pant", "", "Plain"},
	} {
		e := cat.Find(w.id)
		if e.Owner != w.owner || e.Label != w.label || strings.Join(e.Delegates, " ") != w.delegates || e.Class.Name != w.class {
			t.Errorf("%s: owner %q, label %q, delegates %q, class %s", w.id, e.Owner, e.Label, e.Delegates, e.Class.Name)
		}
	}
}

// Every incarnation of an anonymous behavior reads its own object, with the names that it had.
// Rules: B-6, data/1.2i, data/1.8e, data/1.8f.
func TestFreshAnonymousIncarnationReadsItsOwnObject(t *testing.T) {
	cat, _ := build(t, anonymousTree)
	for id, speed := range map[string]float64{"Base@Step": 7, "Base@Nest@Step": 9} {
		for range 2 {
			i := cat.Find(id).New()
			if w := i.Impl().(*walk); i.ID != id || w.SpeedMMPS != speed {
				t.Errorf("%s: %s, %+v", id, i.ID, w)
			}
		}
	}
	if got := cat.Find("Base@Nest").New().Impl().([]string); !slices.Equal(got, []string{"Base@Nest@Step", "Pant"}) {
		t.Errorf("names of a fresh incarnation: %q", got)
	}
}

// Anonymous behaviors count against the limit of a catalog.
// Rules: data/1.2j.
func TestAnonymousBehaviorsBeyondLimitAreReported(t *testing.T) {
	var b strings.Builder
	b.WriteString("-- Base.json --\n{\"behaviorClass\": \"Plain\", \"behaviorID\": \"Base\", \"anonymousBehaviors\": [\n")
	for i := range 4096 {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, "{\"behaviorClass\": \"Plain\", \"behaviorName\": \"n%d\"}\n", i)
	}
	b.WriteString("]}\n")
	cat, diags := build(t, b.String())
	if n := strings.Count(diags.String(), "more than 4096 behaviors"); cat != nil || n != 1 {
		t.Errorf("%d findings about the limit:\n%.500s", n, diags.String())
	}
}
