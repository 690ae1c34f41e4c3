package motion_test

import (
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
)

const deg = math.Pi / 180

func pose(x, y, degrees float64) hardware.Pose {
	return hardware.Pose{XMM: x, YMM: y, HeadingRad: degrees * deg}
}

// near checks position and heading.
func near(t *testing.T, got, want hardware.Pose, mm, rad float64) {
	t.Helper()
	if math.Hypot(got.XMM-want.XMM, got.YMM-want.YMM) > mm || math.Abs(hardware.WrapRad(got.HeadingRad-want.HeadingRad)) > rad {
		t.Errorf("pose %+v, want %+v", got, want)
	}
}

// Every action, on a robot prepared for it: result, final pose and the time it took.
// Rules: FLT-3.
func TestMotionsReachTheirGoalOrFail(t *testing.T) {
	type robot = actiontest.Rig
	for _, c := range []struct {
		name   string
		setup  func(*robot)
		action actions.Action
		want   actions.Result
		pose   hardware.Pose
		within time.Duration
	}{
		{"forward", nil, motion.NewDriveStraight(motion.StraightParams{DistanceMM: 200}), actions.Success, pose(200, 0, 0), 3 * time.Second},
		{"backward at 80", nil, motion.NewDriveStraight(motion.StraightParams{DistanceMM: -80}), actions.Success, pose(-80, 0, 0), 1300 * time.Millisecond},
		{"no distance", func(r *robot) { r.Deaf = true }, motion.NewDriveStraight(motion.StraightParams{}), actions.Success, pose(0, 0, 0), 60 * time.Millisecond},
		{"speed is clipped to 170", nil, motion.NewDriveStraight(motion.StraightParams{DistanceMM: 170, SpeedMMPS: 900}), actions.Success, pose(170, 0, 0), 1300 * time.Millisecond},
		{"on the charger", onCharger, motion.NewDriveStraight(motion.StraightParams{DistanceMM: 50}), actions.ShouldntDriveOnCharger, pose(0, 0, 0), 60 * time.Millisecond},
		{"on the charger, allowed", onCharger, motion.NewDriveStraight(motion.StraightParams{DistanceMM: 50, AllowOnCharger: true}), actions.Success, pose(50, 0, 0), time.Second},
		{"absent motors", func(r *robot) { r.World.Motors.Quality = hardware.Absent }, motion.NewDriveStraight(motion.StraightParams{DistanceMM: 50}), actions.SendMessageToRobotFailed, pose(0, 0, 0), 60 * time.Millisecond},
		{"wall ahead", func(r *robot) { r.WallMM = 200 }, motion.NewDriveStraight(motion.StraightParams{DistanceMM: 300, StopAtMM: 60}), actions.FailedTraversingPath, pose(145, 0, 0), 2 * time.Second},
		{"wall ahead of a sensor in the middle", func(r *robot) { r.WallMM, r.World.Range.Value.ConeRad = 235, 0.2 }, motion.NewDriveStraight(motion.StraightParams{DistanceMM: 300, StopAtMM: 60}), actions.FailedTraversingPath, pose(145, 0, 0), 2 * time.Second},

		{"turn left", nil, motion.NewTurnInPlace(motion.TurnParams{AngleRad: 90 * deg}), actions.Success, pose(0, 0, 90), 2 * time.Second},
		{"turn right more than once around", nil, motion.NewTurnInPlace(motion.TurnParams{AngleRad: -450 * deg}), actions.Success, pose(0, 0, -90), 5 * time.Second},
		{"turn the shortest way", func(r *robot) { r.World.Body.Pose.HeadingRad = 170 * deg }, motion.NewTurnInPlace(motion.TurnParams{AngleRad: -170 * deg, Absolute: true}), actions.Success, pose(0, 0, -170), time.Second},
		{"turn: there already", func(r *robot) { r.Deaf = true }, motion.NewTurnInPlace(motion.TurnParams{AngleRad: 1 * deg, Absolute: true}), actions.Success, pose(0, 0, 0), 60 * time.Millisecond},
		{"turn with slip is corrected", func(r *robot) { r.Slip = 0.2 }, motion.NewTurnInPlace(motion.TurnParams{AngleRad: 90 * deg}), actions.Success, pose(0, 0, 90), 3 * time.Second},
		{"turn with too much slip", func(r *robot) { r.Slip = 0.9 }, motion.NewTurnInPlace(motion.TurnParams{AngleRad: 90 * deg}), actions.MotorStoppedMakingProgress, pose(0, 0, 31), 5 * time.Second},
		{"turn: 26 revolutions", nil, motion.NewTurnInPlace(motion.TurnParams{AngleRad: 52 * math.Pi}), actions.Abort, pose(0, 0, 0), 60 * time.Millisecond},
		{"turn on the charger", onCharger, motion.NewTurnInPlace(motion.TurnParams{AngleRad: 1}), actions.ShouldntDriveOnCharger, pose(0, 0, 0), 60 * time.Millisecond},
		{"turn on its back", func(r *robot) { r.World.Body.Treads = hardware.OnBack }, motion.NewTurnInPlace(motion.TurnParams{AngleRad: 1}), actions.InvalidOffTreadsState, pose(0, 0, 0), 60 * time.Millisecond},

		{"to a pose", nil, motion.NewDriveToPose(motion.PoseParams{Goal: pose(200, 100, 180)}), actions.Success, pose(200, 100, 180), 8 * time.Second},
		{"to a pose with slip", func(r *robot) { r.Slip = 0.1 }, motion.NewDriveToPose(motion.PoseParams{Goal: pose(-300, 50, 90)}), actions.Success, pose(-300, 50, 90), 15 * time.Second},
		{"to a near pose behind, backward", nil, motion.NewDriveToPose(motion.PoseParams{Goal: pose(-35, 0, 0)}), actions.Success, pose(-35, 0, 0), time.Second},
		{"to the present pose", func(r *robot) { r.Deaf = true }, motion.NewDriveToPose(motion.PoseParams{Goal: pose(5, 5, 5)}), actions.Success, pose(0, 0, 0), 60 * time.Millisecond},
		{"to a pose, any heading", nil, motion.NewDriveToPose(motion.PoseParams{Goal: pose(0, 150, 0), AnyHeading: true}), actions.Success, pose(0, 150, 90), 5 * time.Second},
		{"to no pose", nil, motion.NewDriveToPose(motion.PoseParams{Goal: pose(math.NaN(), 0, 0)}), actions.BadPose, pose(0, 0, 0), 60 * time.Millisecond},
		{"to a pose behind a wall", func(r *robot) { r.WallMM = 150 }, motion.NewDriveToPose(motion.PoseParams{Goal: pose(300, 0, 0)}), actions.FailedTraversingPath, pose(95, 0, 0), 3 * time.Second},
		{"to a pose behind a wall, allowed", func(r *robot) { r.WallMM = 150 }, motion.NewDriveToPose(motion.PoseParams{Goal: pose(100, 0, 0), AllowObstacles: true}), actions.Success, pose(100, 0, 0), 3 * time.Second},

		{"to a pose with an obstacle near the goal", func(r *robot) { r.WallMM = 250 }, motion.NewDriveToPose(motion.PoseParams{Goal: pose(230, 0, 0), ObstaclesEndMM: 100}), actions.Success, pose(230, 0, 0), 4 * time.Second},
		{"to a pose with an obstacle too far from the goal", func(r *robot) { r.WallMM = 150 }, motion.NewDriveToPose(motion.PoseParams{Goal: pose(230, 0, 0), ObstaclesEndMM: 100}), actions.FailedTraversingPath, pose(95, 0, 0), 4 * time.Second},

		{"near a point", nil, motion.NewDriveNear(motion.NearParams{Target: motion.PointTarget{XMM: 0, YMM: 300}, DistanceMM: 100}), actions.Success, pose(0, 200, 90), 6 * time.Second},
		{"near enough: only looks", nil, motion.NewDriveNear(motion.NearParams{Target: motion.PointTarget{XMM: 0, YMM: 90}, DistanceMM: 100}), actions.Success, pose(0, 0, 90), 3 * time.Second},
		{"near without distance", nil, motion.NewDriveNear(motion.NearParams{Target: motion.PointTarget{}}), actions.NoDistanceSet, pose(0, 0, 0), 60 * time.Millisecond},
		{"near nothing", nil, motion.NewDriveNear(motion.NearParams{DistanceMM: 100}), actions.NoGoalSet, pose(0, 0, 0), 60 * time.Millisecond},
		{"near an unknown cube", nil, motion.NewDriveNear(motion.NearParams{Target: motion.ObjectTarget{Kind: hardware.KindCube}, DistanceMM: 100}), actions.BadObject, pose(0, 0, 0), 60 * time.Millisecond},
		{"near a cube", cube, motion.NewDriveNear(motion.NearParams{Target: motion.ObjectTarget{ID: 4}, DistanceMM: 100}), actions.Success, pose(200, 0, 0), 6 * time.Second},

		{"towards a point", nil, motion.NewTurnTowardsPose(-100, 0), actions.Success, pose(0, 0, 180), 4 * time.Second},
		{"towards a point out of reach", nil, motion.NewTurnTowards(motion.TowardsParams{Target: motion.PointTarget{XMM: -9, YMM: 1}, MaxTurnRad: 1}), actions.Success, pose(0, 0, 0), 60 * time.Millisecond},
		{"towards a required face", nil, motion.NewTurnTowardsFace(0, true), actions.NoFace, pose(0, 0, 0), 60 * time.Millisecond},
		{"towards no face", nil, motion.NewTurnTowardsFace(0, false), actions.Success, pose(0, 0, 0), 60 * time.Millisecond},
		{"towards an object of an older frame", func(r *robot) { cube(r); r.World.Body.Origin++ }, motion.NewTurnTowards(motion.TowardsParams{Target: motion.ObjectTarget{ID: 4}}), actions.BadObject, pose(0, 0, 0), 60 * time.Millisecond},
		{"towards a cube with a broken head", func(r *robot) { cube(r); r.World.Servos.Quality = hardware.Failed }, motion.NewTurnTowards(motion.TowardsParams{Target: motion.ObjectTarget{ID: 4}}), actions.Success, pose(0, 0, 0), 60 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := actiontest.NewRig(nil)
			if c.setup != nil {
				c.setup(r)
			}
			done := r.Run(t, c.action, actions.QueueOptions{}, c.within)
			if done.Result != c.want {
				t.Errorf("%s: result %v, want %v (%v)", done.Name, done.Result, c.want, done.Detail)
			}
			near(t, r.World.Body.Pose, c.pose, 14, 10*deg)
			if r.List.Tracks().Mask() != 0 {
				t.Errorf("locked %v", r.List.Tracks().Mask())
			}
			if m := r.World.Motors.Value; m.Phase == hardware.PhaseMoving {
				t.Errorf("the wheels still turn: %+v", m)
			}
		})
	}
}

func onCharger(r *actiontest.Rig) { r.World.Body.OnContacts, r.World.Body.OnPlatform = true, true }

func cube(r *actiontest.Rig) {
	r.World.Objects = []hardware.KnownObject{{ID: 4, Kind: hardware.KindCube, Pose: pose(300, 0, 0), Origin: 1}}
}

// What the motors report decides the result; a cliff counts as cancelled.
// Rules: CLF-8.
func TestMotorAbortReasonDecidesResult(t *testing.T) {
	for reason, want := range map[string]actions.Result{
		"cliff": actions.CancelledWhileRunning, "stall": actions.MotorStoppedMakingProgress,
		"lease": actions.FailedTraversingPath, "blind": actions.FailedTraversingPath, "fault": actions.FailedTraversingPath,
	} {
		r := actiontest.NewRig(nil)
		r.Before = func(tick int) {
			if tick == 5 {
				r.Abort(reason)
			}
		}
		done := r.Run(t, motion.NewDriveStraight(motion.StraightParams{DistanceMM: 500}), actions.QueueOptions{}, time.Second)
		if done.Result != want {
			t.Errorf("%s gives %v, want %v", reason, done.Result, want)
		}
	}
}

// The acknowledgement never comes.
// Rules: FLT-1, OA-8.
func TestMotorsWithoutAcknowledgementTimeOut(t *testing.T) {
	r := actiontest.NewRig(nil)
	r.Deaf = true
	done := r.Run(t, motion.NewDriveStraight(motion.StraightParams{DistanceMM: 100}), actions.QueueOptions{}, time.Minute)
	if took := r.World.Now.Sub(actiontest.Start()); done.Result != actions.Timeout || took < 30*time.Second || took > 30*time.Second+actiontest.Period {
		t.Errorf("%v after %v", done.Result, took)
	}
}

// The lease is renewed every tick with the same ID; the fake stops the wheels 250 ms after the last one.
func TestLeaseIsRenewedUnderOneID(t *testing.T) {
	r := actiontest.NewRig(nil)
	r.Run(t, motion.NewDriveStraight(motion.StraightParams{DistanceMM: 300}), actions.QueueOptions{}, 5*time.Second)
	ids, n := map[uint64]bool{}, 0
	for _, c := range r.Sent {
		if d, ok := c.(hardware.Drive); ok {
			ids[d.ID] = true
			n++
		}
	}
	if len(ids) != 1 || n < 40 {
		t.Errorf("%d drives under %d ids", n, len(ids))
	}
}

// A motor driver that was restarted has forgotten the segment: it must not be driven again in full.
func TestRestartedMotorsDoNotDriveAgain(t *testing.T) {
	r := actiontest.NewRig(nil)
	r.Before = func(tick int) {
		if tick == 10 {
			r.World.Motors.Value = hardware.MotorState{}
		}
	}
	done := r.Run(t, motion.NewDriveStraight(motion.StraightParams{DistanceMM: 300}), actions.QueueOptions{}, 5*time.Second)
	if done.Result != actions.FailedTraversingPath || r.World.Motors.Value.Segment != 0 {
		t.Errorf("%v, segment %d", done.Result, r.World.Motors.Value.Segment)
	}
}

// Leaving the treads ends every motion.
// Rules: RUN-7.
func TestLiftingTheRobotEndsMotion(t *testing.T) {
	for _, a := range []actions.Action{
		motion.NewDriveStraight(motion.StraightParams{DistanceMM: 500}),
		motion.NewTurnInPlace(motion.TurnParams{AngleRad: 6}),
		motion.NewDriveToPose(motion.PoseParams{Goal: pose(500, 0, 0)}),
		motion.NewTurnTowardsPose(-500, 0),
		motion.NewDriveNear(motion.NearParams{Target: motion.PointTarget{XMM: 500}, DistanceMM: 50}),
	} {
		r := actiontest.NewRig(nil)
		r.Before = func(tick int) {
			if tick == 5 {
				r.World.Body.Treads = hardware.InAir
				r.World.Body.Origin++
			}
		}
		done := r.Run(t, a, actions.QueueOptions{}, time.Second)
		if done.Result != actions.InvalidOffTreadsState || r.World.Motors.Value.Phase == hardware.PhaseMoving {
			t.Errorf("%s: %v, wheels %v", done.Name, done.Result, r.World.Motors.Value.Phase)
		}
	}
}

// The odometry frame of the goal is gone.
// Rules: TRD-2.
func TestDriveToPoseFailsAfterFrameChange(t *testing.T) {
	r := actiontest.NewRig(nil)
	r.Before = func(tick int) {
		if tick == 5 {
			r.World.Body.Origin++
		}
	}
	done := r.Run(t, motion.NewDriveToPose(motion.PoseParams{Goal: pose(500, 0, 0)}), actions.QueueOptions{}, time.Second)
	if done.Result != actions.BadPose {
		t.Errorf("%v", done.Result)
	}
}

// A path that ends elsewhere is planned again at most three times.
func TestDriveToPoseFailsAfterThreeReplans(t *testing.T) {
	r := actiontest.NewRig(nil)
	r.Before = func(int) {
		if m := r.World.Motors.Value; m.Phase == hardware.PhaseMoving {
			r.Abort("stall")
		}
	}
	done := r.Run(t, motion.NewDriveToPose(motion.PoseParams{Goal: pose(500, 0, 0)}), actions.QueueOptions{}, 5*time.Second)
	drives := map[uint64]bool{}
	for _, c := range r.Sent {
		if d, ok := c.(hardware.Drive); ok {
			drives[d.ID] = true
		}
	}
	if done.Result != actions.FailedTraversingPath || len(drives) != 4 {
		t.Errorf("%v after %d drives", done.Result, len(drives))
	}
}

// A retry of a relative turn turns only the rest.
func TestRetriedTurnTurnsOnlyTheRest(t *testing.T) {
	r := actiontest.NewRig(nil)
	once := true
	r.Before = func(tick int) {
		if tick == 10 && once {
			once = false
			r.Abort("stall")
		}
	}
	done := r.Run(t, motion.NewTurnInPlace(motion.TurnParams{AngleRad: 120 * deg}), actions.QueueOptions{Retries: 1}, 5*time.Second)
	if done.Result != actions.Success {
		t.Errorf("%v", done.Result)
	}
	near(t, r.World.Body.Pose, pose(0, 0, 120), 1, 2.1*deg)
}

func TestRandomTurnIsEqualForEqualSeeds(t *testing.T) {
	turn := func() float64 {
		r := actiontest.NewRig(nil)
		r.Run(t, motion.NewTurnInPlace(motion.TurnParams{AngleRad: 1, VariabilityRad: 0.5}), actions.QueueOptions{}, 5*time.Second)
		return r.World.Body.Pose.HeadingRad
	}
	a, b := turn(), turn()
	if a != b || math.Abs(a-1) > 0.5 || a == 1 {
		t.Errorf("turned %v and %v", a, b)
	}
}

// Rules: FLT-3.
func TestServosReachTheirTargetOrFail(t *testing.T) {
	for _, c := range []struct {
		name   string
		setup  func(*actiontest.Rig)
		action actions.Action
		want   actions.Result
		head   float64
		lift   float64
		sends  bool
	}{
		{"head", nil, motion.NewMoveHead(motion.HeadParams{AngleRad: 0.5}), actions.Success, 0.5, 32, true},
		{"head is clipped", nil, motion.NewMoveHead(motion.HeadParams{AngleRad: 3}), actions.Success, 45 * deg, 32, true},
		{"head is there", nil, motion.NewMoveHead(motion.HeadParams{AngleRad: 1 * deg}), actions.Success, 0, 32, false},
		{"head relative", func(r *actiontest.Rig) { r.World.Servos.Value.HeadRad = 0.2 }, motion.NewMoveHead(motion.HeadParams{AngleRad: 0.3, Relative: true}), actions.Success, 0.5, 32, true},
		{"lift", nil, motion.NewMoveLift(motion.LiftParams{HeightMM: 200}), actions.Success, 0, 92, true},
		{"lift is there", nil, motion.NewMoveLift(motion.LiftParams{HeightMM: 35}), actions.Success, 0, 32, false},
		{"servos down", func(r *actiontest.Rig) { r.World.Servos.Quality = hardware.Failed }, motion.NewMoveLift(motion.LiftParams{HeightMM: 60}), actions.SendMessageToRobotFailed, 0, 32, false},
		{"a robot without servos", func(r *actiontest.Rig) { r.World.Servos.Quality = hardware.Absent }, motion.NewMoveHead(motion.HeadParams{AngleRad: 0.5}), actions.Success, 0, 32, false},
		{"a robot without lift", func(r *actiontest.Rig) { r.World.Servos.Value.NoLift = true }, motion.NewMoveLift(motion.LiftParams{HeightMM: 60}), actions.Success, 0, 32, false},
		{"a robot without head", func(r *actiontest.Rig) { r.World.Servos.Value.NoHead = true }, motion.NewMoveHead(motion.HeadParams{AngleRad: 0.5}), actions.Success, 0, 32, false},
		{"pan and tilt", nil, motion.NewPanAndTilt(motion.PanTiltParams{BodyRad: 1, HeadRad: 0.4}), actions.Success, 0.4, 32, true},
		{"pan and tilt on the charger tilts", onCharger, motion.NewPanAndTilt(motion.PanTiltParams{BodyRad: 1, HeadRad: 0.4}), actions.Success, 0.4, 32, true},
	} {
		r := actiontest.NewRig(nil)
		if c.setup != nil {
			c.setup(r)
		}
		done := r.Run(t, c.action, actions.QueueOptions{}, 3*time.Second)
		s := r.World.Servos.Value
		if done.Result != c.want || math.Abs(s.HeadRad-c.head) > 0.04 || math.Abs(s.LiftMM-c.lift) > 5 {
			t.Errorf("%s: %v, %+v", c.name, done.Result, s)
		}
		if n := actiontest.Count[hardware.MoveHead](r.Robot) + actiontest.Count[hardware.MoveLift](r.Robot); n > 0 != c.sends {
			t.Errorf("%s: %d servo commands", c.name, n)
		}
	}
}

// An acknowledged servo that stands short of its target made no progress, after half a second of patience.
func TestStuckHeadFails(t *testing.T) {
	r := actiontest.NewRig(nil)
	r.Before = func(int) { r.World.Servos.Value.HeadRad, r.World.Servos.Value.HeadMoving = 0, false }
	done := r.Run(t, motion.NewMoveHead(motion.HeadParams{AngleRad: 0.5}), actions.QueueOptions{}, time.Second)
	if took := r.World.Now.Sub(actiontest.Start()); done.Result != actions.MotorStoppedMakingProgress || took < 500*time.Millisecond {
		t.Errorf("%v after %v", done.Result, took)
	}
}

// A face is turned to, seen anew, and turned to where it is by then.
// Rules: CMP-MSG.
func TestTurnTowardsFollowsMovingFace(t *testing.T) {
	for _, seen := range []bool{true, false} {
		r := actiontest.NewRig(nil)
		r.World.Faces = []hardware.KnownFace{{ID: 7, XMM: 0, YMM: 500, ElevationRad: 0.3, SeenAt: actiontest.Start()}}
		r.Before = func(tick int) {
			r.World.Vision.Seq = uint64(tick / 4) // about four images a second
			if seen && tick == 30 {
				r.World.Faces[0] = hardware.KnownFace{ID: 7, XMM: -200, YMM: 500, ElevationRad: 0.3, SeenAt: r.World.Now}
			}
		}
		done := r.Run(t, motion.NewTurnTowardsFace(0, true), actions.QueueOptions{}, 5*time.Second)
		want, heading := actions.Success, math.Atan2(500, -200)
		if !seen {
			want, heading = actions.NoFace, math.Pi/2
		}
		if done.Result != want || done.Type != actions.TypeTurnTowardsFace || done.Payload != (motion.TowardsPayload{FaceID: 7}) {
			t.Errorf("seen %v: %+v", seen, done)
		}
		near(t, r.World.Body.Pose, hardware.Pose{HeadingRad: heading}, 1, 5*deg)
		if math.Abs(r.World.Servos.Value.HeadRad-0.3) > 5*deg {
			t.Errorf("head at %v", r.World.Servos.Value.HeadRad)
		}
	}
}

// Cancelling in the middle leaves nothing moving, also when the drive is a child of a child.
// Rules: DONE-2, RUN-11.
func TestCancelStopsDriveOfSubAction(t *testing.T) {
	r := actiontest.NewRig(nil)
	tag, err := r.List.Queue(motion.NewDriveNear(motion.NearParams{
		Target: motion.PointTarget{XMM: 800}, DistanceMM: 100,
	}), actions.QueueOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var ended []string
	r.List.Watch(func(c actions.Completion) { ended = append(ended, c.Name+" "+c.Result.String()) })
	for range 10 {
		r.Tick()
	}
	r.List.CancelTag(tag)
	r.Tick()
	if r.World.Motors.Value.Phase == hardware.PhaseMoving {
		t.Errorf("the wheels still turn")
	}
	want := []string{"DriveStraight CANCELLED_WHILE_RUNNING", "DriveToPose CANCELLED_WHILE_RUNNING", "DriveNear CANCELLED_WHILE_RUNNING"}
	if len(ended) != 3 || ended[0] != want[0] || ended[1] != want[1] || ended[2] != want[2] {
		t.Errorf("ended %q", ended)
	}
}

// Readings that repeat an image are no further looks: a slow camera gets the time for its next image.
// Rules: CMP-MSG.
func TestTurnTowardsCountsImagesNotReadings(t *testing.T) {
	r := actiontest.NewRig(nil)
	r.World.Faces = []hardware.KnownFace{{ID: 7, XMM: 0, YMM: 500, SeenAt: actiontest.Start()}}
	r.Before = func(tick int) {
		v := &r.World.Vision
		v.Seq, v.Value.CapturedAt = uint64(tick), actiontest.Start().Add(time.Duration(tick/20)*1200*time.Millisecond)
		if tick == 50 {
			r.World.Faces[0].SeenAt = r.World.Now
		}
	}
	if done := r.Run(t, motion.NewTurnTowardsFace(0, true), actions.QueueOptions{}, 5*time.Second); done.Result != actions.Success {
		t.Errorf("%v, want to wait for the image with the face", done.Result)
	}
}
