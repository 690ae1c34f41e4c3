package estimate

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// Remembered is what the estimator knows of people and places now, for the next start.
func (e *Estimator) Remembered(now time.Time) hardware.Remembered {
	r := hardware.Remembered{Docked: e.charger.contacts, Pose: e.pose()}
	for _, f := range e.memory.knownFaces(e.pose()) {
		r.Faces = append(r.Faces, hardware.RememberedFace{
			ID: f.ID, Name: f.Name, DistanceMM: f.DistanceMM, BearingRad: f.BearingRad, Elevated: f.ElevationRad, Age: now.Sub(f.SeenAt),
		})
	}
	for _, o := range e.memory.objects {
		if o.Origin == e.origin {
			r.Places = append(r.Places, hardware.RememberedPlace{ID: o.ID, Kind: o.Kind, Pose: o.Pose, Age: now.Sub(o.SeenAt)})
		}
	}
	return r
}

// Remember takes up what an earlier life knew, before the first Update. Faces are where they were beside the robot, until they are as old as
// any that is forgotten. Places count only if the robot stood on its charger then and stands there in its first reading: else nobody knows
// whether it was carried meanwhile.
func (e *Estimator) Remember(r hardware.Remembered, now time.Time) {
	for _, f := range r.Faces {
		x, y := ahead(e.pose(), f.DistanceMM, f.BearingRad)
		e.memory.faces = append(e.memory.faces, hardware.KnownFace{
			ID: f.ID, Name: f.Name, XMM: x, YMM: y, ElevationRad: f.Elevated, SeenAt: now.Add(-f.Age),
		})
	}
	e.memory.faces = e.memory.faces[:min(len(e.memory.faces), maxFaces)]
	if r.Docked && len(r.Places) > 0 {
		e.places, e.placesAt = &r, now
	}
}

// takePlaces decides about remembered places at the first reading of the charger.
func (e *Estimator) takePlaces(s *hardware.Snapshot) {
	if e.places == nil || !s.Charger.OK() {
		return
	}
	r := e.places
	if e.places = nil; !s.Charger.Value.OnContacts || e.origin != 1 {
		return
	}
	faces := e.memory.knownFaces(e.pose())
	e.odo.pose = r.Pose
	e.landmarks.start(r.Pose)
	for i := range faces { // beside the robot, wherever it is
		f := &faces[i]
		f.XMM, f.YMM = ahead(r.Pose, f.DistanceMM, f.BearingRad)
	}
	e.memory.faces = faces
	for _, p := range r.Places {
		e.memory.addObject(hardware.KnownObject{ID: p.ID, Kind: p.Kind, Pose: p.Pose, Origin: e.origin, SeenAt: e.placesAt.Add(-p.Age)})
	}
}
