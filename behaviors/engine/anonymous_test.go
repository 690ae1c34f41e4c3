package engine_test

import (
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors"
)

// anonymousTree has three anonymous behaviors, one of them inside another.
const anonymousTree = `R+ > A P | "anonymousBehaviors": [` +
	`{"behaviorClass": "Script", "behaviorName": "P", "stays": true, "next": ["Z", "Q"],` +
	` "anonymousBehaviors": [{"behaviorClass": "Script", "behaviorName": "Q"}]},` +
	` {"behaviorClass": "Script", "behaviorName": "O"}]
A
Z`

// The anonymous behaviors of an owner are initialized before it, theirs before them, and everything else by ID.
// Rules: B-6, data/1.2f, data/1.8g.
func TestAnonymousBehaviorsAreInitializedFirst(t *testing.T) {
	r := newRig(t, anonymousTree, nil)
	if got, want := strings.Join(r.log, ", "), "I A, I R@O, I R@P@Q, I R@P, I R, I Z"; got != want {
		t.Errorf("inits %s, want %s", got, want)
	}
}

// An anonymous behavior lives like any other, under its ID, which refusals and the stack name.
// Rules: data/1.8h, data/1.9a.
func TestAnonymousBehaviorsRunUnderTheirID(t *testing.T) {
	r := newRig(t, anonymousTree, func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 2:
				r.pass(c, "R@P", nil)
			case 3:
				if c.DelegateTo("R@O", nil) {
					t.Error("R@O is no delegate of R")
				}
			}
		}
	})
	r.of("R@P").start = func(c *behaviors.Control) { r.pass(c, "R@P@Q", nil) }
	r.of("R@P@Q").start = func(c *behaviors.Control) { c.Act(hold("act"), nil) }
	r.want("E R, E A, E R@P, A R, U R, u A, u R@P")
	r.want("U R, E R@P@Q, E Z, A R@P, A R@P@Q, U R@P, U R@P@Q, u A, u Z")
	r.wantChain("R R@P R@P@Q")
	r.step()
	r.wantEvent("stack: R cannot delegate to R@O: not_in_control")
}
