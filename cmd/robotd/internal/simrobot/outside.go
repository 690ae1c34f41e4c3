package simrobot

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware"
)

// How long the detections of an outside process hold if it does not say so: three of its own images. The least is three images at 10 Hz, the
// most three at the slowest rate that the robot asks for, [hardware.Low]; that is also the time of a process whose rate is not known yet.
const (
	imagesHeld = 3
	leastHeld  = 300 * time.Millisecond
	mostHeld   = 1500 * time.Millisecond
)

// maxSources is how many outside processes may post at a time.
const maxSources = 16

// outsideID is added to the numbers of an outside process, so that its faces and objects are not taken for those of the
// simulator; sourceIDs as often as there are processes before it, so that they are not taken for those of another process.
const (
	outsideID = 1000
	sourceIDs = 1_000_000
)

// wakeTime is how long a camera process that rested, because nothing was wanted of it, may take to notice and to post its next image. One that
// rests reads the wanted modes once a second, and opens its camera then.
const wakeTime = 3 * time.Second

// A source is one outside process: its newest post, and how long that holds.
type source struct {
	name    string
	place   int // stays while the source is known; its numbers follow from it
	found   hardware.Detections
	holds   time.Duration
	handed  bool // its newest image was handed on
	looks   bool // it has a camera: it told once what it saw, or that it saw nothing
	markers bool // it looks for objects: it told once which, or that there are none
}

func (s *source) fresh(now time.Time) bool { return now.Sub(s.found.CapturedAt) <= s.holds }

// image reports whether the newest image counts now. One that was worked out for longer than it holds is handed on once.
func (s *source) image(now time.Time) bool {
	return s.looks && (s.fresh(now) || !s.handed && now.Sub(s.found.CapturedAt) <= mostHeld)
}

// learn takes from a post whether its process has a camera. An empty list counts, a list that is missing does not.
func (s *source) learn(d *hardware.Detections) {
	s.markers = s.markers || d.Objects != nil
	s.looks = s.looks || s.markers || d.Faces != nil || d.Pets != nil || d.Points != nil || d.Motion != hardware.Motion{} ||
		d.Light != hardware.LightUnknown || d.Habitat != hardware.HabitatUnknown || d.Trouble != ""
}

// outsideVision keeps the newest detections of each outside process.
type outsideVision struct {
	mu      sync.Mutex
	sources []*source // by name
	newest  time.Time // capture time of the newest image handed on
	there   bool      // there is a camera
	wanted  bool      // something is to be looked for ...
	since   time.Time // ... since then
}

// want tells whether anything is to be looked for.
func (e *outsideVision) want(wanted bool, now time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if wanted && !e.wanted {
		e.since = now
	}
	e.wanted = wanted
}

// put takes a post. Of one process a newer one replaces an older one; other processes' posts stay.
func (e *outsideVision) put(name string, hold time.Duration, d hardware.Detections, now time.Time) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	s, known, err := e.source(name, now)
	if err != nil {
		return err
	}
	if known && d.CapturedAt.Before(s.found.CapturedAt) {
		return nil
	}
	switch gap := d.CapturedAt.Sub(s.found.CapturedAt); {
	case hold > 0:
		s.holds = hold
	case known:
		s.holds = min(max(imagesHeld*gap, leastHeld), mostHeld)
	default:
		s.holds = mostHeld
	}
	s.learn(&d)
	own(&d, outsideID+s.place*sourceIDs)
	s.found, s.handed = d, false
	return nil
}

// source is the process of that name. A new one takes the place of the one that has been silent for longest if there are too many.
func (e *outsideVision) source(name string, now time.Time) (s *source, known bool, err error) {
	at, known := slices.BinarySearchFunc(e.sources, name, func(s *source, name string) int { return strings.Compare(s.name, name) })
	if known {
		return e.sources[at], true, nil
	}
	s = &source{name: name, place: len(e.sources)}
	if len(e.sources) == maxSources {
		old := e.longestSilent()
		if e.sources[old].fresh(now) {
			return nil, false, fmt.Errorf("source: %q is one too many: %d processes post already, such as %q", name, maxSources, e.sources[old].name)
		}
		s.place = e.sources[old].place
		e.sources = slices.Delete(e.sources, old, old+1)
		if old < at {
			at--
		}
	}
	e.sources = slices.Insert(e.sources, at, s)
	return s, false, nil
}

func (e *outsideVision) longestSilent() (at int) {
	for i, s := range e.sources {
		if s.found.CapturedAt.Before(e.sources[at].found.CapturedAt) {
			at = i
		}
	}
	return at
}

// own makes the numbers of an image those of its process alone. The slices of d are new.
func own(d *hardware.Detections, first int) {
	d.Faces, d.Objects, d.Pets = slices.Clone(d.Faces), slices.Clone(d.Objects), slices.Clone(d.Pets)
	for i := range d.Faces {
		d.Faces[i].ID += first
	}
	for i := range d.Objects {
		d.Objects[i].ID += first
	}
	for i := range d.Pets {
		d.Pets[i].ID += first
	}
}

// add adds what the outside processes have found to d, in the order of their names. Of a word that several tell, that of the newest image
// holds. Each image keeps the time at which it was taken.
func (e *outsideVision) add(d *hardware.Detections, now time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.addImages(d, now)
	var light, habitat, trouble time.Time
	newest := func(told bool, of *source, at *time.Time) bool {
		if !told || of.found.CapturedAt.Before(*at) {
			return false
		}
		*at = of.found.CapturedAt
		return true
	}
	for _, s := range e.sources {
		if !s.fresh(now) {
			continue
		}
		found := &s.found
		join(d, found)
		if newest(found.Light != hardware.LightUnknown, s, &light) {
			d.Light = found.Light
		}
		if newest(found.Habitat != hardware.HabitatUnknown, s, &habitat) {
			d.Habitat = found.Habitat
		}
		if newest(found.Trouble != "", s, &trouble) {
			d.Trouble = found.Trouble
		}
	}
}

// addImages lists the images that hold, with that of d if it is one, and makes the time of d that of the newest. Without a camera d stays blind.
// As long as nobody posted an image, d is as it was.
func (e *outsideVision) addImages(d *hardware.Detections, now time.Time) {
	if !d.Posted && !slices.ContainsFunc(e.sources, func(s *source) bool { return s.looks }) && e.newest.IsZero() {
		return
	}
	var all []hardware.Image
	if !d.Posted && !d.CapturedAt.IsZero() {
		all = append(all, d.Image())
	}
	for _, s := range e.sources {
		if s.image(now) {
			s.handed = true
			img := s.found.Image()
			img.Source, img.NoMarkers = s.place+1, d.NoMarkers || !s.markers
			all = append(all, img)
		}
	}
	slices.SortStableFunc(all, func(a, b hardware.Image) int { return a.CapturedAt.Compare(b.CapturedAt) })
	if n := len(all); n > 0 && all[n-1].CapturedAt.After(e.newest) {
		e.newest = all[n-1].CapturedAt // never an earlier one, which would look like another image
	}
	d.Posted, d.Images, d.CapturedAt = true, all, e.newest
	d.NoMarkers = !slices.ContainsFunc(all, func(i hardware.Image) bool { return !i.NoMarkers })
	d.Blind = d.Blind && !e.camera(len(all) > 0, now)
}

// camera reports whether there is a camera: an image holds, the newest one is no older than three at the slowest rate that is asked for, or
// the camera that was there rests, because nothing is wanted of it.
func (e *outsideVision) camera(holds bool, now time.Time) bool {
	switch {
	case holds:
		e.there = true
	case e.wanted && now.Sub(e.since) > wakeTime && now.Sub(e.newest) > mostHeld:
		e.there = false
	}
	return e.there
}

// join adds what adds up.
func join(d, found *hardware.Detections) {
	d.Faces = append(d.Faces, found.Faces...)
	d.Objects = append(d.Objects, found.Objects...)
	d.Pets = append(d.Pets, found.Pets...)
	d.Points = append(d.Points, found.Points...)
	for i := range d.Motion {
		d.Motion[i] = max(d.Motion[i], found.Motion[i])
	}
	if found.Beat != hardware.NoBeat && found.Beat >= d.Beat {
		d.Music = found.Music
	}
	d.CubeConnected, d.Carrying = d.CubeConnected || found.CubeConnected, d.Carrying || found.Carrying
}

// See stores the detections of an outside process and describes them.
func (r *Robot) See(d control.Detections) (string, error) {
	now := r.now()
	found := hardware.Detections{
		CapturedAt: now.Add(-time.Duration(d.AgeMS * float64(time.Millisecond))),
		Faces:      d.Faces, Objects: d.Objects, Pets: d.Pets, Points: d.Points, Motion: d.Motion.Motion(), Trouble: d.Error,
		Light: hardware.Light(index(hardware.LightNames, d.Light)), Habitat: hardware.Habitat(index(hardware.HabitatNames, d.Habitat)),
		Music: hardware.Music{
			Beat: hardware.Beat(index(hardware.BeatNames, d.Beat)), TempoBPM: d.TempoBPM,
			BeatAt: now.Add(-time.Duration(d.BeatAgeMS * float64(time.Millisecond))),
		},
		CubeConnected: d.CubeConnected, Carrying: d.Carrying,
	}
	if err := r.vision.put(d.Source, time.Duration(d.HoldMS*float64(time.Millisecond)), found, now); err != nil {
		return "", err
	}
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
	return text, nil
}

// index is the place of a word; 0 for none, which is what is not known.
func index(words []string, word string) int { return max(0, slices.Index(words, word)) }
