package observing

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/library/wander"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// An Explore wanders: it turns in a random direction that does not lead to an edge or obstacle that it knows, and rather to where it has not
// been, drives a little, looks at an obstacle and turns away from it. It keeps its head low
// enough to see the charger and now and then glances back at it, so that the robot knows the way home. At an edge the cliff reflex stops
// it, and the reaction to the edge takes over.
type Explore struct {
	params    exploreParams
	legs      int     // left in this activation
	onLeg     bool    // one is under way
	distance  float64 // of the drive after this turn
	been      wander.Been
	glancedAt time.Time
}

type exploreParams struct {
	Legs        param.Counts  `key:"legsMin,legsMax" range:"1..1000" doc:"turns with a drive in one activation"`
	Distance    param.Span    `key:"driveMin_mm,driveMax_mm" range:"10..2000" doc:"length of each drive"`
	Turn        param.Span    `key:"turnMin_deg,turnMax_deg" range:"0..180" doc:"turn before each drive, to either side"`
	Away        param.Span    `key:"turnAwayMin_deg,turnAwayMax_deg" range:"10..180" doc:"turn away from an obstacle, to either side"`
	SpeedMMPS   float64       `key:"speed_mmps" range:"10..cliffSafe" doc:"speed of the drives"`
	ObstacleMM  float64       `key:"obstacleDistance_mm" range:"30..400" doc:"what is nearer is an obstacle"`
	Head        param.Angle   `key:"headAngle_deg" range:"headMin..headMax" doc:"angle of the head while it drives"`
	Clip        string        `key:"obstacleClip" ref:"clip" doc:"played in front of an obstacle"`
	GlanceEvery time.Duration `key:"glanceAtCharger_s" doc:"how old the newest sighting of the charger may get"`
}

// stepBackMM is how far it backs up from an obstacle before it turns.
const stepBackMM = 40.0

// ExploreClass is the class Explore.
func ExploreClass() behaviors.Class {
	return behaviors.Class{
		Name: "Explore",
		Doc:  "Wanders about, looks at obstacles, and keeps in mind where the charger is.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			e := &Explore{}
			param.ReadConfig(cfg, &e.params)
			return e
		},
	}
}

// Modify keeps it off the charger and on treads, and looks for the charger.
func (*Explore) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenOffTreads, m.WhenOnCharger, m.WhenCarryingObject = false, false, true
	m.LookActive = hardware.LookFor(hardware.SeeMarkers, hardware.Low)
}

// WantsToBeActivated is true while the robot can drive safely and is not on the charger.
func (e *Explore) WantsToBeActivated(c *behaviors.Control) bool {
	switch b := &c.World().Body; {
	case !b.CanDrive:
		c.Because("the wheels cannot drive now")
	case !b.CanFeelEdges && !b.Edgeless:
		c.Because("the cliff sensors do not work, so it cannot feel edges")
	case b.OnPlatform:
		c.Because("it stands on the charger")
	default:
		return true
	}
	return false
}

func safe(c *behaviors.Control) bool {
	b := &c.World().Body
	return b.CanDrive && (b.CanFeelEdges || b.Edgeless) && !b.OnPlatform
}

// UpdateWhileActivated ends it when the robot cannot drive safely any more.
func (e *Explore) UpdateWhileActivated(c *behaviors.Control) {
	e.been.Note(&c.World().Body)
	if !safe(c) {
		c.SetState("cannot drive safely")
		c.CancelSelf()
	}
}

// OnActivated puts down what it carries, looks ahead, then goes.
func (e *Explore) OnActivated(c *behaviors.Control) {
	e.legs, e.onLeg = e.params.Legs.Draw(c), false
	e.OnResumed(c)
}

// OnResumed looks ahead and goes on with the legs that are left. One in the middle of which it was interrupted was none.
func (e *Explore) OnResumed(c *behaviors.Control) {
	if e.onLeg {
		e.legs++
		e.onLeg = false
	}
	gesture.PutDownFirst(c, func(c *behaviors.Control) {
		c.SetState("looking ahead")
		c.Act(gesture.HeadToDrive(c, e.params.Head.Rad()), e.next)
	})
}

// next begins a leg, or ends after the last one.
func (e *Explore) next(c *behaviors.Control, _ behaviors.Outcome) {
	e.onLeg = false
	switch {
	case e.legs == 0:
		return
	case e.mustGlance(c):
		e.glance(c)
	case e.obstacle(c):
		e.turnAway(c)
	default:
		e.legs--
		e.onLeg = true
		c.SetState("turning")
		c.Act(gesture.Turn(e.choose(c, e.params.Turn, 0)), e.drive)
	}
}

// choose draws a leg, keeps its distance, and returns the turn that begins it.
func (e *Explore) choose(c *behaviors.Control, turn param.Span, leastRad float64) float64 {
	want := wander.Way{TurnRad: turn.DrawEitherWay(c), DistanceMM: e.params.Distance.Draw(c)}
	way := wander.Choose(c.World(), &e.been, want, leastRad, min(e.params.Distance.Min, want.DistanceMM))
	e.distance = way.DistanceMM
	return way.TurnRad
}

func (e *Explore) drive(c *behaviors.Control, _ behaviors.Outcome) {
	switch {
	case e.obstacle(c):
		e.lookAtObstacle(c)
		return
	case e.distance == 0: // there was no way: it looks again from here
		e.next(c, behaviors.Outcome{})
		return
	}
	c.SetState("driving")
	c.Act(motion.NewDriveStraight(motion.StraightParams{
		DistanceMM: e.distance, SpeedMMPS: e.params.SpeedMMPS, StopAtMM: e.params.ObstacleMM,
	}), e.drove)
}

// drove lets the robot look at the obstacle that stopped it. After a stop by a person or an edge there is none.
func (e *Explore) drove(c *behaviors.Control, o behaviors.Outcome) {
	switch {
	case o.Succeeded(), o.Completion.Result.Category() == actions.CategoryCancelled:
		e.next(c, o)
	case e.obstacle(c):
		e.lookAtObstacle(c)
	default: // blocked by something that the range sensor does not see
		e.turnAway(c)
	}
}

func (e *Explore) obstacle(c *behaviors.Control) bool {
	mm, found := c.World().Ahead()
	return found && mm < e.params.ObstacleMM
}

func (e *Explore) lookAtObstacle(c *behaviors.Control) {
	c.SetState("looking at an obstacle")
	c.Act(gesture.InTurn("LookAtObstacle",
		gesture.Head(motion.HeadGroundRad), gesture.PlayStill(e.params.Clip), gesture.HeadToDrive(c, e.params.Head.Rad()),
	), func(c *behaviors.Control, _ behaviors.Outcome) { e.turnAway(c) })
}

func (e *Explore) turnAway(c *behaviors.Control) {
	c.SetState("turning away")
	e.legs = max(0, e.legs-1)
	c.Act(gesture.InTurn("TurnAway",
		motion.NewDriveStraight(motion.StraightParams{DistanceMM: -stepBackMM}), gesture.Turn(e.choose(c, e.params.Away, e.params.Away.Min)),
	), e.next)
}

// mustGlance reports whether the newest sighting of the charger is old. Odometry drifts, so the robot must see it again.
func (e *Explore) mustGlance(c *behaviors.Control) bool {
	home, ok := c.World().Charger()
	limit := e.params.GlanceEvery
	return ok && limit > 0 && c.Now().Sub(home.SeenAt) > limit && c.Now().Sub(e.glancedAt) > limit
}

func (e *Explore) glance(c *behaviors.Control) {
	c.SetState("glancing at the charger")
	e.glancedAt = c.Now()
	c.Act(gesture.InTurn("GlanceAtCharger", motion.NewTurnTowards(motion.TowardsParams{
		Target: motion.ObjectTarget{Kind: hardware.KindCharger}, Verify: true,
	}), gesture.HeadToDrive(c, e.params.Head.Rad())), e.next)
}
