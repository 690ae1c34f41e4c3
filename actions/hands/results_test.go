package hands_test

import (
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/actions/hands"
	"github.com/robotd/robotd/hardware"
	"pgregory.net/rapid"
)

// carrying is a robot with cube 2 on its lift.
func carrying(t *testing.T, more ...actiontest.Cube) (*actiontest.Rig, *actiontest.Cubes) {
	t.Helper()
	r, w := stage(1, append([]actiontest.Cube{cube(2, 150, 0, 0)}, more...)...)
	want(t, run(t, r, hands.DriveThen(2, hands.NewPickUp(hands.PickUpParams{ID: 2}))), actions.Success)
	return r, w
}

func pick(id int) actions.Action { return hands.NewPickUp(hands.PickUpParams{ID: id}) }

func TestUnknownCubeIsABadObject(t *testing.T) {
	r, _ := stage(1)
	for _, a := range []actions.Action{
		pick(7), hands.NewAlign(hands.AlignParams{ID: 7}), hands.NewRoll(hands.RollParams{ID: 7}), hands.NewDrive(hands.DriveParams{ID: 7}),
	} {
		want(t, run(t, r, a), actions.BadObject)
	}
}

func TestPickUpFarFromPreActionPoseFailsToReachIt(t *testing.T) {
	r, _ := stage(1, cube(2, 400, 0, 0))
	want(t, run(t, r, pick(2)), actions.DidNotReachPreactionPose)
}

func TestPickUpOfTheCarriedCubeSucceedsAtOnce(t *testing.T) {
	r, _ := carrying(t)
	n := r.Ticks()
	want(t, run(t, r, pick(2)), actions.Success)
	if r.Ticks() != n+1 {
		t.Errorf("it took %d ticks", r.Ticks()-n)
	}
}

func TestPickUpWithAnotherCubeOnTheLiftStillCarries(t *testing.T) {
	r, _ := carrying(t, cube(3, 100, 300, 0))
	want(t, run(t, r, pick(3)), actions.StillCarryingObject)
	want(t, run(t, r, hands.NewRoll(hands.RollParams{ID: 3})), actions.StillCarryingObject)
}

func TestPlacingWithoutACubeIsNotCarrying(t *testing.T) {
	r, _ := stage(1, cube(3, 300, 0, 0))
	for _, a := range []actions.Action{hands.NewPlaceOnGround(), hands.NewPutDown(), hands.NewPlaceOn(hands.PlaceOnParams{ID: 3})} {
		want(t, run(t, r, a), actions.NotCarryingObjectAbort)
	}
}

func TestCubeThatCannotBeLiftedIsUnexpectedlyNotMoving(t *testing.T) {
	c := cube(2, 150, 0, 0)
	c.Stuck = true
	r, _ := stage(1, c)
	want(t, run(t, r, hands.DriveThen(2, pick(2))), actions.PickupObjectUnexpectedlyNotMoving)
	if lift := r.World.Servos.Value.LiftMM; lift > 92 {
		t.Errorf("the lift is at %.0f", lift)
	}
}

func TestCubeThatIsTakenAwayIsUnexpectedlyMoving(t *testing.T) {
	c := cube(2, 150, 0, 0)
	c.Stuck = true
	r, w := stage(1, c)
	before := r.Before
	r.Before = func(n int) {
		before(n)
		for _, x := range r.List.Running() {
			if x.Status == "PickUpObject: looking what happened" {
				w.Cube(2).Pose.YMM += 3 // 50 mm/s
			}
		}
	}
	want(t, run(t, r, hands.DriveThen(2, pick(2))), actions.PickupObjectUnexpectedlyMoving)
}

func TestCubeThatLiesElsewhereAfterAMissIsNotCarried(t *testing.T) {
	c := cube(2, 150, 0, 0)
	c.Stuck = true
	r, w := stage(1, c)
	before := r.Before
	moved := false
	r.Before = func(n int) {
		before(n)
		for _, x := range r.List.Running() {
			if !moved && x.Status == "PickUpObject: backing away" {
				moved, w.Cube(2).Pose.YMM = true, w.Cube(2).Pose.YMM+40
			}
		}
	}
	want(t, run(t, r, hands.DriveThen(2, pick(2))), actions.NotCarryingObjectRetry)
}

func TestCubeThatIsNotSeenAnyMoreStopsTheApproach(t *testing.T) {
	r, w := stage(1, cube(2, 122, 0, 0))
	before := r.Before
	r.Before = func(n int) {
		before(n)
		for _, x := range r.List.Running() {
			if x.Status == "driving up" {
				w.Cube(2).Hidden = true
			}
		}
	}
	want(t, run(t, r, pick(2)), actions.VisualObservationFailed)
	if w.Cube(2).Pose.XMM > 123 {
		t.Errorf("it drove into the cube: %+v", w.Cube(2))
	}
}

func TestStaleEyesStopTheApproachAtOnce(t *testing.T) {
	r, _ := stage(1, cube(2, 122, 0, 0))
	before := r.Before
	var at time.Time
	var x float64
	r.Before = func(n int) {
		before(n)
		for _, a := range r.List.Running() {
			if a.Status == "driving up" && at.IsZero() && r.World.Body.Pose.XMM > 5 {
				r.World.Vision.Quality = hardware.Stale
				at, x = r.World.Now, r.World.Body.Pose.XMM
			}
		}
	}
	want(t, run(t, r, pick(2)), actions.VisualObservationFailed)
	if r.World.Now.Sub(at) > actiontest.Period || r.World.Body.Pose.XMM-x > 4 {
		t.Errorf("it went on for %v and %.1f mm", r.World.Now.Sub(at), r.World.Body.Pose.XMM-x)
	}
}

// what the approach must not drive on, and what it ends with.
func TestWhatEndsAnApproach(t *testing.T) {
	for name, f := range map[string]struct {
		do  func(w *hardware.World)
		res actions.Result
	}{
		"range sensor is stale":   {func(w *hardware.World) { w.Range.Quality = hardware.Stale }, actions.FailedTraversingPath},
		"robot is moved":          {func(w *hardware.World) { w.Body.Moved = true }, actions.FailedTraversingPath},
		"robot is picked up":      {func(w *hardware.World) { w.Body.Treads = hardware.InAir }, actions.InvalidOffTreadsState},
		"lift is gone":            {func(w *hardware.World) { w.Servos.Quality = hardware.Failed }, actions.SendMessageToRobotFailed},
		"wheels are gone":         {func(w *hardware.World) { w.Motors.Quality = hardware.Failed }, actions.SendMessageToRobotFailed},
		"eyes are gone":           {func(w *hardware.World) { w.Vision.Quality = hardware.Failed }, actions.VisualObservationFailed},
		"cube is forgotten":       {func(w *hardware.World) { w.Objects = nil }, actions.BadObject},
		"something is in the way": {func(w *hardware.World) { w.Range.Value = hardware.RangeState{Found: true, DistanceMM: 15} }, actions.FailedTraversingPath},
	} {
		t.Run(name, func(t *testing.T) {
			r, _ := stage(1, cube(2, 122, 0, 0))
			before := r.Before
			r.Before = func(n int) {
				before(n)
				for _, a := range r.List.Running() {
					if a.Status == "driving up" && r.World.Body.Pose.XMM > 5 {
						f.do(&r.World)
					}
				}
			}
			want(t, run(t, r, pick(2)), f.res)
			if n := actiontest.Count[hardware.StopWheels](r.Robot); n == 0 && name != "wheels are gone" {
				t.Error("nobody stopped the wheels")
			}
		})
	}
}

func TestCliffOnTheWayCancelsTheApproach(t *testing.T) {
	r, _ := stage(1, cube(2, 122, 0, 0))
	before := r.Before
	r.Before = func(n int) {
		before(n)
		if r.World.Body.Pose.XMM > 5 {
			r.Abort("cliff")
		}
	}
	want(t, run(t, r, pick(2)), actions.CancelledWhileRunning)
}

func TestRollOfACubeUnderAnotherIsRefused(t *testing.T) {
	above := cube(3, 150, 0, 0)
	above.BaseMM = 44
	r, _ := stage(1, cube(2, 150, 0, 0), above)
	want(t, run(t, r, hands.NewRoll(hands.RollParams{ID: 2})), actions.BadObject)
}

func TestPlaceOnAStackIsNotFree(t *testing.T) {
	above := cube(4, 250, 200, 0)
	above.BaseMM = 44
	r, _ := carrying(t, cube(3, 250, 200, 0), above)
	want(t, run(t, r, hands.NewPlaceOn(hands.PlaceOnParams{ID: 3})), actions.PlacementGoalNotFree)
	want(t, run(t, r, hands.NewPlaceOn(hands.PlaceOnParams{ID: 4})), actions.PlacementGoalNotFree)
	want(t, run(t, r, hands.NewPlaceOn(hands.PlaceOnParams{ID: 2})), actions.BadObject)
}

func TestPlaceOnGroundBeforeAnEdgeIsNotFreeAndPutDownTurnsAway(t *testing.T) {
	r, w := carrying(t)
	p := r.World.Body.Pose
	r.World.Map = &hardware.Map{Version: 1, Marks: []hardware.Mark{{Kind: hardware.MarkEdge, XMM: p.XMM + 80, YMM: p.YMM, RadiusMM: 10}}}
	want(t, run(t, r, hands.NewPlaceOnGround()), actions.PlacementGoalNotFree)
	want(t, run(t, r, hands.NewPutDown()), actions.Success)
	if c := w.Cube(2); c.Carried || math.Hypot(c.Pose.XMM-p.XMM-80, c.Pose.YMM-p.YMM) < 40 {
		t.Errorf("it put the cube to %+v", c)
	}
}

func TestLiftThatDoesNotReleaseStillCarries(t *testing.T) {
	r, w := carrying(t)
	before := r.Before
	r.Before = func(n int) {
		before(n)
		w.Cube(2).Carried = true // it sticks
		r.World.Body.Carrying, r.World.Body.CarriedID = true, 2
	}
	want(t, run(t, r, hands.NewPlaceOnGround()), actions.StillCarryingObject)
}

func TestNoRoomAtAnyFaceIsNoPreActionPose(t *testing.T) {
	r, _ := stage(1, cube(2, 300, 0, 0))
	m := &hardware.Map{Version: 1}
	for k := range 4 {
		s, c := math.Sincos(float64(k) * math.Pi / 2)
		m.Marks = append(m.Marks, hardware.Mark{Kind: hardware.MarkEdge, XMM: 300 + 120*c, YMM: 120 * s, RadiusMM: 20})
	}
	r.World.Map = m
	want(t, run(t, r, hands.NewDrive(hands.DriveParams{ID: 2})), actions.NoPreactionPoses)
}

func TestPickUpTracksAndSpeed(t *testing.T) {
	if got := pick(1).Tracks(); got != actions.Head|actions.Lift|actions.Body {
		t.Errorf("tracks are %v", got)
	}
	r, _ := carrying(t, cube(3, 400, 50, 0))
	n := len(r.Sent)
	want(t, run(t, r, hands.DriveThen(3, hands.NewPlaceOn(hands.PlaceOnParams{ID: 3}))), actions.Success)
	for _, c := range r.Sent[n:] {
		if d, ok := c.(hardware.Drive); ok && d.Kind == hardware.Straight && d.SpeedMMPS > 60 {
			t.Fatalf("it drives at %.0f mm/s with a cube on the lift", d.SpeedMMPS)
		}
	}
}

// A robot at any pre-action pose stands at the distance that docking begins at, looks at a face, and has room.
func TestPreActionPosesFaceTheCube(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := func(label string) float64 { return rapid.Float64Range(-500, 500).Draw(t, label) }
		angle := rapid.Float64Range(-math.Pi, math.Pi)
		c := hardware.KnownObject{ID: 2, Kind: hardware.KindCube, Origin: 1, Pose: hardware.Pose{XMM: at("x"), YMM: at("y"), HeadingRad: angle.Draw(t, "turn")}}
		other := hardware.KnownObject{ID: 3, Kind: hardware.KindCube, Origin: 1, Pose: hardware.Pose{XMM: c.Pose.XMM + at("dx")/4, YMM: c.Pose.YMM + at("dy")/4}}
		w := &hardware.World{Objects: []hardware.KnownObject{c, other}}
		w.Body.Origin = 1
		w.Body.Pose = hardware.Pose{XMM: at("rx"), YMM: at("ry"), HeadingRad: angle.Draw(t, "heading")}
		for _, p := range hands.PreActions(w, c) {
			d, bearing := p.To(c.Pose.XMM, c.Pose.YMM)
			if math.Abs(d-hands.DockMM-hands.PreDockMM) > 1e-6 || math.Abs(bearing) > 1e-6 {
				t.Fatalf("%.3f mm away, bearing %.3f", d, bearing)
			}
			face := hands.NearestFace(c.Pose, p)
			if m := hands.MissOf(c.Pose, face, p); math.Abs(m.OffMM-hands.PreDockMM) > 1e-6 || math.Abs(m.SideMM) > 1e-6 || math.Abs(m.TurnRad) > 1e-6 {
				t.Fatalf("the miss is %+v", m)
			}
			if math.Hypot(p.XMM-other.Pose.XMM, p.YMM-other.Pose.YMM) < 60 {
				t.Fatalf("it stands on another cube")
			}
		}
	})
}

// Whatever takes the action back, and whenever: the tracks are free, the wheels stand, and no completion follows but its own.
// Rules: RUN-11.
func TestCancelAtEveryTickLeavesNothing(t *testing.T) {
	total := func() int {
		r, _ := stage(1, cube(2, 200, 30, 0.3))
		n := r.Ticks()
		want(t, run(t, r, hands.DriveThen(2, pick(2))), actions.Success)
		return r.Ticks() - n
	}()
	for at := 1; at < total; at++ {
		r, _ := stage(1, cube(2, 200, 30, 0.3))
		tag, err := r.List.Queue(hands.DriveThen(2, pick(2)), actions.QueueOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for range at {
			r.Tick()
		}
		r.List.CancelTag(tag)
		done := r.List.Drain()
		if len(done) != 1 || done[0].Result != actions.CancelledWhileRunning || r.List.Tracks().Mask() != 0 {
			t.Fatalf("tick %d: completions %+v, tracks %v", at, done, r.List.Tracks().Mask())
		}
		for range 5 {
			if late := r.Tick(); len(late) > 0 {
				t.Fatalf("tick %d: a completion comes late: %+v", at, late)
			}
		}
		if r.World.Motors.Value.Phase == hardware.PhaseMoving {
			t.Fatalf("tick %d: the wheels turn", at)
		}
	}
}

// A camera whose images are old when they arrive must not make a cube that fell count as placed.
func TestPlaceOnSeesThatTheCubeFellBeside(t *testing.T) {
	r, w := carrying(t, cube(3, 400, 60, 0.4))
	want(t, run(t, r, hands.NewDrive(hands.DriveParams{ID: 3})), actions.Success)
	w.Late = 100 * time.Millisecond
	before := r.Before
	r.Before = func(n int) {
		before(n)
		for _, a := range r.List.Running() {
			if c := w.Cube(2); a.Status == "backing away" && c.BaseMM > 0 && !c.Carried {
				s, co := math.Sincos(r.World.Body.Pose.HeadingRad)
				c.BaseMM, c.Pose.XMM, c.Pose.YMM = 0, c.Pose.XMM-40*s, c.Pose.YMM+40*co
			}
		}
	}
	want(t, run(t, r, hands.NewPlaceOn(hands.PlaceOnParams{ID: 3})), actions.LastPickAndPlaceFailed)
}

func TestPlaceOnThatDoesNotSeeTheCubeAfterwardsSaysSo(t *testing.T) {
	r, w := carrying(t, cube(3, 400, 60, 0.4))
	want(t, run(t, r, hands.NewDrive(hands.DriveParams{ID: 3})), actions.Success)
	w.Cube(2).Hidden = true
	want(t, run(t, r, hands.NewPlaceOn(hands.PlaceOnParams{ID: 3})), actions.VisualObservationFailed)
}
