package library_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/hardware"
)

const cliff = `"behaviorClass": "ReactToEdge", "backUpDistance_mm": 60`

// atEdge plays a scene in which the robot drives towards an edge.
func atEdge(t *testing.T) scene {
	s := play(t, cliff)
	s.Body.EdgeXMM = 200
	s.Body.XMM = 160 // the front sensors are 10 mm before the edge
	s.Step(2)
	s.Body.Apply(s.Now(), hardware.Drive{ID: 1, Kind: hardware.Straight, DistanceMM: 100, SpeedMMPS: 100})
	return s
}

func TestReactToCliffBacksOffAndTurnsAway(t *testing.T) {
	s := atEdge(t)
	s.modifiers(false, true)
	s.state(2*time.Second, "startled")
	if s.Body.XMM > 185 {
		t.Errorf("the reflex stopped it only at %.0f", s.Body.XMM)
	}
	s.state(3*time.Second, "backing off: edge in front")
	s.state(3*time.Second, "turning away")
	if s.Body.XMM > 115 {
		t.Errorf("backed off to %.0f only", s.Body.XMM)
	}
	s.over(5 * time.Second)
	if turned := math.Abs(s.Body.HeadingRad); turned < 119*math.Pi/180 {
		t.Errorf("turned by %.0f°", turned*180/math.Pi)
	}
}

func TestInterruptedReactToCliffLeavesNothingBehind(t *testing.T) {
	s := atEdge(t)
	s.state(5*time.Second, "backing off")
	s.interrupt()
	s.NoRefusals()
}

func TestReactToCliffStartsWhenPutDownOverEdge(t *testing.T) {
	s := play(t, cliff)
	s.Body.EdgeXMM = 100
	s.Body.XMM = 80 // no reflex: nothing moved
	s.state(2*time.Second, "startled")
	s.over(20 * time.Second)
	if s.World().Cliff.Value.Any() {
		t.Error("still over the edge")
	}
}

func TestReactToCliffDoesNotTrustBrokenSensors(t *testing.T) {
	s := play(t, cliff)
	s.Body.Broken = map[string]hardware.Quality{hardware.Cliff: hardware.Failed}
	s.For(3 * time.Second)
	if s.Started("S") != 0 {
		t.Error("it backs off from an edge that no sensor saw")
	}
}

func TestReactToCliffIgnoresOldReflex(t *testing.T) {
	s := play(t, cliff)
	s.Emit(behaviors.RobotStopped{Cause: behaviors.StoppedAtCliff})
	s.Step(2)
	if s.Started("S") != 1 {
		t.Fatal("fresh news is ignored")
	}
	s.over(10 * time.Second)
	s.For(3 * time.Second)
	if s.Started("S") != 1 {
		t.Error("it reacts to one stop twice")
	}
}

func TestEdgeOfEachSensorPattern(t *testing.T) {
	for sensors, want := range map[string]gesture.Edge{
		"....": gesture.EdgeNone, "x...": gesture.EdgeFront, ".x..": gesture.EdgeFront, "xx..": gesture.EdgeFront,
		"..x.": gesture.EdgeBack, "..xx": gesture.EdgeBack, "x.x.": gesture.EdgeLeft, ".x.x": gesture.EdgeRight,
		"x..x": gesture.EdgeAround, "xxx.": gesture.EdgeAround, "xxxx": gesture.EdgeAround,
	} {
		var d [4]bool
		for i := range d {
			d[i] = sensors[i] == 'x'
		}
		if got := gesture.EdgeOf(d); got != want {
			t.Errorf("%s: %v, want %v", sensors, got, want)
		}
	}
	if gesture.Retreat(gesture.EdgeAround, 50) != nil || gesture.Retreat(gesture.EdgeNone, 50) != nil {
		t.Error("a retreat to nowhere")
	}
}

func TestReactToPickupEndsWhenPutDown(t *testing.T) {
	s := play(t, `"behaviorClass": "ReactToPickup", "looksBeforeWriggle": 2, "lookPauseMin_s": 0.5, "lookPauseMax_s": 1`)
	s.modifiers(true, true)
	s.Body.Held = true
	s.state(2*time.Second, "picked up")
	s.state(3*time.Second, "looking around: InAir")
	s.state(10*time.Second, "wriggling")
	s.interrupt()
	s.state(3*time.Second, "picked up")
	s.Body.Held = false
	s.state(2*time.Second, "put down")
	s.Body.Held = true
	s.state(2*time.Second, "looking around")
	s.Body.Held = false
	s.over(5 * time.Second)
}

func TestReactToTouchPurrsWhileStroked(t *testing.T) {
	s := play(t, `"behaviorClass": "ReactToTouch", "minTouchTime_s": 0.3, "linger_s": 1`)
	s.modifiers(false, true)
	s.Body.Touched = true
	s.Step(3)
	if s.Active("S") {
		t.Error("it purrs at a brush")
	}
	s.state(time.Second, "purring")
	s.For(10 * time.Second)
	if s.State("S") != "purring" {
		t.Errorf("state %q", s.State("S"))
	}
	s.interrupt()
	s.state(time.Second, "purring")
	s.Body.Touched = false
	s.state(2*time.Second, "blissful")
	s.Body.Touched = true
	s.state(time.Second, "purring")
	s.Body.Touched = false
	s.over(5 * time.Second)
}

func TestReactToShakeStaggersWhenPutDown(t *testing.T) {
	s := play(t, `"behaviorClass": "ReactToShake", "staggers": 3`)
	s.modifiers(true, true)
	s.Body.Held, s.Body.Shaken = true, true
	s.state(2*time.Second, "dizzy in the air")
	s.Body.Shaken = false
	s.For(5 * time.Second)
	if s.State("S") != "dizzy in the air" {
		t.Errorf("state %q", s.State("S"))
	}
	s.Body.Held = false
	s.state(2*time.Second, "staggering")
	s.interrupt()
	if s.Active("S") {
		t.Error("dizzy again without a shake")
	}
	s.NoRefusals()
}

// Rules: data/2.5.
func TestReactToTriggerWordNeedsNoCode(t *testing.T) {
	e := shipped(t).Find("ReactToTriggerWord")
	if e == nil || !strings.HasPrefix(e.Class.Name, "Anim") {
		t.Errorf("%+v", e)
	}
}
