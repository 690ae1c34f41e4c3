package motion

import (
	"math"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/hardware"
)

// faceMaxAge is how old the sighting of a face may be to turn or drive to it.
const faceMaxAge = 10 * time.Second

// A Target is something to look at or drive to. Actions look it up in every step.
type Target interface {
	// Find returns the target's place, and its elevation seen from the head, or the result for a missing target.
	Find(w *hardware.World) (p Place, res actions.Result)
}

// A Place is where a target is in the odometry frame.
type Place struct {
	XMM, YMM     float64
	ElevationRad float64
	SeenAt       time.Time // zero for a fixed point
}

// A PointTarget is a fixed point.
type PointTarget struct{ XMM, YMM, ElevationRad float64 }

// Find returns the point, or BAD_POSE if it is none.
func (t PointTarget) Find(*hardware.World) (Place, actions.Result) {
	if s := t.XMM + t.YMM + t.ElevationRad; math.IsNaN(s) || math.IsInf(s, 0) {
		return Place{}, actions.BadPose
	}
	return Place{XMM: t.XMM, YMM: t.YMM, ElevationRad: t.ElevationRad}, actions.Success
}

// A FaceTarget is a known face.
type FaceTarget struct {
	ID     int           // 0 = the one seen last
	MaxAge time.Duration // 0 = 10 s
}

// Find returns the face, or NO_FACE.
func (t FaceTarget) Find(w *hardware.World) (Place, actions.Result) {
	f, ok := t.face(w)
	if !ok {
		return Place{}, actions.NoFace
	}
	return Place{XMM: f.XMM, YMM: f.YMM, ElevationRad: f.ElevationRad, SeenAt: f.SeenAt}, actions.Success
}

func (t FaceTarget) face(w *hardware.World) (hardware.KnownFace, bool) {
	maxAge := t.MaxAge
	if maxAge <= 0 {
		maxAge = faceMaxAge
	}
	for _, f := range w.Faces {
		if (t.ID == 0 || f.ID == t.ID) && w.Now.Sub(f.SeenAt) <= maxAge {
			return f, true
		}
	}
	return hardware.KnownFace{}, false
}

// An ObjectTarget is a known object of the current odometry frame, by ID or, with ID 0, the one of a kind that was seen last.
type ObjectTarget struct {
	ID           int
	Kind         string
	ElevationRad float64
}

// Find returns the object's center, or BAD_OBJECT.
func (t ObjectTarget) Find(w *hardware.World) (Place, actions.Result) {
	o, ok := t.Object(w)
	if !ok {
		return Place{}, actions.BadObject
	}
	return Place{XMM: o.Pose.XMM, YMM: o.Pose.YMM, ElevationRad: t.ElevationRad, SeenAt: o.SeenAt}, actions.Success
}

// Object returns the object that is meant now: of several the one that was seen last, of equals the first.
func (t ObjectTarget) Object(w *hardware.World) (newest hardware.KnownObject, ok bool) {
	for i := range w.Objects {
		o := &w.Objects[i]
		if o.Origin != w.Body.Origin || t.ID != 0 && o.ID != t.ID || t.Kind != "" && o.Kind != t.Kind {
			continue
		}
		if !ok || o.SeenAt.After(newest.SeenAt) {
			newest, ok = *o, true
		}
	}
	return newest, ok
}

// settleTarget fixes which object is meant when any will do, so that an action does not change its mind when it sees another one. There is only one
// charger, whose ID may change.
func settleTarget(w *hardware.World, t Target) Target {
	k, ok := t.(ObjectTarget)
	if !ok || k.ID != 0 {
		return t
	}
	if o, known := k.Object(w); known {
		k.Kind = o.Kind
		if o.Kind != hardware.KindCharger {
			k.ID = o.ID
		}
	}
	return k
}
