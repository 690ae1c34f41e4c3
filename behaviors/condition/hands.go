package condition

import (
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
)

// beingHeld is met while the robot is held, or not, for a time within limits, both included.
func (r *reader) beingHeld() Condition {
	want := r.flag("shouldBeHeld")
	low, high := r.millisOr("minTimeSinceChange_ms", 0), r.millisOr("maxTimeSinceChange_ms", noLimit)
	r.ordered("maxTimeSinceChange_ms", high < low)
	on := devices{hardware.IMU}
	return newLeaf("BeingHeld("+yesNo(want, "yes", "no")+")",
		func(v *View, f *facts) {
			*f = facts{a: v.World.Body.Held, d: v.Now.Sub(v.World.Body.HeldSince)}
			on.read(v.World, f)
		},
		func(f *facts) bool { return f.q == hardware.OK && f.a == want && low <= f.d && f.d <= high },
		on.say(func(f *facts) (string, Values) {
			return yesNo(f.a, "held", "not held") + " for " + Elapsed(f.d).String(), Values{{"held", f.a}, {"wanted", want}}.elapsed("for_s", f.d).
				seconds("min_s", low).seconds("max_s", high)
		})).needing(on.need(func(f *facts, yes bool) string {
		return needState("the robot", "be held in a hand", want, f.a, f.d, low, high, yes)
	}))
}

// needState words a flag that must be as wanted for a time within limits: yes, or else the opposite of all that.
func needState(who, what string, want, is bool, lasted, low, high time.Duration, yes bool) string {
	switch {
	case !yes:
		return must(who, !want, what) + ", or not" + orElse(lasting(low, high))
	case is != want:
		return must(who, want, what) + lasting(low, high)
	case lasted < low:
		return wait(low - lasted)
	}
	return who + " must begin anew to " + yesNo(want, what, "not "+what) + ": it has been so for longer than " + short(high)
}

func orElse(s string) string {
	if s == "" {
		return " at all"
	}
	return s
}

// heldInPalm is met while the robot lies on a palm for a time, or does not and did so last before a time; limits are included.
func (r *reader) heldInPalm() Condition {
	want := r.flag("shouldBeHeldInPalm")
	low, high := r.secondsOr("minDuration_s", 0), r.secondsOr("maxDuration_s", noLimit)
	r.ordered("maxDuration_s", high < low)
	on := devices{hardware.IMU, hardware.Cliff}
	return newLeaf("RobotHeldInPalm("+yesNo(want, "yes", "no")+")",
		func(v *View, f *facts) {
			b := &v.World.Body
			if *f = (facts{a: b.InPalm, d: since(v, b.PalmUntil)}); b.InPalm {
				f.d = since(v, b.PalmSince)
			}
			on.read(v.World, f)
		},
		func(f *facts) bool { return f.q == hardware.OK && f.a == want && low <= f.d && f.d <= high },
		on.say(func(f *facts) (string, Values) {
			text := ago(f.d, "lay on a palm")
			if f.a {
				text = "on a palm for " + Elapsed(f.d).String()
			}
			values := Values{{"in_palm", f.a}, {"wanted", want}}
			if f.d != noLimit {
				values = values.elapsed("for_s", f.d)
			}
			return text, values.seconds("min_s", low).seconds("max_s", high)
		})).needing(on.need(func(f *facts, yes bool) string {
		return needState("the robot", "lie on a palm", want, f.a, f.d, low, high, yes)
	}))
}

// inHabitat is met while the robot believes that it is in its habitat; not knowing does not count.
func (r *reader) inHabitat() Condition {
	return newLeaf("RobotInHabitat",
		func(v *View, f *facts) { *f = facts{n: int32(v.World.Around.Habitat)} },
		func(f *facts) bool { return hardware.Habitat(f.n) == hardware.InHabitat },
		func(f *facts) (string, Values) {
			is := hardware.Habitat(f.n).String()
			return "belief is " + is, one("belief", is)
		}).needing(func(f *facts, yes bool) string {
		return must("the robot", yes, "believe to be in its habitat") + " (it believes " + hardware.Habitat(f.n).String() + ")"
	})
}

// poked is met for a time after each poke, the end included.
func (r *reader) poked() Condition { return newPoked(r.seconds("wasPokedRecentlyTimeThreshold_sec")) }

func newPoked(limit time.Duration) *leaf {
	return newLeaf("RobotPoked",
		func(v *View, f *facts) { *f = facts{d: since(v, v.World.Body.PokedAt)} },
		func(f *facts) bool { return f.d <= limit },
		func(f *facts) (string, Values) { return ago(f.d, "poked"), happenedValues(f.d, limit) }).
		needing(func(f *facts, yes bool) string { return yesNo(yes, "poke the robot", wait(limit-f.d)) })
}

// happenedValues are the values of what happened a time ago and counts for another.
func happenedValues(d, limit time.Duration) Values {
	var values Values
	if d != noLimit {
		values = values.elapsed("ago_s", d)
	}
	return values.seconds("limit_s", limit)
}

// unexpectedMovement is met in a tick that finds that the body turned otherwise than the wheels.
func (r *reader) unexpectedMovement() Condition {
	on := devices{hardware.IMU, hardware.Motors}
	return newLeaf("UnexpectedMovement",
		func(v *View, f *facts) {
			*f = facts{a: v.World.Body.Moved}
			on.read(v.World, f)
		},
		func(f *facts) bool { return f.q == hardware.OK && f.a },
		on.say(func(f *facts) (string, Values) {
			return yesNo(f.a, "the body turned otherwise than the wheels", "wheels and body move alike"), one("moved", f.a)
		})).needing(on.need(func(_ *facts, yes bool) string {
		return yesNo(yes, "the robot must be turned by hand, or be blocked while it turns", "the robot must move as its wheels do")
	}))
}

// obstacleFor is how long something that was suddenly ahead counts as sudden.
const obstacleFor = 500 * time.Millisecond

// obstacleDetected is met while something is suddenly ahead.
func (r *reader) obstacleDetected() Condition {
	on := devices{hardware.Range}
	return newLeaf("ObstacleDetected",
		func(v *View, f *facts) {
			*f = facts{d: since(v, v.World.Body.ObstacleAt)}
			on.read(v.World, f)
		},
		func(f *facts) bool { return f.q == hardware.OK && f.d <= obstacleFor },
		on.say(func(f *facts) (string, Values) { return ago(f.d, "suddenly ahead"), happenedValues(f.d, obstacleFor) })).
		needing(on.need(func(f *facts, yes bool) string {
			return yesNo(yes, "an obstacle must suddenly be ahead", wait(obstacleFor-f.d))
		}))
}

// stuckTime is how long the sensors must find the same two edges: the time of a cliff event, and some more.
const stuckTime = 550 * time.Millisecond

// stuckOnEdge is met while exactly two sensors, of one side or, unless on a palm, of a diagonal, have seen no floor for more than
// stuckTime. Picked up, the robot is not stuck, but for one on a palm if that is enabled. The time counts from the first of a row of
// evaluations that found it so.
func (r *reader) stuckOnEdge() Condition {
	palm := r.flagOr("enableWhileHeldOnPalm", false)
	on := devices{hardware.Cliff}
	var from time.Time // of the row; zero if the newest evaluation found it otherwise
	s := &stateful{core: core{name: "StuckOnEdge"}, clear: func() { from = time.Time{} }}
	s.step = func(v *View, f *facts, remember bool) {
		b := &v.World.Body
		*f = facts{n: int32(v.World.Cliff.Value.Count()), b: b.PickedUp && !(palm && b.InPalm)}
		on.read(v.World, f)
		f.a = f.q == hardware.OK && !f.b && onEdge(v.World.Cliff.Value.Detected, !b.InPalm)
		began := from
		if !f.a {
			began = time.Time{}
		} else if began.IsZero() {
			began = v.Now
		}
		if f.a {
			f.d = v.Now.Sub(began)
		}
		if remember {
			from = began
		}
	}
	s.test = func(f *facts) bool { return f.a && f.d > stuckTime }
	s.say = on.say(func(f *facts) (string, Values) {
		text := yesNo(f.b, "picked up", "not over an edge with two wheels")
		if f.a {
			text = "over an edge with two wheels for " + Elapsed(f.d).String()
		}
		return text, Values{{"sensors", int(f.n)}, {"picked_up", f.b}, {"on_edge", f.a}}.elapsed("for_s", f.d).seconds("limit_s", stuckTime)
	})
	s.needs = on.need(func(f *facts, yes bool) string {
		if yes && f.a {
			return wait(stuckTime - f.d + time.Millisecond)
		}
		return must("the robot", yes, "stand over an edge with two wheels") + yesNo(yes, " for more than "+short(stuckTime), "")
	})
	return s
}

// onEdge reports whether exactly two sensors see no floor: of one side, or of a diagonal.
func onEdge(d [4]bool, diagonal bool) bool {
	switch d {
	case [4]bool{true, false, true, false}, [4]bool{false, true, false, true}:
		return true
	case [4]bool{true, false, false, true}, [4]bool{false, true, true, false}:
		return diagonal
	}
	return false
}

// A robot that was set down on a slope lies still and tilted.
const (
	slopeFrom, slopeTo = 10 * math.Pi / 180, 55 * math.Pi / 180
	slopeStill         = 0.5 * math.Pi / 180 // rad/s
	slopeQuiet         = 400 * time.Millisecond
	slopePlaced        = 2500 * time.Millisecond
)

// placedOnSlope is met while a robot that is in a hand, or was a moment ago, lies still with its nose up. What it remembers only advances
// when it is asked.
func (r *reader) placedOnSlope() Condition {
	on := devices{hardware.IMU}
	var turned, held time.Time
	s := &stateful{core: core{name: "RobotPlacedOnSlope"}}
	s.step = func(v *View, f *facts, remember bool) {
		b, imu := &v.World.Body, &v.World.IMU.Value
		*f = facts{x: imu.PitchRad, b: b.Treads == hardware.OnTreads || b.Treads == hardware.InAir}
		on.read(v.World, f)
		lastTurned, lastHeld := turned, held
		if g := imu.GyroRadPS; max(math.Abs(g[0]), math.Abs(g[1]), math.Abs(g[2])) > slopeStill {
			lastTurned = v.Now
		}
		if b.PickedUp {
			lastHeld = v.Now
		}
		f.a = since(v, lastHeld) < slopePlaced
		f.d = since(v, lastTurned)
		if remember {
			turned, held = lastTurned, lastHeld
		}
	}
	s.test = func(f *facts) bool {
		return f.q == hardware.OK && f.a && f.b && slopeFrom < f.x && f.x < slopeTo && f.d > slopeQuiet
	}
	const deg = math.Pi / 180
	s.say = on.say(func(f *facts) (string, Values) {
		text := "pitch " + fixed(f.x/deg) + "°, " + ago(f.d, "turned") + ", " + yesNo(f.a, "just put down", "not just put down")
		values := Values{{"pitch_deg", f.x / deg}, {"placed", f.a}, {"upright", f.b}}
		if f.d != noLimit {
			values = values.elapsed("still_s", f.d)
		}
		return text, values
	})
	s.needs = on.need(func(_ *facts, yes bool) string {
		return yesNo(yes, "put the robot on a slope, its nose up by 10° to 55°", "take the robot off the slope")
	})
	return s
}
