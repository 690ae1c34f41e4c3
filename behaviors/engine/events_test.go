package engine_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// everyPayload has each type of payload once, with something in each field.
var everyPayload = []behaviors.Payload{
	behaviors.RobotStopped{Cause: behaviors.StoppedAtCliff},
	behaviors.EdgeFelt{On: true, Sensors: [4]bool{true, true}},
	behaviors.TriggerWordHeard{},
	behaviors.IntentPosted{Tag: "hello"},
	behaviors.Touched{On: true},
	behaviors.Poked{},
	behaviors.CubeTapped{},
	behaviors.CubeLost{},
	behaviors.DeviceChanged{Device: hardware.Range, Quality: hardware.Failed},
}

// Each event but pokes and taps, which come from outside, is raised by the engine itself when what it says happens.
// Rules: TCH-1, CLF-6, T-19, T-20.
func TestEveryEventIsRaisedWithItsPayload(t *testing.T) {
	for _, p := range everyPayload {
		name := behaviors.Event{Payload: p}.Name()
		t.Run(name, func(t *testing.T) {
			var got []behaviors.Payload
			r := newRig(t, "R+", func(r *rig) {
				r.of("R").hears = []string{name}
				r.of("R").modify = needs(behaviors.CubeOptionalActive, false)
				r.of("R").always = func(_ *behaviors.Control, e behaviors.Event) { got = append(got, e.Payload) }
			})
			b := r.embody()
			b.Cube = true
			r.steps(3)
			got = nil
			switch name {
			case behaviors.EventRobotStopped:
				sense := r.edit
				r.edit = func(s *hardware.Snapshot) {
					sense(s)
					s.Motors.Value.CliffLatched = true
				}
			case behaviors.EventEdge:
				b.XMM, b.EdgeXMM = 80, 100
			case behaviors.EventTriggerWord:
				r.command(engine.Command{Kind: engine.WakeWord})
			case behaviors.EventIntent:
				r.intent("hello")
			case behaviors.EventTouched:
				b.Touched = true
			case behaviors.EventCubeLost:
				b.Cube = false
			case behaviors.EventDevice:
				b.Broken = map[string]hardware.Quality{hardware.Range: hardware.Failed}
			default:
				r.emit(name, "")
			}
			r.steps(3)
			if name == behaviors.EventEdge { // it must last
				r.steps(7)
			}
			if !slices.Equal(got, []behaviors.Payload{p}) {
				t.Errorf("raised %+v, want %+v once", got, p)
			}
		})
	}
	names := behaviors.EventNames()
	if !slices.IsSorted(names) || len(slices.Compact(names)) != len(everyPayload) {
		t.Errorf("the names of the events are %q", names)
	}
}

// What a class sets up in Init is handled by type, first, in order, in scope and activated; other events do not reach it. It is the same
// in the life of a fresh incarnation, each event once.
// Rules: T-12, L-1.
func TestHandlersSetUpInInitGetTheirTypeInEveryIncarnation(t *testing.T) {
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		r.of("R").hears = []string{behaviors.EventTriggerWord}
		r.of("R").update = func(c *behaviors.Control) {
			if c.Tick() == 2 {
				r.pass(c, "A", nil)
			}
		}
		a := r.of("A")
		a.hears = []string{behaviors.EventPoked, behaviors.EventIntent}
		a.always = func(*behaviors.Control, behaviors.Event) {}
		a.whileOn = func(*behaviors.Control, behaviors.Event) {}
		a.init = func(c *behaviors.Control) {
			behaviors.On(c, func(_ *behaviors.Control, e behaviors.IntentPosted) { r.note("first " + e.Tag) })
			behaviors.On(c, func(c *behaviors.Control, e behaviors.IntentPosted) { r.note("second " + c.ID()) })
			behaviors.On(c, func(_ *behaviors.Control, e behaviors.Touched) {
				if r.note("touched"); !e.On {
					panic("a ghost")
				}
			})
		}
	})
	all := func() {
		r.emit(behaviors.EventIntent, "1")
		r.emit(behaviors.EventPoked, "")
		r.emit(behaviors.EventTriggerWord, "")
	}
	r.step()
	all()
	r.step()
	const heard = "first 1, second A, always A user_intent 1, on A user_intent 1, always A poked, on A poked, U A"
	r.wantNotes("U R, A A, " + heard)
	r.emit(behaviors.EventTouched, "on")
	r.want("U R, touched, always A touched on, on A touched on, U A")
	r.emit(behaviors.EventTouched, "off")
	r.want("U R, touched, I A, E A")
	all()
	r.want("U R, first 1, second A, always A user_intent 1, always A poked, u A")
	r.emit(behaviors.EventTouched, "on")
	r.want("U R, touched, always A touched on, u A")
}

// A subscription ends with the incarnation that made it.
func TestFreshIncarnationHasOnlyItsOwnSubscriptions(t *testing.T) {
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").always = func(*behaviors.Control, behaviors.Event) {}
		r.of("R").init = func(c *behaviors.Control) {
			if c.Tick() == 0 {
				behaviors.On(c, func(*behaviors.Control, behaviors.Poked) { panic("ouch") })
			} else {
				behaviors.On(c, func(*behaviors.Control, behaviors.CubeLost) { r.note("cube") })
			}
		}
	})
	r.step()
	r.emit(behaviors.EventPoked, "")
	r.step()
	r.steps(2)
	r.emit(behaviors.EventPoked, "")
	r.emit(behaviors.EventCubeLost, "")
	r.want("cube, always R cube_lost, U R")
}

// Outside Init a subscription is refused, and nothing is handled.
func TestSubscriptionOutsideInitIsRefused(t *testing.T) {
	var refused error
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").start = func(c *behaviors.Control) {
			behaviors.On(c, func(*behaviors.Control, behaviors.Poked) { r.note("poked") })
			refused = refusal(c)
		}
	})
	r.step()
	r.wantReason(refused, stack.NotTheTime)
	if len(r.out.Misuses) != 1 || r.out.Misuses[0].Error() != "behaviors: R: event subscription poked: not_the_time" {
		t.Errorf("misuses %v", r.out.Misuses)
	}
	r.emit(behaviors.EventPoked, "")
	r.want("U R")
}

// The sensor is no hand: while it fails, nothing is known, and an event comes when it works again and the hand is gone.
// Rules: TCH-1.
func TestTouchEventsFollowTheHandAndNotTheSensor(t *testing.T) {
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").hears = []string{behaviors.EventTouched}
		r.of("R").always = func(*behaviors.Control, behaviors.Event) {}
	})
	b := r.embody()
	r.step()
	b.Touched = true
	r.want("always R touched on, U R")
	b.Broken = map[string]hardware.Quality{hardware.Touch: hardware.Failed}
	r.want("U R")
	b.Broken = nil
	r.want("U R")
	b.Broken = map[string]hardware.Quality{hardware.Touch: hardware.Failed}
	b.Touched = false
	r.want("U R")
	b.Broken = nil
	r.want("always R touched off, U R")
	r.want("U R")
}

// Each payload goes through the bytes of a tape.
// Rules: goal/M8.
func TestTapeHoldsEveryPayload(t *testing.T) {
	step := &tape.Entry{Kind: engine.CallStep}
	for _, p := range everyPayload {
		step.Input.Events = append(step.Input.Events, behaviors.Event{Source: "test", Payload: p, At: epoch})
	}
	messages, err := (&tape.Tape{Entries: []*tape.Entry{{Kind: engine.CallStart, Now: epoch}, step}}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := tape.Decode(messages)
	if err != nil || !reflect.DeepEqual(back.Entries[1], step) {
		t.Errorf("%v, %+v", err, back.Entries)
	}
}
