package engine_test

import (
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/hardware"
)

// B-8 gate 5: a behavior that does not say that it may is not activated while the robot carries something.
// Rules: B-8.
func TestActivationWhileCarryingNeedsModifier(t *testing.T) {
	r := newRig(t, "R+ > A B\nA+\nB+ | \"behaviorModifiers\": {\"wantsToBeActivatedWhenCarryingObject\": true}", func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			carrying := c.World().Body.Carrying
			if a, b := c.Wants("A"), c.Wants("B"); a == carrying || !b {
				t.Errorf("carrying %t: A wants %t, B wants %t", carrying, a, b)
			}
		}
	})
	r.step()
	r.edit = func(s *hardware.Snapshot) { s.Vision.Value.Carrying = true }
	r.step()
	if why := r.eng.Cell("A").Why(); why != "carrying an object" {
		t.Errorf("why not: %q", why)
	}
}
