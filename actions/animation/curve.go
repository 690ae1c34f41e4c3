package animation

import (
	"math"
	"sort"
	"time"

	"gonum.org/v1/gonum/interp"

	"github.com/robotd/robotd/hardware"
)

// A Look shows an expression whose eyes look somewhere, or are shaped. From one keyframe of the face to the next each of its numbers goes
// smoothly, and never beyond the two; the expression changes at once.
type Look hardware.ShowFace

func (Look) track() int { return trackFace }

// lookSteps is in how many steps a number of a face is told apart: what is smaller costs a command and is not seen.
const lookSteps = 16

// A Curve is the face of a clip at every instant.
type Curve struct {
	at    []float64 // of the keyframes, in seconds
	looks []hardware.ShowFace
	parts []part // those that change
}

// A part is a number of a face and its way through the keyframes.
type part struct {
	of  int // numbers
	way interp.FritschButland
}

// numbers are what a keyframe sets of a face besides its expression.
type numbers [7]float64

func numbersOf(f *hardware.ShowFace) numbers {
	s := &f.Shape
	return numbers{f.GazeX, f.GazeY, f.Lid, s.Tall, s.Wide, s.Slant, s.Cheek}
}

// face is an expression with the numbers.
func (n *numbers) face(name string) hardware.ShowFace {
	s := hardware.Shape{Tall: n[3], Wide: n[4], Slant: n[5], Cheek: n[6]}
	return hardware.ShowFace{Face: name, GazeX: n[0], GazeY: n[1], Lid: n[2], Shape: s}
}

// CurveOf is the curve of the keyframes of a clip, in their order. It is nil without a Look among them.
func CurveOf(frames []Keyframe) *Curve {
	c, shaped := &Curve{}, false
	for _, f := range frames {
		switch look := f.Do.(type) {
		case Eyes:
			c.add(f.At, hardware.ShowFace{Face: string(look)})
		case Look:
			c.add(f.At, hardware.ShowFace(look).Limited())
			shaped = true
		}
	}
	if !shaped {
		return nil
	}
	for of := range len(numbers{}) {
		if p, changes := c.fit(of); changes {
			c.parts = append(c.parts, p)
		}
	}
	return c
}

// add appends a keyframe. Of two at one instant the later one counts.
func (c *Curve) add(at time.Duration, f hardware.ShowFace) {
	if n := len(c.at); n > 0 && at.Seconds() <= c.at[n-1] {
		c.looks[n-1] = f
		return
	}
	c.at, c.looks = append(c.at, at.Seconds()), append(c.looks, f)
}

// fit makes the way of one number: a monotone cubic after Fritsch and Butland (SIAM J. Sci. Stat. Comput. 5, 1984), which stays within each
// two keyframes, where a spline swings beyond them. A second before and after the keyframes the number is as at the ends, so the way sets
// out and arrives slowly.
func (c *Curve) fit(of int) (p part, changes bool) {
	n := len(c.at)
	xs, ys := make([]float64, n+2), make([]float64, n+2)
	for i := range c.at {
		xs[i+1], ys[i+1] = c.at[i], numbersOf(&c.looks[i])[of]
		changes = changes || ys[i+1] != ys[1]
	}
	if !changes {
		return p, false
	}
	xs[0], ys[0] = xs[1]-1, ys[1]
	xs[n+1], ys[n+1] = xs[n]+1, ys[n]
	p.of = of
	return p, p.way.Fit(xs, ys) == nil // it has no error
}

// At is the face at an instant of the clip, false before the first keyframe. It allocates nothing.
func (c *Curve) At(at time.Duration) (hardware.ShowFace, bool) {
	t := at.Seconds()
	i := sort.Search(len(c.at), func(i int) bool { return c.at[i] > t }) - 1
	if i < 0 {
		return hardware.ShowFace{}, false
	}
	all, last := numbersOf(&c.looks[i]), c.at[len(c.at)-1]
	for k := range c.parts {
		p := &c.parts[k]
		all[p.of] = math.Round(p.way.Predict(min(t, last))*lookSteps) / lookSteps
	}
	return all.face(c.looks[i].Face), true
}
