package hands_test

import (
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/actions/hands"
	"github.com/robotd/robotd/hardware"
)

const limit = 2 * time.Minute

// stage is a robot at the origin with cubes around.
func stage(seed uint64, all ...actiontest.Cube) (*actiontest.Rig, *actiontest.Cubes) {
	r := actiontest.NewRig(actions.Direct{})
	w := actiontest.NewCubes(r, seed, all...)
	r.Tick()
	return r, w
}

// cube is one straight ahead, turned a little.
func cube(id int, x, y, turn float64) actiontest.Cube {
	return actiontest.Cube{ID: id, Pose: hardware.Pose{XMM: x, YMM: y, HeadingRad: turn}, Up: 1}
}

func want(t *testing.T, c actions.Completion, res actions.Result) {
	t.Helper()
	if c.Result != res {
		t.Fatalf("%s ended with %v, want %v", c.Name, c.Result, res)
	}
}

func run(t *testing.T, r *actiontest.Rig, a actions.Action) actions.Completion {
	t.Helper()
	return r.Run(t, a, actions.QueueOptions{}, limit)
}

// Rules: HLP-1.
func TestDriveEndsAtPreActionPose(t *testing.T) {
	for seed := range uint64(30) {
		r, w := stage(seed, cube(2, 300, float64(seed)*8-100, float64(seed)*0.3))
		want(t, run(t, r, hands.NewDrive(hands.DriveParams{ID: 2})), actions.Success)
		c := w.Cube(2).Pose
		m := hands.MissOf(c, hands.NearestFace(c, r.World.Body.Pose), r.World.Body.Pose)
		if off := math.Hypot(m.OffMM-hands.PreDockMM, m.SideMM); off > 4 || math.Abs(m.TurnRad) > 5*math.Pi/180 {
			t.Errorf("seed %d: %.1f mm and %.1f° off", seed, off, m.TurnRad*180/math.Pi)
		}
	}
}

func TestPickUpLiftsTheCube(t *testing.T) {
	for seed := range uint64(30) {
		r, w := stage(seed, cube(2, 250, 20, float64(seed)*0.2))
		c := run(t, r, hands.DriveThen(2, hands.NewPickUp(hands.PickUpParams{ID: 2})))
		want(t, c, actions.Success)
		if !w.Cube(2).Carried || c.Type != actions.TypePickupObjectLow || c.Payload.(hands.Payload).ID != 2 {
			t.Errorf("seed %d: carried %v, type %v, payload %v", seed, w.Cube(2).Carried, c.Type, c.Payload)
		}
	}
}

func TestPlaceOnGroundLeavesTheCubeThere(t *testing.T) {
	r, w := stage(1, cube(2, 150, 0, 0))
	want(t, run(t, r, hands.DriveThen(2, hands.NewPickUp(hands.PickUpParams{ID: 2}))), actions.Success)
	want(t, run(t, r, hands.NewPlaceOnGround()), actions.Success)
	if c := w.Cube(2); c.Carried || c.BaseMM != 0 {
		t.Errorf("the cube is %+v", c)
	}
}

func TestPlaceOnStacksAndPickUpTakesItDownAgain(t *testing.T) {
	r, w := stage(1, cube(2, 150, 0, 0), cube(3, 400, 60, 0.4))
	want(t, run(t, r, hands.DriveThen(2, hands.NewPickUp(hands.PickUpParams{ID: 2}))), actions.Success)
	want(t, run(t, r, hands.DriveThen(3, hands.NewPlaceOn(hands.PlaceOnParams{ID: 3}))), actions.Success)
	if c := w.Cube(2); c.Carried || c.BaseMM != 44 {
		t.Fatalf("the cube is %+v", c)
	}
	if o, ok := hands.Upon(&r.World, 3); !ok || o.ID != 2 {
		t.Errorf("upon 3 is %+v, %v", o, ok)
	}
	want(t, run(t, r, hands.NewRoll(hands.RollParams{ID: 3})), actions.BadObject)
	c := run(t, r, hands.DriveThen(2, hands.NewPickUp(hands.PickUpParams{ID: 2})))
	want(t, c, actions.Success)
	if c.Type != actions.TypePickupObjectHigh || !w.Cube(2).Carried {
		t.Errorf("type %v, cube %+v", c.Type, w.Cube(2))
	}
}

func TestRollTurnsAnotherSideUp(t *testing.T) {
	r, w := stage(1, cube(2, 250, 0, 0.2))
	want(t, run(t, r, hands.DriveThen(2, hands.NewRoll(hands.RollParams{ID: 2}))), actions.Success)
	if w.Cube(2).Up == 1 {
		t.Error("the same side is up")
	}
}

// The lift ends its half of the pull after the wheels: what stopped the wheels is the result all the same.
func TestRollWhoseWheelsStallWhileItPullsFails(t *testing.T) {
	r, _ := stage(1, cube(2, 250, 0, 0.2))
	want(t, run(t, r, hands.NewDrive(hands.DriveParams{ID: 2})), actions.Success)
	stalled := false
	before := r.Before
	r.Before = func(n int) {
		before(n)
		for _, a := range r.List.Running() {
			if !stalled && a.Status == "pulling" && r.World.Motors.Value.Phase == hardware.PhaseMoving {
				stalled = true
				r.Abort("stall")
			}
		}
	}
	want(t, run(t, r, hands.NewRoll(hands.RollParams{ID: 2})), actions.MotorStoppedMakingProgress)
}

func TestKnockOverSweepsTheUpperCubeOff(t *testing.T) {
	for seed := range uint64(10) {
		upper := cube(2, 250, 20, 0.2)
		upper.BaseMM = hands.CubeMM
		r, w := stage(seed, upper, cube(3, 250, 20, 0.2))
		c := run(t, r, hands.DriveThen(2, hands.NewKnockOver(hands.KnockOverParams{ID: 2})))
		want(t, c, actions.Success)
		if low := w.Cube(3).Pose; w.Cube(2).BaseMM != 0 || w.Cube(2).Carried || math.Hypot(low.XMM-250, low.YMM-20) > 20 {
			t.Errorf("seed %d: upper %+v, lower %+v", seed, w.Cube(2), w.Cube(3))
		}
	}
}

func TestKnockOverChoosesTheSideWithRoomOrRefuses(t *testing.T) {
	upper := cube(2, 120, 0, 0)
	upper.BaseMM = hands.CubeMM
	for name, c := range map[string]struct {
		marks []hardware.Mark
		want  actions.Result
		right bool
	}{
		"both":    {nil, actions.Success, false},
		"right":   {[]hardware.Mark{{Kind: hardware.MarkEdge, XMM: 120, YMM: 90}}, actions.Success, true},
		"neither": {[]hardware.Mark{{Kind: hardware.MarkEdge, XMM: 120, YMM: 90}, {Kind: hardware.MarkEdge, XMM: 120, YMM: -90}}, actions.PlacementGoalNotFree, false},
	} {
		r, w := stage(1, upper, cube(3, 120, 0, 0))
		r.World.Map = &hardware.Map{Marks: c.marks}
		if done := run(t, r, hands.NewKnockOver(hands.KnockOverParams{ID: 2})); done.Result != c.want {
			t.Errorf("%s: %v, want %v", name, done.Result, c.want)
			continue
		}
		if y := w.Cube(2).Pose.YMM; c.want == actions.Success && (math.Abs(y) < 20 || y < 0 != c.right) {
			t.Errorf("%s: the cube fell to %+v", name, w.Cube(2).Pose)
		}
	}
}

func TestKnockOverWantsAStack(t *testing.T) {
	r, _ := stage(1, cube(2, 120, 0, 0))
	want(t, run(t, r, hands.NewKnockOver(hands.KnockOverParams{ID: 2})), actions.BadObject)
	want(t, run(t, r, hands.NewKnockOver(hands.KnockOverParams{ID: 9})), actions.BadObject)
	want(t, run(t, r, hands.DriveThen(2, hands.NewPickUp(hands.PickUpParams{ID: 2}))), actions.Success)
	want(t, run(t, r, hands.NewKnockOver(hands.KnockOverParams{ID: 2})), actions.StillCarryingObject)
}

func TestAlignStopsAtTheDistance(t *testing.T) {
	r, w := stage(3, cube(2, 250, 0, 0.2))
	want(t, run(t, r, hands.DriveThen(2, hands.NewAlign(hands.AlignParams{ID: 2, OffMM: 30}))), actions.Success)
	c := w.Cube(2).Pose
	if m := hands.MissOf(c, hands.NearestFace(c, r.World.Body.Pose), r.World.Body.Pose); math.Abs(m.OffMM-30) > 3 {
		t.Errorf("%.1f mm before the face", m.OffMM)
	}
}

// Somebody who asks for an action has no behavior that looks for cubes meanwhile.
// Rules: RUN-6.
func TestActionsWithCubesLookForThem(t *testing.T) {
	for name, a := range map[string]actions.Action{
		"align": hands.NewAlign(hands.AlignParams{ID: 2}), "knock": hands.NewKnockOver(hands.KnockOverParams{ID: 3}), "pick": pick(2),
		"roll": hands.NewRoll(hands.RollParams{ID: 2}), "drive": hands.NewDrive(hands.DriveParams{ID: 2}), "both": hands.DriveThen(2, pick(2)),
	} {
		cubes := []actiontest.Cube{cube(2, 150, 0, 0)}
		if name == "knock" {
			cubes = append(cubes, cube(3, 150, 0, 0))
			cubes[1].BaseMM = hands.CubeMM
		}
		r, _ := stage(1, cubes...)
		if _, err := r.List.Queue(a, actions.QueueOptions{}); err != nil {
			t.Fatal(err)
		}
		r.Tick()
		r.Tick()
		if len(r.List.Watchers()) != 1 || !r.List.Look().Sees(hardware.SeeMarkers) {
			t.Errorf("%s: it does not look for markers: %+v, running %+v", name, r.List.Watchers(), r.List.Running())
		}
	}
	r, _ := carrying(t)
	if _, err := r.List.Queue(hands.NewPutDown(), actions.QueueOptions{}); err != nil {
		t.Fatal(err)
	}
	r.Tick()
	if !r.List.Look().Sees(hardware.SeeMarkers) {
		t.Error("putting down does not look for markers")
	}
}
