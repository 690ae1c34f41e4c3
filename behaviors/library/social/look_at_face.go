package social

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// A LookAtFace answers "look at me": it turns to the face that it saw last, or looks around for one, and keeps looking at
// it for a while. On the charger it can only look where it faces.
type LookAtFace struct {
	params lookParams
	turns  int
	failed int // turns to a face that is there
}

type lookParams struct {
	FaceAge time.Duration `key:"maxFaceAge_s" doc:"an older sighting of a face does not count"`
	Keep    time.Duration `key:"lookTime_s" doc:"how long it looks at the face"`
	Search  search        `inline:"true"`
	Clip    string        `key:"clip" ref:"clip" doc:"played when it has found the face"`
	SadClip string        `key:"noFaceClip" ref:"clip" doc:"played when nobody is there"`
}

// LookAtFaceClass is the class LookAtFace.
func LookAtFaceClass() behaviors.Class {
	return behaviors.Class{
		Name: "LookAtFace",
		Doc:  "Turns to a face and keeps looking at it for a while.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			l := &LookAtFace{}
			param.ReadConfig(cfg, &l.params)
			return l
		},
	}
}

// Modify looks for people.
func (*LookAtFace) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject = true
	m.LookActive = hardware.LookFor(hardware.SeeFaces, hardware.Standard)
}

// OnActivated turns to the face that it knows, or begins to search.
func (l *LookAtFace) OnActivated(c *behaviors.Control) {
	l.turns, l.failed = 0, 0
	l.next(c, behaviors.Outcome{})
}

func (l *LookAtFace) next(c *behaviors.Control, _ behaviors.Outcome) {
	if f, ok := c.World().Face(l.params.FaceAge); ok {
		c.SetState("turning to the face")
		c.Act(turnTo(f.ID, l.params.FaceAge), l.turned)
		return
	}
	c.SetState("looking for a face")
	c.Act(l.params.Search.first(), l.look)
}

func (l *LookAtFace) look(c *behaviors.Control, o behaviors.Outcome) {
	if _, ok := c.World().Face(l.params.Search.Look * 2); ok {
		l.next(c, o)
		return
	}
	if l.turns >= l.params.Search.Steps || c.World().Body.OnPlatform {
		l.giveUp(c)
		return
	}
	l.turns++
	c.Act(l.params.Search.step(), l.look)
}

// turned follows the face with its eyes, or searches on if it was not there. That it leaves meanwhile is no reason to be sad.
func (l *LookAtFace) turned(c *behaviors.Control, o behaviors.Outcome) {
	f, ok := c.World().Face(l.params.FaceAge)
	if !o.Succeeded() || !ok {
		if l.failed++; l.failed > l.params.Search.Steps { // the person is there, but it cannot turn
			l.giveUp(c)
			return
		}
		c.SetState("looking for a face")
		l.look(c, o)
		return
	}
	c.SetState("looking at the face")
	c.Act(gesture.InTurn("LookAtFace", facing(f.ID, l.params.Clip), follow(f.ID, l.params.Keep)), nil)
}

func (l *LookAtFace) giveUp(c *behaviors.Control) {
	c.SetState("nobody there")
	c.Act(gesture.PlayStill(l.params.SadClip), nil)
}
