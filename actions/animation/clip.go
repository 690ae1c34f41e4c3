// Package animation holds the animations of a resource tree: clips, groups of clips that mean the same, and triggers that stand for a
// group. It reads them from files and chooses a clip of a group; package express plays it.
//
// Its place is before the first tick, where the files are read and checked, and at the start of an animation. A [Library] is immutable.
package animation

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// A Clip is a short performance: keyframes on a time line.
type Clip struct {
	Name string
	// Length is the duration of one loop; a running body move is finished before the loop ends.
	Length time.Duration
	// Frames are sorted by At; those of one instant in the order of [Tracks].
	Frames []Keyframe
	// OnCharger allows the body moves while the robot stands on the charger (TRK-10).
	OnCharger bool
	// Face is the curve of the face; nil if no keyframe is a Look. Files set it; that of a clip made by code is worked out when it plays.
	Face *Curve
	// File and Line are the place of its definition; empty for a clip made by code.
	File string
	Line int
}

// A Keyframe changes one thing at one instant. Keyframes of locked tracks and of hardware that does not work are skipped
// (TRK-8).
type Keyframe struct {
	At time.Duration
	Do Cue
}

// A Cue is one change: Eyes, Look, Glow, Lights, Sound, Speech, HeadTo, LiftTo, Roll or Spin.
type Cue interface{ track() int }

// The cues.
type (
	// Eyes shows an expression.
	Eyes string
	// Glow sets all back lights to one color.
	Glow hardware.RGB
	// Lights sets each back light.
	Lights [5]hardware.RGB
	// Sound plays a recorded sound.
	Sound struct {
		Clip   string
		Length time.Duration
	}
	// Speech says a text.
	Speech struct {
		Text   string
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

// The tracks of a clip, as files name them.
const (
	trackFace = iota
	trackLights
	trackSound
	trackHead
	trackLift
	trackBody
	tracks
)

var trackNames = [tracks]string{"face", "lights", "sound", "head", "lift", "body"}

// Tracks lists the tracks that a clip may have keyframes on, in the order in which those of one instant are played.
func Tracks() []string { return trackNames[:] }

func (Eyes) track() int   { return trackFace }
func (Glow) track() int   { return trackLights }
func (Lights) track() int { return trackLights }
func (Sound) track() int  { return trackSound }
func (Speech) track() int { return trackSound }
func (HeadTo) track() int { return trackHead }
func (LiftTo) track() int { return trackLift }
func (Roll) track() int   { return trackBody }
func (Spin) track() int   { return trackBody }

// Tracks lists the tracks that the clip has keyframes on.
func (c *Clip) Tracks() []string {
	var has [tracks]bool
	for _, f := range c.Frames {
		has[f.Do.track()] = true
	}
	var names []string
	for i, name := range trackNames {
		if has[i] {
			names = append(names, name)
		}
	}
	return names
}
