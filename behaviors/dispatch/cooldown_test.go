package dispatch_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/engine"
)

func cooldown(entries, extra string) string {
	return `{"behaviorClass": "DispatcherStrictPriorityWithCooldown", "behaviorID": "Base", "interruptActiveBehavior": true` + extra +
		`, "behaviors": [` + entries + `]}`
}

// A pause begins when the dispatcher notices that its delegate has ended.
// Rules: P-5, data/2.1.3a, data/2.1.3b.
func TestCooldownStartsWhenTheDelegateEnded(t *testing.T) {
	s := begin(t, cooldown(`{"behavior": "A", "cooldown_s": 0.6}, {"behavior": "Z", "cooldown_s": 0}`, ""), probes("A", "Z"))
	s.runs("A")
	s.probe("A").End = true
	s.Step(1)
	s.runs("Z")
	from := s.Now()
	s.Until(2*time.Second, "A is off cooldown", func() bool { return s.Active("A") })
	if d := s.Now().Sub(from); d != 600*time.Millisecond { // free at exactly its end
		t.Errorf("back after %v", d)
	}
	s.NoRefusals()
}

// A developer's time multiplier makes pauses shorter, but for entries that ignore it.
// Rules: data/5.6b, data/1.5c.
func TestTimeMultiplierShortensPauses(t *testing.T) {
	for keys, want := range map[string]time.Duration{"": 600 * time.Millisecond, `, "ignoreFastForward": true`: 6 * time.Second} {
		s := begin(t, cooldown(`{"behavior": "A", "cooldown_s": 6`+keys+`}, {"behavior": "Z", "cooldown_s": 0}`, ""), probes("A", "Z"))
		s.Command(engine.Command{Kind: engine.SetVar, ID: engine.TimeMultiplier, Value: 10})
		s.runs("A")
		s.probe("A").End = true
		s.Step(1)
		s.runs("Z")
		from := s.Now()
		s.Until(time.Minute, "A is off cooldown", func() bool { return s.Active("A") })
		if d := s.Now().Sub(from); d != want {
			t.Errorf("%q: back after %v, want %v", keys, d, want)
		}
	}
}

// A delegate that one of higher priority displaced does not pause.
// Rules: P-5, data/2.1.3c.
func TestDisplacedDelegateDoesNotPause(t *testing.T) {
	s := begin(t, cooldown(`{"behavior": "A", "cooldown_s": 0}, {"behavior": "B", "cooldown_s": 60}`, ""), probes(`A:, "wants": false`, "B"))
	s.runs("B")
	s.probe("A").Wants = true
	s.runs("A")
	s.probe("A").Wants, s.probe("A").End = false, true
	s.Step(1)
	s.runs("B")
}

// Rules: data/2.1.3d.
func TestNegativeCooldownAllowsOneRun(t *testing.T) {
	s := begin(t, cooldown(`{"behavior": "A", "cooldown_s": -1}, {"behavior": "Z", "cooldown_s": 0}`, ""), probes("A", "Z"))
	s.runs("A")
	s.probe("A").End = true
	s.Step(1)
	s.For(time.Hour / 60)
	s.runs("Z")
	if s.probe("A").Activated != 1 {
		t.Errorf("ran %d times", s.probe("A").Activated)
	}
}

// inner puts the dispatcher below a base in which a behavior further up can take control from it.
func inner(t *testing.T, entries, extra string) scenario {
	return begin(t, strict+`true, "behaviors": ["Up", "D"]}`,
		"-- D.json --\n"+`{"behaviorClass": "DispatcherStrictPriorityWithCooldown", "behaviorID": "D", "interruptActiveBehavior": true`+extra+
			`, "behaviors": [`+entries+`]}`,
		probes(`Up:, "wants": false`, "A", "Z"))
}

// A pause begins when the dispatcher is deactivated while its delegate runs.
// Rules: P-5, data/2.1.3a, data/2.1.3f.
func TestCooldownStartsAtDeactivationWhileTheDelegateRuns(t *testing.T) {
	s := inner(t, `{"behavior": "A", "cooldown_s": 60, "linkedBehaviorTimer": "T"}, {"behavior": "Z", "cooldown_s": 0}`, "")
	s.runs("D A")
	if _, set := s.Engine.View().Timers["T"]; set {
		t.Error("the linked timer was reset at activation, unasked")
	}
	s.probe("Up").Wants = true
	s.runs("Up")
	if _, set := s.Engine.View().Timers["T"]; !set {
		t.Error("the linked timer was not reset")
	}
	s.probe("Up").Wants, s.probe("Up").End = false, true
	s.Step(1)
	s.runs("D Z")
}

// Rules: data/2.1.3g.
func TestResetCooldownOnDeactivationEndsPauses(t *testing.T) {
	s := inner(t, `{"behavior": "A", "cooldown_s": 60}, {"behavior": "Z", "cooldown_s": 0}`, `, "resetCooldownOnDeactivation": true`)
	s.runs("D A")
	s.probe("A").End = true
	s.Step(1)
	s.runs("D Z")
	s.probe("Up").Wants = true
	s.runs("Up")
	s.probe("Up").Wants, s.probe("Up").End = false, true
	s.Step(1)
	s.runs("D A")
}

// Rules: data/2.1.3f.
func TestLinkedTimerIsStampedAtActivation(t *testing.T) {
	s := begin(t, cooldown(`{"behavior": "A", "cooldown_s": 1, "linkedBehaviorTimer": "T", "resetLinkedTimerOnDispatcherActivation": true}`, ""), probes("A"))
	s.Step(1)
	if at := s.Engine.View().Timers["T"]; !at.Equal(s.Now()) {
		t.Errorf("timer at %v, now %v", at, s.Now())
	}
}

// Rules: P-6, data/2.1.4a.
func TestRandomDrawsByWeight(t *testing.T) {
	s := begin(t, strict+`true, "behaviors": ["R"]}`,
		"-- R.json --\n"+`{"behaviorClass": "DispatcherRandom", "behaviorID": "R", "behaviors": [
			{"behavior": "A", "weight": 3, "cooldown_s": 0}, {"behavior": "B", "weight": 1, "cooldown_s": 0}, {"behavior": "C", "weight": 0, "cooldown_s": 0}]}`,
		probes("A", "B", "C"))
	for range 1200 {
		for _, id := range []string{"A", "B", "C"} {
			s.probe(id).End = s.Active(id)
		}
		s.Step(1)
	}
	a, b, c := s.probe("A").Activated, s.probe("B").Activated, s.probe("C").Activated
	if share := float64(a) / float64(a+b); c != 0 || a+b < 300 || share < 0.65 || share > 0.85 {
		t.Errorf("A %d, B %d, C %d", a, b, c)
	}
	s.NoRefusals()
}

// Rules: data/2.1.3d, data/2.1.4b, data/2.1.4c.
func TestRandomEndsWithItsDelegateAndPausesIt(t *testing.T) {
	s := begin(t, strict+`true, "behaviors": ["R", "Z"]}`,
		"-- R.json --\n"+`{"behaviorClass": "DispatcherRandom", "behaviorID": "R", "behaviors": [
			{"behavior": "A", "weight": 1, "cooldown_s": 60}, {"behavior": "B", "weight": 1, "cooldown_s": -1}]}`,
		probes("A", `B:, "wants": false`, "Z"))
	s.runs("R A")
	s.probe("A").End = true
	s.Log()
	s.Step(3)
	if n := s.Started("R"); n < 2 {
		t.Fatalf("the dispatcher did not end with its delegate: %v", s.Log())
	}
	// All willing ones pause: the one whose pause ends first runs.
	if s.probe("A").Activated != 2 {
		t.Errorf("A ran %d times", s.probe("A").Activated)
	}
	// One that may run only once is never taken that way.
	s.probe("A").Wants, s.probe("B").Wants = false, true
	s.probe("A").End = true
	s.Step(4)
	if !s.Active("B") {
		t.Fatalf("stack %v", s.Chain())
	}
	s.probe("B").End = true
	s.Step(5)
	if s.probe("B").Activated != 1 {
		t.Errorf("B ran %d times", s.probe("B").Activated)
	}
}

// Rules: data/2.1.4c.
func TestRandomPausesADelegateThatEndsWithIt(t *testing.T) {
	s := begin(t, strict+`true, "behaviors": ["Up", "R"]}`,
		"-- R.json --\n"+`{"behaviorClass": "DispatcherRandom", "behaviorID": "R", "behaviors": [
			{"behavior": "A", "weight": 1000000, "cooldown_s": 60}, {"behavior": "B", "weight": 1, "cooldown_s": 0}]}`,
		probes(`Up:, "wants": false`, "A", `B:, "wants": false`))
	s.runs("R A")
	s.probe("Up").Wants, s.probe("B").Wants = true, true
	s.runs("Up")
	s.probe("Up").Wants, s.probe("Up").End = false, true
	s.Step(1)
	s.runs("R B") // however unlikely by weight
	s.NoRefusals()
}

// Rules: P-6, data/2.1.4b.
func TestRandomTakesTheFirstOfThoseThatAreFreeTogether(t *testing.T) {
	s := begin(t, strict+`true, "behaviors": ["R"]}`,
		"-- R.json --\n"+`{"behaviorClass": "DispatcherRandom", "behaviorID": "R", "behaviors": [
			{"behavior": "A", "weight": 1, "cooldown_s": 6}, {"behavior": "B", "weight": 1, "cooldown_s": 5.82}]}`,
		probes("A", `B:, "wants": false`))
	s.runs("R A")
	s.probe("A").End = true
	s.Step(1)
	s.probe("A").Wants, s.probe("B").Wants = false, true
	s.Step(1) // A pauses from here
	s.runs("R B")
	s.probe("B").End = true
	s.Step(1)
	s.probe("A").Wants = true
	s.Step(1) // B pauses from here, three ticks later and three ticks less
	s.runs("R A")
	s.NoRefusals()
}

// Rules: data/2.1.3e.
func TestRandomCooldownFactorStaysInItsRange(t *testing.T) {
	s := begin(t, cooldown(`{"behavior": "A", "cooldown_s": 6, "cooldown_random_factor": 0.5}, {"behavior": "Z", "cooldown_s": 0}`, ""), probes("A", "Z"))
	lengths := map[string]bool{}
	for range 12 {
		s.Until(20*time.Second, "A runs", func() bool { return s.Active("A") })
		s.probe("A").End = true
		s.Step(2)
		from := s.Now()
		s.Until(20*time.Second, "A runs again", func() bool { return s.Active("A") })
		d := s.Now().Sub(from)
		if d < 3*time.Second || d > 9*time.Second+60*time.Millisecond {
			t.Errorf("paused %v", d)
		}
		lengths[fmt.Sprint(d)] = true
	}
	if len(lengths) < 3 {
		t.Errorf("the pauses are all alike: %v", lengths)
	}
}

// Rules: L-22, P-5, data/2.1.3h.
func TestCooldownWithLinkScopeWantsOnlyIfFreeEntryWants(t *testing.T) {
	s := begin(t, strict+`true, "behaviors": ["D", "Z"]}`,
		"-- D.json --\n"+`{"behaviorClass": "DispatcherStrictPriorityWithCooldown", "behaviorID": "D", "interruptActiveBehavior": true, "linkScope": true,
			"behaviors": [{"behavior": "A", "cooldown_s": 0.6}, {"behavior": "B", "cooldown_s": 0}]}`,
		probes("A", `B:, "wants": false`, "Z"))
	s.runs("D A")
	s.probe("A").End = true
	s.Step(2) // D notices the end, has no behavior to choose, and ends
	s.runs("Z")
	from := s.Now()
	s.Until(2*time.Second, "A is off cooldown", func() bool { return s.Active("A") })
	if d := s.Now().Sub(from); d < 400*time.Millisecond {
		t.Errorf("back after %v", d)
	}
	s.NoRefusals()
}

// Ending all pauses does not keep the linked timer from being stamped.
// Rules: P-5, data/2.1.3f, data/2.1.3g.
func TestResetCooldownStillStampsTheLinkedTimer(t *testing.T) {
	s := inner(t, `{"behavior": "A", "cooldown_s": 60, "linkedBehaviorTimer": "T"}`, `, "resetCooldownOnDeactivation": true`)
	s.runs("D A")
	s.probe("Up").Wants = true
	s.runs("Up")
	if at := s.Engine.View().Timers["T"]; !at.Equal(s.Now()) {
		t.Errorf("timer at %v, now %v", at, s.Now())
	}
	s.probe("Up").Wants, s.probe("Up").End = false, true
	s.Step(1)
	s.runs("D A")
}
