package look

import (
	"math"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
)

// Where something moves in the picture, by its part, for the middle of that part: the left and the right third of 60°, above and below.
const (
	motionSideRad = 20 * rad
	motionUpRad   = 12 * rad
	motionMM      = 600.0 // as far away as that, because nobody knows
	// motionLeast is the share of a part of the picture that has to move.
	motionLeast = 0.05
	// motionRest is how long the robot has to stand still before motion in the picture is that of something else: two images.
	motionRest = 200 * time.Millisecond
)

// A MotionTarget is where something moved in the picture last. It is made anew for each action. While the robot itself moves, everything does,
// so only images count that it took standing still.
type MotionTarget struct {
	place motion.Place
	seen  bool
	still time.Time // since when the robot stands; zero: it moves
}

// Find returns the place, or VISUAL_OBSERVATION_FAILED while nothing has moved yet.
func (t *MotionTarget) Find(w *hardware.World) (motion.Place, actions.Result) {
	t.look(w)
	if !t.seen {
		return motion.Place{}, actions.VisualObservationFailed
	}
	return t.place, actions.Success
}

func (t *MotionTarget) look(w *hardware.World) {
	m := &w.Motors.Value
	if w.Servos.Value.HeadMoving || math.Abs(m.LeftMMPS)+math.Abs(m.RightMMPS) > 1 {
		t.still = time.Time{}
		return
	}
	if t.still.IsZero() {
		t.still = w.Now
	}
	now := &w.Around.Motion
	if w.Now.Sub(t.still) < motionRest || now.Max() < motionLeast || !w.Vision.OK() {
		return
	}
	side := motionSideRad * share(now[hardware.MotionLeft], now[hardware.MotionRight])
	up := motionUpRad * share(now[hardware.MotionTop], now[hardware.MotionGround])
	p := w.Body.Pose
	s, c := math.Sincos(p.HeadingRad + side)
	t.seen = true
	t.place = motion.Place{
		XMM: p.XMM + motionMM*c, YMM: p.YMM + motionMM*s, ElevationRad: w.Servos.Value.HeadRad + up, SeenAt: w.Now,
	}
}

// share is 1 if only a moves, -1 if only b does, 0 if neither.
func share(a, b float64) float64 {
	if a+b == 0 {
		return 0
	}
	return (a - b) / (a + b)
}

// elevation is where the head looks at a target. What stands on the ground lies lower the nearer it is.
func elevation(w *hardware.World, t motion.Target, p motion.Place) float64 {
	o, ok := t.(motion.ObjectTarget)
	if !ok || o.ElevationRad != 0 {
		return p.ElevationRad
	}
	middle := cubeMM / 2
	if k, known := w.Object(o.ID); known {
		middle += k.BaseMM
		if k.Kind == hardware.KindCharger {
			middle = chargerMiddleMM
		}
	}
	d, _ := w.Body.Pose.To(p.XMM, p.YMM)
	return min(math.Atan2(middle-eyeMM, max(d, cubeMM)), thingHeadRad)
}

// settle fixes which face or object is meant when any will do, and how long an old sighting counts.
func settle(w *hardware.World, t motion.Target, maxAge time.Duration) motion.Target {
	switch k := t.(type) {
	case motion.FaceTarget:
		if k.MaxAge <= 0 {
			k.MaxAge = maxAge
		}
		if k.ID == 0 {
			k.ID = newestFace(w, k.MaxAge)
		}
		return k
	case motion.ObjectTarget:
		if k.ID == 0 {
			o, _ := k.Object(w)
			k.ID = o.ID
		}
		return k
	}
	return t
}

// newestFace is the face that was seen last and not longer than that ago, the first of equals; 0 if there is none.
func newestFace(w *hardware.World, maxAge time.Duration) int {
	id, at := 0, time.Time{}
	for i := range w.Faces {
		f := &w.Faces[i]
		if w.Now.Sub(f.SeenAt) <= maxAge && (id == 0 || f.SeenAt.After(at)) {
			id, at = f.ID, f.SeenAt
		}
	}
	return id
}

// modes is what the camera has to look for.
func modes(t motion.Target) hardware.Look {
	switch t.(type) {
	case motion.FaceTarget:
		return hardware.LookFor(hardware.SeeFaces, hardware.High)
	case motion.ObjectTarget:
		return hardware.LookFor(hardware.SeeMarkers, hardware.High)
	case *MotionTarget:
		return hardware.LookFor(hardware.SeeMotion, hardware.High)
	}
	return hardware.Look{}
}
