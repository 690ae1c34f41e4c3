package condition

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/robotd/robotd/hardware"
)

// eyeContactFor is how long eye contact counts, in the time of the images.
const eyeContactFor = 500 * time.Millisecond

// eyeContact is met while somebody looked into the camera within eyeContactFor of the newest image.
func (r *reader) eyeContact() Condition {
	on := devices{hardware.Vision}
	look := hardware.LookFor(hardware.SeeFaces, hardware.Low).With(hardware.SeeGaze, hardware.Low).With(hardware.SeeBlink, hardware.Low)
	return newLeaf("EyeContact",
		func(v *View, f *facts) {
			*f = facts{d: noLimit}
			for i := range v.World.Faces {
				if at := v.World.Faces[i].EyesAt; !at.IsZero() {
					f.n++
					f.d = min(f.d, v.World.Vision.Value.CapturedAt.Sub(at))
				}
			}
			on.read(v.World, f)
		},
		func(f *facts) bool { return f.q == hardware.OK && f.d <= eyeContactFor },
		on.say(func(f *facts) (string, Values) {
			if f.n == 0 {
				return "nobody looked into the camera", one("faces", 0)
			}
			return "last look into the camera " + short(f.d) + " before the newest image", Values{{"faces", int(f.n)}}.seconds("before_s", f.d).seconds("limit_s", eyeContactFor)
		})).needing(on.need(func(_ *facts, yes bool) string {
		return yesNo(yes, "somebody must look into the robot's eyes", "nobody must look into the robot's eyes")
	})).watching(look)
}

// motionAreas are the parts of the picture in which something can move.
func motionAreas() []string { return append(slices.Clone(hardware.MotionAreaNames), "Any") }

// motionLevels are how much of a part must move: more than motionLimits.
func motionLevels() []string { return []string{"Any", "Low", "High"} }

var motionLimits = map[string]float64{"Any": 0, "Low": 0.2, "High": 0.4}

// motionDetected is met in the tick of an image in a part of which enough moves, and in the next.
func (r *reader) motionDetected() Condition {
	area, level := r.word("motionArea", motionAreas()), r.word("motionLevel", motionLevels())
	return newMotion(area, level)
}

func newMotion(area, level string) *leaf {
	limit, at := motionLimits[level], slices.Index(hardware.MotionAreaNames, area)
	where := "in any part of the picture"
	if at >= 0 {
		where = "in the part " + area + " of the picture"
	}
	on := devices{hardware.Vision}
	return newLeaf("MotionDetected("+area+", "+level+")",
		func(v *View, f *facts) {
			if *f = (facts{x: v.World.Around.Motion.Max()}); at >= 0 {
				f.x = v.World.Around.Motion[at]
			}
			on.read(v.World, f)
		},
		func(f *facts) bool { return f.q == hardware.OK && f.x > limit },
		on.say(func(f *facts) (string, Values) {
			return percent(f.x) + " of it moves, limit " + percent(limit), Values{{"share", f.x}, {"limit", limit}}
		})).needing(on.need(func(_ *facts, yes bool) string {
		return yesNo(yes, "more than "+percent(limit)+" must move ", "not more than "+percent(limit)+" must move ") + where
	})).watching(hardware.LookFor(hardware.SeeMotion, hardware.Low))
}

func percent(share float64) string { return fixed(100*share) + " %" }

// rangeFor is how long a change of the distance ahead counts.
const rangeFor = 500 * time.Millisecond

// motionWithProx is met when something moves in the picture while the distance ahead changed.
func (r *reader) motionWithProx() Condition {
	limit := motionLimits["Low"]
	on := devices{hardware.Vision, hardware.Range}
	return newLeaf("MotionDetectedWithProx",
		func(v *View, f *facts) {
			*f = facts{x: v.World.Around.Motion.Max(), d: since(v, v.World.Body.RangeAt)}
			on.read(v.World, f)
		},
		func(f *facts) bool { return f.q == hardware.OK && f.x > limit && f.d <= rangeFor },
		on.say(func(f *facts) (string, Values) {
			return percent(f.x) + " of the picture moves, distance " + ago(f.d, "changed"), append(Values{{"share", f.x}}, happenedValues(f.d, rangeFor)...)
		})).needing(on.need(func(_ *facts, yes bool) string {
		return yesNo(yes, "something must move in the picture and change the distance ahead", "nothing must move ahead of the robot")
	})).watching(hardware.LookFor(hardware.SeeMotion, hardware.Low))
}

// salientPoint is met while the newest image has such a point. It asks for people, whatever the kind.
func (r *reader) salientPoint() Condition {
	kind := r.word("targetSalientPoint", hardware.SalientKinds)
	on := devices{hardware.Vision}
	return newLeaf("SalientPointDetected("+kind+")",
		func(v *View, f *facts) {
			*f = facts{}
			for i := range v.World.Around.Points {
				if v.World.Around.Points[i].Kind == kind {
					f.n++
				}
			}
			f.x = float64(len(v.World.Around.Points))
			on.read(v.World, f)
		},
		func(f *facts) bool { return f.q == hardware.OK && f.n > 0 },
		on.say(func(f *facts) (string, Values) {
			return fixedCount(int(f.n), int(f.x)) + " points are such", Values{{"such", int(f.n)}, {"points", int(f.x)}}
		})).needing(on.need(func(_ *facts, yes bool) string {
		return must("the camera", yes, "find a salient point of the kind "+kind)
	})).watching(hardware.LookFor(hardware.SeePeople, hardware.Low))
}

// beatDetected is met while a speech process is sure of a beat, or deems it possible if that is allowed.
func (r *reader) beatDetected() Condition {
	least := hardware.SteadyBeat
	if r.flagOr("allowPotentialBeat", false) {
		least = hardware.PossibleBeat
	}
	return newLeaf("BeatDetected",
		func(v *View, f *facts) { *f = facts{n: int32(v.World.Around.Beat)} },
		func(f *facts) bool { return hardware.Beat(f.n) >= least },
		func(f *facts) (string, Values) {
			is := hardware.Beat(f.n).String()
			return "beat is " + is, Values{{"beat", is}, {"least", least.String()}}
		}).needing(func(f *facts, yes bool) string {
		return yesNo(yes, "music must play, with a beat that is "+least.String()+" or surer", "the music must end") + it(hardware.Beat(f.n).String())
	})
}

// nightTime is met at night, by the robot's clock.
func (r *reader) nightTime() Condition {
	return newFlag("IsNightTime",
		func(v *View, f *facts) { *f = facts{a: v.World.Around.Night} },
		func(f *facts) (string, Values) { return yesNo(f.a, "it is night", "it is day"), one("night", f.a) }).
		needing(func(_ *facts, yes bool) string {
			return yesNo(yes, "it must be night: from 22:00 to 6:00", "it must be day: from 6:00 to 22:00")
		})
}

// engineErrors is the vocabulary of what a vision process complains of.
func engineErrors() []string { return hardware.EngineErrors[1:] }

// engineError is met from the complaint with its code on until there is another one.
func (r *reader) engineError() Condition {
	code := r.word("engineErrorCode", engineErrors())
	return newLeaf("EngineErrorCodeReceived("+code+")",
		func(v *View, f *facts) {
			*f = facts{n: int32(slices.Index(hardware.EngineErrors, v.World.Around.EngineError))}
		},
		func(f *facts) bool { return f.n > 0 && hardware.EngineErrors[f.n] == code },
		func(f *facts) (string, Values) {
			is := "none"
			if f.n > 0 {
				is = hardware.EngineErrors[f.n]
			}
			return "newest error is " + is, Values{{"newest", is}, {"wanted", code}}
		}).needing(func(_ *facts, yes bool) string {
		return yesNo(yes, "the vision process must report "+code, "the vision process must report another error than "+code)
	})
}

// carryingCube is met while the lift holds an object.
func (r *reader) carryingCube() Condition {
	return newFlag("CarryingCube",
		func(v *View, f *facts) { *f = facts{a: v.World.Body.Carrying} },
		func(f *facts) (string, Values) {
			return yesNo(f.a, "carries an object", "carries nothing"), one("carrying", f.a)
		}).
		needing(func(_ *facts, yes bool) string { return must("the robot", yes, "carry an object") })
}

// Limits of what tells that somebody holds a cube.
const (
	// heldAge is how old the sighting of a cube may be that somebody holds now.
	heldAge = time.Second
	// heldMM is how high over what is below it a cube must be, and onMM how far beside another one it may stand on that.
	heldMM, onMM = 15.0, 30.0
	cubeMM       = 44.0
)

// userHoldsCube is met while a cube is seen in the air: neither on the ground nor on another cube nor on the lift.
func (r *reader) userHoldsCube() Condition {
	return newFlag("UserIsHoldingCube",
		func(v *View, f *facts) { *f = facts{a: v.World.Vision.OK() && anyHeld(v)} },
		func(f *facts) (string, Values) {
			return yesNo(f.a, "a cube is in the air", "no cube is in the air"), one("held", f.a)
		}).
		needing(func(_ *facts, yes bool) string { return must("somebody", yes, "hold a cube where the robot sees it") }).
		watching(hardware.LookFor(hardware.SeeMarkers, hardware.Low))
}

func anyHeld(v *View) bool {
	w := v.World
	for i := range w.Objects {
		o := &w.Objects[i]
		if o.Kind == hardware.KindCube && o.Origin == w.Body.Origin && v.Now.Sub(o.SeenAt) <= heldAge && !(w.Body.Carrying && o.ID == w.Body.CarriedID) && inAir(w, o) {
			return true
		}
	}
	return false
}

// inAir reports whether nothing that is known is below a cube.
func inAir(w *hardware.World, o *hardware.KnownObject) bool {
	if o.BaseMM < heldMM {
		return false
	}
	for i := range w.Objects {
		b := &w.Objects[i]
		if b.ID != o.ID && b.Kind == hardware.KindCube && b.Origin == o.Origin && math.Hypot(b.Pose.XMM-o.Pose.XMM, b.Pose.YMM-o.Pose.YMM) < onMM &&
			math.Abs(o.BaseMM-b.BaseMM-cubeMM) < heldMM {
			return false
		}
	}
	return true
}

// connectedToCube is met while a cube is connected, for a use if one is named.
func (r *reader) connectedToCube() Condition {
	kind := r.wordOr("connectionType", "Unspecified", connectionTypes())
	return newLeaf("ConnectedToCube("+kind+")",
		func(v *View, f *facts) { *f = facts{n: int32(v.Services.Cube)} },
		func(f *facts) bool {
			switch CubeState(f.n) {
			case CubeBackground:
				return kind != "Interactable"
			case CubeInteractable:
				return kind != "Background"
			}
			return false
		},
		func(f *facts) (string, Values) {
			is := CubeState(f.n).String()
			return "connection is " + is, Values{{"connection", is}, {"wanted", kind}}
		}).needing(func(f *facts, yes bool) string {
		use := " for " + strings.ToLower(kind) + " use"
		if kind == "Unspecified" {
			use = ""
		}
		return must("a cube", yes, "be connected"+use) + it(CubeState(f.n).String())
	})
}

// cubeTapped is met for a time after each tap on the connected cube, the end included.
func (r *reader) cubeTapped() Condition {
	limit := r.secondsOr("maxTapResponseTimeSec", time.Second)
	return newLeaf("CubeTapped",
		func(v *View, f *facts) { *f = facts{d: since(v, v.World.Body.CubeTappedAt)} },
		func(f *facts) bool { return f.d <= limit },
		func(f *facts) (string, Values) { return ago(f.d, "tapped"), happenedValues(f.d, limit) }).
		needing(func(f *facts, yes bool) string { return yesNo(yes, "tap the cube", wait(limit-f.d)) })
}
