package registry

import (
	"fmt"
	"math"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
)

// SteerTime is how long an order of direct driving holds. Who drives repeats it more often; who is gone stops the robot (TRK-9).
const SteerTime = 400 * time.Millisecond

// SteerOn answers an order that goes on with what the robot does already.
const SteerOn = "goes on"

// Limits of direct driving. The wheels are as slow as everywhere where the cliff reflex must stop them in time.
const (
	SteerMMPS      = motion.CliffSafeMMPS
	SteerCarryMMPS = 60.0 // while the lift carries something
	SteerHeadDPS   = 120.0
	SteerLiftMMPS  = 60.0
)

// A Steering is what an operator lets the body do directly: speeds of wheels, head and lift, each until the next Steering, and none for long
// without another (TRK-9). Zero stands still.
type Steering struct {
	LeftMMPS, RightMMPS float64
	HeadDPS, LiftMMPS   float64 // up is positive; the head in ° a second
}

// Check names the first speed that is no number within its limits.
func (s Steering) Check() error {
	for _, v := range [...]struct {
		key       string
		is, limit float64
	}{
		{"left_mmps", s.LeftMMPS, SteerMMPS},
		{"right_mmps", s.RightMMPS, SteerMMPS},
		{"head_dps", s.HeadDPS, SteerHeadDPS},
		{"lift_mmps", s.LiftMMPS, SteerLiftMMPS},
	} {
		switch {
		case math.IsNaN(v.is):
			return fmt.Errorf("%s: %g is not between %g and %g", v.key, v.is, -v.limit, v.limit)
		case math.Abs(v.is) > v.limit:
			return fmt.Errorf("%s: %g is not between %g and %g; the nearest is %g", v.key, v.is, -v.limit, v.limit, math.Copysign(v.limit, v.is))
		}
	}
	return nil
}

// Stands reports whether nothing moves.
func (s Steering) Stands() bool { return s == Steering{} }

// Wheels reports whether the wheels turn.
func (s Steering) Wheels() bool { return s.LeftMMPS != 0 || s.RightMMPS != 0 }

// Tracks are those of what moves.
func (s Steering) Tracks() (t actions.Tracks) {
	if s.Wheels() {
		t |= actions.Body
	}
	if s.HeadDPS != 0 {
		t |= actions.Head
	}
	if s.LiftMMPS != 0 {
		t |= actions.Lift
	}
	return t
}

// HeadTo is where the head goes at HeadDPS, and how fast: its end in that direction.
func (s Steering) HeadTo() (angleRad, radPS float64) {
	if angleRad = motion.HeadMinRad; s.HeadDPS > 0 {
		angleRad = motion.HeadMaxRad
	}
	return angleRad, math.Abs(s.HeadDPS) * rad
}

// LiftTo is where the lift goes at LiftMMPS, and how fast.
func (s Steering) LiftTo() (heightMM, mmps float64) {
	if heightMM = motion.LiftMinMM; s.LiftMMPS > 0 {
		heightMM = motion.LiftMaxMM
	}
	return heightMM, math.Abs(s.LiftMMPS)
}

// String says what moves, for people.
func (s Steering) String() string {
	text := ""
	add := func(format string, v ...any) {
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf(format, v...)
	}
	if s.Wheels() {
		add("wheels %g and %g mm/s", s.LeftMMPS, s.RightMMPS)
	}
	if s.HeadDPS != 0 {
		add("head %g °/s", s.HeadDPS)
	}
	if s.LiftMMPS != 0 {
		add("lift %g mm/s", s.LiftMMPS)
	}
	if text == "" {
		return "nothing moves"
	}
	return text
}
