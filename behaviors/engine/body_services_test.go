package engine_test

import (
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// orders are the commands of the tick for the face and the lights.
func (r *rig) orders() []hardware.Command {
	return slices.DeleteFunc(slices.Clone(r.out.Commands), func(c hardware.Command) bool {
		return c.Target() != hardware.Display && c.Target() != hardware.Lights
	})
}

func (r *rig) wantOrders(want ...hardware.Command) {
	r.t.Helper()
	if got := r.orders(); !slices.Equal(got, want) {
		r.t.Errorf("tick %d: ordered %+v, want %+v", r.tick, got, want)
	}
}

// Power save is on while a behavior requests it; left at once; not entered again within 10 s of the last change.
// Rules: B-12.
func TestPowerSaveRestsTenSecondsBetweenChanges(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("A").start = func(c *behaviors.Control) { c.Power().Save() }
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				c.Power().Save()
				r.pass(c, "A", nil)
			case 2:
				c.Power().Spend()
			case 3:
				c.CancelDelegates()
				if c.View().Services.PowerSave {
					t.Error("left a tick late")
				}
			case 4:
				c.Power().Save()
				if c.View().Services.PowerSave {
					t.Error("entered too early")
				}
			}
		}
	})
	on := func() bool { return r.eng.View().Services.PowerSave }
	r.step()
	r.wantOrders(hardware.DimFace{On: true})
	r.step()
	if r.wantOrders(); !on() {
		t.Error("the other request counts too")
	}
	r.step()
	r.wantOrders(hardware.DimFace{On: false})
	left, ticks := r.eng.View().Now, 0
	for !on() && ticks < 1000 {
		r.step()
		ticks++
	}
	if d := r.eng.View().Now.Sub(left); d < 10*time.Second || d > 10*time.Second+period {
		t.Errorf("entered again after %v", d)
	}
	r.wantOrders(hardware.DimFace{On: true})
}

// The eyes are still from the first lock to the end of the last one.
// Rules: B-12.
func TestKeepFaceAliveIsCounted(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("A").start = func(c *behaviors.Control) { c.Face().KeepStill() }
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				c.Face().KeepStill()
				r.pass(c, "A", nil)
			case 2:
				c.Face().KeepAlive()
			case 3:
				c.CancelDelegates()
			}
		}
	})
	for i, want := range []bool{true, true, false} {
		r.step()
		if got := r.eng.View().Services.FaceLocked; got != want {
			t.Errorf("tick %d: still %v, want %v", i+1, got, want)
		}
	}
}

// A pattern blinks in robot time; the newest one on an object shows, an older one comes back, and with the last one the animation
// stops. A cube's pattern is for the holder of the connection.
// Rules: B-12, Q-9.
func TestNewestLightPatternShows(t *testing.T) {
	red, blue := [5]hardware.RGB{{R: 255}}, [5]hardware.RGB{{B: 255}}
	blink := behaviors.LightPattern{On: red, Off: blue, OnFor: 2 * period, OffFor: period}
	unknown := stack.Refusal{By: "R", Op: stack.OpLights, Reason: stack.UnknownObject, To: "lamp"}
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("A").start = func(c *behaviors.Control) { c.Lights().Show("backpack", green) }
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				c.Lights().Show("lamp", blink)
				wantMisuse(t, "no such object", refusal(c), unknown)
				c.Lights().Show("backpack", blink)
				c.Lights().Show("cube", green)
			case 5:
				r.pass(c, "A", nil)
			case 6:
				c.CancelDelegates()
			case 7:
				c.Lights().Remove("backpack")
			}
		}
	})
	for i, want := range [][5]hardware.RGB{red, {}, blue, red, green.On, red, {}} {
		r.step()
		switch {
		case i == 1: // the phase goes on
			r.wantOrders()
		default:
			r.wantOrders(hardware.SetLights{Colors: want})
		}
	}
	if all := r.eng.CustomLights(); len(all) != 1 || all[0].Object != "cube" || all[0].By != "R" {
		t.Errorf("%+v", all)
	}
	r.step()
	r.wantOrders()
}

// The newest holder's profile is that of every action that starts meanwhile; what runs keeps its own; an older one comes back.
// Rules: B-12.
func TestNewestMotionProfileApplies(t *testing.T) {
	fast := actions.Profile{DriveMMPS: 150}
	var seen []actions.Profile
	act := hold("act")
	act.OnCheck = func(env *actions.Env) { seen = append(seen, env.Profile) }
	again := hold("again")
	again.OnCheck = func(env *actions.Env) { seen = append(seen, env.Profile) }
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("R").start = func(c *behaviors.Control) { c.Motion().SetProfile(slow) }
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 1:
				r.pass(c, "A", nil)
			case 3:
				c.CancelDelegates()
				c.Act(again, nil)
			}
		}
		r.of("A").start = func(c *behaviors.Control) {
			c.Motion().SetProfile(fast)
			c.Act(act, nil)
		}
		r.of("A").update = once(2, func(c *behaviors.Control) { c.Motion().ClearProfile() })
	})
	r.steps(3)
	if want := []actions.Profile{fast, fast, slow}; !slices.Equal(seen, want) {
		t.Errorf("started with %v, want %v", seen, want)
	}
}

// A light pattern whose phases add up to nothing is shown like any other: it does not stop the engine.
func TestLightPatternWithoutLengthIsShown(t *testing.T) {
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) {
			c.Lights().Show(hardware.LightsBackpack, behaviors.LightPattern{OnFor: -time.Second, OffFor: time.Second})
		})
	})
	r.steps(3)
	if n := r.of("R").made; n != 1 {
		t.Errorf("%d incarnations", n)
	}
}
