package runstats

// A tally counts names, one a tick. A name that stays for a while costs a comparison a tick.
type tally struct {
	counts map[string]uint64 // without the present run
	name   string
	run    uint64 // ticks of name since another one
}

// add counts one tick of a name.
func (t *tally) add(name string) {
	if name != t.name {
		t.settle()
		t.name = name
	}
	t.run++
}

// settle ends the present run.
func (t *tally) settle() {
	if t.run == 0 {
		return
	}
	if t.counts == nil {
		t.counts = map[string]uint64{}
	}
	t.counts[t.name] += t.run
	t.run = 0
}

// share is what part of all ticks each name had, rounded to three decimals.
func (t *tally) share(ticks uint64) map[string]float64 {
	t.settle()
	shares := make(map[string]float64, len(t.counts))
	for name, n := range t.counts {
		shares[name] = Round3(float64(n) / float64(ticks))
	}
	return shares
}
