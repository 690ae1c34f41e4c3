package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// watchers lists the subscribers of vision as "A:Faces/Low A/wants0:Markers/Low".
func (r *rig) watchers() string {
	var all []string
	for _, w := range r.eng.Watchers() {
		name := w.ID
		if w.Condition != "" {
			name += "/" + w.Condition
		}
		var modes []string
		for m, f := range w.Look {
			if f != hardware.Never {
				modes = append(modes, fmt.Sprintf("%s/%s", hardware.VisionMode(m), f))
			}
		}
		all = append(all, name+":"+strings.Join(modes, "+"))
	}
	return strings.Join(all, " ")
}

func (r *rig) wantWatchers(want string) {
	r.t.Helper()
	if got := r.watchers(); got != want {
		r.t.Errorf("tick %d: subscribed %q, want %q", r.tick, got, want)
	}
}

var (
	facesLow    = hardware.LookFor(hardware.SeeFaces, hardware.Low)
	markersHigh = hardware.LookFor(hardware.SeeMarkers, hardware.High)
)

// looking gives a behavior vision modes.
func looking(scope, active hardware.Look) func(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	return func(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
		m.LookInScope, m.LookActive = scope, active
	}
}

// In scope the set for scope; activated the active set replaces it, unless it is empty; back at deactivation; nothing out of scope.
// T-2: the schedule follows in the next tick.
// Rules: T-2, B-12, B-22, 7/25.
func TestVisionModesFollowScope(t *testing.T) {
	for _, c := range []struct {
		name                 string
		scope, active        hardware.Look
		in, activated, after string
	}{
		{"both", facesLow, markersHigh, "A:Faces/Low", "A:Markers/High", "A:Faces/Low"},
		{"scope only", facesLow, hardware.Look{}, "A:Faces/Low", "A:Faces/Low", "A:Faces/Low"},
		{"active only", hardware.Look{}, markersHigh, "", "A:Markers/High", ""},
		{"none", hardware.Look{}, hardware.Look{}, "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, "R+ > P\nP+ > A\nA+", func(r *rig) {
				r.of("A").modify = looking(c.scope, c.active)
				r.of("R").update = func(ctl *behaviors.Control) {
					switch ctl.Tick() {
					case 2:
						r.pass(ctl, "P", nil)
					case 5:
						ctl.CancelDelegates()
					}
				}
				r.of("P").update = func(ctl *behaviors.Control) {
					switch ctl.Tick() {
					case 3:
						r.pass(ctl, "A", nil)
					case 4:
						ctl.CancelDelegates()
					}
				}
			})
			before := hardware.Look{}
			for _, want := range []string{"", c.in, c.activated, c.after, ""} {
				r.step()
				r.wantWatchers(want)
				if got := r.eng.View().Services.Look; got != before {
					t.Errorf("tick %d: the schedule is %v, want that of the tick before, %v", r.tick, got, before)
				}
				if r.out.Look != r.eng.Look() {
					t.Errorf("tick %d: the output says %v", r.tick, r.out.Look)
				}
				before = r.out.Look
			}
		})
	}
}

// There is one set for each subscriber, and setting replaces it; the highest frequency of each mode is in force.
// Rules: B-22.
func TestHighestFrequencyOfAllVisionSubscribersIsRequested(t *testing.T) {
	r := newRig(t, "R+ > A B\nA+\nB+", func(r *rig) {
		r.of("A").modify = looking(facesLow, hardware.Look{})
		r.of("B").modify = looking(facesLow.With(hardware.SeeFaces, hardware.High), hardware.Look{})
		r.of("B").update = once(2, func(c *behaviors.Control) {
			c.Vision().Look(markersHigh)
			if err := refusal(c); err != nil {
				t.Error(err)
			}
		})
	})
	r.step()
	if want := hardware.LookFor(hardware.SeeFaces, hardware.High); r.out.Look != want {
		t.Errorf("wanted %v, want %v", r.out.Look, want)
	}
	r.step()
	r.wantWatchers("A:Faces/Low B:Markers/High")
	if want := facesLow.Or(markersHigh); r.out.Look != want {
		t.Errorf("wanted %v, want %v", r.out.Look, want)
	}
}

// Each condition subscribes on its own while it is active: that of wanting in scope and not activated, that of cancelling while
// activated. A combination needs what its operands need; setting it active twice changes nothing.
// Rules: T-17, T-18, B-23, data/3.1i.
func TestActiveConditionsSubscribeVision(t *testing.T) {
	r := newRig(t, `R+ > P
P+ > A
A+ | "wantsToBeActivatedCondition": {"conditionType": "Compound", "not": {"conditionType": "FaceKnown"}}, "wantsToCancelSelfCondition": {"conditionType": "ObjectKnown", "objectTypes": ["charger"]}`,
		func(r *rig) {
			r.of("A").modify = looking(hardware.LookFor(hardware.SeeMotion, hardware.Low), hardware.Look{})
			r.of("R").update = func(c *behaviors.Control) {
				switch c.Tick() {
				case 1:
					r.pass(c, "P", nil)
				case 4:
					c.CancelDelegates()
				}
			}
			r.of("P").update = func(c *behaviors.Control) {
				switch c.Tick() {
				case 2:
					r.pass(c, "A", nil)
				case 3:
					c.CancelDelegates()
				}
			}
		})
	for _, want := range []string{
		"A:Motion/Low A/wants0:Faces/Low", "A:Motion/Low A/cancels0:Markers/Low", "A:Motion/Low A/wants0:Faces/Low", "",
	} {
		r.step()
		r.wantWatchers(want)
	}
}

// A condition of the author is a subscriber too, and its forgotten subscription is released when it leaves scope.
// Rules: T-17, B-23.
func TestOwnConditionsSubscribeVision(t *testing.T) {
	var seen condition.Condition
	r := newRig(t, "R+ > P\nP+ > A\nA+", func(r *rig) {
		seen = condition.And(condition.True(), lookout{condition.NewUnitTest(true)})
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				r.pass(c, "P", nil)
			case 4:
				c.CancelDelegates()
			}
		}
		r.of("A").update = func(c *behaviors.Control) {
			c.Vision().SetConditionActive("seen", seen, c.Tick() != 2)
			if err := refusal(c); err != nil {
				t.Error(err)
			}
		}
	})
	for _, want := range []string{"A/own/seen:Markers/High", "", "A/own/seen:Markers/High", ""} {
		r.step()
		r.wantWatchers(want)
	}
	if !seen.Met(r.eng.View()) {
		t.Error("the condition itself is not active")
	}
}

// lookout is a condition of another package that needs eyes.
type lookout struct{ *condition.UnitTest }

func (lookout) Looks() hardware.Look { return markersHigh }

// What a lost incarnation and its conditions were subscribed to goes with it, and its successor, being in scope, subscribes anew; a
// disabled behavior wants to see nothing.
// Rules: B-12.
func TestLostIncarnationUnsubscribesVision(t *testing.T) {
	r := newRig(t, `R+ > A
A+ | "wantsToBeActivatedCondition": {"conditionType": "FaceKnown"}`, func(r *rig) {
		r.of("A").modify = looking(facesLow, hardware.Look{})
		r.of("A").update = func(c *behaviors.Control) {
			c.Vision().Look(markersHigh)
			panic("boom")
		}
	})
	r.step()
	r.wantWatchers("A:Faces/Low A/wants0:Faces/Low")
	r.steps(3)
	r.wantEvent("A.disabled")
	r.wantWatchers("")
}

// A subscription from out of scope is refused, because nothing would ever release it.
func TestOutOfScopeVisionSubscriptionIsRefused(t *testing.T) {
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").init = func(c *behaviors.Control) {
			c.Vision().Look(facesLow)
			wantMisuse(t, "in Init", refusal(c), stack.Refusal{By: "R", Op: stack.OpVision, Reason: stack.NotInScope})
		}
	})
	r.wantWatchers("")
}

// peering is an action that looks for faces.
type peering struct{ *actiontest.Stub }

func (peering) Looks() hardware.Look { return facesLow }

// What an action wants to see adds to what behaviors want, from its Init until its end.
// Rules: RUN-6, T-2.
func TestVisionModesOfActionsAddToThoseOfBehaviors(t *testing.T) {
	stub := actiontest.NewStub("Peer", 0)
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").modify = looking(hardware.Look{}, markersHigh)
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 2:
				c.Act(peering{stub}, nil)
			case 4:
				stub.Result = actions.Success
			}
		}
	})
	for tick, want := range []hardware.Look{markersHigh, markersHigh.Or(facesLow), markersHigh.Or(facesLow), markersHigh} {
		r.step()
		if r.eng.Look() != want || r.out.Look != want {
			t.Errorf("tick %d: the engine wants %v, the output %v, want %v", tick+1, r.eng.Look(), r.out.Look, want)
		}
		if w := r.eng.Watchers(); (len(w) == 2) != (want != markersHigh) || len(w) == 2 && (w[1].ID != "R" || !strings.HasPrefix(w[1].Condition, "Peer#")) {
			t.Errorf("tick %d: watchers %+v", tick+1, w)
		}
	}
}
