package barrier

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// Direct calls and actors decide alike for a chain that is interrupted and resumed, with helpers and failures.
func TestActorsResumeAndHelpLikeDirectCalls(t *testing.T) {
	resumed, won, failed := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p := drawInterrupt(t)
		p.compare(t)
		resumed, won, failed = resumed+p.acted["resumed"], won+p.acted["won"], failed+p.acted["failed"]
	})
	if resumed == 0 || won == 0 || failed == 0 {
		t.Errorf("resumed %d times, helped %d times, failed to help %d times", resumed, won, failed)
	}
}

// drawInterrupt is a chain A, B, D, E that C interrupts. A gives back to B, which passes on to D as it did before; E helps D.
func drawInterrupt(t *rapid.T) *play {
	trouble := rapid.IntRange(0, 12).Draw(t, "trouble")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	p := quietPlay([][]int{{1, 2}, {3}, {}, {4}, {}})
	for i := range p.ids {
		p.traits[i] = someTraits(r, true) &^ traitResumable
	}
	p.traits[2] |= traitResumable
	p.stays[2] = false
	do := func(hook, id string, tick uint64, kind deedKind, to int) {
		p.deeds[key(hook, id, tick)] = append(p.deeds[key(hook, id, tick)], deed{kind: kind, to: to})
	}
	do("update", "A", 1, deedPass, 1)
	do("update", "B", 2, deedPass, 3)
	do("start", "D", 2, deedHelp, 4)
	do("update", "A", 3, deedInterrupt, 2)
	do("resumed", "B", 4, deedPass, 3)
	do("resumed", "D", 4, deedHelp, 4)
	do("update", "D", 5, deedHelp, 4)
	do("update", "E", 6, []deedKind{deedSucceed, deedQuit, deedPanic}[r.IntN(3)], 0)
	hooks := append([]string{"resumed", "resumed", "won", "failed", "with"}, playHooks...)
	for range trouble {
		me := r.IntN(len(p.ids))
		at := key(hooks[r.IntN(len(hooks))], p.ids[me], uint64(1+r.IntN(7)))
		d := someDeed(r, p, me)
		if r.IntN(2) == 0 {
			p.deeds[at] = append(p.deeds[at], d)
		} else {
			p.deeds[at] = append([]deed{d}, p.deeds[at]...)
		}
	}
	return p
}
