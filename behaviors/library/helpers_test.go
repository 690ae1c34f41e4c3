package library_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/dispatch"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/behaviors/library/helpers"
	"github.com/robotd/robotd/hardware"
)

// A boss gives a helper a cube, once, and notes what it hears.
type boss struct {
	helper string
	cube   int
	asked  bool
	yes    bool
	heard  []string
	stop   bool
	plain  bool // it is no helper
	data   any  // what the helper is given in place of the cube
}

func bossClass(b *boss) behaviors.Class {
	return behaviors.Class{Name: "Boss", Doc: "Asks a helper.", New: func(cfg *behaviors.Config) behaviors.Behavior {
		cfg.MayDelegateTo(b.helper)
		return b
	}}
}

func (*boss) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates, m.WhenCarryingObject = false, true
	m.LookActive = hardware.LookFor(hardware.SeeMarkers, hardware.High)
}

func (b *boss) Update(c *behaviors.Control) {
	switch {
	case !c.Activated():
	case b.stop:
		b.stop = false
		c.CancelDelegates()
	case !b.asked && c.Tick() > 5:
		b.asked = true
		if b.data != nil {
			b.yes = c.WantsWith(b.helper, b.data)
		} else if b.cube != 0 {
			b.yes = c.WantsWith(b.helper, helpers.CubeGiven{ID: b.cube})
		} else {
			b.yes = c.Wants(b.helper)
		}
		switch {
		case b.yes && b.plain:
			c.DelegateTo(b.helper, b.hear("end"))
		case b.yes:
			c.DelegateToHelper(b.helper, b.hear("success"), b.hear("failure"))
		}
	}
}

func (b *boss) hear(word string) behaviors.Callback {
	return func(*behaviors.Control, behaviors.Outcome) { b.heard = append(b.heard, word) }
}

// failing is a helper that never does it.
type failing struct{}

func (failing) HelpsWithTask()                                      {}
func (failing) WantsToBeActivatedWith(*behaviors.Control, any) bool { return true }
func (failing) OnActivated(c *behaviors.Control)                    { c.CancelSelf() }

// crew is a boss with its helper, in a world of cubes.
func crew(t *testing.T, b *boss, cubes ...behaviortest.Cube) scene {
	t.Helper()
	classes := slices.Concat(dispatch.Classes(), library.Classes(), []behaviors.Class{
		bossClass(b), {Name: "Failing", Doc: "A helper that fails.", New: func(*behaviors.Config) behaviors.Behavior { return failing{} }},
	})
	s := scene{behaviortest.New(t, behaviortest.Options{Classes: behaviors.NewRegistry(classes...), Seed: 3, Files: `
-- Base.json --
{"behaviorClass": "Boss", "behaviorID": "Base"}
-- PickUpCube.json --
{"behaviorClass": "PickUpCube", "behaviorID": "PickUpCube", "skipInitialReactionAnim": true}
-- PutCubeOnGround.json --
{"behaviorClass": "PutCubeOnGround", "behaviorID": "PutCubeOnGround"}
-- PlaceCubeOn.json --
{"behaviorClass": "PlaceCubeOn", "behaviorID": "PlaceCubeOn"}
-- DriveToCube.json --
{"behaviorClass": "DriveToCube", "behaviorID": "DriveToCube"}
-- RollCube.json --
{"behaviorClass": "RollCube", "behaviorID": "RollCube", "pickUpBehavior": "PickUpCube", "putDownBehavior": "PutCubeOnGround"}
-- Failing.json --
{"behaviorClass": "Failing", "behaviorID": "Failing"}
-- RollWithBadHelper.json --
{"behaviorClass": "RollCube", "behaviorID": "RollWithBadHelper", "pickUpBehavior": "Failing", "putDownBehavior": "PutCubeOnGround"}
-- PutDownBlock.json --
{"behaviorClass": "PutDownBlock", "behaviorID": "PutDownBlock"}
-- PutDownBlockAtPose.json --
{"behaviorClass": "PutDownBlockAtPose", "behaviorID": "PutDownBlockAtPose"}
-- RollBlock.json --
{"behaviorClass": "RollBlock", "behaviorID": "RollBlock"}
-- FindCube.json --
{"behaviorClass": "FindCube", "behaviorID": "FindCube"}
-- DriveOffChargerCube.json --
{"behaviorClass": "StandStill", "behaviorID": "DriveOffChargerCube", "duration_s": 1}
-- FindThen.json --
{"behaviorClass": "FindCubeAndThen", "behaviorID": "FindThen", "skipConnectToCubeBehavior": true, "followUpBehaviorID": "Follow"}
-- Follow.json --
{"behaviorClass": "StandStill", "behaviorID": "Follow", "duration_s": 1}
`}), t}
	s.Body.Cubes = cubes
	return s
}

// hears waits until the boss hears of the end, which must be word.
func (s scene) hears(b *boss, limit time.Duration, word string) {
	s.t.Helper()
	s.Until(limit, "the helper ends", func() bool { return len(b.heard) > 0 })
	s.Step(5)
	if len(b.heard) != 1 || b.heard[0] != word {
		s.t.Fatalf("it heard %v, want %s; the helper was %q\n%s", b.heard, word, s.State(b.helper), strings.Join(s.Log(), "\n"))
	}
	if left := s.Actions(); len(left) > 0 {
		s.t.Errorf("actions are left: %v", left)
	}
}

// cubeAt is the cube with an ID.
func (s scene) cubeAt(id int) behaviortest.Cube {
	i := slices.IndexFunc(s.Body.Cubes, func(c behaviortest.Cube) bool { return c.ID == id })
	return s.Body.Cubes[i]
}

// Rules: HLP-1, HLP-2.
func TestPickUpHelperTakesTheNearestCube(t *testing.T) {
	b := &boss{helper: "PickUpCube"}
	s := crew(t, b, behaviortest.Cube{ID: 7, XMM: 400, YMM: 40}, behaviortest.Cube{ID: 8, XMM: 250, YMM: -60})
	s.hears(b, time.Minute, "success")
	if s.Body.Carried() != 8 {
		t.Errorf("it carries %d", s.Body.Carried())
	}
	s.NoRefusals()
}

// Rules: HLP-1.
func TestHelperTakesTheCubeThatItIsGiven(t *testing.T) {
	b := &boss{helper: "PickUpCube", cube: 7}
	s := crew(t, b, behaviortest.Cube{ID: 7, XMM: 400, YMM: 60}, behaviortest.Cube{ID: 8, XMM: 250, YMM: -100})
	s.hears(b, time.Minute, "success")
	if s.Body.Carried() != 7 {
		t.Errorf("it carries %d", s.Body.Carried())
	}
}

// carried is a crew whose robot has cube 7 on its lift.
func carried(t *testing.T, b *boss, more ...behaviortest.Cube) scene {
	t.Helper()
	s := crew(t, b, append([]behaviortest.Cube{{ID: 7, XMM: 50}}, more...)...)
	s.Body.Lift(92)
	return s
}

// Rules: HLP-8.
func TestHelperWhoseGoalHoldsSucceedsAtOnce(t *testing.T) {
	for helper, with := range map[string]bool{"PickUpCube": true, "PutCubeOnGround": false} {
		b := &boss{helper: helper}
		s := crew(t, b)
		if with {
			b.cube = 7
			s = carried(t, b)
		}
		s.Until(time.Second, "it asks", func() bool { return b.asked })
		s.Step(1)
		s.hears(b, time.Second, "success")
		if slices.ContainsFunc(s.Log(), func(l string) bool { return strings.Contains(l, "Object") }) {
			t.Errorf("%s acts: %v", helper, s.Log())
		}
	}
}

// Rules: HLP-8.
func TestHelperWhoseTaskCannotBeDoneDoesNotBegin(t *testing.T) {
	for name, f := range map[string]struct {
		b *boss
		s func(b *boss) scene
	}{
		"cube is unknown":          {&boss{helper: "PickUpCube", cube: 9}, func(b *boss) scene { return crew(t, b, behaviortest.Cube{ID: 7, XMM: 300}) }},
		"no cube is known":         {&boss{helper: "DriveToCube"}, func(b *boss) scene { return crew(t, b) }},
		"another cube is carried":  {&boss{helper: "PickUpCube", cube: 8}, func(b *boss) scene { return carried(t, b, behaviortest.Cube{ID: 8, XMM: 300}) }},
		"roll with a cube in hand": {&boss{helper: "RollCube", cube: 8}, func(b *boss) scene { return carried(t, b, behaviortest.Cube{ID: 8, XMM: 300}) }},
		"place without a cube":     {&boss{helper: "PlaceCubeOn", cube: 7}, func(b *boss) scene { return crew(t, b, behaviortest.Cube{ID: 7, XMM: 300}) }},
		"place on a stack": {&boss{helper: "PlaceCubeOn", cube: 8}, func(b *boss) scene {
			return carried(t, b, behaviortest.Cube{ID: 8, XMM: 300}, behaviortest.Cube{ID: 9, XMM: 300, BaseMM: 44})
		}},
		"put down of another cube":  {&boss{helper: "PutCubeOnGround", cube: 9}, func(b *boss) scene { return carried(t, b) }},
		"place on the carried cube": {&boss{helper: "PlaceCubeOn", cube: 7}, func(b *boss) scene { return carried(t, b) }},
	} {
		t.Run(name, func(t *testing.T) {
			s := f.s(f.b)
			s.Until(time.Second, "it asks", func() bool { return f.b.asked })
			if s.Step(2); f.b.yes || len(f.b.heard) > 0 {
				t.Errorf("it began: %v, %v", f.b.yes, f.b.heard)
			}
		})
	}
}

// Rules: HLP-1.
func TestPutAndPlaceHelpersPutTheCubeDown(t *testing.T) {
	b := &boss{helper: "PutCubeOnGround"}
	s := carried(t, b)
	s.hears(b, time.Minute, "success")
	if s.Body.Carried() != 0 || s.cubeAt(7).BaseMM != 0 {
		t.Errorf("the cube is %+v", s.cubeAt(7))
	}
	b = &boss{helper: "PlaceCubeOn"}
	s = carried(t, b, behaviortest.Cube{ID: 8, XMM: 300, YMM: 50})
	s.hears(b, time.Minute, "success")
	if s.cubeAt(7).BaseMM != 44 {
		t.Errorf("the cube is %+v", s.cubeAt(7))
	}
}

// Rules: HLP-3, HLP-6.
func TestRollTakesOffWhatRestsOnTheCubeFirst(t *testing.T) {
	b := &boss{helper: "RollCube", cube: 7}
	s := crew(t, b, behaviortest.Cube{ID: 7, XMM: 250, Up: 1}, behaviortest.Cube{ID: 8, XMM: 250, BaseMM: 44})
	seen := map[string]bool{}
	s.Until(time.Minute, "the helper ends", func() bool {
		for _, id := range s.Chain() {
			seen[id] = true
		}
		return len(b.heard) > 0
	})
	s.hears(b, time.Second, "success")
	if !seen["PickUpCube"] || !seen["PutCubeOnGround"] {
		t.Errorf("helpers that ran: %v", seen)
	}
	if up, above := s.cubeAt(7).Up, s.cubeAt(8); up == 1 || above.BaseMM != 0 {
		t.Errorf("side %d is up, the other cube is %+v", up, above)
	}
}

// Rules: HLP-6.
func TestOuterHelperTriesAnotherWayWhenTheInnerFails(t *testing.T) {
	b := &boss{helper: "RollWithBadHelper", cube: 7}
	s := crew(t, b, behaviortest.Cube{ID: 7, XMM: 250, Up: 1}, behaviortest.Cube{ID: 8, XMM: 250, BaseMM: 44})
	s.hears(b, time.Minute, "success")
	if s.cubeAt(7).Up == 1 {
		t.Error("the cube was not rolled")
	}
}

// Rules: HLP-2, HLP-7.
func TestHelperGivesUpAfterThreeAttempts(t *testing.T) {
	b := &boss{helper: "PickUpCube", cube: 7}
	s := crew(t, b, behaviortest.Cube{ID: 7, XMM: 200, Stuck: true})
	attempts, was := 0, false
	s.Until(61*time.Second, "the helper ends", func() bool {
		is := slices.ContainsFunc(s.Actions(), func(a string) bool { return strings.Contains(a, "PickUpObject") })
		if is && !was {
			attempts++
		}
		was = is
		return len(b.heard) > 0
	})
	s.hears(b, time.Second, "failure")
	if attempts < 2 || attempts > 3 || !strings.HasPrefix(s.State("PickUpCube"), "failed: ") {
		t.Errorf("%d attempts, its state is %q", attempts, s.State("PickUpCube"))
	}
}

// Rules: HLP-7.
func TestHelperTakesAMinuteAtMost(t *testing.T) {
	b := &boss{helper: "DriveToCube", cube: 7}
	s := crew(t, b, behaviortest.Cube{ID: 7, XMM: 5000})
	begin := s.Now()
	s.Until(61*time.Second, "the helper ends", func() bool { s.Body.Cubes[0].XMM += 5; return len(b.heard) > 0 })
	if b.heard[0] != "failure" || s.Now().Sub(begin) > 61*time.Second {
		t.Errorf("%v after %v", b.heard, s.Now().Sub(begin))
	}
}

func TestHelperLooksForACubeThatIsGone(t *testing.T) {
	b := &boss{helper: "DriveToCube", cube: 7}
	s := crew(t, b, behaviortest.Cube{ID: 7, XMM: 300})
	s.Until(10*time.Second, "it is on the way", func() bool { return s.Body.XMM > 60 })
	s.Body.Cubes[0].XMM, s.Body.Cubes[0].YMM = 250, 220
	s.hears(b, time.Minute, "success")
	if d, _ := s.Body.To(250, 220); d > 130 {
		t.Errorf("it stands %.0f mm away", d)
	}
	b = &boss{helper: "DriveToCube", cube: 7}
	s = crew(t, b, behaviortest.Cube{ID: 7, XMM: 300})
	s.Until(10*time.Second, "it is on the way", func() bool { return s.Body.XMM > 60 })
	s.Body.Cubes = nil
	s.hears(b, time.Minute, "failure")
}

// Whenever the helper is taken back: no action is left, no track is locked, the wheels stand, and nobody hears of it.
// Rules: HLP-4.
func TestHelperTakenBackAtAnyTickLeavesNothing(t *testing.T) {
	begin := func() (*boss, scene) {
		b := &boss{helper: "RollCube", cube: 7}
		return b, crew(t, b, behaviortest.Cube{ID: 7, XMM: 200, Up: 1}, behaviortest.Cube{ID: 8, XMM: 200, BaseMM: 44})
	}
	b, s := begin()
	s.hears(b, time.Minute, "success")
	total, stride := int(s.Tick()), 1
	if testing.Short() {
		stride = 17
	}
	for at := 7; at < total-6; at += stride {
		b, s = begin()
		s.Step(at)
		b.stop = true
		s.Step(2)
		if left := s.Actions(); len(left) > 0 || len(s.Chain()) != 1 || s.World().Motors.Value.Phase == hardware.PhaseMoving {
			t.Fatalf("tick %d: actions %v, stack %v, wheels %v", at, left, s.Chain(), s.World().Motors.Value.Phase)
		}
		s.Step(4)
		if len(b.heard) > 0 {
			t.Fatalf("tick %d: it heard %v", at, b.heard)
		}
	}
}

// Rules: HLP-1, HLP-8.
func TestPutDownBlockWantsControlOnlyWithACubeOnTheLift(t *testing.T) {
	b := &boss{helper: "PutDownBlock"}
	s := carried(t, b)
	s.hears(b, time.Minute, "success")
	if s.Body.Carried() != 0 {
		t.Error("it still carries the cube")
	}
	b = &boss{helper: "PutDownBlock"}
	s = crew(t, b)
	s.Until(time.Second, "it asks", func() bool { return b.asked })
	if b.yes {
		t.Error("it wants control with nothing on the lift")
	}
}

// A cube that has the wanted side at its bottom, to its left, to its right or anywhere is rolled until it is up.
// Rules: HLP-7.
func TestRollUntilAWantedSideIsUp(t *testing.T) {
	for up := uint8(2); up <= 6; up++ {
		b := &boss{helper: "RollBlock"}
		s := crew(t, b, behaviortest.Cube{ID: 7, XMM: 250, Up: up})
		s.Body.FreeWheels = true // the way to another face is an arc
		s.hears(b, time.Minute, "success")
		if s.cubeAt(7).Up != 1 {
			t.Errorf("side %d was up, side %d is at the end", up, s.cubeAt(7).Up)
		}
	}
}

// Rules: HLP-1, HLP-8.
func TestRollBlockRollsOnlyCubesThatAreNotUpright(t *testing.T) {
	b := &boss{helper: "RollBlock"}
	s := crew(t, b, behaviortest.Cube{ID: 7, XMM: 250, Up: 1}, behaviortest.Cube{ID: 8, XMM: 400, YMM: 120, Up: 0})
	s.hears(b, time.Minute, "success")
	if s.cubeAt(7).Up != 1 || s.cubeAt(8).Up != 1 {
		t.Errorf("the cubes are %+v", s.Body.Cubes)
	}
	b = &boss{helper: "RollBlock"}
	s = crew(t, b, behaviortest.Cube{ID: 7, XMM: 250, Up: 1})
	s.Until(time.Second, "it asks", func() bool { return b.asked })
	if b.yes {
		t.Error("it wants to roll an upright cube")
	}
}

func TestFindCubeLooksAllAround(t *testing.T) {
	b := &boss{helper: "FindCube"}
	s := crew(t, b, behaviortest.Cube{ID: 7, XMM: -300, YMM: -40})
	s.hears(b, time.Minute, "success")
	if _, bearing := s.Body.To(-300, -40); bearing < -1 || bearing > 1 {
		t.Errorf("the cube is at a bearing of %.1f rad", bearing)
	}
	b = &boss{helper: "FindCube"}
	s = crew(t, b)
	s.hears(b, time.Minute, "failure")
}

func TestFindCubeAndThenFollowsUpWhenACubeIsThere(t *testing.T) {
	for _, c := range []struct {
		cubes []behaviortest.Cube
		want  bool
	}{{[]behaviortest.Cube{{ID: 7, XMM: -300}}, true}, {[]behaviortest.Cube{{ID: 7, XMM: 300}}, true}, {nil, false}} {
		b := &boss{helper: "FindThen", plain: true}
		s := crew(t, b, c.cubes...)
		followed := false
		s.Until(time.Minute, "it ends", func() bool {
			followed = followed || s.Active("Follow")
			return len(b.heard) > 0
		})
		if followed != c.want {
			t.Errorf("cubes %v: followed up %v", c.cubes, followed)
		}
	}
}
