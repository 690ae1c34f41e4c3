package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine/tape"
)

// asker asks in one request, or one question after another, as FirstWanting, AskEach and BestWanting say.
type asker struct {
	together bool
	list     *behaviors.Candidates
}

func (a *asker) first(c *behaviors.Control) int {
	if a.together {
		return c.FirstWanting(a.list)
	}
	for i, id := range a.list.IDs {
		if !a.list.Skip[i] && (id == c.Delegate() || c.Wants(id)) {
			return i
		}
	}
	return -1
}

func (a *asker) each(c *behaviors.Control) []bool {
	if a.together {
		c.AskEach(a.list)
		return slices.Clone(a.list.Wants)
	}
	wants := make([]bool, len(a.list.IDs))
	for i, id := range a.list.IDs {
		wants[i] = !a.list.Skip[i] && (id == c.Delegate() || c.Wants(id))
	}
	return wants
}

func (a *asker) best(c *behaviors.Control, has int) int {
	if a.together {
		return c.BestWanting(a.list, has)
	}
	best, highest := -1, 0.0
	for i, id := range a.list.IDs {
		if s := a.list.Scores[i]; !a.list.Skip[i] && s > highest && (i == has || c.Wants(id)) {
			best, highest = i, s
		}
	}
	return best
}

// gatesOfTest are what stands before a candidate's own code: nothing, conditions without and with a memory.
var gatesOfTest = []string{
	"",
	`"wantsToBeActivatedCondition": {"conditionType": "TriggerWordPending"}`,
	`"wantsToBeActivatedCondition": {"conditionType": "TimedDedup", "dedupInterval_ms": 120, "subCondition": {"conditionType": "TrueCondition"}}`,
	`"wantsToBeActivatedCondition": {"conditionType": "BecameTrueThisTick", "subCondition": {"conditionType": "TriggerWordPending"}}`,
	`"wantsToBeActivatedCondition": {"conditionType": "Compound", "not": {"conditionType": "TriggerWordPending"}}`,
	`"wantsToBeActivatedCondition": {"conditionType": "Compound", "not": {"conditionType": "TimedDedup", "dedupInterval_ms": 120, "subCondition": {"conditionType": "TrueCondition"}}}`,
	`"respondToUserIntents": [{"type": "hello"}]`,
	`"wantsToBeActivatedCondition": {"conditionType": "TimerInRange", "begin_s": 0.1, "end_s": 0.3}`,
}

// A life asks at random, with candidates that ask each other and fail. It returns everything that can be seen of it.
func lifeOfQuestions(t *testing.T, seed uint64, together bool) string {
	rng := rand.New(rand.NewPCG(seed, 1))
	ids := []string{"A", "B", "C", "D", "E", "F", "G"}
	tree := "R+ > " + strings.Join(ids, " ")
	for i, id := range ids {
		kind := []string{"+", "+", "+", "~", "^"}[rng.IntN(5)]
		if tree += "\n" + id + kind; kind != "~" && i+1 < len(ids) && rng.IntN(2) == 0 {
			tree += " > " + strings.Join(ids[i+1:], " ")
		}
		if g := gatesOfTest[rng.IntN(len(gatesOfTest))]; g != "" {
			tree += " | " + g
		}
	}
	var seen strings.Builder
	rec := &tape.Tape{}
	r := newRig(t, tree, func(r *rig) {
		r.opts.Recorder = tape.NewRecorder(rec.Add)
		// some asks a few of them, some twice, perhaps itself.
		some := func(c *behaviors.Control, id string, roll *rand.Rand) {
			among := make([]string, 1+roll.IntN(6))
			for i := range among {
				if among[i] = ids[roll.IntN(len(ids))]; i > 0 && roll.IntN(3) == 0 {
					among[i] = among[i-1]
				}
			}
			a := &asker{together: together, list: behaviors.NewCandidates(among...)}
			fmt.Fprintln(&seen, id, "asks", among, a.each(c))
		}
		asked := map[string]int{}
		for i, id := range ids {
			r.of(id).init = func(*behaviors.Control) { asked[id] = 0 }
			r.of(id).update = func(c *behaviors.Control) {
				if roll := rand.New(rand.NewPCG(seed, c.Tick()<<16|uint64(i))); roll.IntN(6) == 0 {
					some(c, id, roll)
					if asked[id]%2 == 1 {
						some(c, id, roll)
					}
				}
			}
			r.of(id).wants = func(c *behaviors.Control) bool {
				roll := rand.New(rand.NewPCG(seed, c.Tick()<<8|uint64(i))) // what it does depends on the tick alone
				fmt.Fprintf(&seen, "%d asks %s\n", c.Tick(), id)
				for range roll.IntN(3) {
					other := ids[roll.IntN(len(ids))]
					fmt.Fprintf(&seen, "%s asks %s: %v\n", id, other, c.Wants(other))
				}
				if roll.IntN(4) == 0 {
					some(c, id, roll)
				}
				if roll.IntN(20) == 0 {
					panic("no idea")
				}
				asked[id]++
				return (roll.IntN(4)+asked[id])%4 == 0
			}
		}
		a := &asker{together: together, list: behaviors.NewCandidates(append(ids, "A", "Nobody")...)}
		r.of("R").update = func(c *behaviors.Control) {
			roll := rand.New(rand.NewPCG(seed, c.Tick()<<8|0xff))
			for i := range a.list.IDs {
				a.list.Skip[i], a.list.Scores[i] = roll.IntN(4) == 0, roll.Float64()*4-1
			}
			if roll.IntN(5) == 0 {
				c.Suppression().ThisTick(ids[roll.IntN(len(ids))])
			}
			switch roll.IntN(3) {
			case 0:
				i := a.first(c)
				fmt.Fprintln(&seen, "first", i)
				if i >= 0 && roll.IntN(2) == 0 {
					fmt.Fprintln(&seen, c.CancelAndDelegateTo(a.list.IDs[i], nil))
				}
			case 1:
				fmt.Fprintln(&seen, "each", a.each(c))
			default:
				fmt.Fprintln(&seen, "best", a.best(c, roll.IntN(len(ids)+1)-1))
			}
		}
	})
	for tick := range 40 {
		if tick%5 == 2 {
			r.wake()
		}
		if tick%7 == 3 {
			r.intent("hello")
		}
		r.step()
		for _, ev := range r.out.Events {
			fmt.Fprintf(&seen, "%+v\n", ev)
		}
		fmt.Fprintf(&seen, "%+v\n", r.out.Misuses)
		for _, id := range ids {
			asked, answer := r.eng.Cell(id).Node.Asked()
			fmt.Fprintln(&seen, id, asked, answer, r.eng.Cell(id).Why())
		}
	}
	got := seen.String() + strings.Join(r.log, "\n")
	if together {
		if _, err := replay(r, rec, tape.ReplayOptions{}); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
	return got
}

// To ask a list in one request is the same as to ask one behavior after another: answers, stamps, reasons, refusals, losses, events and
// what is asked on the way, in the same order. A replay of the recording decides the same.
// Rules: L-3, L-6, M-32, B-8, P-4, P-7.
func TestListAskedTogetherIsAskedOneAfterAnother(t *testing.T) {
	for seed := range uint64(300) {
		one, two := lifeOfQuestions(t, seed, false), lifeOfQuestions(t, seed, true)
		if one == two {
			continue
		}
		a, b := strings.Split(one, "\n"), strings.Split(two, "\n")
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				t.Fatalf("seed %d, line %d, one after another: %s\nand together: %s\nafter %s", seed, i, a[i], b[i], strings.Join(a[max(0, i-8):i], "\n"))
			}
		}
		t.Fatalf("seed %d: %d and %d lines", seed, len(a), len(b))
	}
}

// Who is asked after a loss sees what the loss changed, although its question was prepared before.
// Rules: L-6, B-12.
func TestLossInQuestionIsSeenByWhoIsAskedNext(t *testing.T) {
	response := func(c *behaviors.Control) bool { return c.View().Services.Response != nil }
	before, after := false, true
	r := newRig(t, "R+ > A B C\nA\nB\nC", func(r *rig) {
		r.of("C").enter = func(c *behaviors.Control) { c.TriggerWord().Respond(listen) }
		r.of("C").wants = func(*behaviors.Control) bool { panic("no idea") }
		r.of("A").wants = func(c *behaviors.Control) bool {
			before = response(c)
			return c.Wants("C")
		}
		r.of("B").wants = func(c *behaviors.Control) bool {
			after = response(c)
			return false
		}
		list := behaviors.NewCandidates("A", "B")
		r.of("R").update = func(c *behaviors.Control) { c.FirstWanting(list) }
	})
	r.step()
	if !before || after {
		t.Errorf("A sees the response of C: %v; B, asked after the loss of C: %v", before, after)
	}
}

// A condition that panics costs its behavior the incarnation, as if it were the author's code, and nobody else anything.
// Rules: B-8.
func TestConditionThatPanicsLosesItsBehavior(t *testing.T) {
	answered := 0
	r := newRig(t, "R+ > A B\nA+\nB+", func(r *rig) {
		part := condition.NewUnitTest(true)
		r.of("A").setUp = func(cfg *behaviors.Config) { cfg.AddWantsCondition(condition.And(part, condition.True())) }
		list := behaviors.NewCandidates("A", "B")
		r.of("R").update = func(c *behaviors.Control) {
			part.SetActive(c.View(), false) // behind the back of the condition that it is part of
			c.AskEach(list)
			if !list.Wants[0] && list.Wants[1] {
				answered++
			}
		}
	})
	r.step()
	if answered != 1 || r.of("A").made != 2 || !strings.Contains(fmt.Sprint(r.out.Events), "M-34") {
		t.Errorf("answered %d, incarnations of A: %d, events %v", answered, r.of("A").made, r.out.Events)
	}
}
