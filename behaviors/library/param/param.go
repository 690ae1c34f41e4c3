// Package param reads the parameters that many classes have: clips, angles, and pairs of limits to draw from. A class
// reads them once, when a behavior is made. Mistakes are reported at their place in the file.
package param

import (
	"math"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/resources"
)

// Rad converts degrees, as files give angles, to radians.
func Rad(deg float64) float64 { return deg * math.Pi / 180 }

// An Angle is in radians; files give degrees.
type Angle float64

// Rad is the angle in radians.
func (a Angle) Rad() float64 { return float64(a) }

// Head angles that the servo reaches.
const (
	HeadMinDeg = -22.0
	HeadMaxDeg = 45.0
)

// Head reads an optional head angle in degrees and returns it in radians.
func Head(o *resources.Object, key string, defDeg float64) float64 {
	return Rad(o.FloatRangeOr(key, defDeg, HeadMinDeg, HeadMaxDeg))
}

// Clip reads the optional name of a clip.
func Clip(o *resources.Object, key, def string) string { return o.RefOr(key, behaviors.RefClip, def) }

// Times are two limits of a duration.
type Times struct{ Min, Max time.Duration }

// Seconds reads two optional durations in seconds; the first must not be longer than the second.
func Seconds(o *resources.Object, minKey, maxKey string, def Times) Times {
	t := Times{Min: o.SecondsOr(minKey, def.Min), Max: o.SecondsOr(maxKey, def.Max)}
	if t.Max < t.Min {
		reversed(o, minKey, maxKey)
	}
	return t
}

// Draw returns a random duration between the limits, with equal chances.
func (t Times) Draw(c *behaviors.Control) time.Duration { return c.Between(t.Min, t.Max) }

// Span are two limits of a number.
type Span struct{ Min, Max float64 }

// Numbers reads two optional numbers within low and high; the first must not be greater than the second.
func Numbers(o *resources.Object, minKey, maxKey string, def Span, low, high float64) Span {
	s := Span{Min: o.FloatRangeOr(minKey, def.Min, low, high), Max: o.FloatRangeOr(maxKey, def.Max, low, high)}
	if s.Max < s.Min {
		reversed(o, minKey, maxKey)
	}
	return s
}

// Angles reads two optional angles in degrees and returns radians.
func Angles(o *resources.Object, minKey, maxKey string, defDeg Span, lowDeg, highDeg float64) Span {
	s := Numbers(o, minKey, maxKey, defDeg, lowDeg, highDeg)
	return Span{Min: Rad(s.Min), Max: Rad(s.Max)}
}

// Draw returns a number between the limits.
func (s Span) Draw(c *behaviors.Control) float64 { return s.Min + (s.Max-s.Min)*c.Rand().Float64() }

// DrawEitherWay returns a number between the limits with a random sign.
func (s Span) DrawEitherWay(c *behaviors.Control) float64 {
	n := s.Draw(c)
	if c.Rand().IntN(2) == 0 {
		return -n
	}
	return n
}

// Counts are two limits of a whole number.
type Counts struct{ Min, Max int }

// maxCount bounds the repetitions in one activation that a file can ask for.
const maxCount = 1000

// Ints reads two optional whole numbers from low to 1000; the first must not be greater than the second.
func Ints(o *resources.Object, minKey, maxKey string, def Counts, low int) Counts {
	n := Counts{Min: o.IntRangeOr(minKey, def.Min, low, maxCount), Max: o.IntRangeOr(maxKey, def.Max, low, maxCount)}
	if n.Max < n.Min {
		reversed(o, minKey, maxKey)
	}
	return n
}

// Draw returns a whole number between the limits, both included.
func (n Counts) Draw(c *behaviors.Control) int { return n.Min + c.Rand().IntN(max(0, n.Max-n.Min)+1) }

func reversed(o *resources.Object, minKey, maxKey string) {
	o.KeyErrorf(maxKey, "key-conflict", "is less than %s", minKey)
}
