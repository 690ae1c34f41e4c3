package estimate

import "github.com/robotd/robotd/hardware"

// aimed is how many readings of a sensor on the head are left out after the head came to the level: a sonar tells the middle of its last three
// measurements, and was triggered for the first of them before.
const aimed = 3

// aim tells whether a distance sensor that nods with the head looks at what is ahead.
type aim struct {
	seq   uint64
	left  int // readings to be left out
	ahead bool
	down  bool   // it looks at the floor
	why   string // it is not ahead
}

// update looks where the head is. If nobody knows, the sensor may look anywhere.
func (a *aim) update(s *hardware.Snapshot) {
	r, head := &s.Range, &s.Servos
	known := head.Quality >= hardware.Stale
	a.down = r.Value.OnHead && known && head.Value.HeadRad < 0 && !r.Value.LooksAhead(head.Value.HeadRad)
	switch {
	case r.Value.OnHead && !(known && r.Value.LooksAhead(head.Value.HeadRad)):
		a.left = aimed
	case r.OK() && r.Seq != a.seq && a.left > 0:
		a.left--
	}
	a.seq, a.ahead = r.Seq, a.left == 0
	switch {
	case a.ahead:
		a.why = ""
	case !known:
		a.why = "nobody knows where the head looks"
	case r.Value.LooksAhead(head.Value.HeadRad):
		a.why = "the head has just come to the level"
	case a.down:
		a.why = "the head looks down"
	default:
		a.why = "the head looks up"
	}
}

// judge is a reading as the mind may use it. With the head up an echo counts, because something is there, and no farther away than that;
// silence does not. With the head down both may be of the floor. Aside is why a fresh reading may not be used.
func (a *aim) judge(r hardware.Reading[hardware.RangeState]) (_ hardware.Reading[hardware.RangeState], aside string) {
	if r.OK() && !a.ahead && (a.down || !r.Value.Found) {
		r.Quality, aside = hardware.Stale, a.why
	}
	return r, aside
}
