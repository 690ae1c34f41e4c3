package feed

import (
	"math"
	"testing"

	"github.com/robotd/robotd/hardware"
)

func TestBelievedPoseStartsAtTheTruthAndTurnsWithTheFrame(t *testing.T) {
	var a Anchor
	b := hardware.Body{Origin: 3, Pose: hardware.Pose{XMM: 10, YMM: 20, HeadingRad: 0.5}}
	truth := hardware.Pose{XMM: -100, YMM: 50, HeadingRad: 0.5 + math.Pi/2}
	if !a.Begun(&b) {
		t.Fatal("a frame that is not tied is not noticed")
	}
	a.Tie(&b, truth)
	if a.Begun(&b) {
		t.Error("a tied frame counts as a new one")
	}
	if got := a.Place(b.Pose); got != truth {
		t.Errorf("the place of the tie is %+v, really %+v", got, truth)
	}
	// 30 mm along x of the robot's frame are 30 mm along y of the world, which is turned by a quarter.
	got := a.Place(hardware.Pose{XMM: 40, YMM: 20, HeadingRad: 0.7})
	want := hardware.Pose{XMM: -100, YMM: 80, HeadingRad: 0.7 + math.Pi/2}
	if math.Hypot(got.XMM-want.XMM, got.YMM-want.YMM) > 1e-9 || math.Abs(got.HeadingRad-want.HeadingRad) > 1e-9 {
		t.Errorf("believed at %+v, want %+v", got, want)
	}
	b.Origin++
	if !a.Begun(&b) {
		t.Error("the next frame is not noticed")
	}
}
