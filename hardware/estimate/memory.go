package estimate

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/robotd/robotd/hardware"
)

// Limits of memory. A new sighting replaces the oldest one.
const (
	faceTime   = 60 * time.Second
	maxFaces   = 16
	maxObjects = 32

	// The uncertainty of remembered places is told anew after motion added this variance.
	retellMM2 = 4.0

	// chargerID is the ID of a charger that was found by its contacts only. Vision may give it another ID.
	chargerID = 1
)

// memory keeps sightings. Its slices are never changed in place, because worlds of past ticks share them.
type memory struct {
	faces   []hardware.KnownFace
	objects []hardware.KnownObject
	told    float64 // how much variance motion had added when uncertainties were told last
	docked  bool    // the charger is where the contacts have it
	misses  misses
}

// update takes the new images of one tick.
func (m *memory) update(s *hardware.Snapshot, images []hardware.Image, e *Estimator, onTreads bool) {
	m.forgetFaces(s.Now)
	m.forgetCubes(s.Now, e)
	for i := range images {
		img := &images[i]
		raw, ok := e.odo.at(img.CapturedAt)
		if !ok {
			continue
		}
		m.addImage(img, s.Vision.Value.CarriedID, raw, e, onTreads)
		if onTreads && looksLow(s) {
			p := e.landmarks.fused(raw)
			if !img.NoMarkers {
				e.views.look(p, img.CapturedAt)
			}
			m.miss(s, img, p, e)
		}
	}
	if e.charger.contacts && onTreads {
		m.dock(s.Now, e)
	}
	m.docked = e.charger.contacts && onTreads
	if e.landmarks.grown-m.told > retellMM2 {
		m.tell(&e.landmarks)
	}
}

// addImage adds the sightings of an image that was taken when the odometry was at raw. What stands on the ground is a landmark.
func (m *memory) addImage(d *hardware.Image, carriedID int, raw hardware.Pose, e *Estimator, onTreads bool) {
	for _, f := range d.Faces {
		m.addFace(f, e.landmarks.fused(raw), d.CapturedAt)
	}
	if !onTreads || len(d.Objects) == 0 {
		return // the camera's height and tilt are unknown
	}
	for _, o := range d.Objects {
		s := seen{o: o, at: d.CapturedAt, from: raw, noise: noiseOf(o.DistanceMM), charger: o.Kind == hardware.KindCharger}
		pose, ok := hardware.Pose{}, false
		if o.BaseMM == 0 && (o.ID != carriedID || carriedID == 0) {
			pose, ok = e.landmarks.see(s)
		} else if i, known := e.landmarks.find(s.o.ID, s.charger); known {
			e.landmarks.remove(i)
		}
		if !ok {
			pose = s.place(&e.landmarks)
		}
		m.misses.found(o.ID)
		m.addObject(hardware.KnownObject{
			ID: o.ID, Kind: o.Kind, Origin: e.origin, SeenAt: d.CapturedAt, BaseMM: o.BaseMM, Up: o.Up, Pose: pose,
			SigmaMM: math.Sqrt(e.landmarks.scatter.times()) * math.Hypot(math.Sqrt(s.noise[0]), bearingSigma*o.DistanceMM),
		})
	}
	m.tell(&e.landmarks)
}

// tell makes places and uncertainties of what is remembered those of now.
func (m *memory) tell(l *landmarks) {
	grown := l.grown - m.told
	m.told = l.grown
	if len(m.objects) == 0 {
		return
	}
	m.objects = slices.Clone(m.objects)
	for k := range m.objects {
		o := &m.objects[k]
		i, ok := l.find(o.ID, o.Kind == hardware.KindCharger)
		switch {
		case !ok:
			o.SigmaMM = math.Sqrt(o.SigmaMM*o.SigmaMM + max(0, grown))
		default:
			o.SigmaMM = l.sigma(i)
			if !m.docked || o.Kind != hardware.KindCharger {
				o.Pose = l.pose(i)
			}
		}
	}
}

// ahead is the point at a distance and bearing from p.
func ahead(p hardware.Pose, distance, bearing float64) (x, y float64) {
	sin, cos := math.Sincos(p.HeadingRad + bearing)
	return p.XMM + distance*cos, p.YMM + distance*sin
}

// addFace replaces the older sighting of the same face: same ID, or same name if it has one. A face keeps its name.
func (m *memory) addFace(f hardware.Face, p hardware.Pose, at time.Time) {
	x, y := ahead(p, f.DistanceMM, f.BearingRad)
	k := hardware.KnownFace{ID: f.ID, Name: f.Name, XMM: x, YMM: y, ElevationRad: f.ElevationRad, SeenAt: at}
	if f.EyeContact {
		k.EyesAt = at
	}
	faces := []hardware.KnownFace{}
	for _, old := range m.faces {
		switch {
		case old.ID == f.ID:
			if k.Name == "" {
				k.Name = old.Name
			}
			if k.EyesAt.IsZero() {
				k.EyesAt = old.EyesAt
			}
		case f.Name == "" || old.Name != f.Name:
			faces = append(faces, old)
		}
	}
	faces = append(faces, k)
	slices.SortFunc(faces, func(a, b hardware.KnownFace) int {
		return cmp.Or(b.SeenAt.Compare(a.SeenAt), cmp.Compare(a.ID, b.ID))
	})
	m.faces = faces[:min(len(faces), maxFaces)]
}

func (m *memory) forgetFaces(now time.Time) {
	for len(m.faces) > 0 && now.Sub(m.faces[len(m.faces)-1].SeenAt) > faceTime {
		m.faces = m.faces[:len(m.faces)-1]
	}
}

// addObject replaces the older sighting of the same object. There is only one charger, so its ID does not matter.
func (m *memory) addObject(o hardware.KnownObject) {
	objects := make([]hardware.KnownObject, 0, len(m.objects)+1)
	for _, old := range m.objects {
		switch {
		case o.Kind == hardware.KindCharger && old.Kind == hardware.KindCharger:
		case old.ID != o.ID || old.Kind != o.Kind:
			objects = append(objects, old)
		}
	}
	objects = append(objects, o)
	if len(objects) > maxObjects {
		slices.SortStableFunc(objects, func(a, b hardware.KnownObject) int { return b.SeenAt.Compare(a.SeenAt) })
		objects = objects[:maxObjects]
	}
	slices.SortFunc(objects, func(a, b hardware.KnownObject) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Kind, b.Kind))
	})
	m.objects = objects
}

// dock places the charger under a robot on its contacts. That is more accurate than any sighting.
func (m *memory) dock(now time.Time, e *Estimator) {
	id := chargerID
	for _, o := range m.objects {
		if o.Kind == hardware.KindCharger {
			id = o.ID
		}
	}
	if !m.docked {
		e.landmarks.see(seen{
			o: hardware.Object{ID: id, DistanceMM: DockOffsetMM, BearingRad: math.Pi}, at: now, from: e.odo.pose, charger: true, felt: true,
			noise: [3]float64{dockSigma * dockSigma, dockSigma * dockSigma / (DockOffsetMM * DockOffsetMM), dockTurn * dockTurn},
		})
	}
	p := e.pose()
	p.XMM, p.YMM = ahead(p, -DockOffsetMM, 0)
	m.objects = slices.DeleteFunc(slices.Clone(m.objects), func(o hardware.KnownObject) bool {
		return o.Kind == hardware.KindCharger
	})
	m.addObject(hardware.KnownObject{ID: id, Kind: hardware.KindCharger, Pose: p, Origin: e.origin, SeenAt: now, SigmaMM: dockSigma})
}

// knownFaces returns the faces relative to the robot's current pose.
func (m *memory) knownFaces(p hardware.Pose) []hardware.KnownFace {
	faces := slices.Clone(m.faces)
	for i := range faces {
		f := &faces[i]
		f.DistanceMM, f.BearingRad = p.To(f.XMM, f.YMM)
	}
	return faces
}

// knownObjects returns the objects of the current origin, by ID.
func (m *memory) knownObjects() []hardware.KnownObject { return m.objects }
