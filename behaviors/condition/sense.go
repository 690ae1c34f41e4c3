package condition

import (
	"fmt"
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
)

// cliff is met while at least n sensors, or none at all, see no floor, for a time within limits. The body knows how long one sensor has
// seen none. For several sensors, or none, cliff counts from the first of a row of evaluations that found it so without a break, since
// the latest activation.
type cliff struct {
	core
	atLeast   int // 0 = no sensor at all
	low, high time.Duration

	holds bool // at the newest evaluation
	since time.Time
	facts facts // of the newest evaluation
}

func (r *reader) cliffDetected() Condition {
	const keyCount, keyNone = "numCliffDetectionsToTrigger", "shouldDetectNoCliffs"
	if r.Has(keyCount) && r.Has(keyNone) {
		return r.invalid("", "%s and %s exclude each other: keep one", keyCount, keyNone)
	}
	c := &cliff{
		atLeast: r.countOr(keyCount, 1, 1, len(hardware.CliffState{}.Detected)),
		low:     r.millisOr("minDuration_ms", 0),
		high:    r.millisOr("maxDuration_ms", noLimit),
	}
	c.name = "CliffDetected"
	if r.flagOr(keyNone, false) {
		c.atLeast = 0
		c.name = "CliffDetected(none)"
	} else if c.atLeast > 1 {
		c.name = fmt.Sprintf("CliffDetected(%d)", c.atLeast)
	}
	r.ordered("maxDuration_ms", c.high < c.low)
	return c
}

// read takes the quality of the reading, the number of sensors over a cliff (all of them without a good reading), whether that is enough,
// and since how long.
func (c *cliff) read(v *View, f *facts) {
	*f = facts{q: v.World.Cliff.Quality, n: int32(len(v.World.Cliff.Value.Detected))}
	if f.q == hardware.OK {
		f.n = int32(v.World.Cliff.Value.Count())
	}
	f.a = c.atLeast == 0 && f.n == 0 || c.atLeast > 0 && int(f.n) >= c.atLeast
	if f.a {
		f.d = v.Now.Sub(c.begun(v))
	}
}

// begun returns the instant since when it holds: the start of the row of evaluations that v belongs to, or what the body knows better.
// While the reading is good, the body's own instant is exact for one sensor and the earliest possible one for several.
func (c *cliff) begun(v *View) time.Time {
	found := v.Now
	if c.holds {
		found = c.since
	}
	body := v.World.Body.CliffSince
	if c.atLeast == 0 || body.IsZero() || !v.World.Cliff.OK() {
		return found
	}
	if c.atLeast == 1 || body.After(found) {
		return body
	}
	return found
}

func (c *cliff) test(f *facts) bool { return f.a && c.low <= f.d && f.d <= c.high }

// SetActive implements [Condition].
func (c *cliff) SetActive(v *View, active bool) {
	c.core.SetActive(v, active)
	c.holds = false
}

// Met implements [Condition].
func (c *cliff) Met(v *View) bool {
	c.check()
	c.read(v, &c.facts)
	if c.facts.a && !c.holds {
		c.since = v.Now
	}
	c.holds = c.facts.a
	return c.answer(v, c.test(&c.facts))
}

func (c *cliff) ahead(v *View) (met, ok bool) {
	if c.closed() {
		return false, false
	}
	var f facts
	c.read(v, &f)
	return c.test(&f), true
}

func (c *cliff) note(n *Note) { n.facts = c.facts }

func (c *cliff) tell(f *Finding, n *Note) {
	if n.facts.q != hardware.OK {
		f.Text, f.Values = noReading(hardware.Cliff, n.facts.q)
		f.Text += ", taken as a cliff"
		return
	}
	f.Text = fmt.Sprintf("%d of %d sensors over a cliff", n.facts.n, len(hardware.CliffState{}.Detected))
	f.Values = Values{{"sensors", int(n.facts.n)}, {"wanted", c.atLeast}}
	if n.facts.a {
		f.Text += ", so for " + Elapsed(n.facts.d).String()
		f.Values = f.Values.elapsed("for_s", n.facts.d)
	}
	f.Values = f.Values.seconds("min_s", c.low).seconds("max_s", c.high)
}

func (c *cliff) need(n *Note, want bool) string {
	f := &n.facts
	switch {
	case f.q != hardware.OK:
		return needReading(hardware.Cliff, f.q)
	case want && f.a && f.d < c.low:
		return wait(c.low - f.d)
	}
	return must(yesNo(c.atLeast == 0, "no cliff sensor", fmt.Sprintf("%d of the cliff sensors", c.atLeast)), want, "see no floor") +
		lasting(c.low, c.high) + fmt.Sprintf(" (%d do)", f.n)
}

// proxInRange compares the distance ahead, limits included. Without an object, or without a good reading, the answer is
// invalidSensorReturn.
func (r *reader) proxInRange() Condition {
	if !r.Has("minProxDist_mm") && !r.Has("maxProxDist_mm") {
		return r.invalid("", "needs minProxDist_mm or maxProxDist_mm or both")
	}
	low := r.numberOr("minProxDist_mm", 0, 0, math.MaxFloat64)
	high := r.numberOr("maxProxDist_mm", math.MaxFloat64, 0, math.MaxFloat64)
	r.ordered("maxProxDist_mm", high < low)
	without := r.flagOr("invalidSensorReturn", false)
	return newLeaf("ProxInRange",
		func(v *View, f *facts) {
			s := &v.World.Range
			*f = facts{q: s.Quality, a: s.Value.Found, x: s.Value.DistanceMM}
		},
		func(f *facts) bool {
			if f.q != hardware.OK || !f.a {
				return without
			}
			return low <= f.x && f.x <= high
		},
		func(f *facts) (string, Values) {
			switch {
			case f.q != hardware.OK:
				return noReading(hardware.Range, f.q)
			case !f.a:
				return "nothing ahead", one("found", false).number("min_mm", low).number("max_mm", high)
			default:
				return "object at " + fixed(f.x) + " mm", Values{{"found", true}, {"distance_mm", f.x}}.number("min_mm", low).number("max_mm", high)
			}
		}).needing(needOK(hardware.Range, func(f *facts, yes bool) string {
		is := "nothing is ahead"
		if f.a {
			is = "it is " + fixed(f.x) + " mm ahead"
		}
		return must("an object", yes, "be "+span(low, high, " mm")+" ahead") + " (" + is + ")"
	}))
}

// faceKnown looks for a face that passes every test. Its age is measured against the newest image, not against now:
// while no image comes, no face ages.
func (r *reader) faceKnown() Condition {
	dist := r.numberOr("maxFaceDist_mm", -1, -math.MaxFloat64, math.MaxFloat64)
	age := r.signed("maxFaceAge_s", time.Second, noLimit)
	return newFaceKnown(dist, age, r.flagOr("mustBeNamed", false))
}

// newFaceKnown limits distance and age; a negative distance and noLimit do not.
func newFaceKnown(dist float64, age time.Duration, named bool) *leaf {
	passes := func(w *hardware.World, f *hardware.KnownFace) bool {
		return (age == noLimit || w.Vision.Value.CapturedAt.Sub(f.SeenAt) <= age) &&
			(dist < 0 || f.DistanceMM < dist) && (!named || f.Name != "")
	}
	return newLeaf("FaceKnown",
		func(v *View, f *facts) {
			*f = facts{q: v.World.Vision.Quality, m: int32(len(v.World.Faces))}
			for i := range v.World.Faces {
				if passes(v.World, &v.World.Faces[i]) {
					f.n++
				}
			}
		},
		func(f *facts) bool { return f.q == hardware.OK && f.n > 0 },
		func(f *facts) (string, Values) {
			if f.q != hardware.OK {
				return noReading(hardware.Vision, f.q)
			}
			return fmt.Sprintf("%d of %d faces pass", f.n, f.m), Values{{"pass", int(f.n)}, {"faces", int(f.m)}}
		}).needing(needOK(hardware.Vision, func(_ *facts, yes bool) string { return needFace(dist, age, named, yes) })).
		watching(hardware.LookFor(hardware.SeeFaces, hardware.Low))
}

// deviceFailed is met while a device's reading is not OK: absent, failed or stale.
func (r *reader) deviceFailed() Condition {
	device := r.word("device", hardware.Names)
	return newLeaf("DeviceFailed("+device+")",
		func(v *View, f *facts) { *f = facts{q: quality(v.World, device)} },
		func(f *facts) bool { return f.q != hardware.OK },
		func(f *facts) (string, Values) { return noReading(device, f.q) }).
		needing(func(f *facts, yes bool) string {
			return yesNo(yes, "the "+hardware.Spoken(device)+" must fail (the reading is ok)", needReading(device, f.q))
		})
}

// quality returns the quality of one device's reading; Absent for an unknown name.
func quality(w *hardware.World, device string) hardware.Quality {
	switch device {
	case hardware.Battery:
		return w.Battery.Quality
	case hardware.Charger:
		return w.Snapshot.Charger.Quality
	case hardware.Cliff:
		return w.Cliff.Quality
	case hardware.Display:
		return w.Display.Quality
	case hardware.IMU:
		return w.IMU.Quality
	case hardware.Lights:
		return w.Lights.Quality
	case hardware.Motors:
		return w.Motors.Quality
	case hardware.Range:
		return w.Range.Quality
	case hardware.Servos:
		return w.Servos.Quality
	case hardware.Speaker:
		return w.Speaker.Quality
	case hardware.Touch:
		return w.Touch.Quality
	case hardware.Vision:
		return w.Vision.Quality
	default:
		return hardware.Absent
	}
}
