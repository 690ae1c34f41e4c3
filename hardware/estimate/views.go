package estimate

import (
	"math"
	"slices"
	"time"

	"github.com/robotd/robotd/hardware"
)

// Limits of the memory of views. When it is full the oldest one goes.
const (
	// maxViews is all around, at four places.
	maxViews = 48
	// viewTime is how long a look counts: things are moved about.
	viewTime = 3 * time.Minute
	// A view that differs less is the same one: a tenth of the field of view to each side, and as much at 250 mm.
	sameViewMM, sameViewRad = 40.0, 8 * deg
	// sameViewTime is how much newer an image must be for a view to be told again, so that a robot that rests changes nothing.
	sameViewTime = 5 * time.Second
	// lowHeadRad is the highest head at which things on the ground are seen.
	lowHeadRad = 15.5 * deg
)

// views keeps where the robot looked. What is published is never written again.
type views struct{ now *hardware.Views }

// looksLow reports whether the robot stands still with its head low.
func looksLow(s *hardware.Snapshot) bool {
	m, j := &s.Motors, &s.Servos
	still := m.OK() && math.Abs(m.Value.LeftMMPS)+math.Abs(m.Value.RightMMPS) < 1
	return still && (j.Quality == hardware.Absent || j.OK() && !j.Value.HeadMoving && j.Value.HeadRad <= lowHeadRad)
}

// look takes an image that was taken at a pose, by a robot that stood still with its head low.
func (v *views) look(p hardware.Pose, at time.Time) {
	all := v.all()
	same := slices.IndexFunc(all, func(o hardware.View) bool {
		return math.Hypot(o.XMM-p.XMM, o.YMM-p.YMM) < sameViewMM && math.Abs(hardware.WrapRad(o.HeadingRad-p.HeadingRad)) < sameViewRad
	})
	if same >= 0 && at.Sub(all[same].At) < sameViewTime {
		return
	}
	next := make([]hardware.View, 0, len(all)+1)
	for i := range all {
		if i != same && at.Sub(all[i].At) <= viewTime {
			next = append(next, all[i])
		}
	}
	next = append(next, hardware.View{Pose: p, At: at})
	v.publish(next[max(0, len(next)-maxViews):])
}

func (v *views) all() []hardware.View {
	if v.now == nil {
		return nil
	}
	return v.now.All
}

func (v *views) publish(all []hardware.View) {
	version := uint64(1)
	if v.now != nil {
		version = v.now.Version + 1
	}
	v.now = &hardware.Views{Version: version, All: all}
}

// clear forgets all views, at a new origin.
func (v *views) clear() {
	if len(v.all()) > 0 {
		v.publish(nil)
	}
}
