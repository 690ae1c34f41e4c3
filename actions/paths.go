package actions

import "github.com/robotd/robotd/hardware"

// Paths plans ways around what is on the map and what stands around. A plan is worked out off the tick; an action asks for it and looks
// every tick whether it is there. Whoever asks drops it at its end.
type Paths interface {
	// Ask begins a plan from where the robot is to the nearest reachable goal, and returns its number. It never blocks.
	Ask(q PathQuestion) uint64
	// Look returns the plan of that number and how far it is.
	Look(id uint64) (Path, PathState)
	// Drop gives a plan up, whether it is there or not.
	Drop(id uint64)
}

// A PathQuestion is what a plan must respect. The planner reads map, objects and pose of the tick in which it is asked.
type PathQuestion struct {
	// Goals are alternatives, in the odometry frame. At least one.
	Goals []hardware.Pose
	// Near are the IDs of objects that are no obstacle within ReachMM of a goal: the robot wants to get near them.
	Near []int
	// ReachMM is that distance.
	ReachMM float64
}

// A Path is a way from one point to the next, straight between them.
type Path struct {
	Goal   int             // which of the goals it reaches
	Points []hardware.Pose // the heading of each is that of the way to it; the last is the goal
	Why    string          // why there is none, for people
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
