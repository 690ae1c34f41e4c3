package motion

import (
	"math"

	"github.com/robotd/robotd/actions"
)

const (
	// doneMM is a rest that is not worth a drive.
	doneMM = 1.0
	// leapMM is more than wheels turn between two looks at them: their counter began anew.
	leapMM = 60.0
)

// odometer counts down what is left of a distance, by the wheels.
type odometer struct {
	leftMM, lastMM float64
	begun          bool // lastMM is known
}

// resume begins to count, or goes on. What the wheels turned since the last look counts if they still have that segment: they rolled on.
func (o *odometer) resume(env *actions.Env, segment uint64) {
	m := env.World.Motors
	if !m.OK() {
		return
	}
	if o.begun && m.Value.Segment == segment {
		o.measure(env)
	}
	o.begun, o.lastMM = true, (m.Value.LeftMM+m.Value.RightMM)/2
}

// measure subtracts what the wheels turned since the last look.
func (o *odometer) measure(env *actions.Env) {
	m := env.World.Motors
	if !m.OK() {
		return
	}
	now := (m.Value.LeftMM + m.Value.RightMM) / 2
	if step := now - o.lastMM; math.Abs(step) < leapMM {
		o.leftMM -= step
	}
	o.lastMM = now
}

// done reports whether nothing is left of a distance. What was driven too far is not driven back.
func (o *odometer) done(of float64) bool {
	return of == 0 || o.leftMM*of <= 0 || o.begun && math.Abs(o.leftMM) < min(doneMM, math.Abs(of)/2)
}
