package wander_test

import (
	"math"
	"testing"

	"github.com/robotd/robotd/behaviors/library/wander"
	"github.com/robotd/robotd/hardware"
)

// at is a world with a robot at the origin, heading along x, and marks.
func at(marks ...hardware.Mark) *hardware.World {
	return &hardware.World{Body: hardware.Body{Origin: 1}, Map: &hardware.Map{Marks: marks}}
}

func edge(x, y, heading float64) hardware.Mark {
	return hardware.Mark{Kind: hardware.MarkEdge, XMM: x, YMM: y, HeadingRad: heading, RadiusMM: 8}
}

func TestWayWithoutAMapIsTheWantedOne(t *testing.T) {
	want := wander.Way{TurnRad: 0.5, DistanceMM: 200}
	if got := wander.Choose(&hardware.World{Body: hardware.Body{Origin: 1}}, &wander.Been{}, want, 0, 100); got != want {
		t.Errorf("%+v", got)
	}
}

func TestWayTurnsAwayFromAnEdgeAhead(t *testing.T) {
	got := wander.Choose(at(edge(150, 0, 0)), &wander.Been{}, wander.Way{DistanceMM: 300}, 0, 100)
	if math.Abs(got.TurnRad) < 0.4 || got.DistanceMM < 250 {
		t.Errorf("%+v", got)
	}
}

// Two places of one edge tell where it is between them and beyond.
func TestWayKeepsOffTheLineBetweenTwoEdges(t *testing.T) {
	w := at(edge(200, -300, 0), edge(200, 300, 0.3))
	for _, turn := range []float64{0, 0.4, -0.4} {
		got := wander.Choose(w, &wander.Been{}, wander.Way{TurnRad: turn, DistanceMM: 300}, 0, 100)
		if x := got.DistanceMM * math.Cos(got.TurnRad); x > 130 {
			t.Errorf("wanted a turn of %.1f: %+v ends %.0f mm ahead, the edge is at 200", turn, got, x)
		}
	}
}

func TestLineBeyondWhichTheRobotStoodIsNoEdge(t *testing.T) {
	w := at(edge(200, -300, 0), edge(200, 300, 0))
	var been wander.Been
	for x := 0.0; x < 500; x += 60 {
		w.Body.Pose.XMM = x
		been.Note(&w.Body)
	}
	w.Body.Pose.XMM = 0
	if got := wander.Choose(w, &been, wander.Way{DistanceMM: 300}, 0, 100); got.DistanceMM*math.Cos(got.TurnRad) < 200 {
		t.Errorf("%+v", got)
	}
}

func TestWayThatIsBlockedAllAroundIsATurnToWhereMostIsFree(t *testing.T) {
	var marks []hardware.Mark
	for k := range 12 {
		a := float64(k) * math.Pi / 6
		d := 100.0
		if k == 3 {
			d = 140
		}
		marks = append(marks, edge(d*math.Cos(a), d*math.Sin(a), a))
	}
	got := wander.Choose(at(marks...), &wander.Been{}, wander.Way{DistanceMM: 300}, 0, 100)
	if got.DistanceMM != 0 {
		t.Errorf("%+v", got)
	}
}

func TestLeastTurnIsKept(t *testing.T) {
	for _, w := range []*hardware.World{at(), at(edge(-150, 0, math.Pi))} {
		if got := wander.Choose(w, &wander.Been{}, wander.Way{TurnRad: 2, DistanceMM: 300}, 1.5, 100); math.Abs(got.TurnRad) < 1.5 {
			t.Errorf("%+v", got)
		}
	}
}

func TestPlacesOfAnotherOriginAreForgotten(t *testing.T) {
	w := at()
	var been wander.Been
	been.Note(&w.Body)
	w.Body.Origin, w.Body.Pose.XMM = 2, 1000
	been.Note(&w.Body)
	been2 := wander.Been{}
	been2.Note(&w.Body)
	if been != been2 {
		t.Error("it remembers where it was before it was carried")
	}
}
