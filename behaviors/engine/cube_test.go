package engine_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// A den is a rig on an ideal body with a cube that a test connects and lets the robot carry.
type den struct {
	*rig
	connected, carrying bool
}

func newDen(t *testing.T, tree string, set func(d *den)) *den {
	d := &den{}
	d.rig = newRig(t, tree, func(r *rig) {
		d.rig = r
		set(d)
	})
	b := d.embody()
	senses := d.edit
	d.edit = func(s *hardware.Snapshot) {
		b.Cube, b.Carrying = d.connected, d.carrying
		senses(s)
	}
	return d
}

// needs gives a behavior a requirement.
func needs(need behaviors.CubeRequirement, background bool) func(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	return func(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
		m.Cube, m.CubeInBackground = need, background
	}
}

// B-8 (5), (6): the gate of carrying, then that of the cube, after the charger and before the conditions.
// Rules: B-8, data/1.6d, data/1.9d.
func TestCarryingAndCubeGatesRunInOrder(t *testing.T) {
	for _, c := range []struct {
		name                         string
		need                         behaviors.CubeRequirement
		may                          bool // be activated while carrying
		carrying, connected, charger bool
		want                         string
	}{
		{name: "nothing", want: "TriggerWordPending=false"},
		{name: "carrying", carrying: true, want: "carrying an object"},
		{name: "carrying and allowed", carrying: true, may: true, want: "TriggerWordPending=false"},
		{name: "the charger comes first", carrying: true, charger: true, want: "on the charger"},
		{name: "carrying comes first", carrying: true, need: behaviors.CubeRequiredLazy, want: "carrying an object"},
		{name: "optional lazy", need: behaviors.CubeOptionalLazy, want: "TriggerWordPending=false"},
		{name: "optional active", need: behaviors.CubeOptionalActive, want: "TriggerWordPending=false"},
		{name: "required lazy", need: behaviors.CubeRequiredLazy, want: "no cube is connected"},
		{name: "required managed", need: behaviors.CubeRequiredManaged, want: "no cube is connected"},
		{name: "required lazy, connected", need: behaviors.CubeRequiredLazy, connected: true, want: "TriggerWordPending=false"},
		{name: "required managed, connected", need: behaviors.CubeRequiredManaged, connected: true, want: "no active ancestor keeps the cube connected"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDen(t, "R+ > A\nA+ | \"wantsToBeActivatedCondition\": {\"conditionType\": \"TriggerWordPending\"}", func(d *den) {
				d.of("A").modify = func(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
					m.Cube, m.WhenCarryingObject, m.WhenOnCharger = c.need, c.may, false
				}
			})
			d.carrying, d.connected = c.carrying, c.connected
			d.embodied(c.charger)
			d.steps(3)
			d.of("R").update = func(ctl *behaviors.Control) { ctl.Wants("A") }
			d.step()
			if why := d.eng.Cell("A").Why(); !strings.HasPrefix(why, c.want) {
				t.Errorf("%q, want %q", why, c.want)
			}
			unmanaged := slices.Contains(d.out.Misuses, stack.Refusal{By: "A", Op: stack.OpCube, Reason: stack.NoEnsurer})
			if unmanaged != (c.need == behaviors.CubeRequiredManaged && c.connected) {
				t.Errorf("counted %v", d.out.Misuses)
			}
		})
	}
}

// embodied closes the charger's contacts.
func (d *den) embodied(charger bool) {
	senses := d.edit
	d.edit = func(s *hardware.Snapshot) {
		senses(s)
		s.Charger.Value.OnContacts = charger
	}
}

// RequiredManaged needs the flag on the asker, or on one below it. A behavior above the asker is no ancestor: it will be gone when
// control is given.
// Rules: B-8, data/1.6d.
func TestRequiredManagedNeedsActiveAncestor(t *testing.T) {
	for _, c := range []struct {
		flag, asks string
		want       bool
	}{
		{"R", "R", true}, {"R", "P", true}, {"P", "P", true}, {"P", "R", false}, {"A", "P", false}, {"L", "P", false}, {"", "P", false},
	} {
		t.Run(c.flag+" flagged, "+c.asks+" asks", func(t *testing.T) {
			var got bool
			d := newDen(t, "R+ > P A\nP+ > A L\nL+\nA+", func(d *den) {
				for _, id := range []string{"R", "P", "L", "A"} {
					d.of(id).modify = func(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
						m.EnsuresCube = id == c.flag
						if id == "A" {
							m.Cube = behaviors.CubeRequiredManaged
						}
					}
				}
				ask := func(id string) func(*behaviors.Control) {
					return func(ctl *behaviors.Control) {
						if id == "R" && ctl.Tick() == 1 {
							d.pass(ctl, "P", nil)
						}
						if id == c.asks && ctl.Tick() == 3 {
							got = ctl.Wants("A")
						}
					}
				}
				d.of("R").update, d.of("P").update = ask("R"), ask("P")
			})
			d.connected = true
			d.steps(3)
			if got != c.want {
				t.Errorf("wants %v: %s", got, d.eng.Cell("A").Why())
			}
		})
	}
}

// An activation subscribes to the connection, and the deactivation undoes exactly that, whatever the connection did
// meanwhile.
// Rules: B-24, Q-9.
func TestDeactivationUndoesCubeSubscription(t *testing.T) {
	for _, c := range []struct {
		need      behaviors.CubeRequirement
		connected bool
		want      bool
	}{
		{behaviors.CubeNone, true, false},
		{behaviors.CubeOptionalLazy, false, false},
		{behaviors.CubeOptionalLazy, true, true},
		{behaviors.CubeOptionalActive, false, true},
		{behaviors.CubeOptionalActive, true, true},
		{behaviors.CubeRequiredLazy, true, true},
	} {
		t.Run(c.need.String(), func(t *testing.T) {
			d := newDen(t, "R+ > A B\nA+ > B\nB+", func(d *den) {
				d.of("A").modify = needs(c.need, false)
				d.of("B").modify = needs(behaviors.CubeOptionalActive, true)
				d.of("R").update = func(ctl *behaviors.Control) {
					switch ctl.Tick() {
					case 1:
						d.pass(ctl, "A", nil)
					case 4:
						ctl.CancelDelegates()
					}
				}
				d.of("A").update = once(1, func(ctl *behaviors.Control) { d.pass(ctl, "B", nil) })
			})
			d.connected = c.connected
			want := []string{"B"}
			if c.want {
				want = []string{"A", "B"}
			}
			d.step()
			for range 2 { // also after the cube came
				if got := d.eng.CubeUsers(); !slices.Equal(got, want) {
					t.Errorf("tick %d: %v, want %v", d.tick, got, want)
				}
				d.connected = true
				d.step()
			}
			d.step()
			if got := d.eng.CubeUsers(); len(got) != 0 {
				t.Errorf("left over: %v", got)
			}
		})
	}
}

// Background and interactable, with 15 s each in robot time.
// Rules: B-24.
func TestCubeModeLastsFifteenSecondsWithoutUse(t *testing.T) {
	d := newDen(t, "R+ > A B\nA+\nB+ > A", func(d *den) {
		d.of("A").modify = needs(behaviors.CubeOptionalActive, false)
		d.of("B").modify = needs(behaviors.CubeOptionalActive, true)
	})
	state := func() condition.CubeState { return d.eng.View().Services.Cube }
	var todo func(c *behaviors.Control)
	d.of("R").update = func(c *behaviors.Control) {
		if todo != nil {
			todo(c)
			todo = nil
		}
	}
	run := func(id string) func(*behaviors.Control) {
		return func(c *behaviors.Control) {
			c.CancelDelegates()
			if id != "" {
				d.pass(c, id, nil)
			}
		}
	}
	// lasts counts the ticks until the state is another one.
	lasts := func() time.Duration {
		from, n := state(), 0
		for state() == from && n < 1000 {
			d.step()
			n++
		}
		return time.Duration(n) * period
	}
	want := func(s condition.CubeState) {
		t.Helper()
		if state() != s {
			t.Fatalf("tick %d: %s, want %s", d.tick, state(), s)
		}
	}
	d.steps(2)
	want(condition.CubeIdle)
	todo = run("B")
	d.steps(2)
	want(condition.CubeConnecting)
	d.steps(500)
	want(condition.CubeConnecting) // it is wanted as long as it has a subscriber
	d.connected = true
	d.step()
	want(condition.CubeBackground)
	todo = run("A")
	d.steps(2)
	want(condition.CubeInteractable)
	d.steps(500)
	want(condition.CubeInteractable)
	todo = run("")
	d.step()
	if standby := lasts(); standby < 15*time.Second || standby > 15*time.Second+period {
		t.Errorf("interactable for %v after the end of play", standby)
	}
	want(condition.CubeBackground)
	if idle := lasts(); idle < 15*time.Second-period || idle > 15*time.Second+period {
		t.Errorf("in the background for %v after that", idle)
	}
	want(condition.CubeIdle)
	d.connected = false
	d.step()
	if len(d.out.Misuses) > 0 {
		t.Error(d.out.Misuses)
	}
	todo = run("A")
	d.steps(2)
	todo = run("")
	d.steps(2)
	want(condition.CubeIdle) // given up before the cube answered
}

// A lost connection drops every subscription and tells the subscribers; the deactivation later finds nothing to undo, and the next
// activation subscribes anew.
// Rules: B-24.
func TestLostCubeRaisesEvent(t *testing.T) {
	d := newDen(t, "R+ > A\nA+", func(d *den) {
		d.of("A").modify = needs(behaviors.CubeOptionalActive, false)
		d.of("A").hears = []string{behaviors.EventCubeLost}
		d.of("A").whileOn = func(*behaviors.Control, behaviors.Event) {}
		d.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1, 7:
				d.pass(c, "A", nil)
			case 6:
				c.CancelDelegates()
			}
		}
	})
	d.connected = true
	d.steps(3)
	d.connected = false
	d.want("U R, on A " + behaviors.EventCubeLost + ", U A")
	if got := d.eng.CubeUsers(); len(got) != 0 || d.eng.View().Services.Cube != condition.CubeIdle {
		t.Errorf("%v, %v", got, d.eng.View().Services.Cube)
	}
	d.want("U R, U A") // told once
	d.step()
	if len(d.out.Misuses) > 0 {
		t.Error(d.out.Misuses)
	}
	d.steps(2)
	if got := d.eng.CubeUsers(); !slices.Equal(got, []string{"A"}) {
		t.Errorf("subscribed %v", got)
	}
}
