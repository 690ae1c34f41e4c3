package gesture

import (
	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
)

// sideTurnRad is the angle by which the robot turns from an edge beside it before it drives on.
const sideTurnRad = 0.7

// An Edge says where the cliff sensors see no floor.
type Edge uint8

// The sides of an edge.
const (
	EdgeNone Edge = iota
	EdgeFront
	EdgeBack
	EdgeLeft
	EdgeRight
	// EdgeAround means edges on opposite sides: the robot stands on a corner or hangs in the air, and no move leads away.
	EdgeAround
)

var edgeNames = [...]string{"no edge", "edge in front", "edge behind", "edge on the left", "edge on the right", "edges around"}

func (e Edge) String() string { return edgeNames[e] }

// EdgeOf reads the four cliff sensors: front left, front right, back left, back right.
func EdgeOf(detected [4]bool) Edge {
	front, back := detected[0] || detected[1], detected[2] || detected[3]
	left, right := detected[0] && detected[2], detected[1] && detected[3]
	switch {
	case !front && !back:
		return EdgeNone
	case front && !back:
		return EdgeFront
	case back && !front:
		return EdgeBack
	case left && !detected[1] && !detected[3]:
		return EdgeLeft
	case right && !detected[0] && !detected[2]:
		return EdgeRight
	}
	return EdgeAround
}

// Retreat moves away from an edge although the sensors still see it. During such a move the wheels' reflex guards only the side that the
// robot moves to, and only against new edges; so Retreat never drives to a side that sees an edge already. From an edge beside the robot
// it only turns away; the caller must look again before it drives. It returns nil without an edge and with edges around, where the robot
// can only wait for help.
func Retreat(e Edge, distanceMM float64) actions.Action {
	switch e {
	case EdgeFront:
		return straight(-distanceMM)
	case EdgeBack:
		return straight(distanceMM)
	case EdgeLeft:
		return RetreatTurn(-sideTurnRad)
	case EdgeRight:
		return RetreatTurn(sideTurnRad)
	default:
		return nil
	}
}

func straight(distanceMM float64) actions.Action {
	return motion.NewDriveStraight(motion.StraightParams{DistanceMM: distanceMM, Retreat: true, AllowOnCharger: true})
}

// RetreatTurn turns in place although the sensors see an edge; the middle of the axle stays where it is.
func RetreatTurn(rad float64) actions.Action {
	return motion.NewTurnInPlace(motion.TurnParams{AngleRad: rad, Retreat: true})
}
