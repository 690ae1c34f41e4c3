package motion_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
)

// A parameter that is infinite or no number is refused in the first update, by its name, and nothing moves.
func TestParameterThatIsNoFiniteNumberIsRefusedByName(t *testing.T) {
	at := motion.PointTarget{XMM: 300}
	for name, with := range map[string]func(v float64) actions.Action{
		"DistanceMM": func(v float64) actions.Action { return motion.NewDriveStraight(motion.StraightParams{DistanceMM: v}) },
		"SpeedMMPS": func(v float64) actions.Action {
			return motion.NewDriveStraight(motion.StraightParams{DistanceMM: 9, SpeedMMPS: v})
		},
		"AccelMMPS2": func(v float64) actions.Action {
			return motion.NewDriveStraight(motion.StraightParams{DistanceMM: 9, AccelMMPS2: v})
		},
		"StopAtMM": func(v float64) actions.Action {
			return motion.NewDriveStraight(motion.StraightParams{DistanceMM: 9, StopAtMM: v})
		},
		"AngleRad": func(v float64) actions.Action { return motion.NewTurnInPlace(motion.TurnParams{AngleRad: v}) },
		"SpeedRadPS": func(v float64) actions.Action {
			return motion.NewTurnInPlace(motion.TurnParams{AngleRad: 1, SpeedRadPS: v})
		},
		"AngleRad ": func(v float64) actions.Action { return motion.NewMoveHead(motion.HeadParams{AngleRad: v}) },
		"MaxRadPS":  func(v float64) actions.Action { return motion.NewMoveHead(motion.HeadParams{MaxRadPS: v}) },
		"HeightMM":  func(v float64) actions.Action { return motion.NewMoveLift(motion.LiftParams{HeightMM: v}) },
		"MaxMMPS":   func(v float64) actions.Action { return motion.NewMoveLift(motion.LiftParams{HeightMM: 60, MaxMMPS: v}) },
		"Goal.XMM": func(v float64) actions.Action {
			return motion.NewDriveToPose(motion.PoseParams{Goal: hardware.Pose{XMM: v}})
		},
		"ToleranceMM": func(v float64) actions.Action { return motion.NewDriveToPose(motion.PoseParams{ToleranceMM: v}) },
		"DistanceMM ": func(v float64) actions.Action {
			return motion.NewDriveNear(motion.NearParams{Target: at, DistanceMM: v})
		},
		"TurnRadPS": func(v float64) actions.Action {
			return motion.NewDriveNear(motion.NearParams{Target: at, DistanceMM: 9, TurnRadPS: v})
		},
		"MaxTurnRad": func(v float64) actions.Action {
			return motion.NewTurnTowards(motion.TowardsParams{Target: at, MaxTurnRad: v})
		},
	} {
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			r := actiontest.NewRig(nil)
			done := r.Run(t, with(v), actions.QueueOptions{Retries: 2}, actiontest.Period)
			wanted := actions.Abort
			if done.Name == "DriveToPose" {
				wanted = actions.BadPose
			}
			if done.Result != wanted || !strings.HasPrefix(done.Detail, strings.TrimSpace(name)+" is ") {
				t.Errorf("%s of %s = %v: %v %q", name, done.Name, v, done.Result, done.Detail)
			}
			for _, c := range r.Sent { // at its end an action stops what it holds where it stands
				if _, drives := c.(hardware.Drive); drives || goal(c) != 0 {
					t.Errorf("%s of %s = %v sent %+v", name, done.Name, v, c)
				}
			}
		}
	}
}

// goal is how far from where it stands a command sends a joint.
func goal(c hardware.Command) float64 {
	switch c := c.(type) {
	case hardware.MoveHead:
		return c.AngleRad
	case hardware.MoveLift:
		return c.HeightMM - 32
	}
	return 0
}

// A retried straight drives what is left, and what the wheels rolled on counts.
// Rules: RUN-8.
func TestRetriedStraightDrivesTheRest(t *testing.T) {
	for _, distance := range []float64{200, -200} {
		r := actiontest.NewRig(nil)
		r.Before = func(tick int) {
			if tick == 20 || tick == 30 {
				r.Abort("lease")
			}
			if tick == 21 { // the wheels rolled on
				r.World.Body.Pose.XMM += distance / 50
				r.World.Motors.Value.LeftMM += distance / 50
				r.World.Motors.Value.RightMM += distance / 50
			}
		}
		done := r.Run(t, motion.NewDriveStraight(motion.StraightParams{DistanceMM: distance}), actions.QueueOptions{Retries: 2}, 10*time.Second)
		if done.Result != actions.Success || actiontest.Count[hardware.Drive](r.Robot) == 0 {
			t.Errorf("%v", done)
		}
		near(t, r.World.Body.Pose, pose(distance, 0, 0), 1, deg)
	}
}

// After the driver of the motors began anew, its counter starts at zero; that is no way driven.
func TestRetriedStraightKeepsItsRestOverRestartedMotors(t *testing.T) {
	r := actiontest.NewRig(nil)
	r.World.Motors.Value.LeftMM, r.World.Motors.Value.RightMM = 5000, 5000
	r.Before = func(tick int) {
		if tick == 20 {
			r.World.Motors.Value = hardware.MotorState{}
		}
	}
	done := r.Run(t, motion.NewDriveStraight(motion.StraightParams{DistanceMM: 200}), actions.QueueOptions{Retries: 1}, 10*time.Second)
	if done.Result != actions.Success {
		t.Errorf("%v", done.Result)
	}
	near(t, r.World.Body.Pose, pose(200, 0, 0), 7, deg) // of one tick nobody knows how far it went
}

// What stands where the target is, is the target; what stands before it is an obstacle, and so is everything before a point.
func TestDriveNearTellsItsTargetFromAnObstacle(t *testing.T) {
	for _, c := range []struct {
		name   string
		wall   float64
		target motion.Target
		want   actions.Result
		x      float64
	}{
		{"the cube itself", 240, motion.ObjectTarget{ID: 4}, actions.Success, 200},
		{"something before the cube", 150, motion.ObjectTarget{ID: 4}, actions.FailedTraversingPath, 90},
		{"something at a point", 240, motion.PointTarget{XMM: 300}, actions.FailedTraversingPath, 180},
	} {
		r := actiontest.NewRig(nil)
		cube(r)
		r.WallMM = c.wall
		done := r.Run(t, motion.NewDriveNear(motion.NearParams{Target: c.target, DistanceMM: 100}), actions.QueueOptions{}, 10*time.Second)
		if done.Result != c.want {
			t.Errorf("%s: %v, want %v", c.name, done.Result, c.want)
		}
		near(t, r.World.Body.Pose, pose(c.x, 0, 0), 8, 3*deg)
	}
}

// A sensor on a head that is up looks over what is in the way, so the head is leveled first. One that does not move is no reason to stay.
func TestDriveNearLevelsAHeadThatCarriesTheSensor(t *testing.T) {
	const stuck, up = 0.5, 0.6
	for name, c := range map[string]struct {
		sensor hardware.RangeState
		servos hardware.ServoState
		from   float64 // the head as the wheels begin to turn
	}{
		"on the head":          {hardware.RangeState{OnHead: true, ConeRad: 0.25}, hardware.ServoState{HeadRad: up}, 0},
		"at the floor":         {hardware.RangeState{OnHead: true, ConeRad: 0.25}, hardware.ServoState{HeadRad: -0.3}, 0},
		"level enough":         {hardware.RangeState{OnHead: true, ConeRad: 0.25}, hardware.ServoState{HeadRad: 0.12}, 0.12},
		"on the body":          {hardware.RangeState{ConeRad: 0.25}, hardware.ServoState{HeadRad: up}, up},
		"no head":              {hardware.RangeState{OnHead: true, ConeRad: 0.25}, hardware.ServoState{HeadRad: up, NoHead: true}, up},
		"a head that stays up": {hardware.RangeState{OnHead: true, ConeRad: 0.25}, hardware.ServoState{HeadRad: up, HeadLowRad: stuck, EndsTold: true}, up},
	} {
		r := actiontest.NewRig(nil)
		r.World.Range.Value, r.World.Servos.Value = c.sensor, c.servos
		began := math.NaN()
		r.Before = func(int) {
			if r.World.Body.Pose.XMM > 1 && math.IsNaN(began) {
				began = r.World.Servos.Value.HeadRad
			}
		}
		done := r.Run(t, motion.NewDriveNear(motion.NearParams{Target: motion.PointTarget{XMM: 300}, DistanceMM: 100}), actions.QueueOptions{}, 10*time.Second)
		if done.Result != actions.Success || math.Abs(began-c.from) > 2*deg {
			t.Errorf("%s: %v, the wheels turned with the head at %.2f rad, want %.2f", name, done.Result, began, c.from)
		}
	}
	r := actiontest.NewRig(nil)
	r.World.Range.Value, r.World.Servos.Value.HeadRad = hardware.RangeState{OnHead: true, ConeRad: 0.25}, up
	r.Before = func(int) { r.World.Servos.Value.HeadRad = up }
	if _, err := r.List.Queue(motion.NewDriveNear(motion.NearParams{Target: motion.PointTarget{XMM: 300}, DistanceMM: 100}), actions.QueueOptions{}); err != nil {
		t.Fatal(err)
	}
	for range int(6 * time.Second / actiontest.Period) {
		r.Tick()
	}
	if x := r.World.Body.Pose.XMM; x < 150 {
		t.Errorf("with a head that hangs it is at %.0f mm after 6 s", x)
	}
}

// The drive goes to where the target is when the head is level, and a cancel in between leaves nothing that moves.
func TestDriveNearLooksAgainWhenTheHeadIsLevel(t *testing.T) {
	rig := func() *actiontest.Rig {
		r := actiontest.NewRig(nil)
		cube(r)
		r.World.Range.Value, r.World.Servos.Value.HeadRad = hardware.RangeState{OnHead: true, ConeRad: 0.25}, 0.6
		return r
	}
	near4 := motion.NearParams{Target: motion.ObjectTarget{ID: 4}, DistanceMM: 100}
	r := rig()
	r.Before = func(tick int) {
		if tick == 2 {
			r.World.Objects = []hardware.KnownObject{{ID: 4, Kind: hardware.KindCube, Pose: pose(400, 0, 0), Origin: 1}}
		}
	}
	done := r.Run(t, motion.NewDriveNear(near4), actions.QueueOptions{}, 10*time.Second)
	if done.Result != actions.Success {
		t.Errorf("%v", done.Result)
	}
	near(t, r.World.Body.Pose, pose(300, 0, 0), 2, deg)

	r = rig()
	r.Before = func(tick int) {
		if tick == 2 {
			r.World.Objects = nil
		}
	}
	if done := r.Run(t, motion.NewDriveNear(near4), actions.QueueOptions{}, 10*time.Second); done.Result != actions.BadObject {
		t.Errorf("the cube is forgotten: %v", done.Result)
	}

	r = rig()
	tag, err := r.List.Queue(motion.NewDriveNear(near4), actions.QueueOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r.Tick()
	r.Tick()
	r.List.CancelTag(tag)
	for range 50 {
		r.Tick()
	}
	if x := r.World.Body.Pose.XMM; x != 0 || r.World.Servos.Value.HeadMoving {
		t.Errorf("cancelled, it is at %v mm, its head moves: %v", x, r.World.Servos.Value.HeadMoving)
	}
}

// A robot with a long nose meets the target with its sensor long before its axle is there.
func TestDriveNearOfALongRobotTellsItsTargetFromAnObstacle(t *testing.T) {
	for _, sensor := range []float64{115, 60, 0, -20} {
		r := actiontest.NewRig(nil)
		r.World.Objects = []hardware.KnownObject{{ID: 4, Kind: hardware.KindCube, Pose: pose(400, 0, 0), Origin: 1}}
		r.World.Motors.Value.Body = hardware.Outline{FrontMM: 120, BackMM: 100, WidthMM: 150}
		r.World.Range.Value = hardware.RangeState{FrontMM: sensor, ConeRad: 0.2}
		r.WallMM = 400 - 22 - sensor
		done := r.Run(t, motion.NewDriveNear(motion.NearParams{Target: motion.ObjectTarget{ID: 4}, DistanceMM: 150}), actions.QueueOptions{}, 10*time.Second)
		if done.Result != actions.Success || math.Abs(r.World.Body.Pose.XMM-250) > 12 {
			t.Errorf("sensor at %v mm: %v at %.0f mm", sensor, done.Result, r.World.Body.Pose.XMM)
		}
	}
}

// A cube that is seen elsewhere from near is approached again.
func TestDriveNearCorrectsItsDistanceToAnObject(t *testing.T) {
	r := actiontest.NewRig(nil)
	cube(r)
	r.Before = func(tick int) {
		if tick == 20 {
			r.World.Objects = []hardware.KnownObject{{ID: 4, Kind: hardware.KindCube, Pose: pose(308, 0, 0), Origin: 1}}
		}
	}
	done := r.Run(t, motion.NewDriveNear(motion.NearParams{Target: motion.ObjectTarget{ID: 4}, DistanceMM: 100}), actions.QueueOptions{}, 10*time.Second)
	if done.Result != actions.Success {
		t.Errorf("%v", done.Result)
	}
	near(t, r.World.Body.Pose, pose(208, 0, 0), 1, deg)
}

// An order that the device refuses ends the action as soon as the device reports that.
// Rules: FLT-3.
func TestRefusalOfTheDeviceEndsTheAction(t *testing.T) {
	for _, a := range []actions.Action{
		motion.NewDriveStraight(motion.StraightParams{DistanceMM: 100}), motion.NewTurnInPlace(motion.TurnParams{AngleRad: 1}),
		motion.NewMoveHead(motion.HeadParams{AngleRad: 0.5}), motion.NewMoveLift(motion.LiftParams{HeightMM: 80}),
	} {
		r := actiontest.NewRig(nil)
		r.Refuses = true
		done := r.Run(t, a, actions.QueueOptions{Retries: 3}, 2*actiontest.Period)
		if done.Result != actions.SendMessageToRobotFailed {
			t.Errorf("%s: %v", done.Name, done.Result)
		}
	}
}

// A joint goes as far as it can, whatever is asked: that is its place then, and no failure.
func TestJointsGoAsFarAsTheyCan(t *testing.T) {
	for _, c := range []struct {
		action     actions.Action
		head, lift float64
	}{
		{motion.NewMoveHead(motion.HeadParams{AngleRad: -15 * deg}), -10 * deg, 50},
		{motion.NewMoveHead(motion.HeadParams{AngleRad: 40 * deg}), 30 * deg, 50},
		{motion.NewMoveHead(motion.HeadParams{AngleRad: 20 * deg}), 20 * deg, 50},
		{motion.NewMoveLift(motion.LiftParams{HeightMM: motion.LiftMinMM}), 0, 40},
		{motion.NewMoveLift(motion.LiftParams{HeightMM: motion.LiftMaxMM}), 0, 70},
	} {
		r := actiontest.NewRig(nil)
		r.World.Servos.Value = hardware.ServoState{LiftMM: 50, EndsTold: true, HeadLowRad: -10 * deg, LiftLowMM: 40, TopsTold: true, HeadHighRad: 30 * deg, LiftHighMM: 70}
		r.Before = func(int) { // as the driver does
			s := &r.World.Servos.Value
			s.HeadRad, s.LiftMM = min(max(s.HeadRad, -10*deg), 30*deg), min(max(s.LiftMM, 40), 70)
		}
		done := r.Run(t, c.action, actions.QueueOptions{}, 5*time.Second)
		if s := r.World.Servos.Value; done.Result != actions.Success || math.Abs(s.HeadRad-c.head) > 1e-9 || math.Abs(s.LiftMM-c.lift) > 1e-9 {
			t.Errorf("%+v: %v, %+v", c, done.Result, s)
		}
	}
}

// A long turn has the time that it needs.
func TestTurnHasTheTimeThatItNeeds(t *testing.T) {
	for _, c := range []struct {
		p    motion.TurnParams
		want time.Duration
	}{
		{motion.TurnParams{AngleRad: 1}, actions.DefaultTimeout},
		{motion.TurnParams{AngleRad: -20 * math.Pi, SpeedRadPS: 2}, 62 * time.Second},
		{motion.TurnParams{AngleRad: 2 * math.Pi, SpeedRadPS: 10 * deg}, 72 * time.Second},
	} {
		if got := motion.NewTurnInPlace(c.p).Timeout(); got < c.want || got > c.want+2*time.Second {
			t.Errorf("%+v: %v, want %v", c.p, got, c.want)
		}
	}
}
