package engine_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// A panel is a display and back lights that do what they are told, seen a tick later. Everything that driving needs works.
type panel struct {
	display hardware.DisplayState
	lights  hardware.LightsState
	edit    func(*hardware.Snapshot)
	broken  bool // the display
	orders  int  // of the display
}

// onPanel connects a rig to a panel.
func onPanel(r *rig) *panel {
	p := &panel{display: hardware.DisplayState{Face: hardware.FaceNeutral, Frames: 1}} // as a driver begins
	r.edit = func(w *hardware.Snapshot) {
		put := func(device string, value any) {
			w.Put(&hardware.Sample{Device: device, Seq: r.tick, At: w.Now, Quality: hardware.OK, Value: value})
		}
		put(hardware.Display, p.display)
		put(hardware.Lights, p.lights)
		put(hardware.Motors, hardware.MotorState{})
		put(hardware.Cliff, hardware.CliffState{Raw: [4]float64{800, 800, 800, 800}})
		put(hardware.IMU, hardware.IMUState{AccelMMPS2: [3]float64{0, 0, 9810}})
		put(hardware.Battery, hardware.BatteryState{Volts: 3.9, Ratio: 0.5})
		put(hardware.Charger, hardware.ChargerState{})
		if p.broken {
			w.Display.Quality = hardware.Failed
		}
		if p.edit != nil {
			p.edit(w)
		}
	}
	return p
}

// live runs ticks and carries out the orders.
func (p *panel) live(r *rig, ticks int) {
	for range ticks {
		r.step()
		for _, cmd := range r.out.Commands {
			switch c := cmd.(type) {
			case hardware.ShowFace:
				p.orders++
				p.display = hardware.Showing(c, p.display.Frames+1)
			case hardware.SetLights:
				p.lights.Colors = c.Colors
			}
		}
	}
}

func (p *panel) want(t *testing.T, when, face string, layer engine.FaceLayer, r *rig) {
	t.Helper()
	if p.display.Face != face || r.eng.FaceLayer() != layer {
		t.Errorf("%s: the display shows %q as %s, want %q as %s", when, p.display.Face, r.eng.FaceLayer(), face, layer)
	}
}

// clip is an action that shows an expression and a color at its first check and runs until told otherwise.
func clip(face string, color hardware.RGB) *actiontest.Stub {
	s := hold("clip")
	s.OnCheck = func(env *actions.Env) {
		if s.Checks == 1 {
			env.Send(hardware.ShowFace{Face: face})
			env.Send(hardware.SetLights{Colors: [5]hardware.RGB{color}})
		}
	}
	return s
}

// lingers is more than the ticks for which the expression of an ended action stays.
const lingers = 5

// Each layer shows when nothing above it wants to.
// Rules: B-28, B-12.
func TestExpressionIsThatOfTheTopmostLayer(t *testing.T) {
	played := clip("scared", hardware.RGB{B: 9})
	var p *panel
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		p = onPanel(r)
		r.of("R").start = func(c *behaviors.Control) { c.Face().Hold("happy") }
		r.of("A").start = func(c *behaviors.Control) { c.Face().Hold("sad") }
		r.of("A").update = once(10, func(c *behaviors.Control) { c.Act(played, nil) })
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 5:
				r.pass(c, "A", nil)
			case 40:
				c.CancelDelegates()
			case 45:
				c.Face().Release()
			}
		}
	})
	p.live(r, 4)
	p.want(t, "the base holds", "happy", engine.FaceHeld, r)
	p.live(r, 2)
	p.want(t, "its delegate holds, too", "sad", engine.FaceHeld, r)
	p.live(r, 8)
	p.want(t, "an action shows another", "scared", engine.FaceClip, r)
	played.Result = actions.Success
	p.live(r, 2)
	p.want(t, "the action has just ended", "scared", engine.FaceClip, r)
	p.live(r, lingers)
	p.want(t, "the action ended a while ago", "sad", engine.FaceHeld, r)
	p.live(r, 20)
	p.want(t, "the delegate ended", "happy", engine.FaceHeld, r)
	p.live(r, 5)
	p.want(t, "the base released it", "neutral", engine.FaceIdle, r)
}

// What goes wrong with the holder ends what it held.
// Rules: B-28, TRK-14, M-26.
func TestExpressionOfWhatWasLostIsGivenBack(t *testing.T) {
	for name, lose := range map[string]func(r *rig, played *actiontest.Stub){
		"the behavior panics": func(r *rig, _ *actiontest.Stub) { r.of("A").update = func(*behaviors.Control) { panic("lost") } },
		"the action panics":   func(_ *rig, played *actiontest.Stub) { played.Blow = "CheckIfDone" },
		"the robot is stopped": func(r *rig, _ *actiontest.Stub) {
			r.command(engine.Command{Kind: engine.EStop})
		},
		"the actions are cancelled": func(r *rig, _ *actiontest.Stub) { r.command(engine.Command{Kind: engine.CancelActions}) },
	} {
		t.Run(name, func(t *testing.T) {
			played := clip("scared", hardware.RGB{B: 9})
			var p *panel
			r := newRig(t, "R+ > A\nA+", func(r *rig) {
				p = onPanel(r)
				r.of("R").update = once(2, func(c *behaviors.Control) { r.pass(c, "A", nil) })
				r.of("A").start = func(c *behaviors.Control) { c.Act(played, nil) }
			})
			p.live(r, 6)
			p.want(t, "before", "scared", engine.FaceClip, r)
			lose(r, played)
			p.live(r, 1+lingers)
			p.want(t, "afterwards", "neutral", engine.FaceIdle, r)
			if p.lights.Colors[0] == (hardware.RGB{B: 9}) {
				t.Error("the lights are still those of the action")
			}
		})
	}
}

// A command that a behavior gives itself holds like any other expression.
// Rules: B-28.
func TestOwnCommandOfABehaviorHoldsUntilItsDeactivation(t *testing.T) {
	var p *panel
	green := [5]hardware.RGB{{G: 50}}
	r := newRig(t, "R+ > A\nA+", func(r *rig) {
		p = onPanel(r)
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 2:
				r.pass(c, "A", nil)
			case 60:
				c.CancelDelegates()
			}
		}
		r.of("A").update = once(3, func(c *behaviors.Control) {
			c.Send(hardware.ShowFace{Face: "sad"})
			c.Send(hardware.SetLights{Colors: green})
		})
	})
	p.live(r, 58)
	p.want(t, "three seconds later", "sad", engine.FaceHeld, r)
	if p.lights.Colors != green {
		t.Errorf("three seconds later the lights show %v", p.lights.Colors)
	}
	p.live(r, 2)
	p.want(t, "after its deactivation", "neutral", engine.FaceIdle, r)
	if p.lights.Colors == green {
		t.Error("the lights stay")
	}
}

// An expression that does not exist is refused, and so is the release of what was not held.
// Rules: B-28.
func TestHoldOfAnUnknownExpressionIsRefused(t *testing.T) {
	r := newRig(t, "R+", func(r *rig) {
		r.of("R").update = once(1, func(c *behaviors.Control) {
			c.Face().Hold("grin")
			if err := refusal(c); err == nil || !strings.HasSuffix(err.Error(), "face grin: unknown_name") {
				t.Errorf("unknown: %v", err)
			}
			c.Face().Release()
			if err := refusal(c); err == nil {
				t.Error("the release of nothing was granted")
			}
			c.Face().Hold("sad")
			c.Face().Hold("happy")
			if err := refusal(c); err != nil {
				t.Errorf("a second expression: %v", err)
			}
		})
	})
	r.step()
	if len(r.out.Misuses) != 2 {
		t.Errorf("misuses %v", r.out.Misuses)
	}
}

// The file of a behavior may name the expression that it holds.
// Rules: B-11, B-28.
func TestFileNamesTheExpressionOfAnActivation(t *testing.T) {
	var p *panel
	r := newRig(t, `R+ > A
A+ | "expressionWhileActivated": "angry"`, func(r *rig) {
		p = onPanel(r)
		r.of("R").update = func(c *behaviors.Control) {
			switch c.Tick() {
			case 2:
				r.pass(c, "A", nil)
			case 6:
				c.CancelDelegates()
			}
		}
	})
	p.live(r, 4)
	p.want(t, "activated", "angry", engine.FaceHeld, r)
	p.live(r, 4)
	p.want(t, "deactivated", "neutral", engine.FaceIdle, r)
}

// A driver that was replaced knows no order: it gets the face, the brightness and the colors again.
// Rules: B-28.
func TestReplacedDriversAreToldAgain(t *testing.T) {
	var p *panel
	r := newRig(t, "R+", func(r *rig) {
		p = onPanel(r)
		r.of("R").start = func(c *behaviors.Control) {
			c.Face().Hold("angry")
			c.Face().KeepStill()
			c.Power().Save()
			c.Lights().Show(hardware.LightsBackpack, green)
		}
	})
	p.live(r, 10)
	p.display, p.lights = hardware.DisplayState{Face: "neutral", Frames: 1}, hardware.LightsState{}
	dimmed := 0
	for range 20 {
		p.live(r, 1)
		for _, cmd := range r.out.Commands {
			if cmd == (hardware.DimFace{On: true}) {
				dimmed++
			}
		}
	}
	p.want(t, "a second later", "angry", engine.FaceHeld, r)
	if p.lights.Colors != green.On || dimmed != 1 {
		t.Errorf("the lights show %v, dimmed %d times", p.lights.Colors, dimmed)
	}
	p.orders = 0
	if p.live(r, 100); p.orders != 0 {
		t.Errorf("%d orders for a face that does not change", p.orders)
	}
}

// A display that does not work is not animated. It is told when it works again.
// Rules: B-28.
func TestBrokenDisplayIsNotAnimated(t *testing.T) {
	var p *panel
	r := newRig(t, "R+", func(r *rig) { p = onPanel(r) })
	p.broken = true
	if p.live(r, 500); p.orders != 0 {
		t.Errorf("%d orders", p.orders)
	}
	p.broken = false
	p.live(r, 1)
	p.want(t, "it works again", "neutral", engine.FaceIdle, r)
}

// blinks lists when the eyes shut and for how long.
func blinks(t *testing.T, seed uint64, ticks int) (at []time.Time, longest, shortest time.Duration) {
	var p *panel
	r := newRig(t, "R+", func(r *rig) { p = onPanel(r); r.seed = seed })
	shut, shortest := time.Time{}, time.Hour
	for range ticks {
		p.live(r, 1)
		now := r.eng.View().Now
		switch {
		case p.display.Lid == 1 && shut.IsZero():
			shut, at = now, append(at, now)
		case p.display.Lid < 1 && !shut.IsZero():
			longest, shortest = max(longest, now.Sub(shut)), min(shortest, now.Sub(shut))
			shut = time.Time{}
		}
	}
	return at, longest, shortest
}

// Rules: B-29.
func TestIdleEyesBlinkAtIrregularTimesThatFollowFromTheSeed(t *testing.T) {
	at, longest, shortest := blinks(t, 1, 5000) // 5 minutes
	if longest != 2*period || shortest != 2*period {
		t.Errorf("shut for %v to %v", shortest, longest)
	}
	gaps := map[time.Duration]int{}
	for i := 1; i < len(at); i++ {
		gap := at[i].Sub(at[i-1])
		if gaps[gap]++; gap < 2400*time.Millisecond || gap > 7200*time.Millisecond+3*period {
			t.Errorf("%v between two blinks", gap)
		}
	}
	if len(at) < 55 || len(gaps) < 20 {
		t.Errorf("%d blinks with %d different gaps", len(at), len(gaps))
	}
	again, _, _ := blinks(t, 1, 5000)
	other, _, _ := blinks(t, 2, 5000)
	if fmt.Sprint(again) != fmt.Sprint(at) || fmt.Sprint(other) == fmt.Sprint(at) {
		t.Error("the blinks do not follow from the seed alone")
	}
}

// Rules: B-29.
func TestStillOrClosedEyesNeitherBlinkNorLookAround(t *testing.T) {
	for name, start := range map[string]func(c *behaviors.Control){
		"kept still":       func(c *behaviors.Control) { c.Face().KeepStill() },
		"the track locked": func(c *behaviors.Control) { c.Tracks().Lock("k", actions.Face) },
		"asleep":           func(c *behaviors.Control) { c.Face().Hold("asleep") },
		"an action":        func(c *behaviors.Control) { c.Act(clip("happy", hardware.RGB{}), nil) },
	} {
		t.Run(name, func(t *testing.T) {
			var p *panel
			r := newRig(t, "R+", func(r *rig) {
				p = onPanel(r)
				r.of("R").start = start
			})
			p.live(r, 3)
			p.orders = 0
			if p.live(r, 300); p.orders > 1 { // the lids of the mood may change once
				t.Errorf("%d orders", p.orders)
			}
			if d := p.display; d.Lid == 1 || d.GazeX != 0 || d.GazeY != 0 {
				t.Errorf("shows %+v", d)
			}
		})
	}
}

// Rules: B-29.
func TestEyesLookAtWhatTheRobotAttendsTo(t *testing.T) {
	deg := math.Pi / 180
	see := func(w *hardware.Snapshot, d hardware.Detections) {
		d.CapturedAt = w.Now
		w.Put(&hardware.Sample{Device: hardware.Vision, Seq: uint64(w.Now.UnixMilli()), At: w.Now, Quality: hardware.OK, Value: d})
	}
	drive := func(w *hardware.Snapshot, left, right float64) {
		w.Motors.Value.LeftMMPS, w.Motors.Value.RightMMPS = left, right
	}
	for _, c := range []struct {
		what string
		edit func(*hardware.Snapshot)
		x, y float64
	}{
		{"a face to the left, above", func(w *hardware.Snapshot) {
			see(w, hardware.Detections{Faces: []hardware.Face{{ID: 1, DistanceMM: 500, BearingRad: 15 * deg, ElevationRad: 10 * deg}}})
		}, 0.5, 0.5},
		{"a face far to the right", func(w *hardware.Snapshot) {
			see(w, hardware.Detections{Faces: []hardware.Face{{ID: 1, DistanceMM: 500, BearingRad: -50 * deg, ElevationRad: 0}}})
		}, -1, 0},
		{"a cube to the right", func(w *hardware.Snapshot) {
			see(w, hardware.Detections{Objects: []hardware.Object{{ID: 2, Kind: hardware.KindCube, DistanceMM: 200, BearingRad: -15 * deg}}})
		}, -0.5, -0.375},
		{"a face before a cube", func(w *hardware.Snapshot) {
			see(w, hardware.Detections{
				Faces:   []hardware.Face{{ID: 1, DistanceMM: 500, BearingRad: 15 * deg, ElevationRad: 0}},
				Objects: []hardware.Object{{ID: 2, Kind: hardware.KindCube, DistanceMM: 200, BearingRad: -15 * deg}},
			})
		}, 0.5, 0},
		{"a cube before the charger", func(w *hardware.Snapshot) {
			see(w, hardware.Detections{Objects: []hardware.Object{
				{ID: 1, Kind: hardware.KindCharger, DistanceMM: 200, BearingRad: 20 * deg}, {ID: 2, Kind: hardware.KindCube, DistanceMM: 200, BearingRad: -15 * deg},
			}})
		}, -0.5, -0.375},
		{"a turn to the left", func(w *hardware.Snapshot) { drive(w, -30, 30) }, 0.5, 0},
		{"straight on", func(w *hardware.Snapshot) { drive(w, 80, 80) }, 0, -0.25},
	} {
		t.Run(c.what, func(t *testing.T) {
			var p *panel
			r := newRig(t, "R+", func(r *rig) { p = onPanel(r); p.edit = c.edit })
			p.live(r, 30)
			if d := p.display; math.Abs(d.GazeX-c.x) > 0.13 || math.Abs(d.GazeY-c.y) > 0.13 {
				t.Errorf("looks at %v, %v, want %v, %v", d.GazeX, d.GazeY, c.x, c.y)
			}
		})
	}
}

// Without anything to look at the eyes wander a little. What moves costs few commands.
// Rules: B-29.
func TestIdleEyesWanderWithFewCommands(t *testing.T) {
	var p *panel
	r := newRig(t, "R+", func(r *rig) { p = onPanel(r) })
	seen := map[[2]float64]bool{}
	for range 1000 { // a minute
		p.live(r, 1)
		seen[[2]float64{p.display.GazeX, p.display.GazeY}] = true
		if math.Abs(p.display.GazeX) > 0.5 || math.Abs(p.display.GazeY) > 0.375 {
			t.Fatalf("looks at %v, %v", p.display.GazeX, p.display.GazeY)
		}
	}
	if len(seen) < 8 || !seen[[2]float64{}] || p.orders > 100 {
		t.Errorf("%d directions, %d commands", len(seen), p.orders)
	}
}

// The idle expression is that of the mood, and does not change faster than a mood.
// Rules: B-28.
func TestIdleExpressionIsThatOfTheMood(t *testing.T) {
	for _, c := range []struct {
		want string
		do   func(c *behaviors.Control)
	}{
		{"neutral", func(*behaviors.Control) {}},
		{"happy", func(c *behaviors.Control) { c.Emotions().Fix("k", condition.Happy, 0.5) }},
		{"sad", func(c *behaviors.Control) { c.Emotions().Fix("k", condition.Happy, -0.5) }},
		{"sad", func(c *behaviors.Control) { c.Emotions().Fix("k", condition.Confident, -0.9) }},
	} {
		var p *panel
		r := newRig(t, "R+", func(r *rig) {
			p = onPanel(r)
			r.of("R").update = once(10, c.do)
		})
		p.live(r, 10+int(5*time.Second/period)+1)
		p.want(t, "a mood", c.want, engine.FaceIdle, r)
	}
}
