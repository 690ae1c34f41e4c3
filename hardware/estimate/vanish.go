package estimate

import (
	"math"
	"slices"
	"time"

	"github.com/robotd/robotd/hardware"
)

// Limits of what tells that a cube is gone.
const (
	// cubeTime is how long a cube is remembered that nobody sees nor misses: things on a table are moved about.
	cubeTime = 10 * time.Minute
	// missTimes images that should show a cube and do not, over missTime at least, mean that it is gone. The camera misses one in thirty.
	missTimes = 8
	missTime  = 1500 * time.Millisecond
	// lookedTime is how long the eyes must look for markers before a missing one counts: the vision process takes its orders late.
	lookedTime = time.Second
	// A cube counts as in view between these distances, and at this bearing with room for what is not known of its place.
	missNearMM, missFarMM = 100.0, 500.0
	missRad               = 22 * deg
	// hideMM is half the width of what may hide a cube, and of the cube.
	hideMM = 45.0
)

// misses counts the images in which remembered cubes are missing.
type misses struct {
	since time.Time // since when the eyes look for markers; zero while they do not
	all   []missing
}

// missing is one cube that was missed since it was seen last.
type missing struct {
	id, times int
	first     time.Time
}

// Looking tells whether the eyes are to look for markers. Without that a cube that is not seen is not missed.
func (e *Estimator) Looking(markers bool, now time.Time) {
	switch m := &e.memory.misses; {
	case !markers:
		m.since = time.Time{}
	case m.since.IsZero():
		m.since = now
	}
}

// miss forgets the cubes that an image should show and that were missing in several images before, too. p is where it was taken, by a robot that
// stood still with its head low. What another camera shows is not missing.
func (m *memory) miss(s *hardware.Snapshot, img *hardware.Image, p hardware.Pose, e *Estimator) {
	d := &s.Vision.Value
	if m.misses.since.IsZero() || img.CapturedAt.Sub(m.misses.since) < lookedTime || d.Carrying || img.NoMarkers {
		return
	}
	for i := 0; i < len(m.objects); i++ {
		o := &m.objects[i]
		if o.Kind != hardware.KindCube || o.Origin != e.origin || shows(d.Objects, o) || !m.inView(o, p, e) {
			continue
		}
		if m.misses.count(o.ID, img.CapturedAt) {
			m.forget(i, e)
			i--
		}
	}
}

func shows(objects []hardware.Object, o *hardware.KnownObject) bool {
	return slices.ContainsFunc(objects, func(s hardware.Object) bool { return s.ID == o.ID && s.Kind == o.Kind })
}

// count counts a miss, and reports whether that was enough.
func (m *misses) count(id int, at time.Time) bool {
	i := slices.IndexFunc(m.all, func(o missing) bool { return o.id == id })
	if i < 0 {
		m.all = append(m.all[max(0, len(m.all)+1-maxObjects):], missing{id: id, first: at})
		i = len(m.all) - 1
	}
	o := &m.all[i]
	o.times++
	return o.times >= missTimes && at.Sub(o.first) >= missTime
}

// found begins anew with a cube that was seen or forgotten.
func (m *misses) found(id int) {
	m.all = slices.DeleteFunc(m.all, func(o missing) bool { return o.id == id })
}

// inView reports whether an image taken at p should show an object.
func (m *memory) inView(o *hardware.KnownObject, p hardware.Pose, e *Estimator) bool {
	d, bearing := p.To(o.Pose.XMM, o.Pose.YMM)
	if d < missNearMM || d > missFarMM || math.Abs(bearing)+2*math.Atan2(o.SigmaMM, d) > missRad {
		return false
	}
	hides := func(x, y float64) bool {
		far, at := p.To(x, y)
		return far < d && math.Abs(hardware.WrapRad(at-bearing)) < math.Atan2(hideMM, far)
	}
	for i := range m.objects {
		if k := &m.objects[i]; k != o && k.Origin == e.origin && hides(k.Pose.XMM, k.Pose.YMM) {
			return false
		}
	}
	for _, k := range e.chart.marks() {
		if k.Kind != hardware.MarkEdge && hides(k.XMM, k.YMM) {
			return false
		}
	}
	return true
}

// forget forgets an object.
func (m *memory) forget(i int, e *Estimator) {
	o := m.objects[i]
	m.misses.found(o.ID)
	if k, known := e.landmarks.find(o.ID, o.Kind == hardware.KindCharger); known {
		e.landmarks.remove(k)
	}
	m.objects = slices.Delete(slices.Clone(m.objects), i, i+1)
}

// forgetCubes forgets the cubes that were seen too long ago.
func (m *memory) forgetCubes(now time.Time, e *Estimator) {
	for i := 0; i < len(m.objects); i++ {
		if o := &m.objects[i]; o.Kind == hardware.KindCube && now.Sub(o.SeenAt) > cubeTime {
			m.forget(i, e)
			i--
		}
	}
}
