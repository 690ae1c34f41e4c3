package look

import (
	"math"
	"time"

	"github.com/robotd/robotd/hardware"
)

const (
	// edgeMM is how near to the middle of the axle an edge may be before the robot no longer turns by itself: the sensors of R1 behind sweep
	// 50 mm, and an edge is known to a few millimeters.
	edgeMM = 60.0
	// edgeAge is how old the meeting with an edge may be: the belief of the place drifts.
	edgeAge = 2 * time.Minute
	// dragMM is the height of the lower side of a carried cube below which it drags over the ground, and loadSlotMM that of the fingers over it.
	dragMM, loadSlotMM = 6.0, 32.0
	// movedPause is how long the body holds still after somebody turned or blocked the robot.
	movedPause = time.Second
	// loadedRadPS is the fastest turn with a cube on the lift, as fast as the robot turns when it carries one for fun.
	loadedRadPS = 1.0
)

// mayTurn is why the robot must not turn by itself now; "" if it may.
func mayTurn(w *hardware.World) string {
	b := &w.Body
	switch {
	case b.OnContacts || b.OnPlatform:
		return "on the charger"
	case !w.Vision.OK():
		return "it sees nothing"
	case !b.Edgeless && !w.Cliff.OK():
		return "it does not feel the floor"
	case w.Cliff.OK() && w.Cliff.Value.Any(), nearEdge(w):
		return "at an edge"
	case b.Carrying && w.Servos.OK() && !w.Servos.Value.NoLift && w.Servos.Value.LiftMM-loadSlotMM < dragMM:
		return "its load drags"
	}
	return ""
}

// nearEdge reports whether an edge that was met lately is near.
func nearEdge(w *hardware.World) bool {
	if w.Map == nil || w.Body.Edgeless {
		return false
	}
	for i := range w.Map.Marks {
		m := &w.Map.Marks[i]
		if m.Kind == hardware.MarkEdge && w.Now.Sub(m.At) <= edgeAge && math.Hypot(m.XMM-w.Body.Pose.XMM, m.YMM-w.Body.Pose.YMM) < edgeMM {
			return true
		}
	}
	return false
}
