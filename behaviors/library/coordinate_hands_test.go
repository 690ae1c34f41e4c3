package library_test

import (
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/hardware"
)

// coordinated is a coordinator over a list of probes, the first of which is asked first; more is JSON of the coordinator.
func coordinated(t *testing.T, class, more string, ids []string, files ...string) scene {
	t.Helper()
	return stage(t, `"behaviorClass": "`+class+`", "delegateID": "Top"`+more, append(files,
		"-- Top.json --\n"+`{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "Top", "interruptActiveBehavior": true, "behaviors": ["`+
			strings.Join(append(ids, "Idle"), `", "`)+`"]}`+"\n-- Idle.json --\n"+`{"behaviorClass": "Wait", "behaviorID": "Idle"}`+"\n")...)
}

// kept reports whether somebody keeps a behavior from being activated.
func (s scene) kept(id string) bool { return strings.HasPrefix(s.Engine.Cell(id).Why(), "suppressed") }

// Rules: DT-D09, data/2.1.7c.
func TestHabitatSuppressesItsListWhileTheRobotIsThere(t *testing.T) {
	s := coordinated(t, "CoordinateInHabitat", `, "suppressedBehaviors": ["Explore"]`, []string{"Explore", "Other"}, probesOf("Explore", "Other"))
	for _, c := range []struct {
		place hardware.Habitat
		kept  bool
	}{{hardware.HabitatUnknown, false}, {hardware.InHabitat, true}, {hardware.NotInHabitat, false}} {
		s.Edit = func(n *hardware.Snapshot) { n.Vision.Value.Habitat = c.place }
		s.Step(3)
		if s.kept("Explore") != c.kept || s.kept("Other") {
			t.Errorf("%v: kept %v, the other %v", c.place, s.kept("Explore"), s.kept("Other"))
		}
	}
	s.NoRefusals()
}

// palm puts the robot on a palm, or on the table.
func (s scene) palm(on bool) {
	s.Body.Held = on
	s.Edit = func(n *hardware.Snapshot) {
		if on {
			n.Cliff.Value.Raw = [4]float64{200, 200, 200, 200}
		}
	}
}

// Rules: DT-D09, data/2.1.7c.
func TestPalmKeepsItsReactionsFromWhatGoesOnInIt(t *testing.T) {
	const palm, first = "HeldInPalmDispatcher", "InitialHeldInPalmReaction"
	s := coordinated(t, "CoordinateWhileHeldInPalm", `, "suppressingBehaviors": ["Petting"]`, []string{palm, first, "Petting"}, probesOf(palm, first, "Petting"))
	s.probe("Petting").Wants = true
	s.Step(3)
	if s.kept(palm) || s.kept(first) {
		t.Error("suppressed on the table")
	}
	s.palm(true)
	s.Until(2*time.Second, "it lies on a palm", func() bool { return s.World().Body.InPalm })
	s.Step(2)
	if !s.kept(palm) || s.kept(first) {
		t.Errorf("while petted: palm kept %v, first reaction kept %v", s.kept(palm), s.kept(first))
	}
	s.For(3 * time.Second)
	if !s.kept(first) {
		t.Error("the first reaction may begin late")
	}
	s.probe("Petting").Wants, s.probe("Petting").End = false, true
	s.Step(3)
	if s.kept(palm) {
		t.Error("suppressed for good")
	}
	s.NoRefusals()
}

// Rules: data/2.1.7c.
func TestFirstReactionToAPalmComesOnceInAHold(t *testing.T) {
	const palm, first = "HeldInPalmDispatcher", "InitialHeldInPalmReaction"
	s := coordinated(t, "CoordinateWhileHeldInPalm", `, "suppressingBehaviors": []`, []string{palm, first}, probesOf(palm, first))
	for range 2 {
		s.palm(true)
		s.Until(2*time.Second, "it lies on a palm", func() bool { return s.World().Body.InPalm })
		s.probe(first).Wants = true
		s.Step(2)
		if !s.Active(first) {
			t.Fatalf("no first reaction\n%s", s.Describe())
		}
		s.probe(first).End = true
		s.Step(3)
		if s.Active(first) || !s.kept(first) {
			t.Error("it begins again in the same hold")
		}
		s.palm(false)
		s.probe(first).Wants = false
		s.For(2 * time.Second)
	}
	s.NoRefusals()
}

// Rules: data/2.1.7c.
func TestCoordinatorTellsOfBehaviorsThatNeverRunInAHand(t *testing.T) {
	s := coordinated(t, "CoordinateWhileHeldInPalm", `, "suppressingBehaviors": ["Grounded"]`, []string{"Grounded"}, short("Grounded"))
	s.Step(1)
	if got, want := s.State("S"), "mistake: cannot run off treads: Grounded"; got != want {
		t.Errorf("state %q, want %q", got, want)
	}
}

// Rules: DT-D09, data/2.1.7c.
func TestAirKeepsItsReactionsFromActivitiesAndHoldsTheWheels(t *testing.T) {
	const air, lifted = "WhileInAirDispatcher", "InitialPickupAnimation"
	s := coordinated(t, "CoordinateWhileInAir", "", []string{air, lifted, "Clock", "Fallen"}, probesOf(air, lifted),
		partsOf("ReactToTouchPetting", "Clock"), partsOf("ReactToRobotOnBack", "Fallen"))
	locked := func() bool { return s.Engine.Actions().Tracks().Mask()&actions.Body != 0 }
	s.probe("Clock").Wants = true
	s.Step(3)
	if s.kept(air) || s.kept(lifted) || locked() {
		t.Error("suppressed or locked on the table")
	}
	s.Body.Held = true
	s.Until(2*time.Second, "it is in the air", func() bool { return s.World().Body.Treads == hardware.InAir })
	s.Step(1)
	if !s.kept(air) || s.kept(lifted) || !locked() {
		t.Errorf("in the air: kept %v and %v, locked %v", s.kept(air), s.kept(lifted), locked())
	}
	s.For(3 * time.Second)
	if !s.kept(lifted) {
		t.Error("the animation of lifting may begin late")
	}
	s.probe("Clock").Wants, s.probe("Clock").End = false, true
	s.probe("Fallen").Wants = true
	s.Step(3)
	if !s.Active("Fallen") || locked() || s.kept(air) {
		t.Errorf("righting itself %v, locked %v, kept %v", s.Active("Fallen"), locked(), s.kept(air))
	}
	s.probe("Fallen").Wants, s.probe("Fallen").End = false, true
	s.palm(true)
	s.Until(2*time.Second, "it lies on a palm", func() bool { return s.World().Body.InPalm })
	s.Step(1)
	if locked() {
		t.Error("locked on a palm")
	}
	s.NoRefusals()
}
