package actions

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// Paths plans ways around what is on the map and what stands around. A plan is worked out off the tick; an action asks for it and looks
// every tick whether it is there. Whoever asks drops it at its end.
type Paths interface {
	// Ask begins a plan from where the robot is to the nearest reachable goal, and returns its number, 0 if there can be none. It never
	// blocks.
	Ask(q PathQuestion) uint64
	// Look returns the plan of that number and how far it is.
	Look(id uint64) (Path, PathState)
	// Drop gives a plan up, whether it is there or not.
	Drop(id uint64)
}

// How long a plan may take before it counts as impossible: the first of an action, and each later one.
const (
	PlanLimit   = 6 * time.Second
	ReplanLimit = time.Second
)

// A PathQuestion is what a plan must respect. The planner reads map, objects and pose of the tick in which it is asked.
type PathQuestion struct {
	// Goals are alternatives, in the odometry frame. At least one.
	Goals []hardware.Pose
	// Near are the IDs of objects that are no obstacle within ReachMM of a goal: the robot wants to get near them. It comes no nearer to
	// one than the goal itself lies.
	Near []int
	// ReachMM is that distance.
	ReachMM float64
	// Met is what the asker met on its way and the map may not have yet.
	Met []hardware.Mark
	// Again says that it is not the first plan of the asker: it has less time.
	Again bool
}

// A Path is a way from one point to the next, straight between them.
type Path struct {
	Goal   int             // which of the goals it reaches
	Points []hardware.Pose // the heading of each is that of the way to it; the last is the goal
	// ClearMM is how far the middle of the axle keeps from everything on the way, except where start or goal lie nearer.
	ClearMM float64
	Why     string // why there is none, for people
}

// A PathState is how far a plan is.
type PathState uint8

// The states of a plan.
const (
	PathUnknown   PathState = iota // no such plan, or nobody plans
	PathComputing                  // not yet there
	PathReady
	PathImpossible // no way leads to any goal
)

// PathStateNames are the names of the states.
var PathStateNames = []string{"unknown", "computing", "ready", "impossible"}

func (s PathState) String() string { return PathStateNames[s] }

// A PathOrder is a question as it leaves the tick. It is immutable.
type PathOrder struct {
	ID       uint64
	Question PathQuestion
	From     hardware.Pose          // the robot in the tick that asks
	SigmaMM  float64                // standard deviation of From
	Map      *hardware.Map          // nil: empty
	Objects  []hardware.KnownObject // those of the present origin
	Carried  int                    // ID of the object that the lift holds; 0 for none
}

// A PathAnswer is a plan as it reaches a tick.
type PathAnswer struct {
	ID    uint64
	State PathState // ready or impossible
	Path  Path
}
