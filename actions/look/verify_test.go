package look_test

import (
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/actions/look"
	"github.com/robotd/robotd/hardware"
)

// table is a robot at the origin with cubes around.
func table(seed uint64, all ...actiontest.Cube) (*actiontest.Rig, *actiontest.Cubes) {
	r := actiontest.NewRig(actions.Direct{})
	w := actiontest.NewCubes(r, seed, all...)
	r.Tick()
	return r, w
}

func cube(id int, x, y float64) actiontest.Cube {
	return actiontest.Cube{ID: id, Pose: hardware.Pose{XMM: x, YMM: y}, Up: 1}
}

// Rules: LOOK-4.
func TestVerifyEndsWithTheFirstImageThatHasTheTarget(t *testing.T) {
	r, _ := table(1, cube(2, 300, 0), cube(3, -300, 0))
	from := r.World.Now
	c := run(t, r, look.NewVerifyObject(2, hardware.KindCube))
	want(t, c, actions.Success)
	if p := c.Payload.(look.VerifyPayload); p.ObjectID != 2 || r.World.Now.Sub(from) > 400*time.Millisecond {
		t.Errorf("payload %+v after %v", p, r.World.Now.Sub(from))
	}
	r, _ = stage(&person{id: 4, x: 700, height: 500})
	c = run(t, r, look.NewVerifyFace(0))
	want(t, c, actions.Success)
	if p := c.Payload.(look.VerifyPayload); p.FaceID != 4 {
		t.Errorf("payload %+v", p)
	}
}

// A cube that is known but stands behind the robot is not seen, however well it is remembered.
// Rules: LOOK-4.
func TestVerifyTrustsNoOldSighting(t *testing.T) {
	r, w := table(1, cube(2, 300, 0))
	w.Cube(2).Hidden = true
	if _, known := r.World.Object(2); !known {
		t.Fatal("the cube is not known")
	}
	c := run(t, r, look.NewVerifyObject(2, ""))
	want(t, c, actions.VisualObservationFailed)
	if p := c.Payload.(look.VerifyPayload); p.Images != look.VerifyImages {
		t.Errorf("it looked through %d images", p.Images)
	}
	want(t, run(t, r, look.NewVerifyFace(0)), actions.VisualObservationFailed)
}

func TestVerifyMovesTheLiftOutOfTheViewFirst(t *testing.T) {
	for from, to := range map[float64]float64{32: 32, 50: 32, 76: 92} {
		r, _ := table(1, cube(2, 300, 0))
		r.World.Servos.Value.LiftMM = from
		want(t, run(t, r, look.NewVerifyObject(2, "")), actions.Success)
		if at := r.World.Servos.Value.LiftMM; at != to {
			t.Errorf("the lift went from %v to %v, want %v", from, at, to)
		}
	}
	r, _ := table(1, cube(2, 300, 0))
	r.World.Servos.Value.LiftMM, r.Refuses = 50, true
	want(t, run(t, r, look.NewVerifyObject(2, "")), actions.Success)
}

// Rules: FLT-3.
func TestVerifyFailsWithoutEyesOrImages(t *testing.T) {
	r, _ := table(1)
	r.World.Vision.Quality = hardware.Absent
	want(t, run(t, r, look.NewVerifyFace(0)), actions.SendMessageToRobotFailed)
	r, w := table(1)
	w.Blind = true
	from := r.World.Now
	want(t, run(t, r, look.NewVerifyFace(0)), actions.VisualObservationFailed)
	if d := r.World.Now.Sub(from); d < 2900*time.Millisecond || d > 3300*time.Millisecond {
		t.Errorf("it gave up after %v", d)
	}
}

// Rules: LOOK-4.
func TestVerifyNothingTurnsThereAndSeesWhetherTheGroundIsFree(t *testing.T) {
	r, _ := table(1, cube(2, 200, 250))
	want(t, run(t, r, look.NewVerifyNothing(look.NothingParams{XMM: 200, YMM: 250, ToleranceMM: 20})), actions.VisualObservationFailed)
	if h := r.World.Body.Pose.HeadingRad / deg; math.Abs(h-51) > 6 {
		t.Errorf("it looks to %.1f°", h)
	}
	want(t, run(t, r, look.NewVerifyNothing(look.NothingParams{XMM: -200, YMM: 250, ToleranceMM: 20})), actions.Success)
	if h := r.World.Body.Pose.HeadingRad / deg; math.Abs(h-129) > 6 {
		t.Errorf("it looks to %.1f°", h)
	}
	// Where it was is not where it is.
	want(t, run(t, r, look.NewVerifyNothing(look.NothingParams{XMM: 300, YMM: 100})), actions.Success)
}

// Rules: LOOK-4.
func TestVerifyNothingRefusesAPlaceThatItCannotSee(t *testing.T) {
	for _, p := range []look.NothingParams{{XMM: 40}, {XMM: 900}, {XMM: math.NaN()}} {
		r, _ := table(1)
		c := run(t, r, look.NewVerifyNothing(p))
		if want(t, c, actions.BadPose); c.Detail == "" {
			t.Errorf("%+v: no reason", p)
		}
	}
	r, _ := table(1)
	r.World.Body.OnPlatform = true // it does not turn there
	want(t, run(t, r, look.NewVerifyNothing(look.NothingParams{XMM: -300})), actions.BadPose)
}

// Rules: LOOK-5.
func TestTurnTowardsImagePointBringsItToTheMiddle(t *testing.T) {
	c := look.DefaultCamera
	for _, p := range [][2]float64{{320, 240}, {0, 240}, {640, 240}, {500, 60}} {
		r, _ := stage()
		want(t, run(t, r, look.NewTurnTowardsImagePoint(look.ImagePointParams{XPX: p[0], YPX: p[1]})), actions.Success)
		left, up := c.Angles(p[0], p[1])
		if got := r.World.Body.Pose.HeadingRad; math.Abs(got-left) > 5*deg {
			t.Errorf("%v: heading %.1f°, want %.1f°", p, got/deg, left/deg)
		}
		if got := r.World.Servos.Value.HeadRad; math.Abs(got-15*deg-up) > 5*deg {
			t.Errorf("%v: head %.1f°, want %.1f°", p, got/deg, 15+up/deg)
		}
	}
	if left, up := c.Angles(0, 0); math.Abs(left-31.1*deg) > 1e-9 || math.Abs(up-24.4*deg) > 1e-9 {
		t.Errorf("the corner is at %v, %v", left/deg, up/deg)
	}
}

// An image that was taken before a turn of 40° is about where the robot looked then.
// Rules: LOOK-5.
func TestTurnTowardsImagePointReckonsWithThePoseOfTheImage(t *testing.T) {
	r, _ := stage()
	r.World.Body.Pose.HeadingRad = 40 * deg
	head := 0.0
	want(t, run(t, r, look.NewTurnTowardsImagePoint(look.ImagePointParams{XPX: 320, YPX: 240, From: &hardware.Pose{}, HeadRad: &head})), actions.Success)
	if h, n := r.World.Body.Pose.HeadingRad/deg, r.World.Servos.Value.HeadRad/deg; math.Abs(h) > 5 || math.Abs(n) > 5 {
		t.Errorf("heading %.1f°, head %.1f°", h, n)
	}
}

func TestTurnTowardsImagePointRefusesWhatIsNoPoint(t *testing.T) {
	for _, p := range []look.ImagePointParams{
		{XPX: -1}, {XPX: 641}, {YPX: 481}, {XPX: math.NaN()}, {Camera: look.Camera{WideRad: 4}}, {Camera: look.Camera{HeightPX: -1}},
	} {
		r, _ := stage()
		c := run(t, r, look.NewTurnTowardsImagePoint(p))
		if c.Result != actions.BadPose || c.Detail == "" {
			t.Errorf("%+v: %v %q", p, c.Result, c.Detail)
		}
	}
}

// Rules: LOOK-6.
func TestCalibrateDrivesBothJointsToTheirStops(t *testing.T) {
	r, _ := table(1)
	r.World.Servos.Value.LiftMM, r.World.Servos.Value.HeadRad = 80, 0.4
	c := run(t, r, look.NewCalibrateMotors(look.CalibrateParams{}))
	want(t, c, actions.Success)
	p, s := c.Payload.(look.CalibratePayload), r.World.Servos.Value
	if !p.Head.Done || !p.Lift.Done || !p.Head.Measured || math.Abs(s.HeadRad+22*deg) > 1e-6 || s.LiftMM != 32 {
		t.Errorf("payload %+v, servos %+v", p, s)
	}
}

// A robot whose servos have no feedback and other ends is driven to its own stops, and nothing is said to be measured.
// Rules: LOOK-6.
func TestCalibrateOfAServoWithoutFeedbackSaysThatNothingWasMeasured(t *testing.T) {
	r, _ := table(1)
	s := &r.World.Servos.Value
	s.HeadReckoned, s.NoLift, s.EndsTold, s.HeadLowRad = true, true, true, -10*deg
	c := run(t, r, look.NewCalibrateMotors(look.CalibrateParams{}))
	want(t, c, actions.Success)
	if p := c.Payload.(look.CalibratePayload); !p.Head.Done || p.Head.Measured || p.Lift.Done || math.Abs(s.HeadRad+10*deg) > 1e-6 {
		t.Errorf("payload %+v, head at %.1f°", p, s.HeadRad/deg)
	}
	r, _ = table(1)
	r.World.Servos.Value.NoLift = true
	want(t, run(t, r, look.NewCalibrateMotors(look.CalibrateParams{Lift: true})), actions.SendMessageToRobotFailed)
}

// Rules: LOOK-6, FLT-3.
func TestCalibrateFailsOfWhatKeepsAJointFromItsStop(t *testing.T) {
	for name, c := range map[string]struct {
		set  func(r *actiontest.Rig)
		each func(s *hardware.Reading[hardware.ServoState])
		res  actions.Result
	}{
		"a cube on the lift":     {func(r *actiontest.Rig) { r.World.Body.Carrying = true }, nil, actions.StillCarryingObject},
		"no servos":              {func(r *actiontest.Rig) { r.World.Servos.Quality = hardware.Absent }, nil, actions.SendMessageToRobotFailed},
		"orders are refused":     {func(r *actiontest.Rig) { r.Refuses = true; r.World.Servos.Value.LiftMM = 80 }, nil, actions.SendMessageToRobotFailed},
		"servos fail meanwhile":  {func(r *actiontest.Rig) { r.World.Servos.Value.LiftMM = 80 }, func(s *hardware.Reading[hardware.ServoState]) { s.Quality = hardware.Failed }, actions.SendMessageToRobotFailed},
		"the lift is blocked":    {func(r *actiontest.Rig) { r.World.Servos.Value.LiftMM = 80 }, func(s *hardware.Reading[hardware.ServoState]) { s.Value.LiftMM, s.Value.LiftMoving = 70, false }, actions.MotorStoppedMakingProgress},
		"the lift hangs too low": {nil, func(s *hardware.Reading[hardware.ServoState]) { s.Value.LiftMM, s.Value.LiftMoving = 18, false }, actions.FailedSettingCalibration},
	} {
		r, w := table(1)
		r.World.Servos.Value.LiftMM = 40
		if c.set != nil {
			c.set(r)
		}
		from := r.Ticks()
		r.Before = func(tick int) {
			w.Step(tick)
			if c.each != nil && tick > from+3 {
				c.each(&r.World.Servos)
			}
		}
		if name == "a cube on the lift" {
			r.Before = nil
		}
		if done := run(t, r, look.NewCalibrateMotors(look.CalibrateParams{Lift: true, Head: true})); done.Result != c.res {
			t.Errorf("%s: %v, want %v", name, done.Result, c.res)
		}
	}
}
