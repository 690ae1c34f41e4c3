// Package param reads the parameters of a class into one struct, by the tags of its fields: see [Read]. A class reads them once, when a
// behavior is made. Mistakes are reported at their place in the file.
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

// Times are two limits of a duration.
type Times struct{ Min, Max time.Duration }

// Draw returns a random duration between the limits, with equal chances.
func (t Times) Draw(c *behaviors.Control) time.Duration { return c.Between(t.Min, t.Max) }

// Span are two limits of a number.
type Span struct{ Min, Max float64 }

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

// Draw returns a whole number between the limits, both included.
func (n Counts) Draw(c *behaviors.Control) int { return n.Min + c.Rand().IntN(max(0, n.Max-n.Min)+1) }

func reversed(o *resources.Object, minKey, maxKey string) {
	o.KeyErrorf(maxKey, "key-conflict", "is less than %s", minKey)
}
