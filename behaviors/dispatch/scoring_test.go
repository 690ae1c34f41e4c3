package dispatch_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
)

// scoring is a base of the class DispatcherScoring over entries "id: scoring body".
func scoring(interrupt bool, entries ...[2]string) string {
	list := ""
	for i, e := range entries {
		if i > 0 {
			list += ","
		}
		list += fmt.Sprintf(`{"behaviorID": %q, "scoring": {%s}}`, e[0], e[1])
	}
	return fmt.Sprintf(`{"behaviorClass": "DispatcherScoring", "behaviorID": "Base", "interruptActiveBehavior": %t, "behaviors": [%s]}`, interrupt, list)
}

func flat(id string, score float64) [2]string {
	return [2]string{id, fmt.Sprintf(`"flatScore": %g`, score)}
}

// Rules: P-7, data/2.1.5a.
func TestScoringTakesTheHighestThatWants(t *testing.T) {
	s := begin(t, scoring(true, flat("A", 1), flat("B", 3), flat("C", 2)), probes("A", `B:, "wants": false`, "C"))
	s.runs("C")
	s.probe("B").Wants = true
	s.runs("B")
	s.probe("B").Wants = false // activated or wanting
	s.runs("B")
	s.NoRefusals()
}

// Rules: P-7, data/2.1.5a.
func TestScoringPrefersTheEarlierOfEquals(t *testing.T) {
	s := begin(t, scoring(true, flat("A", 1), flat("B", 1)), probes(`A:, "wants": false`, "B"))
	s.runs("B")
	s.probe("A").Wants = true
	s.runs("A") // strictly by score and order: the running one has no bonus
	s.probe("B").Wants = true
	s.runs("A")
}

// A score of 0 is not enough.
// Rules: P-7, data/2.1f, data/2.1.5a.
func TestScoringNeedsMoreThanZero(t *testing.T) {
	s := begin(t, strict+`true, "behaviors": ["D", "Z"]}`,
		"-- D.json --\n"+`{"behaviorClass": "DispatcherScoring", "behaviorID": "D", "interruptActiveBehavior": true,
			"wantsToBeActivatedCondition": {"conditionType": "BehaviorTimer", "timerName": "T", "cooldown_s": 60}, "resetTimers": ["T"],
			"behaviors": [{"behaviorID": "A", "scoring": {"flatScore": 0}}, {"behaviorID": "B", "scoring": {"flatScore": -1}}]}`,
		probes("A", "B", "Z"))
	s.Step(2)
	s.runs("Z")
	if s.probe("A").Activated+s.probe("B").Activated != 0 {
		t.Error("a score of zero or less was chosen")
	}
}

// Rules: P-2, data/2.1a.
func TestScoringWithoutInterruptionWaitsForTheEnd(t *testing.T) {
	s := begin(t, scoring(false, flat("A", 1), flat("B", 3)), probes("A", `B:, "wants": false`))
	s.runs("A")
	s.probe("B").Wants = true
	s.runs("A")
	s.probe("A").End = true
	s.Step(1)
	s.runs("B")
}

// Rules: P-7, data/2.1.5c.
func TestScoringPenalizesRepetition(t *testing.T) {
	s := begin(t, scoring(true,
		[2]string{"A", `"flatScore": 2, "repetitionPenalty": {"nodes": [{"x": 0, "y": 0}, {"x": 1.2, "y": 1}]}`}, flat("B", 1)),
		probes("A", "B"))
	s.runs("A") // it never ran: no penalty
	s.probe("A").End = true
	s.Step(1) // A ends in this tick, after its dispatcher's Update
	ended := s.Now()
	s.runs("B")
	s.Until(3*time.Second, "A is better again", func() bool { return s.Active("A") })
	if d := s.Now().Sub(ended); d != 600*time.Millisecond { // 2 × 0.6 s / 1.2 s = 1, and of equals the earlier
		t.Errorf("back after %v", d)
	}
}

// Rules: data/2.1.5c.
func TestScoringPenalizesDisplacedDelegate(t *testing.T) {
	s := begin(t, scoring(true,
		[2]string{"A", `"flatScore": 2, "repetitionPenalty": {"nodes": [{"x": 0, "y": 0}, {"x": 60, "y": 0}, {"x": 60, "y": 1}]}`}, flat("B", 3), flat("C", 1)),
		probes("A", `B:, "wants": false`, "C"))
	s.runs("A")
	s.probe("B").Wants = true
	s.runs("B")
	s.probe("B").Wants, s.probe("B").End = false, true
	s.Step(1)
	s.runs("C") // A ran until B took over
}

// Rules: P-7, data/2.1.5c.
func TestScoringPenalizesDelegateThatEndsWithDispatcher(t *testing.T) {
	s := begin(t, strict+`true, "behaviors": ["Up", "D"]}`,
		"-- D.json --\n"+`{"behaviorClass": "DispatcherScoring", "behaviorID": "D", "interruptActiveBehavior": true, "behaviors": [
			{"behaviorID": "A", "scoring": {"flatScore": 2, "repetitionPenalty": {"nodes": [{"x": 0, "y": 0}, {"x": 60, "y": 0}, {"x": 60, "y": 1}]}}},
			{"behaviorID": "C", "scoring": {"flatScore": 1}}]}`,
		probes(`Up:, "wants": false`, "A", "C"))
	s.runs("D A")
	s.probe("Up").Wants = true
	s.runs("Up")
	s.probe("Up").Wants, s.probe("Up").End = false, true
	s.Step(1)
	s.runs("D C")
}

// Rules: P-7, data/2.1.5c.
func TestScoringPenalizesStaying(t *testing.T) {
	s := begin(t, scoring(true,
		[2]string{"A", `"flatScore": 2, "activatedPenalty": {"nodes": [{"x": 0, "y": 1}, {"x": 1.2, "y": 0}]}`}, flat("B", 1)),
		probes("A", "B"))
	s.runs("A")
	from := s.Now()
	s.Until(3*time.Second, "B is better", func() bool { return s.Active("B") })
	if d := s.Now().Sub(from); d != 660*time.Millisecond { // at 0.6 s they are equal, and A is the earlier one
		t.Errorf("A had control for %v", d)
	}
	s.runs("A") // which is no longer activated: only the repetition would count
}

// A delegate stays although no behavior scores more than 0 any more.
// Rules: P-1, data/2.1d.
func TestScoringKeepsDelegateWhoseScoreFallsToZero(t *testing.T) {
	s := begin(t, scoring(true, [2]string{"A", `"flatScore": 1, "activatedPenalty": {"nodes": [{"x": 0, "y": 1}, {"x": 0.6, "y": 0}]}`}), probes("A"))
	s.runs("A")
	s.For(2 * time.Second)
	if n := s.probe("A").Activated; !s.Active("A") || n != 1 {
		t.Errorf("A was activated %d times; stack %v", n, s.Chain())
	}
	s.NoRefusals()
}

// Rules: P-7, data/2.1.5b.
func TestScoringFollowsTheMood(t *testing.T) {
	emotion := func(name string) string {
		return `"emotionScorers": [{"emotionType": "` + name + `", "scoreGraph": {"nodes": [{"x": -1, "y": 0}, {"x": 1, "y": 1}]}}]`
	}
	s := begin(t, scoring(true, [2]string{"A", emotion("Happy")}, [2]string{"B", emotion("Social")}), probes("A", "B"))
	feel := func(happy, social float64) {
		m := &s.Engine.View().Mood
		m[condition.Happy], m[condition.Social] = happy, social
	}
	feel(0.5, 0)
	s.runs("A")
	feel(0.5, 0.9)
	s.runs("B")
	s.NoRefusals()
}

// Rules: data/5.3b.
func TestScoringFollowsTheChangeOfTheMood(t *testing.T) {
	s := begin(t, scoring(true, [2]string{
		"A", `"emotionScorers": [{"emotionType": "Happy", "trackDelta": true, "scoreGraph": {"nodes": [{"x": 0, "y": 0}, {"x": 1, "y": 1}]}}]`,
	}, flat("B", 0.1)), probes("A", "B"))
	mood := &s.Engine.View().Mood
	mood[condition.Happy] = 0.9
	s.runs("B") // happy, and no happier than before
	s.Engine.View().Mood[condition.Happy] = 0.5
	s.runs("B")
	s.Engine.View().Mood[condition.Happy] = 1
	s.For(70 * 60 * time.Millisecond)
	s.runs("B")
	s.Engine.View().Mood[condition.Happy] = 0.2
	s.For(70 * 60 * time.Millisecond)
	s.Engine.View().Mood[condition.Happy] = 0.6
	s.runs("A")
}
