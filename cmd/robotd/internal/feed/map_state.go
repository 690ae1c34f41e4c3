package feed

import (
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware"
)

// BeliefOf copies how sure the robot is of its place, coarse enough that it does not change with every millimeter.
func BeliefOf(w *hardware.World) control.MapBelief {
	b := &w.Body
	m := control.MapBelief{Origin: b.Origin, SigmaMM: Round(b.PoseSigmaMM, 1), AcrossMM: Round(b.PoseAcrossMM, 1), SigmaRad: Round(b.HeadingSigmaRad, 500)}
	if m.AcrossMM < m.SigmaMM { // a circle has no direction, and a small change would turn it
		m.AxisRad = Round(b.PoseAxisRad, 20)
	}
	if w.Map != nil {
		m.Version = w.Map.Version
	}
	return m
}

// MapOf copies what the robot believes of its surroundings. Since gives an instant in seconds of the robot's time.
func MapOf(w *hardware.World, since func(time.Time) float64) control.MapState {
	m := control.MapState{MapBelief: BeliefOf(w), Marks: []control.MapMark{}, Objects: ObjectsOf(w)}
	if w.Map == nil {
		return m
	}
	for _, k := range w.Map.Marks {
		m.Marks = append(m.Marks, control.MapMark{
			Kind: k.Kind.String(), Pose: Rounded(hardware.Pose{XMM: k.XMM, YMM: k.YMM, HeadingRad: k.HeadingRad}), RadiusMM: tenths(k.RadiusMM),
			Met: k.Met, MetS: Round(since(k.At), 10),
		})
	}
	return m
}

// ObjectsOf copies where the robot believes objects to be.
func ObjectsOf(w *hardware.World) []control.MapObject {
	all := []control.MapObject{}
	for _, o := range w.Objects {
		if o.Origin == w.Body.Origin {
			p := hardware.Pose{XMM: Round(o.Pose.XMM, 1), YMM: Round(o.Pose.YMM, 1), HeadingRad: Round(o.Pose.HeadingRad, 100)}
			all = append(all, control.MapObject{ID: o.ID, Kind: o.Kind, Pose: p, SigmaMM: Round(o.SigmaMM, 1)})
		}
	}
	return all
}
