package engine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine/tape"
)

// secondTime is a condition that is met from its second evaluation on.
const secondTime = ` | "wantsToBeActivatedCondition": {"conditionType": "Compound", "not": {
	"conditionType": "TimedDedup", "dedupInterval_ms": 3600000, "subCondition": {"conditionType": "TrueCondition"}}}`

// bothWays lives two ticks with an asker that asks one after another, and with one that asks together, and compares all that can be seen.
func bothWays(t *testing.T, tree string, set func(r *rig, ask func(c *behaviors.Control, ids ...string))) {
	t.Helper()
	var seen [2]string
	for k, together := range []bool{false, true} {
		r := newRig(t, strings.ReplaceAll(tree, secondTime, strings.ReplaceAll(secondTime, "\n\t", "")), func(r *rig) {
			set(r, func(c *behaviors.Control, ids ...string) {
				a := &asker{together: together, list: behaviors.NewCandidates(ids...)}
				r.note(fmt.Sprint(ids, a.each(c)))
			})
		})
		for range 2 {
			r.step()
			seen[k] += strings.Join(append(r.log, r.happened()...), "\n") + fmt.Sprintf("\n%+v\n", r.out.Misuses)
			for _, n := range r.eng.Stack().Nodes() {
				tick, answer := n.Asked()
				seen[k] += fmt.Sprintln(n.ID, tick, answer, r.eng.Cell(n.ID).Why())
			}
		}
	}
	if seen[0] != seen[1] {
		t.Errorf("one after another:\n%s\ntogether:\n%s", seen[0], seen[1])
	}
}

func no(*behaviors.Control) bool { return false }

// A second question changes what the condition of a behavior remembers, although the first one was a no that was known ahead.
// Rules: L-3, B-8.
func TestBehaviorTwiceInListIsAskedTwice(t *testing.T) {
	bothWays(t, "R+ > A B C\nA\nB+"+secondTime+"\nC", func(r *rig, ask func(*behaviors.Control, ...string)) {
		r.of("A").wants = no
		r.of("R").update = func(c *behaviors.Control) { ask(c, "A", "B", "B", "C") }
	})
}

// So does a question of a candidate to one further down, whose no was known ahead.
// Rules: L-3, L-6, B-8.
func TestQuestionOfCandidateToOneFurtherDownCounts(t *testing.T) {
	for _, further := range []string{"B", "B C"} {
		bothWays(t, "R+ > A B C\nA > B C\nB+"+secondTime+"\nC", func(r *rig, ask func(*behaviors.Control, ...string)) {
			r.of("C").wants = no
			r.of("A").wants = func(c *behaviors.Control) bool {
				ask(c, strings.Fields(further)...)
				return false
			}
			r.of("R").update = func(c *behaviors.Control) { ask(c, "A", "B", "C") }
		})
	}
}

// Who is lost by a question to itself, which a candidate asks, asks nobody any more.
// Rules: L-6, B-12.
func TestLostAskerAsksNobodyFurther(t *testing.T) {
	bothWays(t, "R+ > A B X\nA\nB~\nX", func(r *rig, ask func(*behaviors.Control, ...string)) {
		r.of("A").wants = func(c *behaviors.Control) bool { return c.Wants("X") }
		r.of("X").wants = func(*behaviors.Control) bool { panic("no idea") }
		r.of("X").update = func(c *behaviors.Control) { ask(c, "A", "B") }
	})
}

// Conditions before one that panics are evaluated once.
// Rules: B-8.
func TestConditionBeforeOneThatPanicsIsEvaluatedOnce(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		part := condition.NewUnitTest(true)
		r.of("A").setUp = func(cfg *behaviors.Config) {
			cfg.AddWantsCondition(condition.Dedup(condition.True(), time.Hour))
			cfg.AddWantsCondition(condition.And(part, condition.True()))
		}
		r.of("R").update = func(c *behaviors.Control) {
			part.SetActive(c.View(), false) // behind the back of the condition that it is part of
			c.Wants("A")
		}
	})
	r.step()
	if r.of("A").made != 2 || !strings.Contains(fmt.Sprint(r.out.Events), "M-34") {
		t.Errorf("incarnations of A: %d, events %v", r.of("A").made, r.out.Events)
	}
}

// Each answer of a behavior may make the requests of one hook, however it came to be asked.
func TestQuestionBeforeItsTurnCostsNoRequests(t *testing.T) {
	bothWays(t, "R+ > A B\nA > B\nB", func(r *rig, ask func(*behaviors.Control, ...string)) {
		r.of("B").wants = func(c *behaviors.Control) bool {
			for range 2100 {
				c.MayDelegateTo()
			}
			c.Wants("A")
			r.note(fmt.Sprint(c.Refusal()))
			return false
		}
		r.of("A").wants = func(c *behaviors.Control) bool { return c.Wants("B") }
		r.of("R").update = func(c *behaviors.Control) { ask(c, "A", "B") }
	})
}

// A hook that was unwound, because a question inside it lost its incarnation, runs again until then: with it every question of the same
// behavior that ended well before.
// Rules: goal/M8.
func TestReplayRunsQuestionsBeforeTheLostOne(t *testing.T) {
	asked := 0 // memory of X
	r, rec := recorded(t, "R+ > A X\nA\nX", func(r *rig) {
		r.of("X").init = func(*behaviors.Control) { asked = 0 }
		r.of("X").wants = func(*behaviors.Control) bool {
			if asked++; asked > 1 {
				panic("again")
			}
			return false
		}
		r.of("A").wants = func(c *behaviors.Control) bool { return c.Wants("X") }
		r.of("X").update = func(c *behaviors.Control) {
			c.Wants("X")
			if asked == 1 {
				c.Wants("A")
			}
		}
	}, 2)
	if len(rec.Entries[1].Verdicts) == 0 {
		t.Fatal("nothing was lost")
	}
	if _, err := replay(r, rec, tape.ReplayOptions{}); err != nil {
		t.Error(err)
	}
}

// A behavior that is asked while it asks may ask the same list: the answers of the two requests are kept apart.
// Rules: L-6.
func TestListAskedInsideItsOwnRequestKeepsAnswers(t *testing.T) {
	var seen [2]string
	for k, together := range []bool{false, true} {
		newRig(t, "R+ > A B X\nA\nB\nX", func(r *rig) {
			a := &asker{together: together, list: behaviors.NewCandidates("A", "B")}
			r.of("A").wants = func(c *behaviors.Control) bool { return c.Wants("X") }
			r.of("B").wants = no
			r.of("X").wants = func(c *behaviors.Control) bool {
				r.of("B").wants = nil
				first := a.first(c)
				r.of("B").wants = no
				seen[k] += fmt.Sprintln("inside", first)
				return c.Tick() == 2
			}
			r.of("X").update = func(c *behaviors.Control) { seen[k] += fmt.Sprintln(a.first(c), a.each(c)) }
		}).steps(2)
	}
	if seen[0] != seen[1] {
		t.Errorf("one after another:\n%s\ntogether:\n%s", seen[0], seen[1])
	}
}
