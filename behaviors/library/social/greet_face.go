package social

import (
	"slices"
	"strings"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// lingerTime is how long the robot keeps looking at a face that it greeted.
const lingerTime = 2 * time.Second

// maxGreeted bounds the greetings that it remembers; it forgets the oldest one first.
const maxGreeted = 64

// A GreetFace greets a person whom it sees: it turns to the face, is happy, and says the name if it knows it. The same
// face is greeted again only after a while.
type GreetFace struct {
	params  greetParams
	greeted []greeting // newest last
	face    hardware.KnownFace
}

type greeting struct {
	id int
	at time.Time
}

type greetParams struct {
	Cooldown   time.Duration `key:"cooldownPerFace_s" doc:"how long the same face is not greeted again"`
	FaceAge    time.Duration `key:"maxFaceAge_s" doc:"an older sighting of a face does not count"`
	DistanceMM float64       `key:"maxFaceDist_mm" range:"100..10000" doc:"a face further away is not greeted"`
	Clip       string        `key:"clip" ref:"clip" doc:"played with the greeting"`
	Word       string        `key:"greeting" doc:"said before the name"`
}

// GreetFaceClass is the class GreetFace.
func GreetFaceClass() behaviors.Class {
	return behaviors.Class{
		Name: "GreetFace",
		Doc:  "Turns to a face, is happy and says its name; once in a while for each face.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			g := &GreetFace{}
			param.ReadConfig(cfg, &g.params)
			return g
		},
	}
}

// Modify looks for faces, and all the more while it greets one.
func (*GreetFace) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject = true
	m.LookInScope = hardware.LookFor(hardware.SeeFaces, hardware.Low)
	m.LookActive = hardware.LookFor(hardware.SeeFaces, hardware.Standard)
}

// WantsToBeActivated is true if it sees a face that it has not greeted lately.
func (g *GreetFace) WantsToBeActivated(c *behaviors.Control) bool {
	_, ok := g.newcomer(c)
	if !ok {
		g.because(c)
	}
	return ok
}

// because says why nobody is to be greeted, by the face that was seen last.
func (g *GreetFace) because(c *behaviors.Control) {
	faces := c.World().Faces
	if len(faces) == 0 {
		c.Because("no face is known")
		return
	}
	f := &faces[0]
	for i := range faces {
		if faces[i].SeenAt.After(f.SeenAt) {
			f = &faces[i]
		}
	}
	who := f.Name
	if who == "" {
		who = "somebody unknown"
	}
	switch {
	case c.Now().Sub(f.SeenAt) > g.params.FaceAge:
		c.Because("%v was seen last %v ago, which is too long", who, f.SeenAt)
	case f.DistanceMM >= g.params.DistanceMM:
		c.Because("%v is too far away: %.0f mm, limit %.0f mm", who, f.DistanceMM, g.params.DistanceMM)
	default:
		for _, e := range g.greeted {
			if e.id == f.ID {
				c.Because("%v was greeted %v ago, again in %v", who, e.at, e.at.Add(g.params.Cooldown))
			}
		}
	}
}

// newcomer returns the face seen last among those to greet.
func (g *GreetFace) newcomer(c *behaviors.Control) (hardware.KnownFace, bool) {
	for _, f := range c.World().Faces {
		if c.Now().Sub(f.SeenAt) <= g.params.FaceAge && f.DistanceMM < g.params.DistanceMM && !g.knows(f.ID, c.Now()) {
			return f, true
		}
	}
	return hardware.KnownFace{}, false
}

func (g *GreetFace) knows(id int, now time.Time) bool {
	return slices.ContainsFunc(g.greeted, func(e greeting) bool { return e.id == id && now.Sub(e.at) < g.params.Cooldown })
}

// OnActivated turns to the face. The greeting counts from here, so that an interrupted one is not repeated at once.
func (g *GreetFace) OnActivated(c *behaviors.Control) {
	face, ok := g.newcomer(c)
	if !ok {
		return
	}
	g.face = face
	g.greeted = slices.DeleteFunc(g.greeted, func(e greeting) bool { return e.id == face.ID })
	g.greeted = append(g.greeted, greeting{face.ID, c.Now()})
	if len(g.greeted) > maxGreeted {
		g.greeted = g.greeted[1:]
	}
	c.SetState("turning to the face")
	c.Act(turnTo(face.ID, 0), g.turned)
}

// turned greets the face if it is still there.
func (g *GreetFace) turned(c *behaviors.Control, o behaviors.Outcome) {
	if !o.Succeeded() {
		c.SetState("the face is gone")
		return
	}
	if f, ok := faceOf(c, g.face.ID, time.Time{}); ok {
		g.face = f // the name may have come meanwhile
	}
	c.SetState("greeting")
	c.Act(gesture.Together("Greet", gesture.Play(g.params.Clip), gesture.Say(g.text())), g.greets)
}

// greets keeps looking at the face for a moment: whoever was greeted may have something to say.
func (g *GreetFace) greets(c *behaviors.Control, _ behaviors.Outcome) {
	if _, ok := faceOf(c, g.face.ID, c.Now().Add(-lingerTime)); ok {
		c.SetState("looking at the face")
		c.Act(follow(g.face.ID, lingerTime), nil)
	}
}

func (g *GreetFace) text() string { return strings.TrimSpace(g.params.Word + " " + g.face.Name) }
