// Package social holds the behaviors that deal with people.
package social

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/library/param"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// search holds the parameters of looking for a face: the robot raises its head and turns around in steps.
type search struct {
	headRad float64
	stepRad float64
	steps   int
	look    time.Duration
}

// readSearch reads the keys that all classes that look for faces share.
func readSearch(o *resources.Object) search {
	return search{
		headRad: param.Head(o, "searchHead_deg", 25),
		stepRad: param.Rad(o.FloatRangeOr("searchTurn_deg", 45, 10, 60)),
		steps:   o.IntRangeOr("searchTurns", 8, 0, 40),
		look:    o.SecondsOr("searchLook_s", 600*time.Millisecond),
	}
}

// first returns the look ahead with which every search begins.
func (s search) first() actions.Action {
	return gesture.InTurn("LookUp", gesture.Head(s.headRad), gesture.Wait(s.look))
}

// step returns one turn of the search with a look after it. On the charger, where it must not turn, it only looks.
func (s search) step() actions.Action {
	return gesture.InTurn("SearchTurn", gesture.Turn(s.stepRad), gesture.Head(s.headRad), gesture.Wait(s.look))
}

// turnTo returns an action that turns to a face and waits for a new sighting of it. It fails with NO_FACE without one.
func turnTo(id int, maxAge time.Duration) actions.Action {
	return motion.NewTurnTowards(motion.TowardsParams{
		Target: motion.FaceTarget{ID: id, MaxAge: maxAge}, Verify: true, Require: true,
	})
}

// faceOf returns the face with an ID, if it was seen since an instant.
func faceOf(c *behaviors.Control, id int, since time.Time) (hardware.KnownFace, bool) {
	for _, f := range c.World().Faces {
		if f.ID == id && f.SeenAt.After(since) {
			return f, true
		}
	}
	return hardware.KnownFace{}, false
}
