package engine_test

import (
	"testing"

	"github.com/robotd/robotd/behaviors"
)

// A behavior without an Update of its own is skipped while it has nothing to do; a condition for its end, a wish that it shall stop
// and its want of a delegate (T-14) are something to do.
// Rules: T-13, Q-13.
func TestBehaviorsWithoutUpdateEnd(t *testing.T) {
	for name, c := range map[string]struct {
		q       string
		endIt   func(r *rig)
		staysOn bool
	}{
		"nothing":      {"Q~+", func(*rig) {}, true},
		"a condition":  {`Q~+ | "wantsToCancelSelfCondition": {"conditionType": "TriggerWordPending"}`, (*rig).wake, false},
		"told to stop": {"Q~+", func(r *rig) { r.emit(behaviors.EventCubeLost, "") }, false},
		"no delegate":  {"Q~", func(*rig) {}, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, "R+ > Q\n"+c.q, func(r *rig) {
				r.of("R").hears = []string{behaviors.EventCubeLost}
				r.of("R").always = func(c *behaviors.Control, _ behaviors.Event) {
					if !c.StopAfterCurrentDelegate("Q") {
						t.Error("Q cannot be told to stop")
					}
				}
				r.of("R").update = once(2, func(c *behaviors.Control) {
					if c.StopAfterCurrentDelegate("Q") {
						t.Error("Q was told to stop before it began")
					}
					r.pass(c, "Q", nil)
				})
			})
			r.steps(2)
			if name != "no delegate" {
				r.wantChain("R Q")
			}
			c.endIt(r)
			if r.step(); c.staysOn {
				r.wantChain("R Q")
			} else {
				r.wantChain("R")
			}
		})
	}
}
