package performing

import (
	"math"
	"time"

	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

const (
	// faceAge is how long ago a face may have been seen.
	faceAge = 10 * time.Second
	// fastRadPS is the speed of a fast turn.
	fastRadPS = 3.5
)

// An AnimSequenceWithFace turns to a face, if there is one, and plays animations to it.
type AnimSequenceWithFace struct {
	AnimSequence
	params    faceParams
	headedRad float64 // at the activation
	origin    uint64  // of the frame in which headedRad is measured
}

type faceParams struct {
	Penalties []penalty `key:"faceSelectionPenalties" default:"" why:"the face straight ahead that has a name is the best one" doc:"which of several faces: the one with the least sum of factor times multiplier"`
	Require   bool      `key:"requireFaceForActivation" default:"false" why:"the animations play without a face, too" doc:"want control only if a face is known"`
	Confirm   bool      `key:"requireFaceConfirmation" default:"false" why:"a look costs time" doc:"look until the face is seen again after the turn"`
	Return    bool      `key:"returnToOriginalPose" default:"false" why:"the robot stays turned to the person" doc:"turn back to the heading of the start afterwards"`
	Fast      bool      `key:"setFastTurn" default:"false" why:"a calm turn looks friendlier" doc:"turn fast"`
}

// A penalty weighs one thing that speaks against a face.
type penalty struct {
	Factor     string  `key:"penaltyFactor" words:"RelativeBodyAngleRadians|RelativeHeadAngleRadians|RelativeMicDirectionRadians|UnnamedFace|TrackingOnly|TimeSinceSeen_s|NotMakingEyeContact|Distance_m" doc:"what speaks against a face"`
	Multiplier float64 `key:"penaltyMultiplier" doc:"how much it counts"`
}

// usualPenalties prefer a face straight ahead, and one that the robot has a name for.
func usualPenalties() []penalty {
	return []penalty{{"RelativeBodyAngleRadians", 1}, {"RelativeHeadAngleRadians", 1}, {"UnnamedFace", 0.5}}
}

// AnimSequenceWithFaceClass is the class AnimSequenceWithFace.
func AnimSequenceWithFaceClass() behaviors.Class {
	return behaviors.Class{
		Name: "AnimSequenceWithFace",
		Doc:  "Turns to a face and plays animations.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			a := &AnimSequenceWithFace{}
			param.ReadConfig(cfg, &a.AnimSequence.params)
			param.ReadConfig(cfg, &a.params)
			if len(a.params.Penalties) == 0 {
				a.params.Penalties = usualPenalties()
			}
			a.before, a.after = a.turn, a.turnBack
			return a
		},
	}
}

// Modify looks for faces.
func (a *AnimSequenceWithFace) Modify(m *behaviors.Modifiers, of func(id string) behaviors.Modifiers) {
	a.AnimSequence.Modify(m, of)
	m.LookInScope = hardware.LookFor(hardware.SeeFaces, hardware.Low)
	m.LookActive = hardware.LookFor(hardware.SeeFaces, hardware.Standard)
}

// WantsToBeActivated is true if there is a face, or need not be.
func (a *AnimSequenceWithFace) WantsToBeActivated(c *behaviors.Control) bool {
	if _, ok := a.best(c.World()); !ok && a.params.Require {
		c.Because("it needs a face, and has seen none in the last %v", c.Now().Add(-faceAge))
		return false
	}
	return a.AnimSequence.WantsToBeActivated(c)
}

// turn turns to the best face; false without one.
func (a *AnimSequenceWithFace) turn(c *behaviors.Control) bool {
	w := c.World()
	a.headedRad, a.origin = w.Body.Pose.HeadingRad, w.Body.Origin
	f, ok := a.best(w)
	if !ok {
		return false
	}
	p := motion.TowardsParams{Target: motion.FaceTarget{ID: f.ID}, Verify: a.params.Confirm, Require: a.params.Confirm}
	if a.params.Fast {
		p.SpeedRadPS = fastRadPS
	}
	c.SetState("turning to the face")
	c.Act(motion.NewTurnTowards(p), func(c *behaviors.Control, _ behaviors.Outcome) { a.play(c) })
	return true
}

// turnBack turns to the heading of the start, unless the robot was lifted meanwhile.
func (a *AnimSequenceWithFace) turnBack(c *behaviors.Control) {
	if b := &c.World().Body; a.params.Return && b.Origin == a.origin {
		c.SetState("turning back")
		c.Act(gesture.Turn(hardware.WrapRad(a.headedRad-b.Pose.HeadingRad)), nil)
	}
}

// best is the face with the least penalty among those seen lately; of equal ones that seen last.
func (a *AnimSequenceWithFace) best(w *hardware.World) (best hardware.KnownFace, ok bool) {
	least := math.Inf(1)
	for _, f := range w.Faces {
		if w.Now.Sub(f.SeenAt) > faceAge {
			continue
		}
		sum := 0.0
		for _, p := range a.params.Penalties {
			sum += p.Multiplier * factor(p.Factor, &f, w)
		}
		if sum < least {
			best, least, ok = f, sum, true
		}
	}
	return best, ok
}

// factor is what speaks against a face. What this robot cannot know (direction of a voice, eye contact, faces that are only tracked)
// is 0.
func factor(name string, f *hardware.KnownFace, w *hardware.World) float64 {
	switch name {
	case "RelativeBodyAngleRadians":
		return math.Abs(f.BearingRad)
	case "RelativeHeadAngleRadians":
		return math.Abs(f.ElevationRad - w.Servos.Value.HeadRad)
	case "UnnamedFace":
		if f.Name == "" {
			return 1
		}
	case "TimeSinceSeen_s":
		return w.Now.Sub(f.SeenAt).Seconds()
	case "Distance_m":
		return f.DistanceMM / 1000
	}
	return 0
}
