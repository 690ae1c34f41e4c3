package catalog

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"
)

// graphOf makes a catalog of behaviors that only delegate.
func graphOf(edges map[string][]string, links map[string][]string) *Catalog {
	c := &Catalog{}
	for id, to := range edges {
		c.Entries = append(c.Entries, &Entry{ID: id, File: id + ".json", Delegates: to, Links: links[id]})
	}
	sortEntries(c.Entries)
	return c
}

func TestStatsOfSmallTree(t *testing.T) {
	c := graphOf(map[string][]string{
		"A": {"B", "C"}, "B": {"D"}, "C": {"D", "E"}, "D": {"F"}, "E": nil, "F": nil, "G": {"A"}, "H": nil, "L": nil,
	}, map[string][]string{"C": {"L"}})
	got := c.Stats("A")
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	// stacks: A, AB, ABD, ABDF, AC, ACD, ACDF, ACE; in scope of A C D: B C L D E F
	want := `{"base":"A","nodes":6,"edges":6,"longest_chain":4,"max_fan_out":2,"max_in_scope":6,"unreachable":["G.json","H.json","L.json"],"expanded_nodes":8,"leaf_stacks":3}`
	if string(text) != want {
		t.Errorf("%s", text)
	}
}

func TestStatsLeaveOutWhatLeadsBack(t *testing.T) {
	c := graphOf(map[string][]string{"A": {"B"}, "B": {"A", "C"}, "C": {"B"}}, nil)
	got := c.Stats("A")
	if got.Nodes != 3 || got.Edges != 4 || got.LongestChain != 3 || got.ExpandedNodes.Int64() != 3 || got.LeafStacks.Int64() != 1 || got.MaxInScope != 2 {
		t.Errorf("%+v", got)
	}
}

// A ladder of pairs has 2^n stacks; the numbers come without walking them.
func TestStatsOfTreeWithMoreStacksThanCanBeWalkedTakeNoTime(t *testing.T) {
	const rungs = 1000
	edges := map[string][]string{}
	name := func(side string, i int) string { return fmt.Sprintf("%s%04d", side, i) }
	for i := range rungs {
		for _, side := range []string{"L", "R"} {
			edges[name(side, i)] = nil
			if i+1 < rungs {
				edges[name(side, i)] = []string{name("L", i+1), name("R", i+1)}
			}
		}
	}
	edges["Base"] = []string{name("L", 0), name("R", 0)}
	c := graphOf(edges, nil)
	begin := time.Now()
	got := c.Stats("Base")
	leaves := new(big.Int).Lsh(big.NewInt(1), rungs)
	all := new(big.Int).Sub(new(big.Int).Lsh(leaves, 1), big.NewInt(1))
	if got.LongestChain != rungs+1 || got.LeafStacks.Cmp(leaves) != 0 || got.ExpandedNodes.Cmp(all) != 0 || got.MaxInScope != 2*rungs || got.AtLeast {
		t.Errorf("%d, %v, %d", got.LongestChain, got.LeafStacks, got.MaxInScope)
	}
	if d := time.Since(begin); d > 10*time.Second {
		t.Errorf("took %v", d)
	}
}

// Rules: DT-T03.
func TestPathsListEachStackFromBaseToLeaf(t *testing.T) {
	c := graphOf(map[string][]string{"A": {"B", "C"}, "B": {"D"}, "C": {"A", "D"}, "D": nil, "E": {"A"}}, nil)
	var got []string
	c.Paths("A", func(path []string) bool {
		got = append(got, strings.Join(path, " "))
		return true
	})
	if text := strings.Join(got, ", "); text != "A B D, A C D" {
		t.Error(text)
	}
	c.Paths("A", func([]string) bool {
		got = got[:0]
		return false
	})
	if len(got) > 0 {
		t.Error("it went on after a no")
	}
}
