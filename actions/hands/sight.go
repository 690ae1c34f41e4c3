package hands

import (
	"math"
	"slices"
	"time"

	"github.com/robotd/robotd/hardware"
)

const (
	// maxSights is how many sightings are kept, newest last.
	maxSights = 16
	// newSights sightings in a row that do not fit the others mean that the cube was moved.
	newSights = 3
	// strayMM and strayRad are how far a sighting may be from the middle of the others to be believed.
	strayMM, strayRad = 12.0, 12 * rad
)

// A sight is where one cube is, by several images: single ones are some millimeters and a degree off, and sometimes wrong.
type sight struct {
	id     int
	at     time.Time // of the newest sighting
	origin uint64
	seen   []hardware.KnownObject
	sum    hardware.Pose // what all believed sightings say together
	fresh  int           // sightings since it began to wait for some
	strays int           // the newest ones that did not fit
}

// begin forgets everything and looks for a cube.
func (s *sight) begin(id int) { *s = sight{id: id, seen: s.seen[:0]} }

// wait begins to count sightings anew: only those of images that are taken from now on.
func (s *sight) wait(now time.Time) { s.fresh, s.at = 0, now }

// again also forgets what was seen before, because the cube was moved.
func (s *sight) again(now time.Time) {
	s.seen = s.seen[:0]
	s.wait(now)
}

// look takes a new sighting, if there is one, and reports that.
func (s *sight) look(w *hardware.World) bool {
	o, ok := cubeOf(w, s.id)
	if !ok || o.Origin != s.origin {
		s.seen = s.seen[:0]
	}
	s.origin = w.Body.Origin
	if !ok || !o.SeenAt.After(s.at) {
		return false
	}
	s.at = o.SeenAt
	s.fresh++
	if s.fits(o.Pose) {
		s.strays = 0
	} else if s.strays++; s.strays == newSights {
		s.seen = append(s.seen[:0], s.seen[len(s.seen)-newSights+1:]...)
		s.strays = 0
	}
	if len(s.seen) == maxSights {
		s.seen = append(s.seen[:0], s.seen[1:]...)
	}
	s.seen = append(s.seen, o)
	s.average(w.Body.Pose)
	return true
}

// fits reports whether a sighting is near what the others say.
func (s *sight) fits(p hardware.Pose) bool {
	return len(s.seen) == 0 || near(p, s.sum, strayMM) && math.Abs(quarter(p.HeadingRad-s.sum.HeadingRad)) <= strayRad
}

// average weighs near sightings more than far ones and leaves out those that are far from the middle of all.
func (s *sight) average(robot hardware.Pose) {
	x := s.middle(func(p hardware.Pose) float64 { return p.XMM })
	y := s.middle(func(p hardware.Pose) float64 { return p.YMM })
	ref := s.seen[len(s.seen)-1].Pose.HeadingRad
	turn := func(p hardware.Pose) float64 { return quarter(p.HeadingRad - ref) }
	h := s.middle(turn)
	var sx, sy, sh, n float64
	for i := range s.seen {
		p := s.seen[i].Pose
		t := turn(p)
		if math.Hypot(p.XMM-x, p.YMM-y) > strayMM || math.Abs(t-h) > strayRad {
			continue
		}
		d, _ := robot.To(p.XMM, p.YMM)
		weight := 1 / max(d*d, 1)
		sx, sy, sh, n = sx+weight*p.XMM, sy+weight*p.YMM, sh+weight*t, n+weight
	}
	if n == 0 { // two that contradict each other: the newer one
		s.sum = s.seen[len(s.seen)-1].Pose
		return
	}
	s.sum = hardware.Pose{XMM: sx / n, YMM: sy / n, HeadingRad: hardware.WrapRad(ref + sh/n)}
}

func (s *sight) middle(of func(hardware.Pose) float64) float64 {
	var all [maxSights]float64
	for i := range s.seen {
		all[i] = of(s.seen[i].Pose)
	}
	v := all[:len(s.seen)]
	slices.Sort(v)
	return (v[len(v)/2] + v[(len(v)-1)/2]) / 2
}

// quarter wraps an angle to (-45°, 45°]: the four faces of a cube look alike to a robot that docks.
func quarter(a float64) float64 { return hardware.WrapRad(4*a) / 4 }
