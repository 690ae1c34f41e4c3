package sim

import (
	"math"
	"slices"
	"time"

	"github.com/robotd/robotd/hardware"
)

// What is wrong with a sighting, besides how far away the thing is. The shares are estimates.
const (
	frameSteps  = 100 / StepMS // ten images a second
	lookedSteps = 1000 / StepMS
	sightDelay  = 60 * time.Millisecond // from taking an image to what was found in it
	dropout     = 0.03                  // of the sightings, in good light
	outlier     = 0.004                 // are far off: outlierScale times as wrong
	mistaken    = 0.001                 // of the cubes are taken for another one
	outlierSize = 8.0
	// A light level from 0 to 1: from litLevel on everything is seen, below darkLevel nothing.
	litLevel, darkLevel = 0.5, 0.1
	darkened            = 0.05 // the level of a room whose light is off
)

// sighting are the errors of one sighting: of the distance, the direction and the heading or elevation.
type sighting struct {
	mm           float64
	bearing, rad float64
	other        bool // it is taken for another one of its kind
}

// glance returns the errors of a sighting at a distance, of a side that is slanted, and false if it is missed. Distance and heading are
// measured by the size and shape of the thing in the image, so they get worse with distance, and a side that is seen at a slant is worse
// by the cosine.
func (w *world) glance(src uint64, mm, slant float64) (s sighting, ok bool) {
	n := w.n * 4
	if w.seed.unit(src, n+3) < w.missed() {
		return s, false
	}
	k := max(0, w.opt.SightNoise)
	if luck := w.seed.unit(src+srcLuck, n); luck < k*outlier {
		k *= outlierSize
	} else {
		s.other = luck > 1-k*mistaken
	}
	slanted := 1 / max(math.Cos(slant), 0.25)
	far := mm / 400
	s.mm = k * slanted * (0.5 + mm*(0.004+0.006*far)) * w.seed.bell(src, n)
	s.bearing = k * degrees(0.5+0.3*far) * w.seed.bell(src, n+1)
	s.rad = k * slanted * degrees(0.6+0.6*far) * w.seed.bell(src, n+2)
	return s, true
}

// missed is the share of sightings that are missed in this light.
func (w *world) missed() float64 {
	dark := clamp((litLevel-w.light())/(litLevel-darkLevel), 0, 1)
	return dark + (1-dark)*clamp(dropout*w.opt.SightNoise, 0, 1)
}

// light is the light's level, 0 to 1.
func (w *world) light() float64 {
	if w.n < w.senses.darkEnd {
		return min(w.opt.Light, w.senses.darkLevel)
	}
	return w.opt.Light
}

// Dim lowers the level of the light for d: 1 is a bright room, below 0.5 things are missed, below 0.1 nothing is seen.
func (r *Rig) Dim(level float64, d time.Duration) {
	r.with(func(w *world) { w.senses.darkLevel, w.senses.darkEnd = level, w.n+steps(d) })
}

// camera takes an image at every step that is a multiple of frameSteps, as long as somebody looks. What is found in it is there when the
// delay is over.
type camera struct {
	at     int64 // step of the next image; never while nobody looks
	wanted int64 // step until which somebody looks
	images [3]hardware.Detections
}

// shoot takes an image.
func (w *world) shoot() {
	c := &w.camera
	if c.at = w.n + frameSteps; w.n > c.wanted {
		c.at = never
		return
	}
	copy(c.images[1:], c.images[:])
	c.images[0] = w.detect(w.start.Add(time.Duration(w.n) * step))
}

// found is the newest image that is worked out at now. Before the first one it is empty.
func (w *world) found(now time.Time) hardware.Detections {
	if w.opt.SightDelay < 0 {
		return w.detect(now)
	}
	c := &w.camera
	if c.wanted = w.n + lookedSteps; c.at == never {
		c.at = w.n - w.n%frameSteps + frameSteps
		w.reschedule()
	}
	for _, d := range c.images {
		if !d.CapturedAt.IsZero() && now.Sub(d.CapturedAt) >= w.opt.SightDelay && now.Sub(d.CapturedAt) < lookedSteps*step {
			d.Faces, d.Objects, d.Pets, d.Points = slices.Clip(d.Faces), slices.Clip(d.Objects), slices.Clip(d.Pets), slices.Clip(d.Points)
			return d
		}
	}
	return hardware.Detections{}
}
