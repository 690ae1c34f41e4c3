package dispatch_test

import "testing"

func rerun(t *testing.T, runs string, a string) scenario {
	return begin(t, strict+`true, "behaviors": ["R", "Z"]}`,
		"-- R.json --\n"+`{"behaviorClass": "DispatcherRerun", "behaviorID": "R", "delegateID": "A", "numRuns": `+runs+`,
			"wantsToBeActivatedCondition": {"conditionType": "BehaviorTimer", "timerName": "T", "cooldown_s": 60}, "resetTimers": ["T"]}`,
		probes(a, "Z"))
}

// Rules: P-6, data/2.1.6.
func TestRerunCountsItsRuns(t *testing.T) {
	s := rerun(t, "2", "A")
	for range 2 {
		s.runs("R A")
		s.probe("A").End = true
		s.Step(1)
	}
	s.runs("") // it notices the end, and ends in the same Update
	s.runs("Z")
	if n := s.probe("A").Activated; n != 2 {
		t.Errorf("ran %d times", n)
	}
	s.NoRefusals()
}

// Rules: data/2.1.6.
func TestRerunWithoutLimitGoesOn(t *testing.T) {
	s := rerun(t, "-1", "A")
	for range 100 {
		s.Step(4) // slower than what the cycle monitor takes for a fault
		s.probe("A").End = true
		s.Step(2)
	}
	if n := s.probe("A").Activated; n < 100 || s.Started("R") != 1 {
		t.Errorf("ran %d times in %d activations", n, s.Started("R"))
	}
}

// Rules: P-6, data/2.1.6.
func TestRerunWaitsForAnUnwillingDelegate(t *testing.T) {
	s := rerun(t, "1", `A:, "wants": false`)
	s.runs("R")
	s.Step(20)
	s.runs("R")
	s.probe("A").Wants = true
	s.runs("R A")
}

// Rules: data/2.1.6.
func TestRerunOfZeroRunsEndsAtOnce(t *testing.T) {
	s := rerun(t, "0", "A")
	s.Step(1)
	s.runs("Z")
	if s.probe("A").Activated != 0 {
		t.Error("ran")
	}
}

// Rules: P-6, data/2.1.6.
func TestRerunCountsAnewInEachActivation(t *testing.T) {
	s := begin(t, strict+`true, "behaviors": ["Up", "R"]}`,
		"-- R.json --\n"+`{"behaviorClass": "DispatcherRerun", "behaviorID": "R", "delegateID": "A", "numRuns": 2}`, probes(`Up:, "wants": false`, "A"))
	s.runs("R A")
	s.probe("A").End = true
	s.Step(1)
	s.runs("R A") // the last run, which does not come to its end
	s.probe("Up").Wants = true
	s.runs("Up")
	s.probe("Up").Wants, s.probe("Up").End = false, true
	s.Step(1)
	for range 2 {
		s.runs("R A")
		s.probe("A").End = true
		s.Step(1)
	}
	if n := s.Started("R"); n != 2 {
		t.Errorf("ended after %d runs of A, in activation %d", s.probe("A").Activated, n)
	}
}
