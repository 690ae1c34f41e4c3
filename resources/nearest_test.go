package resources

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Rules: data/1.11c.
func TestNearestFindsIntendedName(t *testing.T) {
	long := strings.Repeat("ab", 40)
	tests := []struct {
		name, word string
		candidates []string
		want       string // "" = none
	}{
		{"letter left out", "dlegates", []string{"next", "delegates"}, "delegates"},
		{"letter added", "delegattes", []string{"delegates"}, "delegates"},
		{"letter replaced", "delegares", []string{"delegates"}, "delegates"},
		{"neighbors swapped is one slip", "Wiat", []string{"Wait"}, "Wait"},
		{"case does not count", "LOOKUP", []string{"LookUp"}, "LookUp"},
		{"case does not count beyond ASCII", "ÄRGER", []string{"ärger"}, "ärger"},
		{"snake for camel", "behavior_class", []string{"behaviorClass"}, "behaviorClass"},
		{"fewest slips win", "speeed", []string{"spree", "speed"}, "speed"},
		{"tie: alphabetical", "bat", []string{"cat", "bar", "rat"}, "bar"},
		{"tie: alphabetical, other order", "bat", []string{"rat", "bar", "cat"}, "bar"},
		{"too far", "bark", []string{"meow"}, ""},
		{"two slips in a short word", "abcd", []string{"axyd"}, ""},
		{"two slips in a longer word", "frivolous", []string{"frivoluz"}, "frivoluz"},
		{"four slips are never a slip", "abcdefghijklmnop", []string{"abcdefghijkl"}, ""},
		{"single letters are all alike", "a", []string{"b"}, ""},
		{"unit forgotten", "speed", []string{"heading", "speed_mmps"}, "speed_mmps"},
		{"unit forgotten, tie", "speed", []string{"speed_radps", "speed_mmps"}, "speed_mmps"},
		{"slip beats unit", "speed", []string{"speed_mmps", "spread", "sped"}, "sped"},
		{"no candidates", "word", nil, ""},
		{"empty word", "", []string{"a", ""}, ""},
		{"long words are not compared", long, []string{long[1:]}, ""},
		{"long candidates are not compared", "abab", []string{long}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := Nearest(tt.word, tt.candidates)
			if got != tt.want || ok != (tt.want != "") {
				t.Errorf("Nearest(%q, %q) = %q, %v; want %q", tt.word, tt.candidates, got, ok, tt.want)
			}
		})
	}
}

// TestDistanceEqualsTheDefinition compares the bounded, three-row distance with the recursive definition.
// Rules: data/1.11c.
func TestDistanceEqualsTheDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	word := func() []rune {
		w := make([]rune, rng.IntN(7))
		for i := range w {
			w[i] = rune('a' + rng.IntN(3))
		}
		return w
	}
	for range 3000 {
		a, b, limit := word(), word(), rng.IntN(6)
		want := min(slowDistance(a, b), limit+1)
		if got := distance(a, b, limit); got != want {
			t.Fatalf("distance(%q, %q, %d) = %d, want %d", string(a), string(b), limit, got, want)
		}
		if back := distance(b, a, limit); back != want {
			t.Fatalf("distance(%q, %q, %d) = %d, the other way %d", string(b), string(a), limit, back, want)
		}
	}
}

func slowDistance(a, b []rune) int {
	if len(a) == 0 || len(b) == 0 {
		return len(a) + len(b)
	}
	x, y := a[:len(a)-1], b[:len(b)-1]
	cost := 1
	if a[len(x)] == b[len(y)] {
		cost = 0
	}
	d := min(slowDistance(x, b)+1, slowDistance(a, y)+1, slowDistance(x, y)+cost)
	if len(x) > 0 && len(y) > 0 && a[len(x)] == b[len(y)-1] && a[len(x)-1] == b[len(y)] {
		d = min(d, slowDistance(x[:len(x)-1], y[:len(y)-1])+1)
	}
	return d
}
