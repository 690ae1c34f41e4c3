package engine

import (
	"slices"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
)

// Checked reports whether the invariants are checked after each tick.
func (e *Engine) Checked() bool { return !e.unchecked }

// SelfTesting reports whether the self test is the base, or becomes it in the next tick.
func (e *Engine) SelfTesting() bool { return e.boot.testing }

// Executing is the behavior that an operator made the base, and how often it runs once more, negative for ever; "" if there is
// none.
func (e *Engine) Executing() (id string, again int) {
	if e.boot.run == nil {
		return "", 0
	}
	return e.boot.run.ID, e.boot.again
}

// Helpers is how many activations of helpers ended in success since the start, and how many in anything else: taken back, given
// up, or lost.
func (e *Engine) Helpers() (succeeded, failed uint64) { return e.helped.succeeded, e.helped.failed }

// EmotionNames lists the dimensions of a mood, in their order.
func EmotionNames() []string { return condition.EmotionNames() }

// SimpleMoodNames lists the moods in one word, in their order.
func SimpleMoodNames() []string {
	names := make([]string, condition.SimpleMoods)
	for i := range names {
		names[i] = condition.SimpleMood(i).String()
	}
	return names
}

// helped counts how helpers ended.
type helped struct{ succeeded, failed uint64 }

// helpEnds counts the end of a helper's activation, once.
func (e *Engine) helpEnds(c *Cell) {
	if !c.helping {
		return
	}
	c.helping = false
	if c.succeeded && !c.Lost() {
		e.helped.succeeded++
	} else {
		e.helped.failed++
	}
}

// countActivation counts the stat of the file, then the one of every activation (B-11 (10)).
func (e *Engine) countActivation(c *Cell) {
	if e.stats == nil {
		e.stats = map[string]uint64{}
	}
	if stat := c.Inc.Inst.Stat(); stat != "" {
		e.stats[stat]++
	}
	e.stats[catalog.StatActivated]++
}

// StatNames lists the counters that the data declare, sorted, and then that of all activations.
func (e *Engine) StatNames() []string {
	return append(slices.Clone(e.catalog.Boot.Stats), catalog.StatActivated)
}

// Stat is how often a counter was incremented, in the lives that Options.Memory remembers too.
func (e *Engine) Stat(name string) uint64 { return e.stats[name] }

// RememberedStat is what a counter had from earlier lives at the start.
func (e *Engine) RememberedStat(name string) (n uint64) {
	if e.memory == nil {
		return 0
	}
	for _, c := range e.memory.Stats {
		if c.Name == name {
			n = c.N // the last one holds, as in remember
		}
	}
	return n
}
