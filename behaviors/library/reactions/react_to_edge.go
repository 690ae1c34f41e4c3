// Package reactions holds the behaviors that react to an edge, to being picked up or shaken, and to a touch.
package reactions

import (
	"math"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// A ReactToEdge is startled by an edge, backs off, and turns away from it. It wants control when the cliff reflex has stopped the wheels,
// and when the robot has stood over an edge for a moment, for example after a person put it down there. If it meets another edge on its
// way, it is in a corner. It then moves in small steps, and turns to where it remembers no edge.
type ReactToEdge struct {
	params   cliffParams
	edges    edges
	stopAt   time.Time // of the newest reflex; zero if it was dealt with
	retreats int       // in this activation
	restless time.Time // no reaction to mere standing at an edge before then
}

type cliffParams struct {
	BackUpMM float64       `key:"backUpDistance_mm" range:"10..200" doc:"how far it backs up"`
	Turn     param.Span    `key:"turnAwayMin_deg,turnAwayMax_deg" range:"0..180" doc:"turn away from an edge straight ahead"`
	Standing time.Duration `key:"minTimeOverEdge_ms" doc:"reacts to standing over an edge after so long"`
	Clip     string        `key:"startledClip" ref:"clip" doc:"played at the edge"`
}

const (
	// eventAge is how long a stop by the reflex makes this behavior want control. It is long enough for a question in the
	// next tick, and so short that a behavior that suppresses this one and handles the edge itself outlasts it.
	eventAge = 500 * time.Millisecond
	// maxRetreats bounds the retreats of one activation. A robot that meets edges on all sides waits for help.
	maxRetreats = 8
	// helpless is how long it then waits before it tries again.
	helpless = 5 * time.Second
	// Steps in a corner.
	cornerMM      = 30.0
	cornerTurnRad = math.Pi / 3
	cornerTolRad  = math.Pi / 18
	// leaveCornerMM is how far it drives out of a corner in the end.
	leaveCornerMM = 80.0
)

// ReactToEdgeClass is the class ReactToEdge.
func ReactToEdgeClass() behaviors.Class {
	return behaviors.Class{
		Name: "ReactToEdge",
		Doc:  "Backs off from an edge and turns away from it.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			r := &ReactToEdge{}
			param.ReadConfig(cfg, &r.params)
			return r
		},
	}
}

// Init records the reflex from now on, whether the behavior is activated or not.
func (r *ReactToEdge) Init(c *behaviors.Control) {
	behaviors.On(c, func(c *behaviors.Control, _ behaviors.RobotStopped) {
		r.stopAt = c.Now()
		r.edges.note(c.World())
	})
}

// WantsToBeActivated is true after a reflex, or over an edge for some time. It is false without good readings,
// because then every sensor reads "edge" and no direction leads away.
func (r *ReactToEdge) WantsToBeActivated(c *behaviors.Control) bool {
	switch {
	case !c.World().Motors.OK():
		c.Because("the motors do not work")
	case !r.stopAt.IsZero() && c.Now().Sub(r.stopAt) <= eventAge:
		c.Because("the wheels stopped at an edge %v ago", r.stopAt)
		return true
	case r.standsOverEdge(c):
		c.Because("it stands over an edge for %v", c.World().Body.CliffSince)
		return true
	default:
		r.because(c)
	}
	return false
}

// because says why there is no edge to react to.
func (r *ReactToEdge) because(c *behaviors.Control) {
	switch w := c.World(); {
	case !w.Cliff.OK():
		c.Because("the cliff sensors do not work")
	case !w.Cliff.Value.Any() || w.Body.CliffSince.IsZero():
		c.Because("no edge is near")
	case c.Now().Before(r.restless):
		c.Because("it could not get away from the edge, again in %v", r.restless)
	default:
		c.Because("it stands over an edge for %v, and reacts in %v", w.Body.CliffSince, w.Body.CliffSince.Add(r.params.Standing))
	}
}

func (r *ReactToEdge) standsOverEdge(c *behaviors.Control) bool {
	w := c.World()
	return w.Cliff.OK() && w.Cliff.Value.Any() && !w.Body.CliffSince.IsZero() &&
		c.Now().Sub(w.Body.CliffSince) >= r.params.Standing && !c.Now().Before(r.restless)
}

// OnActivated is startled, then backs off from what the sensors see then.
func (r *ReactToEdge) OnActivated(c *behaviors.Control) {
	r.retreats, r.stopAt = 0, time.Time{}
	c.SetState("startled")
	c.Act(gesture.PlayStill(r.params.Clip), r.backOff)
}

// UpdateWhileActivated starts the next retreat when the last one met an edge.
func (r *ReactToEdge) UpdateWhileActivated(c *behaviors.Control) {
	if !r.stopAt.IsZero() {
		r.stopAt = time.Time{}
		c.CancelDelegates()
		r.backOff(c, behaviors.Outcome{})
	}
}

// backOff retreats once.
func (r *ReactToEdge) backOff(c *behaviors.Control, _ behaviors.Outcome) {
	w := c.World()
	r.edges.note(w)
	edge := gesture.EdgeNone
	if w.Cliff.OK() {
		edge = gesture.EdgeOf(w.Cliff.Value.Detected)
	}
	if r.retreats >= maxRetreats {
		r.waitForHelp(c)
		return
	}
	r.retreats++
	step := r.step(w, edge)
	switch {
	case edge == gesture.EdgeNone: // the wheels coasted back, or a person moved the robot
		r.turnAway(c)
	case step == nil:
		r.waitForHelp(c)
	default:
		c.SetState("backing off: " + edge.String())
		c.Act(step, r.check)
	}
}

// step returns the next move away from an edge: a long one at first, and short ones in a corner, where the opposite edge is near. With
// edges on several sides the robot turns to where it remembers none.
func (r *ReactToEdge) step(w *hardware.World, edge gesture.Edge) actions.Action {
	distance := r.params.BackUpMM
	if r.retreats > 1 {
		distance = min(distance, cornerMM)
	}
	if step := gesture.Retreat(edge, distance); step != nil {
		return step
	}
	if bearing, ok := r.edges.inward(w); ok && edge == gesture.EdgeAround && math.Abs(bearing) > cornerTolRad {
		return gesture.RetreatTurn(min(max(bearing, -cornerTurnRad), cornerTurnRad))
	}
	return nil
}

// check backs off further while there still is an edge.
func (r *ReactToEdge) check(c *behaviors.Control, o behaviors.Outcome) {
	if cliff := c.World().Cliff; cliff.OK() && cliff.Value.Any() {
		r.backOff(c, o)
		return
	}
	r.turnAway(c)
}

// turnAway turns to about the direction away from the edges, and drives on a little to get out of a corner.
func (r *ReactToEdge) turnAway(c *behaviors.Control) {
	c.SetState("turning away")
	turn := r.params.Turn
	if r.retreats > 1 { // in a corner there is one way out
		turn = param.Span{Min: math.Pi - cornerTolRad, Max: math.Pi}
	}
	angle := turn.DrawEitherWay(c)
	if bearing, ok := r.edges.inward(c.World()); ok {
		angle = hardware.WrapRad(bearing + math.Pi + angle)
	}
	parts := []actions.Action{gesture.Turn(angle)}
	if r.retreats > 1 {
		parts = append(parts, motion.NewDriveStraight(motion.StraightParams{DistanceMM: leaveCornerMM, StopAtMM: motion.ObstacleMM}))
	}
	c.Act(gesture.InTurn("TurnAway", append(parts, gesture.Head(0))...), nil)
}

func (r *ReactToEdge) waitForHelp(c *behaviors.Control) {
	c.SetState("waiting for help")
	r.restless = c.Now().Add(helpless)
	c.Act(gesture.PlayStill(r.params.Clip), nil)
}
