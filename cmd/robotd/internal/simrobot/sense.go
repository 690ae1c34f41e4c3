package simrobot

import (
	"slices"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware"
)

// moodSeconds is how long music, darkness, warmth and a pet last by default.
const moodSeconds = 10

// sense does what the robot perceives beside hands and places, and reports whether the act is such.
func (r *Robot) sense(a control.Act, span time.Duration) (text string, ok bool) {
	short, long := orElse(span, actSeconds*time.Second), orElse(span, moodSeconds*time.Second)
	name := a.Name
	if names := control.ActNames(a.Act); name == "" && len(names) > 0 {
		name = names[0]
	}
	switch a.Act {
	case "palm":
		r.Rig.Palm()
		return "laid on a palm", true
	case "twist":
		r.Rig.Twist(short)
		return "turned by hand for " + short.String(), true
	case "button":
		r.Rig.Press(short)
		return "the power button is pressed for " + short.String(), true
	case "motion":
		r.Rig.Wave(hardware.MotionArea(slices.Index(hardware.MotionAreaNames, name)), short)
		return "something moves in the part " + name + " of the picture for " + short.String(), true
	case "point":
		r.Rig.Point(name, short)
		return "the camera is shown: " + name + ", for " + short.String(), true
	case "pet":
		r.Rig.Pet(long)
		return "a pet comes for " + long.String(), true
	case "beat":
		r.Rig.Music(long)
		return "music plays for " + long.String(), true
	case "dark":
		r.Rig.Darken(long)
		return "dark for " + long.String(), true
	case "heat":
		r.Rig.Heat(long)
		return "warm for " + long.String(), true
	case "habitat":
		r.Rig.Surround(hardware.Habitat(slices.Index(hardware.HabitatNames, name)))
		return "the camera sees: " + name, true
	}
	return "", false
}

func orElse(span, def time.Duration) time.Duration {
	if span == 0 {
		return def
	}
	return span
}
