package examples

import (
	"fmt"
	"math"

	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
)

// A Patrol walks around a square. Where it goes next depends on what it meets, so it is a state machine and not a chain. The state machine
// is one function, next, which looks at the world and decides. It is the callback of every action. Patrol needs no Update.
type Patrol struct {
	params patrolParams
	legs   int // walked in this activation
	turned bool
}

type patrolParams struct {
	Legs   int     `key:"legs" range:"1..100" doc:"sides of the square that it walks in one activation"`
	SideMM float64 `key:"side_mm" range:"50..1000" doc:"length of a side"`
}

// roomMM is the free distance ahead that the robot needs to walk on.
const roomMM = 100.0

// PatrolClass is the class Patrol.
func PatrolClass() behaviors.Class {
	return behaviors.Class{
		Name: "Patrol",
		Doc:  "Walks around a square, and turns before what stands in its way.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			p := &Patrol{}
			param.ReadConfig(cfg, &p.params)
			return p
		},
	}
}

// Modify keeps it from walking on the charger.
func (*Patrol) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenOnCharger = false
}

// OnActivated makes the first decision.
func (p *Patrol) OnActivated(c *behaviors.Control) {
	p.legs, p.turned = 0, true
	p.next(c, behaviors.Outcome{})
}

// next decides what to do now.
func (p *Patrol) next(c *behaviors.Control, _ behaviors.Outcome) {
	mm, ahead := c.World().Ahead()
	switch {
	case p.legs == p.params.Legs:
		c.SetState("done") // nothing delegated: the end
	case ahead && mm < roomMM:
		c.SetState("turning away")
		p.turned = true
		c.Act(gesture.Turn(math.Pi/2), p.next)
	case !p.turned:
		c.SetState("turning the corner")
		p.turned = true
		c.Act(gesture.Turn(math.Pi/2), p.next)
	default:
		p.legs++
		p.turned = false
		c.SetState(fmt.Sprintf("leg %d", p.legs))
		c.Act(motion.NewDriveStraight(motion.StraightParams{DistanceMM: p.params.SideMM, StopAtMM: roomMM}), p.next)
	}
}
