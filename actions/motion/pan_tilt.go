package motion

import (
	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/compound"
)

// panTolRad is the tolerance of body and head.
const panTolRad = 5 * rad

// PanTiltParams configure a PanAndTilt.
type PanTiltParams struct {
	BodyRad      float64
	BodyAbsolute bool
	HeadRad      float64
	HeadRelative bool
	// HeadOptional turns the body alone if the head does not work.
	HeadOptional bool
	// ToleranceRad of both defaults to 5°.
	ToleranceRad float64
	// SpeedRadPS of the body defaults to 2.
	SpeedRadPS float64
	// Retreat allows turning while the cliff sensors see an edge.
	Retreat bool
}

// A PanAndTilt turns body and head at the same time. On the charger only the head moves.
type PanAndTilt struct{ *compound.Parallel }

// NewPanAndTilt returns the action.
func NewPanAndTilt(p PanTiltParams) *PanAndTilt {
	tol := orDefault(p.ToleranceRad, panTolRad)
	turn := NewTurnInPlace(TurnParams{
		AngleRad: p.BodyRad, Absolute: p.BodyAbsolute, SpeedRadPS: p.SpeedRadPS, ToleranceRad: tol, Retreat: p.Retreat,
	})
	head := NewMoveHead(HeadParams{AngleRad: p.HeadRad, Relative: p.HeadRelative, ToleranceRad: tol})
	return &PanAndTilt{compound.NewParallel(compound.Params{Name: "PanAndTilt", Children: []compound.Child{
		{Action: turn, IgnoreIf: func(r actions.Result, _ actions.Action) bool { return r == actions.ShouldntDriveOnCharger }},
		{Action: head, Ignore: p.HeadOptional},
	}})}
}

// Type is PAN_AND_TILT.
func (*PanAndTilt) Type() actions.Type { return actions.TypePanAndTilt }
