package library_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/hardware"
)

// does reports whether the running action has a status.
func (s scene) does(status string) bool {
	return slices.ContainsFunc(strings.Split(s.Describe(), "\n"), func(l string) bool { return strings.HasSuffix(l, ": "+status) })
}

// The wheels stop while the robot backs away from a tower that stands, and right before it the camera does not see where the cube is.
// Rules: HLP-8.
func TestPlaceHelperLeavesTheTowerThatItBuilt(t *testing.T) {
	b := &boss{helper: "PlaceCubeOn"}
	s := carried(t, b, behaviortest.Cube{ID: 8, XMM: 300})
	s.Edit = func(n *hardware.Snapshot) {
		seen := &n.Vision.Value
		seen.Objects = slices.DeleteFunc(seen.Objects, func(o hardware.Object) bool { return o.DistanceMM < 70 })
	}
	stopped, took := false, false
	s.Until(time.Minute, "the helper ends", func() bool {
		if !stopped && s.does("backing away") && s.World().Motors.Value.Phase == hardware.PhaseMoving {
			stopped = true
			s.Body.Apply(s.Now(), hardware.StopWheels{})
		}
		took = took || stopped && s.Body.Carried() != 0
		return len(b.heard) > 0
	})
	s.hears(b, time.Second, "success")
	if took || !stopped || s.cubeAt(7).BaseMM != 44 {
		t.Errorf("it took the cube down: %v; stopped: %v; the cube is %+v", took, stopped, s.cubeAt(7))
	}
}

// A cube that is elsewhere in each image is never found, and looked for a minute at the most.
// Rules: HLP-7.
func TestFindCubeTakesAMinuteAtMost(t *testing.T) {
	b := &boss{helper: "FindCube"}
	s := crew(t, b, behaviortest.Cube{ID: 7, XMM: 300, BaseMM: 44}) // high, so that its places are not averaged
	s.Until(5*time.Second, "it begins", func() bool { return s.Active("FindCube") })
	from := s.Now()
	s.Until(3*time.Minute, "the helper ends", func() bool {
		c := &s.Body.Cubes[0]
		far := 200 + 60*float64(s.Tick()%20)
		sin, cos := math.Sincos(s.Body.HeadingRad)
		c.XMM, c.YMM = s.Body.XMM+far*cos, s.Body.YMM+far*sin
		return len(b.heard) > 0
	})
	if took := s.Now().Sub(from); b.heard[0] != "failure" || took > 61*time.Second || took < 55*time.Second {
		t.Errorf("%v after %v; its state is %q", b.heard, took, s.State("FindCube"))
	}
}

// A face at which the fallen cube could not be lifted is no reason not to use that face of the cube below, which is the only one with room.
// Rules: HLP-7.
func TestPlaceHelperUsesAFaceThatFailedOnlyAtTheOtherCube(t *testing.T) {
	b := &boss{helper: "PlaceCubeOn", cube: 8}
	s := carried(t, b, behaviortest.Cube{ID: 8, XMM: 300},
		behaviortest.Cube{ID: 20, XMM: 390}, behaviortest.Cube{ID: 21, XMM: 300, YMM: 90}, behaviortest.Cube{ID: 22, XMM: 300, YMM: -90})
	s.Body.FreeWheels = true
	fell, missed := false, false
	s.Until(time.Minute, "the helper ends", func() bool {
		c := &s.Body.Cubes[0]
		switch {
		case !fell && s.does("backing away") && c.BaseMM == 44:
			fell = true
			c.XMM, c.YMM, c.BaseMM, c.Stuck = 520, 150, 0, true
		case c.Stuck && s.does("looking what happened"):
			missed, c.Stuck = true, false
		}
		return len(b.heard) > 0
	})
	s.hears(b, time.Second, "success")
	if !fell || !missed || s.cubeAt(7).BaseMM != 44 {
		t.Errorf("it fell: %v; it was missed: %v; the cube is %+v", fell, missed, s.cubeAt(7))
	}
}
