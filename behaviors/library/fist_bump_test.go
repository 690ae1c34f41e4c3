package library_test

import (
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
)

const fistBump = `"behaviorClass": "FistBump", "maxTimeToLookForFace_s": 6, "updateLastCompletionTime": true`

// stamped reports whether the timer of the class was restarted.
func (s scene) stamped() bool { return !s.Engine.View().Timers["FistBump"].IsZero() }

func TestFistBumpIsOfferedToThePersonAndFeltAsAPoke(t *testing.T) {
	s := play(t, fistBump+`, "abortIfNoFaceFound": true`)
	s.Body.People = people(1, 300, 400)
	s.state(10*time.Second, "waiting for the bump")
	if _, off := s.Body.To(300, 400); off < -0.1 || off > 0.1 {
		t.Errorf("it offers %.2f rad beside the person", off)
	}
	if at := s.World().Servos.Value.LiftMM; at < 70 {
		t.Errorf("the lift is at %.0f mm", at)
	}
	s.For(time.Second)
	s.Emit(behaviors.Poked{})
	s.state(time.Second, "bumped")
	if s.stamped() {
		t.Error("stamped before the end")
	}
	s.over(20 * time.Second)
	if at := s.World().Servos.Value.LiftMM; at > motion.LiftMinMM+motion.LiftTolMM || !s.stamped() {
		t.Errorf("the lift stays at %.0f mm; stamped %t", at, s.stamped())
	}
}

func TestFistBumpIsFeltAsAPushAtTheLift(t *testing.T) {
	s := play(t, fistBump)
	s.Body.People = people(1, 400, 0)
	s.state(10*time.Second, "waiting for the bump")
	s.For(time.Second)
	s.Body.Lift(s.World().Servos.Value.LiftMM - 9)
	s.state(time.Second, "bumped")
	s.interrupt()
}

func TestFistBumpThatNobodyTakesIsAskedForTwice(t *testing.T) {
	s := play(t, fistBump)
	s.Body.People = people(1, 400, 0)
	var states []string
	s.Until(30*time.Second, "it gives up", func() bool {
		if st := s.State("S"); len(states) == 0 || states[len(states)-1] != st {
			states = append(states, st)
		}
		return s.State("S") == "left hanging"
	})
	if n := len(slices.DeleteFunc(states, func(s string) bool { return s != "waiting for the bump" })); n != 2 {
		t.Errorf("it offered %d times", n)
	}
	s.over(20 * time.Second)
	if !s.stamped() {
		t.Error("not stamped")
	}
}

func TestFistBumpWithoutAPersonEndsOrIsOfferedAnyway(t *testing.T) {
	s := play(t, fistBump+`, "abortIfNoFaceFound": true`)
	s.state(time.Second, "looking for a person")
	s.over(20 * time.Second)
	if s.stamped() {
		t.Error("stamped, although nothing was offered")
	}
	s = play(t, fistBump)
	s.state(20*time.Second, "waiting for the bump")
}
