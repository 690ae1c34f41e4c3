package express

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// A Clip is a short performance: keyframes on a time line.
type Clip struct {
	Name string
	// Length is the duration of one loop; a running body move is finished before the loop ends.
	Length time.Duration
	// Frames are sorted by At.
	Frames []Keyframe
	// OnCharger allows the body moves while the robot stands on the charger (TRK-10).
	OnCharger bool
}

// A Keyframe changes one thing at one instant. Keyframes of locked tracks and of hardware that does not work are skipped
// (TRK-8).
type Keyframe struct {
	At time.Duration
	Do Cue
}

// A Cue is one change: Eyes, Glow, Sound, Speech, HeadTo, LiftTo, Roll or Spin.
type Cue interface{ cue() }

// The cues.
type (
	// Eyes shows an expression.
	Eyes string
	// Glow sets all back lights to one color.
	Glow hardware.RGB
	// Lights sets each back light.
	Lights [5]hardware.RGB
	// Sound plays a clip.
	Sound struct {
		Clip   string
		Length time.Duration
	}
	// HeadTo moves the head.
	HeadTo struct{ AngleRad, MaxRadPS float64 }
	// LiftTo moves the lift.
	LiftTo struct{ HeightMM, MaxMMPS float64 }
	// Roll drives straight by a signed distance.
	Roll struct{ DistanceMM, SpeedMMPS float64 }
	// Spin turns in place by a signed angle.
	Spin struct{ AngleRad, SpeedRadPS float64 }
)

func (Eyes) cue()   {}
func (Glow) cue()   {}
func (Lights) cue() {}
func (Sound) cue()  {}
func (HeadTo) cue() {}
func (LiftTo) cue() {}
func (Roll) cue()   {}
func (Spin) cue()   {}
