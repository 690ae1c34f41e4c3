package engine_test

import (
	"slices"
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

func sum(outs ...engine.Output) string {
	h := tape.NewHasher()
	for i := range outs {
		h.Add(&outs[i])
	}
	return h.Sum()
}

// Two runs that differ in anything that was decided differ in their hash.
// Rules: goal/M8.
func TestHashCoversEveryDecision(t *testing.T) {
	ev := func(e ...stack.Event) engine.Output { return engine.Output{Tick: 3, Events: e} }
	cmd := func(c ...hardware.Command) engine.Output { return engine.Output{Tick: 3, Commands: c} }
	push, pop := stack.Event{Kind: stack.EventPush, ID: "A"}, stack.Event{Kind: stack.EventPop, ID: "A"}
	runs := map[string][]engine.Output{
		"nothing":         nil,
		"one event":       {ev(push)},
		"another tick":    {{Tick: 4, Events: []stack.Event{push}}},
		"another kind":    {ev(pop)},
		"two events":      {ev(push, pop)},
		"the other order": {ev(pop, push)},
		"in two ticks":    {ev(push), {Tick: 4, Events: []stack.Event{pop}}},
		"another ID":      {ev(stack.Event{Kind: stack.EventPush, ID: "B"})},
		"refusal":         {ev(stack.Event{Kind: stack.EventRefused, ID: "A", To: "B", Reason: stack.NotAsked})},
		"its target":      {ev(stack.Event{Kind: stack.EventRefused, ID: "A", To: "C", Reason: stack.NotAsked})},
		"its reason":      {ev(stack.Event{Kind: stack.EventRefused, ID: "A", To: "B", Reason: stack.Declined})},
		"its request":     {ev(stack.Event{Kind: stack.EventRefused, ID: "A", To: "B", Reason: stack.NotAsked, Op: stack.OpAsk})},
		"fault":           {ev(stack.Event{Kind: stack.EventFault, ID: "A", Text: "x"})},
		"its text":        {ev(stack.Event{Kind: stack.EventFault, ID: "A", Text: "y"})},
		"its hook":        {ev(stack.Event{Kind: stack.EventFault, ID: "A", Text: "x", Hook: stack.HookUpdate})},
		"names apart":     {ev(stack.Event{Kind: stack.EventRefused, ID: "A B", To: "C"})},
		"names together":  {ev(stack.Event{Kind: stack.EventRefused, ID: "A", To: "B C"})},
		"command":         {cmd(hardware.ShowFace{Face: "a"})},
		"its field":       {cmd(hardware.ShowFace{Face: "b"})},
		"its type":        {cmd(hardware.StopWheels{})},
		"same device":     {cmd(hardware.AckCliff{})},
		"twice":           {cmd(hardware.AckCliff{}, hardware.AckCliff{})},
		"number":          {cmd(hardware.MoveHead{ID: 1, AngleRad: 0.1})},
		"a little more":   {cmd(hardware.MoveHead{ID: 1, AngleRad: 0.1000000000000001})},
	}
	seen := map[string]string{}
	for name, outs := range runs {
		s := sum(outs...)
		if other, dup := seen[s]; dup {
			t.Errorf("%q and %q have equal hashes", name, other)
		}
		seen[s] = name
		if again := sum(outs...); again != s {
			t.Errorf("%q is not equal to itself", name)
		}
	}
	if sum(engine.Output{Tick: 1}, ev(push), engine.Output{Tick: 9}) != sum(ev(push)) {
		t.Error("a tick without decisions leaves a trace")
	}
}

// Chance depends on seed, behavior and tick, and on nothing else: equal runs draw equally.
func TestEqualRunsDrawEqualRandomNumbers(t *testing.T) {
	draw := func(seed uint64, extra int) (numbers map[string][]uint64) {
		numbers = map[string][]uint64{}
		r := newRig(t, "R+ > A B\nA+\nB+", func(r *rig) {
			for _, id := range []string{"R", "A", "B"} {
				r.of(id).update = func(c *behaviors.Control) {
					numbers[id] = append(numbers[id], c.Rand().Uint64(), c.Rand().Uint64())
					for range extra {
						c.Rand().Uint64()
					}
					if d := c.Between(period, 2*period); d < period || d > 2*period {
						t.Errorf("drew %v", d)
					}
				}
			}
		})
		r.seed = seed
		r.steps(3)
		return numbers
	}
	one, two, other := draw(7, 0), draw(7, 3), draw(8, 0)
	seen := map[uint64]bool{}
	for id, ns := range one {
		for i, n := range ns {
			if n != two[id][i] {
				t.Errorf("%s draws %d and %d", id, n, two[id][i])
			}
			if n == other[id][i] {
				t.Errorf("%s draws %d whatever the seed", id, n)
			}
			if seen[n] {
				t.Errorf("%d is drawn twice", n)
			}
			seen[n] = true
		}
	}
}

// What others do changes no draw: more behaviors, more questions. Two questions of a tick draw the same, two other hooks of it do not.
func TestDrawsDependOnNothingThatOthersDo(t *testing.T) {
	draw := func(tree string, asks int) (numbers map[string][]uint64) {
		numbers = map[string][]uint64{}
		r := newRig(t, tree, func(r *rig) {
			r.of("R").update = func(c *behaviors.Control) {
				for range asks {
					c.Wants("A")
				}
			}
			note := func(what string) func(c *behaviors.Control) {
				return func(c *behaviors.Control) { numbers[what] = append(numbers[what], c.Rand().Uint64()) }
			}
			r.of("A").wants = func(c *behaviors.Control) bool { note("wants")(c); return false }
			r.of("A").update, r.of("B").update = note("A"), note("B")
		})
		r.seed = 7
		r.steps(2)
		return numbers
	}
	one, two := draw("R+ > A B\nA\nB", 1), draw("R+ > A B C\nA\nB\nC", 3)
	if w := two["wants"]; len(w) != 6 || w[0] != w[1] || w[1] != w[2] || w[0] == w[3] || w[0] != one["wants"][0] {
		t.Errorf("questions draw %x, fewer of them %x", w, one["wants"])
	}
	for _, id := range []string{"A", "B"} {
		if !slices.Equal(one[id], two[id]) || one[id][0] == one[id][1] {
			t.Errorf("%s draws %x and %x", id, one[id], two[id])
		}
	}
}
