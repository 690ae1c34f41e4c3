package barrier

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"pgregory.net/rapid"
)

// A set is what the files of a play say at one time: which behaviors there are, and how they hang together.
type set struct {
	gone             []bool
	version          []int
	delegates, links [][]int
	base, fallback   int
}

// first is the set of the start.
func (p *play) first() *set {
	n := len(p.ids)
	return &set{gone: make([]bool, n), version: make([]int, n), delegates: p.delegates, links: p.links, fallback: n - 1}
}

// someSets are sets that the play changes to and back from, each made from one before it.
func someSets(r *rand.Rand, p *play) []*set {
	sets := []*set{p.first()}
	for range r.IntN(4) {
		sets = append(sets, sets[r.IntN(len(sets))].another(r, p))
	}
	return sets
}

// another changes some behaviors of a set, some of their lists, takes some away, and brings some back.
func (s *set) another(r *rand.Rand, p *play) *set {
	n := len(p.ids)
	t := &set{slices.Clone(s.gone), slices.Clone(s.version), slices.Clone(s.delegates), slices.Clone(s.links), s.base, s.fallback}
	for i := range n {
		switch r.IntN(8) {
		case 0:
			t.version[i]++
		case 1:
			t.gone[i] = !t.gone[i]
		case 2:
			t.delegates[i] = someOthers(r, n, i, min(n-1, 1+r.IntN(3)))
		case 3:
			t.links[i] = someOthers(r, n, i, min(n-1, r.IntN(2)))
		}
	}
	if r.IntN(4) == 0 {
		t.base = r.IntN(n)
	}
	t.gone[t.base], t.gone[t.fallback] = false, false
	return t
}

// options of an engine that lives the play, whose orders may change its definitions.
func (p *play) options(t rapid.TB, d *door) engine.Options {
	sets := p.catalogs(t, d)
	return engine.Options{Catalog: sets[0], Changes: func(c *engine.Command) (*catalog.Change, error) {
		if c.Set >= uint64(len(sets)) {
			return nil, fmt.Errorf("there is no set %d", c.Set)
		}
		return catalog.Compare(d.eng.Catalog(), sets[c.Set])
	}}
}
