package feed

import (
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/hardware"
)

func TestMapOfTellsMarksAndObjectsOfThePresentOrigin(t *testing.T) {
	start := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	w := &hardware.World{
		Body: hardware.Body{Origin: 2, PoseSigmaMM: 4.26, PoseAcrossMM: 1.7, PoseAxisRad: 0.83, HeadingSigmaRad: 0.01237},
		Objects: []hardware.KnownObject{
			{ID: 1, Kind: hardware.KindCharger, Origin: 1},
			{ID: 2, Kind: hardware.KindCube, Origin: 2, Pose: hardware.Pose{XMM: 100.04}, SigmaMM: 3.14},
		},
		Map: &hardware.Map{Version: 7, Marks: []hardware.Mark{
			{Kind: hardware.MarkBump, XMM: 12.34, YMM: -5, HeadingRad: 1, RadiusMM: 25, At: start.Add(2500 * time.Millisecond), Met: 3},
		}},
	}
	since := func(at time.Time) float64 { return at.Sub(start).Seconds() }
	m := MapOf(w, since)
	if m.Origin != 2 || m.Version != 7 || m.SigmaMM != 4 || m.AcrossMM != 2 || m.AxisRad != 0.85 || m.SigmaRad != 0.012 || len(m.Objects) != 1 || len(m.Marks) != 1 {
		t.Fatalf("%+v", m)
	}
	if o := m.Objects[0]; o.ID != 2 || o.XMM != 100 || o.SigmaMM != 3 {
		t.Errorf("%+v", o)
	}
	want := control.MapMark{Kind: "bump", Pose: hardware.Pose{XMM: 12.3, YMM: -5, HeadingRad: 1}, RadiusMM: 25, Met: 3, MetS: 2.5}
	if m.Marks[0] != want {
		t.Errorf("%+v, want %+v", m.Marks[0], want)
	}
	w.Body.PoseAcrossMM = 4.1
	if m := MapOf(w, since); m.AcrossMM != 4 || m.AxisRad != 0 {
		t.Errorf("a circle has the direction %v", m.AxisRad)
	}
	if m := MapOf(&hardware.World{}, since); m.Marks == nil || m.Objects == nil {
		t.Error("an empty map is written as null")
	}
}
