package social

import (
	"time"

	"github.com/robotd/robotd/actions/express"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// A LookAtFaceInFront raises the head and centers on a face if one appears in front.
type LookAtFaceInFront struct {
	params inFrontParams
	began  time.Time
}

type inFrontParams struct {
	Confirm bool `key:"confirmFace" default:"true" why:"a face that is confirmed is where the robot looks" doc:"wait for another sighting after the turn"`
}

const (
	// upRad is most of the way up: faces of people who stand are above a small robot.
	upRad = 0.8 * motion.HeadMaxRad
	// imagesWait is the time in which a few images come.
	imagesWait = 1500 * time.Millisecond
)

// LookAtFaceInFrontClass is the class LookAtFaceInFront.
func LookAtFaceInFrontClass() behaviors.Class {
	return behaviors.Class{
		Name: "LookAtFaceInFront",
		Doc:  "Raises the head, and centers on a face if one appears.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			l := &LookAtFaceInFront{}
			param.ReadConfig(cfg, &l.params)
			return l
		},
	}
}

// Modify looks for faces.
func (*LookAtFaceInFront) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.LookActive = hardware.LookFor(hardware.SeeFaces, hardware.Standard)
}

// OnActivated raises the head and waits for images.
func (l *LookAtFaceInFront) OnActivated(c *behaviors.Control) {
	l.began = c.Now()
	c.SetState("looking up")
	c.Act(gesture.InTurn("LookUp", gesture.Head(upRad), waitForFace(l.began, imagesWait)), l.looked)
}

// looked turns to the face that appeared, or ends.
func (l *LookAtFaceInFront) looked(c *behaviors.Control, _ behaviors.Outcome) {
	faces := c.World().Faces
	if !newestFace(c).After(l.began) {
		c.SetState("no face in front")
		return
	}
	c.SetState("centering on the face")
	c.Act(motion.NewTurnTowards(motion.TowardsParams{
		Target: motion.FaceTarget{ID: faces[0].ID}, Verify: l.params.Confirm,
	}), nil)
}

// waitForFace ends when a face is seen after an instant, or after a time.
func waitForFace(since time.Time, limit time.Duration) *express.WaitFor {
	var until time.Time
	return express.NewWaitFor(express.WaitForParams{
		Name: "WaitForFace",
		Until: func(w *hardware.World) bool {
			if until.IsZero() {
				until = w.Now.Add(limit)
			}
			return !w.Now.Before(until) || len(w.Faces) > 0 && w.Faces[0].SeenAt.After(since)
		},
	})
}
