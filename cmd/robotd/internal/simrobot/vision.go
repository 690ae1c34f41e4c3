package simrobot

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware"
)

// ObserveTick implements actors.TickObserver: vision runs the modes that the tick wants, from now on (T-2).
func (r *Robot) ObserveTick(_ event.Tick, o *engine.Output, _ *engine.Engine) {
	if old := r.look.Load(); old == nil || *old != o.Look {
		look := o.Look
		r.look.Store(&look)
	}
}

// detect returns what the simulated camera finds in the wanted modes, and the fresh detections of an outside process. Those are not
// filtered: that process reads the wanted modes itself.
func (r *Robot) detect(now time.Time) hardware.Detections {
	d := r.Rig.Detect(now)
	if look := r.look.Load(); look != nil {
		d = look.Filter(d)
	}
	r.vision.add(&d, now)
	return d
}

// outsideFresh is how long detections of an outside process are shown: three images at its slowest sensible rate, 10 Hz.
const outsideFresh = 300 * time.Millisecond

// outsideID is added to the numbers of an outside process, so that its faces and objects are not taken for those of the
// simulator.
const outsideID = 1000

// outsideVision keeps the newest detections of an outside process.
type outsideVision struct {
	mu    sync.Mutex
	found hardware.Detections
}

func (e *outsideVision) put(d hardware.Detections) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !d.CapturedAt.Before(e.found.CapturedAt) {
		e.found = d
	}
}

func (e *outsideVision) add(d *hardware.Detections, now time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.found.CapturedAt.IsZero() || now.Sub(e.found.CapturedAt) > outsideFresh {
		return
	}
	d.Faces = append(d.Faces, e.found.Faces...)
	d.Objects = append(d.Objects, e.found.Objects...)
	d.Pets = append(d.Pets, e.found.Pets...)
	d.Points = append(d.Points, e.found.Points...)
	for i := range d.Motion {
		d.Motion[i] = max(d.Motion[i], e.found.Motion[i])
	}
	if e.found.Beat != hardware.NoBeat && e.found.Beat >= d.Beat {
		d.Music = e.found.Music
	}
	if e.found.Light != hardware.LightUnknown {
		d.Light = e.found.Light
	}
	if e.found.Habitat != hardware.HabitatUnknown {
		d.Habitat = e.found.Habitat
	}
	if e.found.Trouble != "" {
		d.Trouble = e.found.Trouble
	}
	d.CubeConnected, d.Carrying = e.found.CubeConnected, e.found.Carrying
}

// See stores the detections of an outside process and describes them.
func (r *Robot) See(d control.Detections) string {
	found := hardware.Detections{CapturedAt: r.now().Add(-time.Duration(d.AgeMS * float64(time.Millisecond)))}
	for _, f := range d.Faces {
		f.ID += outsideID
		found.Faces = append(found.Faces, f)
	}
	for _, o := range d.Objects {
		o.ID += outsideID
		found.Objects = append(found.Objects, o)
	}
	for _, p := range d.Pets {
		p.ID += outsideID
		found.Pets = append(found.Pets, p)
	}
	found.Points, found.Motion, found.Trouble = d.Points, d.Motion.Motion(), d.Error
	found.Light = hardware.Light(index(hardware.LightNames, d.Light))
	found.Music = hardware.Music{
		Beat: hardware.Beat(index(hardware.BeatNames, d.Beat)), TempoBPM: d.TempoBPM,
		BeatAt: r.now().Add(-time.Duration(d.BeatAgeMS * float64(time.Millisecond))),
	}
	found.Habitat = hardware.Habitat(index(hardware.HabitatNames, d.Habitat))
	found.CubeConnected, found.Carrying = d.CubeConnected, d.Carrying
	r.vision.put(found)
	text := fmt.Sprintf("%d faces, %d objects", len(d.Faces), len(d.Objects))
	if n := len(d.Points); n > 0 {
		text += fmt.Sprintf(", %d points", n)
	}
	if n := len(d.Pets); n > 0 {
		text += fmt.Sprintf(", %d pets", n)
	}
	if d.CubeConnected {
		text += ", cube connected"
	}
	if d.Carrying {
		text += ", carrying"
	}
	return text
}

// index is the place of a word; 0 for none, which is what is not known.
func index(words []string, word string) int { return max(0, slices.Index(words, word)) }
