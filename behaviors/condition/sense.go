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

// seen is the number of sensors over a cliff; all of them without a good reading.
func (c *cliff) seen(v *View) int {
	if !v.World.Cliff.OK() {
		return len(v.World.Cliff.Value.Detected)
	}
	return v.World.Cliff.Value.Count()
}

func (c *cliff) enough(v *View) bool {
	if c.atLeast == 0 {
		return c.seen(v) == 0
	}
	return c.seen(v) >= c.atLeast
}

// begun returns the instant since when it holds, given the instant of the first evaluation that found it so. While the reading is good,
// the body's own instant is exact for one sensor and the earliest possible one for several.
func (c *cliff) begun(v *View, found time.Time) time.Time {
	body := v.World.Body.CliffSince
	if c.atLeast == 0 || body.IsZero() || !v.World.Cliff.OK() {
		return found
	}
	if c.atLeast == 1 || body.After(found) {
		return body
	}
	return found
}

func (c *cliff) inRange(v *View, since time.Time) bool {
	d := v.Now.Sub(since)
	return c.low <= d && d <= c.high
}

// found is the start of the row of evaluations that v belongs to.
func (c *cliff) found(v *View) time.Time {
	if c.holds {
		return c.since
	}
	return v.Now
}

// SetActive implements [Condition].
func (c *cliff) SetActive(v *View, active bool) {
	c.core.SetActive(v, active)
	c.holds = false
}

// Met implements [Condition].
func (c *cliff) Met(v *View) bool {
	c.check()
	met := c.peek(v)
	c.since, c.holds = c.found(v), c.enough(v)
	return c.answer(v, met)
}

func (c *cliff) peek(v *View) bool {
	return c.enough(v) && c.inRange(v, c.begun(v, c.found(v)))
}

func (c *cliff) why(v *View) string {
	if !v.World.Cliff.OK() {
		return noReading(hardware.Cliff, v.World.Cliff.Quality) + ", taken as a cliff"
	}
	text := fmt.Sprintf("%d of %d sensors over a cliff", c.seen(v), len(v.World.Cliff.Value.Detected))
	if c.enough(v) {
		text += ", so for " + short(v.Now.Sub(c.begun(v, c.found(v))))
	}
	return text
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
		func(v *View) bool {
			s := &v.World.Range
			if !s.OK() || !s.Value.Found {
				return without
			}
			return low <= s.Value.DistanceMM && s.Value.DistanceMM <= high
		},
		func(v *View) string {
			switch s := &v.World.Range; {
			case !s.OK():
				return noReading(hardware.Range, s.Quality)
			case !s.Value.Found:
				return "nothing ahead"
			default:
				return "object at " + fixed(s.Value.DistanceMM) + " mm"
			}
		})
}

// faceKnown looks for a face that passes every test. Its age is measured against the newest image, not against now:
// while no image comes, no face ages.
func (r *reader) faceKnown() Condition {
	dist := r.numberOr("maxFaceDist_mm", -1, -math.MaxFloat64, math.MaxFloat64)
	age := r.signed("maxFaceAge_s", time.Second, noLimit)
	named := r.flagOr("mustBeNamed", false)
	passes := func(w *hardware.World, f *hardware.KnownFace) bool {
		return (age == noLimit || w.Vision.Value.CapturedAt.Sub(f.SeenAt) <= age) &&
			(dist < 0 || f.DistanceMM < dist) && (!named || f.Name != "")
	}
	return newLeaf("FaceKnown",
		func(v *View) bool {
			if !v.World.Vision.OK() {
				return false
			}
			for i := range v.World.Faces {
				if passes(v.World, &v.World.Faces[i]) {
					return true
				}
			}
			return false
		},
		func(v *View) string {
			if !v.World.Vision.OK() {
				return noReading(hardware.Vision, v.World.Vision.Quality)
			}
			n := 0
			for i := range v.World.Faces {
				if passes(v.World, &v.World.Faces[i]) {
					n++
				}
			}
			return fmt.Sprintf("%d of %d faces pass", n, len(v.World.Faces))
		}).watching(hardware.LookFor(hardware.SeeFaces, hardware.Low))
}

// deviceFailed is met while a device's reading is not OK: absent, failed or stale.
func (r *reader) deviceFailed() Condition {
	device := r.word("device", hardware.Names)
	return newLeaf("DeviceFailed("+device+")",
		func(v *View) bool { return quality(v.World, device) != hardware.OK },
		func(v *View) string { return noReading(device, quality(v.World, device)) })
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
