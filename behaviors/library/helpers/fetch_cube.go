package helpers

import (
	"math"
	"time"

	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// A FetchCube brings a cube to whom it sees: off the charger, it looks who is there, finds a cube, connects to it, picks it up, and puts it down in
// front of the person, or beside the charger if nobody is there. At an edge it reacts by a behavior of its own and goes on; the general reaction
// is suppressed meanwhile.
type FetchCube struct {
	params fetchParams
	step   fetchStep
	to     PlaceGiven // in front of the person
	person bool
	origin uint64 // of that place
	edge   bool   // the wheels were stopped at an edge
	edges  int
}

type fetchParams struct {
	Bare bool `key:"skipConnectToCubeBehavior" default:"false" why:"most play needs the cube's lights" doc:"do not connect to the cube"`
}

type fetchStep uint8

const (
	fetchLeave fetchStep = iota
	fetchPerson
	fetchFind
	fetchConnect
	fetchPick
	fetchBring
	fetchDone
)

const (
	idEdge       = "ReactToCliffDuringFetch"
	idLeave      = "DriveOffChargerFace"
	idFindPerson = "FindFacesFetchCube"
	idByCharger  = "PlaceCubeByCharger"
	idPickQuiet  = "PickupCubeNoInitialReaction"

	// A cube is put so far in front of a person; nearer ones sit beyond an edge.
	personMM = 200.0
	// personAge is how old the sighting of a person may be.
	personAge = 20 * time.Second
	maxEdges  = 3
	edgePause = 100 * time.Millisecond
)

// FetchCubeClass is the class FetchCube.
func FetchCubeClass() behaviors.Class {
	return behaviors.Class{
		Name: "FetchCube",
		Doc:  "Finds a cube and brings it to a person or the charger.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			f := &FetchCube{}
			param.ReadConfig(cfg, &f.params)
			cfg.MayDelegateTo(idEdge, idLeave, idFindPerson, idFindCube, idByCharger, idPutAtPose, idConnect, idPickQuiet)
			return f
		},
	}
}

// Modify lets it begin on the charger, and not with something on the lift. It looks for people and cubes.
func (*FetchCube) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOnCharger, m.AlwaysDelegates = false, true, false
	m.LookActive = hardware.LookFor(hardware.SeeFaces, hardware.Standard).With(hardware.SeeMarkers, hardware.Standard)
}

// WantsToBeActivated is true while it can drive, see and lift.
func (*FetchCube) WantsToBeActivated(c *behaviors.Control) bool { return able(c) }

// Subscriptions names the reflex.
func (*FetchCube) Subscriptions() []string { return []string{behaviors.EventRobotStopped} }

// HandleWhileActivated notes an edge; UpdateWhileActivated acts on it.
func (f *FetchCube) HandleWhileActivated(_ *behaviors.Control, e behaviors.Event) {
	if _, stopped := e.Payload.(behaviors.RobotStopped); stopped {
		f.edge = true
	}
}

// OnActivated begins.
func (f *FetchCube) OnActivated(c *behaviors.Control) {
	f.step, f.person, f.edge, f.edges = fetchLeave, false, false, 0
	f.next(c, behaviors.Outcome{})
}

// OnResumed goes on with the step that was interrupted.
func (f *FetchCube) OnResumed(c *behaviors.Control) {
	if f.step > fetchLeave {
		f.step--
	}
	f.next(c, behaviors.Outcome{})
}

// UpdateWhileActivated reacts to an edge, and then does the step again. It gives up after the third one.
func (f *FetchCube) UpdateWhileActivated(c *behaviors.Control) {
	if !f.edge {
		return
	}
	f.edge = false
	if f.edges++; f.edges > maxEdges {
		c.SetState("too many edges")
		c.CancelSelf()
		return
	}
	c.CancelDelegates()
	if f.step > fetchLeave {
		f.step--
	}
	c.SetState("stopped at an edge")
	c.Act(gesture.Wait(edgePause), f.react)
}

// react gives control to the reaction to edges, which hears of the edge after this behavior.
func (f *FetchCube) react(c *behaviors.Control, o behaviors.Outcome) {
	if f.edge {
		return
	}
	if !f.hand(c, "reacting to an edge", idEdge) {
		f.next(c, o)
	}
}

// next does the next step that has something to do. After an edge Update goes on.
func (f *FetchCube) next(c *behaviors.Control, _ behaviors.Outcome) {
	if f.edge {
		return
	}
	for f.step < fetchDone {
		f.step++
		if f.do(c, f.step-1) {
			return
		}
	}
	c.CancelSelf()
}

// do begins a step, and reports false if there is nothing to do.
func (f *FetchCube) do(c *behaviors.Control, s fetchStep) bool {
	b := &c.World().Body
	switch s {
	case fetchLeave:
		return (b.OnPlatform || b.OnContacts) && f.hand(c, "leaving the charger", idLeave)
	case fetchPerson:
		return !f.sees(c) && f.hand(c, "looking who is there", idFindPerson)
	case fetchFind:
		f.sees(c)
		return nearest(c, anyCube) == 0 && f.hand(c, "looking for a cube", idFindCube)
	case fetchConnect:
		return nearest(c, anyCube) != 0 && !f.params.Bare && f.hand(c, "connecting to the cube", idConnect)
	case fetchPick:
		return !b.Carrying && nearest(c, anyCube) != 0 && f.hand(c, "picking the cube up", idPickQuiet)
	}
	return f.bring(c)
}

// hand gives control to a behavior that wants it.
func (f *FetchCube) hand(c *behaviors.Control, state, id string) bool {
	if !c.Wants(id) || !c.DelegateTo(id, f.next) {
		return false
	}
	c.SetState(state)
	return true
}

// sees remembers the place in front of the person who was seen last, if that was lately.
func (f *FetchCube) sees(c *behaviors.Control) bool {
	face, ok := c.World().Face(personAge)
	if !ok {
		return false
	}
	b := &c.World().Body
	way := max(face.DistanceMM-personMM, 0)
	sin, cos := math.Sincos(b.Pose.HeadingRad + face.BearingRad)
	f.to, f.person, f.origin = PlaceGiven{b.Pose.XMM + way*cos, b.Pose.YMM + way*sin}, true, b.Origin
	return true
}

// bring puts the cube in front of the person, or beside the charger, or down where it stands.
func (f *FetchCube) bring(c *behaviors.Control) bool {
	switch {
	case !c.World().Body.Carrying:
		c.SetState("got no cube")
		c.Act(gesture.PlayStill("sad_no_face"), f.next)
	case f.person && f.origin == c.World().Body.Origin && c.WantsWith(idPutAtPose, f.to) && c.DelegateTo(idPutAtPose, f.shown):
		c.SetState("bringing the cube to somebody")
	case f.hand(c, "bringing the cube to the charger", idByCharger):
	case c.Wants(idPutAtPose) && c.DelegateTo(idPutAtPose, f.next):
		c.SetState("putting the cube down")
	default:
		return false
	}
	return true
}

// shown turns to the person after the cube was put down.
func (f *FetchCube) shown(c *behaviors.Control, _ behaviors.Outcome) {
	face, ok := c.World().Face(time.Minute)
	if !ok {
		f.next(c, behaviors.Outcome{})
		return
	}
	c.SetState("looking at the person")
	c.Act(gesture.InTurn("ShowCube", motion.NewTurnTowards(motion.TowardsParams{Target: motion.FaceTarget{ID: face.ID}}), gesture.PlayStill("celebrate")), f.next)
}
