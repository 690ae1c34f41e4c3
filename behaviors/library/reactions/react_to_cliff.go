// Package reactions holds what the robot does when something happens to it: an edge, a hand, a shake, a stroke.
package reactions

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/library/param"
	"github.com/robotd/robotd/hardware"
)

// A ReactToCliff is startled by an edge, backs off away from it, and turns its back to it. It wants control when the
// cliff reflex has stopped the wheels, and when the robot has been standing over an edge for a moment, as after it was
// put down there.
type ReactToCliff struct {
	params   cliffParams
	stopAt   time.Time // of the newest reflex; zero if it was dealt with
	again    bool      // another edge while it backs off
	retreats int       // in this activation
	restless time.Time // no reaction to mere standing at an edge before then
}

type cliffParams struct {
	backUpMM float64
	turn     param.Span
	standing time.Duration // minTimeOverEdge_ms
	clip     string
}

const (
	// eventAge is how long a stop counts as news: time enough for a question in the next tick, and too short for a
	// behavior that deals with the edge itself and suppresses this one meanwhile.
	eventAge = 500 * time.Millisecond
	// maxRetreats bounds the retreats of one activation. A robot that finds edges wherever it goes waits for help.
	maxRetreats = 5
	// helpless is how long it then waits before it tries again.
	helpless = 10 * time.Second
)

// ReactToCliffClass is the class ReactToCliff.
func ReactToCliffClass() behaviors.Class {
	return behaviors.Class{
		Name: "ReactToCliff",
		Doc:  "Backs off from an edge and turns away from it.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			o := cfg.Object
			return &ReactToCliff{params: cliffParams{
				backUpMM: o.FloatRangeOr("backUpDistance_mm", 70, 10, 200),
				turn:     param.Angles(o, "turnAwayMin_deg", "turnAwayMax_deg", param.Span{Min: 120, Max: 180}, 0, 180),
				standing: o.MillisOr("minTimeOverEdge_ms", 400*time.Millisecond),
				clip:     param.Clip(o, "startledClip", "startled_cliff"),
			}}
		},
	}
}

// Subscriptions names the reflex.
func (*ReactToCliff) Subscriptions() []string { return []string{behaviors.EventRobotStopped} }

// AlwaysHandle notes the reflex, whether activated or not.
func (r *ReactToCliff) AlwaysHandle(c *behaviors.Control, _ behaviors.Event) {
	r.stopAt = c.Now()
	r.again = true
}

// WantsToBeActivated is true after a reflex, or over an edge for some time. Without good sensors every sensor reads
// "edge", and there is nothing sensible to back off from.
func (r *ReactToCliff) WantsToBeActivated(c *behaviors.Control) bool {
	if c.World().QualityOf(hardware.Motors) != hardware.OK {
		return false
	}
	return !r.stopAt.IsZero() && c.Now().Sub(r.stopAt) <= eventAge || r.standsOverEdge(c)
}

func (r *ReactToCliff) standsOverEdge(c *behaviors.Control) bool {
	w := c.World()
	return w.Cliff.OK() && w.Cliff.Value.Any() && !w.Body.CliffSince.IsZero() &&
		c.Now().Sub(w.Body.CliffSince) >= r.params.standing && !c.Now().Before(r.restless)
}

// OnActivated is startled, then backs off from what the sensors see now.
func (r *ReactToCliff) OnActivated(c *behaviors.Control) {
	r.retreats = 0
	r.startle(c)
}

func (r *ReactToCliff) startle(c *behaviors.Control) {
	r.stopAt, r.again = time.Time{}, false
	c.SetState("startled")
	_ = c.ActNow(gesture.PlayStill(r.params.clip), r.backOff)
}

// Update starts over when the retreat itself meets an edge.
func (r *ReactToCliff) Update(c *behaviors.Control) {
	if !c.Activated() || !r.again {
		return
	}
	r.stopAt, r.again = time.Time{}, false
	c.CancelDelegates()
	r.backOff(c, behaviors.Outcome{})
}

func (r *ReactToCliff) backOff(c *behaviors.Control, _ behaviors.Outcome) {
	if r.retreats >= maxRetreats {
		r.waitForHelp(c)
		return
	}
	r.retreats++
	var detected [4]bool
	if cliff := c.World().Cliff; cliff.OK() {
		detected = cliff.Value.Detected
	}
	edge := gesture.EdgeOf(detected)
	back := gesture.Retreat(edge, r.params.backUpMM)
	switch {
	case back != nil:
		c.SetState("backing off: " + edge.String())
		_ = c.Act(back, r.check)
	case edge == gesture.EdgeAround:
		r.waitForHelp(c)
	default: // the wheels coasted back, or somebody moved the robot
		r.turnAway(c)
	}
}

// check backs off further while there still is an edge.
func (r *ReactToCliff) check(c *behaviors.Control, o behaviors.Outcome) {
	if cliff := c.World().Cliff; cliff.OK() && cliff.Value.Any() {
		r.backOff(c, o)
		return
	}
	r.turnAway(c)
}

func (r *ReactToCliff) turnAway(c *behaviors.Control) {
	c.SetState("turning away")
	_ = c.Act(gesture.InTurn("TurnAway", []actions.Action{
		gesture.Turn(r.params.turn.DrawEitherWay(c)), gesture.Head(0),
	}...), nil)
}

func (r *ReactToCliff) waitForHelp(c *behaviors.Control) {
	c.SetState("waiting for help")
	r.restless = c.Now().Add(helpless)
	_ = c.Act(gesture.PlayStill(r.params.clip), nil)
}
