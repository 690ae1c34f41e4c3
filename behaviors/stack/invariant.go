package stack

import "fmt"

// An Invariant is a named statement about a stack between two ticks.
type Invariant struct {
	Name  string
	holds func(*Stack, census) string
}

// OneUpdatePerTick is the name of the invariant that holds only after a whole tick.
const OneUpdatePerTick = "one-update-per-tick-in-scope"

// Check returns "" while the statement holds, and what is wrong otherwise.
func (i Invariant) Check(s *Stack) string {
	return i.holds(s, s.count())
}

// A census counts over everything in scope what the invariants need. It takes one walk, since they are checked after every tick.
type census struct {
	activated int
	counts    int
	astray    *Node // the first whose state does not follow its count
	late      *Node // the first without its Update
}

func (s *Stack) count() census {
	var c census
	for _, n := range s.scope {
		c.counts += n.count
		if n.state == Activated {
			c.activated++
		}
		if c.astray == nil && (n.count <= 0 || n.state < InScope) {
			c.astray = n
		}
		if c.late == nil && n.updated != s.tick && !n.broken && !n.disabled {
			c.late = n
		}
	}
	return c
}

// Invariants lists what must always hold. Tests run them after every step, the daemon after every tick.
func Invariants() []Invariant {
	return []Invariant{
		{"activated-exactly-if-on-stack", activatedExactlyIfOnStack},
		{"scope-count-is-sum-of-layers", scopeCountIsSumOfLayers},
		{"state-follows-count", stateFollowsCount},
		{"scope-list-is-ordered-and-complete", scopeListIsComplete},
		{"each-layer-was-a-delegate-of-the-one-below", layersAreDelegates},
		{"no-question-open-between-ticks", noQuestionOpen},
		{OneUpdatePerTick, oneUpdatePerTick},
		{"never-without-a-behavior", neverEmpty},
	}
}

// fullCheck is how many ticks pass at most between two checks of everything: what no event announced is found then.
const fullCheck = 64

// Violations returns "name: what" for every invariant that does not hold.
func (s *Stack) Violations() []string {
	var bad []string
	c := s.count()
	for _, inv := range invariants {
		if text := inv.holds(s, c); text != "" {
			bad = append(bad, inv.Name+": "+text)
		}
	}
	return bad
}

// TickViolations is what a daemon asks after every tick. It is [Stack.Violations] if anything was pushed, popped, entered or left since it
// found nothing, and in each tick that is a multiple of 64; else only what every tick decides anew is checked.
func (s *Stack) TickViolations() []string {
	if !s.unchecked && s.tick%fullCheck != 0 && s.asking == 0 && s.allUpdated() {
		return nil
	}
	bad := s.Violations()
	s.unchecked = len(bad) > 0
	return bad
}

// allUpdated reports whether everything in scope had its Update. What is lost or disabled has none, and is left to the whole check.
func (s *Stack) allUpdated() bool {
	for _, n := range s.scope {
		if n.updated != s.tick {
			return false
		}
	}
	return true
}

var invariants = Invariants()

func activatedExactlyIfOnStack(s *Stack, c census) string {
	for i := range s.layers {
		if n := s.layers[i].node; n.state != Activated {
			return n.ID + " is on the stack but " + n.state.String()
		}
		for j := range i {
			if s.layers[j].node == s.layers[i].node {
				return s.layers[i].node.ID + " is on the stack twice (L-36)"
			}
		}
	}
	if c.activated != len(s.layers) {
		return fmt.Sprintf("%d activated, %d on the stack", c.activated, len(s.layers))
	}
	return ""
}

func scopeCountIsSumOfLayers(s *Stack, c census) string {
	sum := 0
	add := func(l *Layer) { sum += len(l.delegates) + len(l.linked) }
	if s.started {
		add(&s.root)
	}
	for i := range s.layers {
		add(&s.layers[i])
	}
	if c.counts != sum {
		return fmt.Sprintf("counts add up to %d, layers to %d (L-16)", c.counts, sum)
	}
	return ""
}

func stateFollowsCount(_ *Stack, c census) string {
	if n := c.astray; n != nil {
		return fmt.Sprintf("%s has count %d and is %s (L-17)", n.ID, n.count, n.state)
	}
	return ""
}

// scopeListIsComplete holds if the scope is exactly what has a count, in the order of all behaviors, which is that of their
// IDs since New.
func scopeListIsComplete(s *Stack, _ census) string {
	in, odd := 0, false
	for _, n := range s.nodes {
		if n.count > 0 {
			odd = odd || in >= len(s.scope) || s.scope[in] != n
			in++
		}
	}
	switch {
	case in != len(s.scope):
		return fmt.Sprintf("%d have a count, %d are listed (L-19)", in, len(s.scope))
	case odd:
		return "not ordered by ID (Q-10)"
	}
	return ""
}

func layersAreDelegates(s *Stack, _ census) string {
	for i := range s.layers {
		from := &s.root
		if i > 0 {
			from = &s.layers[i-1]
		}
		if !from.lists(s.layers[i].node) {
			return s.layers[i].node.ID + " was never a delegate of the layer below (M-14)"
		}
	}
	return ""
}

func noQuestionOpen(s *Stack, _ census) string {
	if s.asking != 0 {
		return fmt.Sprintf("%d questions open (L-6)", s.asking)
	}
	return ""
}

func oneUpdatePerTick(s *Stack, c census) string {
	if n := c.late; n != nil {
		return fmt.Sprintf("%s was last updated in tick %d, now is %d (T-10)", n.ID, n.updated, s.tick)
	}
	return ""
}

// neverEmpty fails if the stack is empty while the root layer still holds scope, because Begin would then start no base. The stack may
// be empty otherwise: before the first tick, after a reset or a shutdown, and after a base ended, from the end of its tick to the next
// Begin. Repair has then released the root layer, and Begin starts a base again (L-29).
func neverEmpty(s *Stack, _ census) string {
	if s.started && len(s.layers) == 0 {
		return "the stack is empty and nothing will start it (L-29)"
	}
	return ""
}
