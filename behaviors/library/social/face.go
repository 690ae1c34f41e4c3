// Package social holds the behaviors that deal with people.
package social

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/compound"
	"github.com/robotd/robotd/actions/express"
	"github.com/robotd/robotd/actions/look"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// search are the parameters of looking for a face: the robot raises its head and turns around in steps.
type search struct {
	Head  param.Angle   `key:"searchHead_deg" range:"headMin..headMax" doc:"angle of the head during the search"`
	Turn  param.Angle   `key:"searchTurn_deg" range:"10..60" doc:"angle of each turn of the search"`
	Steps int           `key:"searchTurns" range:"0..40" doc:"turns after which it gives up"`
	Look  time.Duration `key:"searchLook_s" doc:"how long it looks after each turn"`
}

// first returns the look ahead with which every search begins.
func (s search) first() actions.Action {
	return gesture.InTurn("LookUp", gesture.Head(s.Head.Rad()), gesture.Wait(s.Look))
}

// step returns one turn of the search with a look after it. On the charger, where it must not turn, it only looks.
func (s search) step() actions.Action {
	return gesture.InTurn("SearchTurn", gesture.Turn(s.Turn.Rad()), gesture.Head(s.Head.Rad()), gesture.Wait(s.Look))
}

// turnTo returns an action that turns to a face and waits for a new sighting of it. It fails with NO_FACE without one.
func turnTo(id int, maxAge time.Duration) actions.Action {
	return motion.NewTurnTowards(motion.TowardsParams{
		Target: motion.FaceTarget{ID: id, MaxAge: maxAge}, Verify: true, Require: true,
	})
}

// follow returns an action that keeps a face in the middle for a while, a little longer if it looks into the camera.
func follow(id int, keep time.Duration) actions.Action {
	return look.NewTrackFace(id, look.TrackParams{For: keep, KeepEyes: keep / 2})
}

// facing returns an action that plays a clip without its moves of the body, which turns after a face as long as the clip lasts.
func facing(id int, clip string) actions.Action {
	return compound.NewParallel(compound.Params{Name: "Facing", EndWithFirst: true, Children: []compound.Child{
		{Action: gesture.PlayStill(clip), Ignore: true},
		{Action: gesture.InTurn("Gaze", look.NewTrackFace(id, look.TrackParams{Mode: look.BodyOnly}), express.NewHang()), Ignore: true},
	}})
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
