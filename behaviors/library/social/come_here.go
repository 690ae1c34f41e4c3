package social

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// A ComeHere answers "come here": it turns to a face it knows or looks for one, and drives up to it. The edge cases:
//
//	on the charger          it drives off first
//	no face                 it looks around once, and is sad if it finds no face
//	the face is lost        it looks for it again, a few times
//	an edge in the way      it stops there, steps back and is happy, because people sit beyond tables
//	something in the way    the same, without the step back
//	the drive fails         it is sad
//	the person approaches   it stops early
//
// The base layer claims the intent, which the instance names in respondToUserIntents.
type ComeHere struct {
	params comeParams
	faceID int
	turns  int       // of the search
	lost   int       // times that the face was lost
	edge   bool      // the reflex stopped the wheels
	coming bool      // it drives to the face
	left   bool      // it has tried to leave the charger
	done   bool      // it has arrived, or given up
	bad    time.Time // faces last seen before then do not count any more
}

type comeParams struct {
	Leave      string        `key:"driveOffChargerBehavior" delegate:"true" doc:"leaves the charger"`
	Quiet      []string      `key:"suppressedBehaviors" ref:"behavior" default:"" why:"a tree without reactions has none to suppress" doc:"suppressed while it comes"`
	DistanceMM float64       `key:"stopDistance_mm" range:"50..1000" doc:"distance to the face at which it has arrived"`
	SpeedMMPS  float64       `key:"speed_mmps" range:"10..cliffSafe" doc:"speed of the drive"`
	FaceAge    time.Duration `key:"maxFaceAge_s" doc:"an older sighting of a face does not count"`
	Search     search        `inline:"true"`
	LostLimit  int           `key:"retriesWhenLost" range:"0..10" doc:"how often it looks again for a face that it lost"`
	AckClip    string        `key:"ackClip" ref:"clip" doc:"shows that it heard"`
	HappyClip  string        `key:"arrivedClip" ref:"clip" doc:"played when it has arrived"`
	SadClip    string        `key:"noFaceClip" ref:"clip" doc:"played when nobody is there"`
	Timer      string        `key:"arrivedTimer" ref:"timer" default:"" why:"a tree that greets nobody needs none" doc:"set back when it has arrived, however long it came"`
}

const (
	// nearMM is how far beyond the wanted distance still counts as near enough.
	nearMM = 30.0
	// edgeBackMM is the length of the step back from an edge.
	edgeBackMM = 40.0
	// nobodyThere is its state when it has found no face, or cannot leave the charger to look for one.
	nobodyThere = "nobody there"
)

// ComeHereClass is the class ComeHere.
func ComeHereClass() behaviors.Class {
	return behaviors.Class{
		Name: "ComeHere",
		Doc:  "Turns and drives to a face, looking for one if it knows none.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			h := &ComeHere{}
			param.ReadConfig(cfg, &h.params)
			return h
		},
	}
}

// Modify lets it start on the charger, from which it drives off. It looks for faces, to find the person who called.
func (*ComeHere) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenOffTreads, m.WhenOnCharger, m.WhenCarryingObject = false, true, true
	m.LookActive = hardware.LookFor(hardware.SeeFaces, hardware.Standard)
}

// WantsToBeActivated is true while the robot can drive.
func (h *ComeHere) WantsToBeActivated(c *behaviors.Control) bool {
	if c.World().Body.CanDrive {
		return true
	}
	c.Because("the wheels cannot drive now")
	return false
}

// Subscriptions names the reflex.
func (*ComeHere) Subscriptions() []string { return []string{behaviors.EventRobotStopped} }

// HandleWhileActivated records the edge; UpdateWhileActivated acts on it.
func (h *ComeHere) HandleWhileActivated(_ *behaviors.Control, e behaviors.Event) {
	if _, stopped := e.Payload.(behaviors.RobotStopped); stopped {
		h.edge = true
	}
}

// OnActivated shows that the robot heard, and suppresses the reaction to edges, because this drive may end at an edge.
func (h *ComeHere) OnActivated(c *behaviors.Control) {
	h.faceID, h.turns, h.lost = 0, 0, 0
	h.edge, h.coming, h.left, h.done = false, false, false, false
	h.bad = time.Time{}
	if len(h.params.Quiet) > 0 {
		c.Suppression().Hold("come here", h.params.Quiet...)
	}
	c.SetState("acknowledging")
	c.Act(gesture.PlayStill(h.params.AckClip), h.next)
}

// OnResumed goes on with the step that suits what it knows now. Whoever called has seen that it heard.
func (h *ComeHere) OnResumed(c *behaviors.Control) {
	if h.done {
		return
	}
	h.edge, h.coming, h.left = false, false, false
	if len(h.params.Quiet) > 0 {
		c.Suppression().Hold("come here", h.params.Quiet...)
	}
	h.next(c, behaviors.Outcome{})
}

// UpdateWhileActivated checks what breaks the plan: an edge, or a person who comes nearer.
func (h *ComeHere) UpdateWhileActivated(c *behaviors.Control) {
	switch {
	case h.done:
	case h.edge:
		h.stopAtEdge(c)
	case h.coming && h.there(c):
		h.arrive(c)
	}
}

// next starts the furthest step whose conditions are met. It is the callback of most steps.
func (h *ComeHere) next(c *behaviors.Control, _ behaviors.Outcome) {
	b := &c.World().Body
	face, known := h.face(c)
	switch {
	case (b.OnContacts || b.OnPlatform) && h.left:
		h.giveUp(c, nobodyThere) // it could not leave
	case (b.OnContacts || b.OnPlatform) && c.Wants(h.params.Leave):
		h.left = true
		c.SetState("leaving the charger")
		c.DelegateTo(h.params.Leave, h.next)
	case known:
		h.faceID = face
		c.SetState("turning to the face")
		c.Act(turnTo(face, h.params.FaceAge), h.turned)
	default:
		c.SetState("looking for a face")
		h.turns = 0
		c.Act(h.params.Search.first(), h.look)
	}
}

// face returns the newest recent face that was not found missing since.
func (h *ComeHere) face(c *behaviors.Control) (id int, ok bool) {
	f, ok := c.World().Face(h.params.FaceAge)
	return f.ID, ok && f.SeenAt.After(h.bad)
}

// look goes on searching until there is a face.
func (h *ComeHere) look(c *behaviors.Control, o behaviors.Outcome) {
	if _, known := h.face(c); known {
		h.next(c, o)
		return
	}
	if h.turns >= h.params.Search.Steps {
		h.giveUp(c, nobodyThere)
		return
	}
	h.turns++
	c.Act(h.params.Search.step(), h.look)
}

// turned drives to the face, or looks again if it is not there.
func (h *ComeHere) turned(c *behaviors.Control, o behaviors.Outcome) {
	switch {
	case !o.Succeeded():
		h.loseFace(c, o)
	case h.there(c):
		h.arrive(c)
	default:
		h.coming = true
		c.SetState("coming")
		c.Act(motion.NewDriveNear(motion.NearParams{
			Target:     motion.FaceTarget{ID: h.faceID, MaxAge: 2 * h.params.FaceAge},
			DistanceMM: h.params.DistanceMM, SpeedMMPS: h.params.SpeedMMPS,
		}), h.drove)
	}
}

// drove is called at the end of the drive: the robot has arrived, was stopped, or lost the face.
func (h *ComeHere) drove(c *behaviors.Control, o behaviors.Outcome) {
	h.coming = false
	switch {
	case o.Succeeded(), h.there(c):
		h.arrive(c)
	case o.Completion.Result == actions.NoFace:
		h.loseFace(c, o)
	case o.Completion.Result.Category() == actions.CategoryCancelled:
		h.next(c, o) // a person stopped all actions; start again with the present knowledge
	case o.Completion.Result.Category() == actions.CategoryRetry:
		h.arrive(c) // an obstacle is in the way; the robot comes no nearer
	default:
		h.giveUp(c, "cannot come")
	}
}

// loseFace drops all sightings up to now and searches again, or gives up.
func (h *ComeHere) loseFace(c *behaviors.Control, o behaviors.Outcome) {
	h.bad = c.Now()
	h.lost++
	if h.lost > h.params.LostLimit {
		h.giveUp(c, nobodyThere)
		return
	}
	h.next(c, o)
}

// there reports whether the face is as near as asked.
func (h *ComeHere) there(c *behaviors.Control) bool {
	f, ok := faceOf(c, h.faceID, h.bad)
	return ok && f.DistanceMM <= h.params.DistanceMM+nearMM
}

func (h *ComeHere) arrive(c *behaviors.Control) {
	h.done = true
	h.stamp(c)
	c.SetState("arrived")
	c.CancelAndAct(gesture.PlayStill(h.params.HappyClip), nil)
}

// stamp sets the timer back, if there is one.
func (h *ComeHere) stamp(c *behaviors.Control) {
	if h.params.Timer != "" {
		c.ResetTimer(h.params.Timer)
	}
}

// giveUp is sad; why is the state that people see.
func (h *ComeHere) giveUp(c *behaviors.Control, why string) {
	h.done = true
	c.SetState(why)
	c.CancelAndAct(gesture.PlayStill(h.params.SadClip), nil)
}

// stopAtEdge steps back from the edge and is happy, because the person is beyond the edge.
func (h *ComeHere) stopAtEdge(c *behaviors.Control) {
	h.edge, h.done = false, true
	h.stamp(c)
	c.SetState("stopped at an edge")
	parts := []actions.Action{}
	if back := gesture.Retreat(gesture.EdgeOf(c.World().Cliff.Value.Detected), edgeBackMM); back != nil {
		parts = append(parts, back)
	}
	if h.faceID != 0 {
		parts = append(parts, motion.NewTurnTowards(motion.TowardsParams{Target: motion.FaceTarget{ID: h.faceID}}))
	}
	parts = append(parts, gesture.PlayStill(h.params.HappyClip))
	c.CancelAndAct(gesture.InTurn("StopAtEdge", parts...), nil)
}
