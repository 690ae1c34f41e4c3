package control

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// ActNames lists what the name of an act may be; nil if it may be anything. The first is taken if it is empty.
func ActNames(act string) []string {
	switch act {
	case "habitat":
		return []string{hardware.InHabitat.String(), hardware.NotInHabitat.String(), hardware.HabitatUnknown.String()}
	case "motion":
		return hardware.MotionAreaNames
	case "point":
		return append([]string{"Person"}, slices.DeleteFunc(slices.Clone(hardware.SalientKinds), func(k string) bool { return k == "Person" })...)
	}
	return nil
}

// MotionState is the share of each part of the picture that moves, 0 to 1.
type MotionState struct {
	Left   float64 `json:"left"`
	Right  float64 `json:"right"`
	Top    float64 `json:"top"`
	Ground float64 `json:"ground"`
}

// MotionOf is the motion of the robot's senses.
func MotionOf(m hardware.Motion) MotionState {
	return MotionState{m[hardware.MotionLeft], m[hardware.MotionRight], m[hardware.MotionTop], m[hardware.MotionGround]}
}

// Motion is the motion as the robot's senses have it.
func (m MotionState) Motion() hardware.Motion {
	return hardware.Motion{m.Left, m.Right, m.Top, m.Ground}
}

// Limits of a source of detections.
const (
	maxSourceName = 32
	maxHoldMS     = 10_000
)

// validSource checks who posts, and how long it shall hold.
func (d *Detections) validSource() error {
	odd := func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("._-", c)
	}
	if len(d.Source) > maxSourceName || strings.ContainsFunc(d.Source, odd) {
		return fmt.Errorf("source: %q is no name of at most %d letters, digits, dots, dashes and underlines, such as camera", d.Source, maxSourceName)
	}
	if !(d.HoldMS >= 0 && d.HoldMS <= maxHoldMS) {
		return fmt.Errorf("hold_ms: %g is not between 0 and %d", d.HoldMS, maxHoldMS)
	}
	return nil
}

// validWords checks the words and shares of what is detected.
func (d *Detections) validWords() error {
	for _, w := range []struct {
		key, word string
		known     []string
	}{
		{"light", d.Light, hardware.LightNames},
		{"beat", d.Beat, hardware.BeatNames},
		{"habitat", d.Habitat, hardware.HabitatNames},
		{"error", d.Error, hardware.EngineErrors[1:]},
	} {
		if w.word != "" && !slices.Contains(w.known, w.word) {
			return fmt.Errorf("%s: %w", w.key, resources.Unknown("word", w.word, w.known))
		}
	}
	if t := d.TempoBPM; t != 0 && !(t >= hardware.LeastBPM && t <= hardware.MostBPM) {
		return fmt.Errorf("tempo_bpm: %g is not between %g and %g, nor 0 for a tempo that is not known", t, hardware.LeastBPM, hardware.MostBPM)
	}
	for i, p := range d.Points {
		if !slices.Contains(hardware.SalientKinds, p.Kind) {
			return fmt.Errorf("points[%d].kind: %w", i, resources.Unknown("kind", p.Kind, hardware.SalientKinds))
		}
	}
	for _, share := range d.Motion.Motion() {
		if !(share >= 0 && share <= 1) {
			return fmt.Errorf("motion: %g is not between 0 and 1", share)
		}
	}
	return nil
}

// Limits of where something is seen.
const (
	maxSightMM  = 20_000
	maxAngleRad = 6.283185307179586 // once around, 2π
)

// A measure is one number of a sighting, with its limits.
type measure struct {
	key       string
	is        float64
	low, high float64
}

func distance(mm float64) measure { return measure{"distance_mm", mm, 0, maxSightMM} }

func angle(key string, rad float64) measure { return measure{key, rad, -maxAngleRad, maxAngleRad} }

// validPlaces checks where that is what was seen.
func (d *Detections) validPlaces() error {
	for i, f := range d.Faces {
		if err := validMeasures("faces", i, distance(f.DistanceMM), angle("bearing_rad", f.BearingRad), angle("elevation_rad", f.ElevationRad)); err != nil {
			return err
		}
	}
	for i, o := range d.Objects {
		if err := validMeasures("objects", i, distance(o.DistanceMM), angle("bearing_rad", o.BearingRad), angle("heading_rad", o.HeadingRad),
			measure{"base_mm", o.BaseMM, -maxSightMM, maxSightMM}); err != nil {
			return err
		}
	}
	for i, p := range d.Points {
		if err := validMeasures("points", i, angle("bearing_rad", p.BearingRad)); err != nil {
			return err
		}
	}
	return nil
}

func validMeasures(list string, i int, all ...measure) error {
	for _, m := range all {
		switch {
		case m.is >= m.low && m.is <= m.high:
		case math.IsNaN(m.is):
			return fmt.Errorf("%s[%d].%s: %g is not between %g and %g", list, i, m.key, m.is, m.low, m.high)
		default:
			return fmt.Errorf("%s[%d].%s: %g is not between %g and %g; the nearest is %g", list, i, m.key, m.is, m.low, m.high, max(m.low, min(m.high, m.is)))
		}
	}
	return nil
}
