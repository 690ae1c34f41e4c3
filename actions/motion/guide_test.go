package motion_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
)

// statuses runs ticks and lists the status of the only action in each.
func statuses(r *actiontest.Rig, ticks int) (all []string) {
	for range ticks {
		r.Tick()
		s := "gone"
		if running := r.List.Running(); len(running) > 0 {
			s = running[0].Status
		}
		all = append(all, s)
	}
	return all
}

func queue(t *testing.T, r *actiontest.Rig, a actions.Action) actions.Tag {
	t.Helper()
	tag, err := r.List.Queue(a, actions.QueueOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return tag
}

func segments(r *actiontest.Rig) (ids []uint64) {
	for _, c := range r.Sent {
		if d, ok := c.(hardware.Drive); ok && !slices.Contains(ids, d.ID) {
			ids = append(ids, d.ID)
		}
	}
	return ids
}

// Rules: TC-21, TICK-4.
func TestPathIsComputedAwaitedFollowedAndDone(t *testing.T) {
	r := actiontest.NewRig(nil)
	r.Plan()
	r.Deaf = true
	queue(t, r, motion.NewDriveToPose(motion.PoseParams{Goal: pose(200, 0, 0)}))
	if s := statuses(r, 1)[0]; s != "computing" || len(segments(r)) != 0 {
		t.Errorf("at once it is %q, with %d orders to the motors", s, len(segments(r)))
	}
	if s := statuses(r, 1)[0]; s != "waiting to begin" || len(segments(r)) != 1 {
		t.Errorf("after one update it is %q, with %d orders to the motors", s, len(segments(r)))
	}
	for i, s := range statuses(r, 10) {
		if s != "waiting to begin" {
			t.Errorf("update %d later it is %q", i+1, s)
		}
	}
	if n := len(segments(r)); n != 1 {
		t.Errorf("%d segments", n)
	}
	r.Deaf = false
	statuses(r, 1) // the motors take the order at the end of this one
	for i, s := range statuses(r, 10) {
		if s != "following" {
			t.Errorf("update %d after the motors began it is %q", i+1, s)
		}
	}
	if s := statuses(r, 60); s[59] != "gone" || r.Done[0].Result != actions.Success {
		t.Errorf("in the end it is %q, %v", s[59], r.Done)
	}
	near(t, r.World.Body.Pose, pose(200, 0, 0), 10, 10*deg)
}

// Rules: TC-22, FLT-2.
func TestPathAbortedBeforeItsStartIsNeverFollowed(t *testing.T) {
	r := actiontest.NewRig(nil)
	r.Plan()
	r.Deaf = true
	tag := queue(t, r, motion.NewDriveToPose(motion.PoseParams{Goal: pose(200, 0, 0)}))
	statuses(r, 3)
	late := r.Sent[len(r.Sent)-1].(hardware.Drive)
	if !r.List.CancelTag(tag) {
		t.Fatal("the abort is refused")
	}
	if s := statuses(r, 1)[0]; s != "gone" {
		t.Errorf("it is %q", s)
	}
	if _, ok := r.Sent[len(r.Sent)-1].(hardware.StopWheels); !ok {
		t.Errorf("the last order is %+v", r.Sent[len(r.Sent)-1])
	}
	sent := len(r.Sent)
	r.Deaf = false
	r.Send(late) // the motors take it after all
	statuses(r, 20)
	if len(r.Sent) != sent+1 {
		t.Errorf("somebody renews it: %+v", r.Sent[sent+1:])
	}
	if m := r.World.Motors.Value; m.Phase == hardware.PhaseMoving {
		t.Errorf("the wheels turn: %+v", m)
	}
}

// Rules: FLT-2.
func TestPathThatMotorsDoNotBeginOrEndInASecondFails(t *testing.T) {
	r := actiontest.NewRig(nil)
	r.Plan()
	r.Deaf = true
	done := r.Run(t, motion.NewDriveToPose(motion.PoseParams{Goal: pose(200, 0, 0)}), actions.QueueOptions{}, 1300*time.Millisecond)
	if done.Result != actions.FailedTraversingPath || r.World.Now.Sub(actiontest.Start()) < time.Second {
		t.Errorf("start: %v after %v", done.Result, r.World.Now.Sub(actiontest.Start()))
	}

	r = actiontest.NewRig(nil)
	r.Plan()
	var blocked time.Time
	r.Before = func(tick int) {
		if tick == 20 {
			blocked = r.World.Now
			r.World.Objects = []hardware.KnownObject{{ID: 1, Kind: hardware.KindCube, Pose: pose(330, 0, 0), Origin: 1}}
		}
		if tick > 20 { // they turn on, whatever they are told
			r.World.Motors.Value.Phase, r.World.Motors.Value.LeftMMPS = hardware.PhaseMoving, 50
		}
	}
	done = r.Run(t, motion.NewDriveToPose(motion.PoseParams{Goal: pose(500, 0, 0)}), actions.QueueOptions{}, 5*time.Second)
	if took := r.World.Now.Sub(blocked); done.Result != actions.FailedTraversingPath || took < time.Second || took > 1200*time.Millisecond {
		t.Errorf("stop: %v after %v", done.Result, took)
	}
}

func TestDriveWithoutAPlanFails(t *testing.T) {
	r := actiontest.NewRig(nil)
	p := r.Plan()
	r.World.Objects = []hardware.KnownObject{{ID: 1, Kind: hardware.KindCube, Pose: pose(300, 0, 0), Origin: 1}}
	done := r.Run(t, motion.NewDriveToPose(motion.PoseParams{Goal: pose(300, 0, 0)}), actions.QueueOptions{}, time.Second)
	if done.Result != actions.PathPlanningFailedAbort || p.Open() != 0 {
		t.Errorf("%v, %d plans are open", done.Result, p.Open())
	}
}

func TestCancelledDriveDropsItsPlan(t *testing.T) {
	r := actiontest.NewRig(nil)
	p := r.Plan()
	p.Mute = true
	tag := queue(t, r, motion.NewDriveToPose(motion.PoseParams{Goal: pose(300, 0, 0)}))
	statuses(r, 5)
	r.List.CancelTag(tag)
	if r.Tick(); p.Open() != 0 || len(p.Asked) != 1 {
		t.Errorf("%d of %d plans are open", p.Open(), len(p.Asked))
	}
}

// apart is how near the middle of the robot's axle may come to that of a cube.
const apart = 30 + 22.5

// driven runs a drive and returns how near it came to a place, and how often the wheels stood on the way.
func driven(t *testing.T, r *actiontest.Rig, a actions.Action, x, y float64, limit time.Duration) (c actions.Completion, least float64, stops int) {
	t.Helper()
	before := r.Before
	least, rolling := math.Inf(1), false
	r.Before = func(tick int) {
		if before != nil {
			before(tick)
		}
		d, _ := r.World.Body.Pose.To(x, y)
		least = min(least, d)
		m := r.World.Motors.Value
		if moving := m.LeftMMPS+m.RightMMPS > 1; moving != rolling {
			if rolling = moving; !moving {
				stops++
			}
		}
	}
	return r.Run(t, a, actions.QueueOptions{}, limit), least, stops
}

func TestDriveGoesAroundACubeWithoutAStop(t *testing.T) {
	for _, y := range []float64{-40, -10, 0, 15, 60} {
		r := actiontest.NewRig(nil)
		p := r.Plan()
		r.World.Objects = []hardware.KnownObject{{ID: 1, Kind: hardware.KindCube, Pose: pose(250, y, 20), Origin: 1}}
		done, least, _ := driven(t, r, motion.NewDriveToPose(motion.PoseParams{Goal: pose(500, 0, 0)}), 250, y, 15*time.Second)
		if done.Result != actions.Success || least < apart {
			t.Errorf("cube at %v: %v, %.0f mm from its middle", y, done.Result, least)
		}
		if n := len(p.Asked); n != 1 {
			t.Errorf("cube at %v: %d plans", y, n)
		}
		near(t, r.World.Body.Pose, pose(500, 0, 0), 10, 10*deg)
	}
}

func TestCubeThatComesIntoTheWayIsPassed(t *testing.T) {
	r := actiontest.NewRig(nil)
	p := r.Plan()
	r.Before = func(tick int) {
		if tick == 15 {
			r.World.Objects = []hardware.KnownObject{{ID: 1, Kind: hardware.KindCube, Pose: pose(300, 5, 0), Origin: 1}}
		}
	}
	done, least, _ := driven(t, r, motion.NewDriveToPose(motion.PoseParams{Goal: pose(600, 0, 0)}), 300, 5, 20*time.Second)
	if done.Result != actions.Success || least < apart || len(p.Asked) != 2 {
		t.Errorf("%v, %.0f mm from its middle, %d plans", done.Result, least, len(p.Asked))
	}
}

// A cube that is pushed into each new way, as by a hand that plays, ends the drive after eleven plans at most, with a failure and with wheels that
// stand.
func TestCubeThatKeepsComingIntoTheWayEndsTheDrive(t *testing.T) {
	r := actiontest.NewRig(nil)
	p := r.Plan()
	plans, since := 0, 0
	r.Before = func(tick int) {
		if len(p.Asked) != plans {
			plans, since = len(p.Asked), tick
		}
		b := r.World.Body.Pose
		if r.World.Motors.Value.Phase == hardware.PhaseMoving && tick-since > 15 {
			s, c := math.Sincos(b.HeadingRad)
			r.World.Objects = []hardware.KnownObject{{ID: 1, Kind: hardware.KindCube, Pose: pose(b.XMM+140*c, b.YMM+140*s, 0), Origin: 1}}
		}
	}
	done := r.Run(t, motion.NewDriveToPose(motion.PoseParams{Goal: pose(5000, 0, 0)}), actions.QueueOptions{}, 3*time.Minute)
	if done.Result.Category() < actions.CategoryAbort || done.Result == actions.Timeout || len(p.Asked) < 5 || len(p.Asked) > 11 {
		t.Errorf("%v, %d plans", done.Result, len(p.Asked))
	}
	statuses(r, 10)
	if r.World.Motors.Value.Phase == hardware.PhaseMoving {
		t.Error("the wheels turn")
	}
}

func TestCubeBesideTheWayChangesNothing(t *testing.T) {
	r := actiontest.NewRig(nil)
	p := r.Plan()
	r.Before = func(tick int) {
		if tick == 15 {
			r.World.Objects = []hardware.KnownObject{{ID: 1, Kind: hardware.KindCube, Pose: pose(300, 110, 0), Origin: 1}}
		}
	}
	done := r.Run(t, motion.NewDriveToPose(motion.PoseParams{Goal: pose(600, 0, 0)}), actions.QueueOptions{}, 10*time.Second)
	if done.Result != actions.Success || len(p.Asked) != 1 {
		t.Errorf("%v, %d plans", done.Result, len(p.Asked))
	}
}

// box is something that only the range sensor meets, in a cone of 24°.
func box(r *actiontest.Rig, x, y, half float64) {
	seq := uint64(0)
	before := r.Before
	r.Before = func(tick int) {
		if before != nil {
			before(tick)
		}
		seq++
		rd := &r.World.Range
		rd.Seq, rd.Value = seq, hardware.RangeState{}
		p := r.World.Body.Pose
		s, c := math.Sincos(p.HeadingRad)
		nx, ny := p.XMM+35*c, p.YMM+35*s
		for ray := -12.0; ray <= 12; ray += 3 {
			s, c := math.Sincos(p.HeadingRad + ray*deg)
			for d := 0.0; d < 400 && (!rd.Value.Found || d < rd.Value.DistanceMM); d++ {
				if math.Abs(nx+c*d-x) < half && math.Abs(ny+s*d-y) < half {
					rd.Value = hardware.RangeState{Found: true, DistanceMM: d}
				}
			}
		}
	}
}

func TestBoxThatOnlyTheRangeSensorMeetsIsPassed(t *testing.T) {
	for _, y := range []float64{-30, 0, 20, 45} {
		t.Run(fmt.Sprint(y), func(t *testing.T) {
			r := actiontest.NewRig(nil)
			p := r.Plan()
			box(r, 300, y, 35)
			done, least, _ := driven(t, r, motion.NewDriveToPose(motion.PoseParams{Goal: pose(600, 0, 0)}), 300, y, 40*time.Second)
			if done.Result != actions.Success || least < 30+35 || len(p.Asked) > 5 {
				t.Errorf("%v, %.0f mm from its middle, %d plans", done.Result, least, len(p.Asked))
			}
		})
	}
}

// The sensor of a long robot may be anywhere on it: what it meets is where it is, and stops the nose.
func TestWhatTheSensorMeetsIsWhereItIs(t *testing.T) {
	for _, sensor := range []float64{150, 115, 0, -60} {
		r := actiontest.NewRig(nil)
		p := r.Plan()
		r.World.Motors.Value.Body = hardware.Outline{FrontMM: 120, BackMM: 100, WidthMM: 150}
		seq, farthest := uint64(0), 0.0
		r.Before = func(int) {
			seq++
			if len(p.Asked) < 2 { // until it stops to look
				farthest = max(farthest, r.World.Body.Pose.XMM)
			}
			d := 500 - r.World.Body.Pose.XMM - sensor
			r.World.Range.Seq, r.World.Range.Value = seq, hardware.RangeState{Found: math.Cos(r.World.Body.Pose.HeadingRad) > 0.99, DistanceMM: d, FrontMM: sensor, ConeRad: 0.2}
		}
		_ = r.Run(t, motion.NewDriveToPose(motion.PoseParams{Goal: pose(900, 0, 0)}), actions.QueueOptions{}, 2*time.Minute)
		if len(p.Asked) < 2 || len(p.Asked[1].Question.Met) == 0 {
			t.Fatalf("sensor at %v mm: nothing met in %d plans", sensor, len(p.Asked))
		}
		if at := p.Asked[1].Question.Met[0].XMM; math.Abs(at-500) > 5 {
			t.Errorf("sensor at %v mm: the wall is believed at %.0f mm", sensor, at)
		}
		if gap := 500 - max(120, sensor) - farthest; gap < 110 || gap > 150 {
			t.Errorf("sensor at %v mm: it stopped %.0f mm before the wall", sensor, gap)
		}
	}
}

func TestEndlessObstacleEndsTheDrive(t *testing.T) {
	r := actiontest.NewRig(nil)
	p := r.Plan()
	seq := uint64(0)
	r.Before = func(int) { // wherever it looks
		seq++
		r.World.Range.Seq, r.World.Range.Value = seq, hardware.RangeState{Found: true, DistanceMM: 100}
	}
	done := r.Run(t, motion.NewDriveToPose(motion.PoseParams{Goal: pose(600, 0, 0)}), actions.QueueOptions{}, time.Minute)
	if done.Result.Category() < actions.CategoryAbort || len(p.Asked) > 13 {
		t.Errorf("%v, %d plans", done.Result, len(p.Asked))
	}
}

func TestWhatStopsTheWheelsIsPassed(t *testing.T) {
	r := actiontest.NewRig(nil)
	p := r.Plan()
	r.Before = func(int) {
		b := r.World.Body.Pose
		if b.XMM < 150 || b.XMM > 220 || math.Abs(b.YMM) > 20 || len(r.Sent) == 0 {
			return
		}
		if d, ok := r.Sent[len(r.Sent)-1].(hardware.Drive); ok && d.Kind == hardware.Straight && d.DistanceMM > 0 {
			r.Abort("stall")
		}
	}
	done, _, _ := driven(t, r, motion.NewDriveToPose(motion.PoseParams{Goal: pose(500, 0, 0)}), 0, 0, 30*time.Second)
	if done.Result != actions.Success || len(p.Asked) < 2 {
		t.Errorf("%v, %d plans", done.Result, len(p.Asked))
	}
	near(t, r.World.Body.Pose, pose(500, 0, 0), 10, 10*deg)
}

func TestNearestReachableSideIsTaken(t *testing.T) {
	r := actiontest.NewRig(nil)
	r.Plan()
	r.World.Objects = []hardware.KnownObject{
		{ID: 4, Kind: hardware.KindCube, Pose: pose(300, 0, 0), Origin: 1}, {ID: 5, Kind: hardware.KindCube, Pose: pose(190, 0, 0), Origin: 1},
	}
	done := r.Run(t, motion.NewDriveNear(motion.NearParams{Target: motion.ObjectTarget{ID: 4}, DistanceMM: 120}), actions.QueueOptions{}, 20*time.Second)
	d, bearing := r.World.Body.Pose.To(300, 0)
	if done.Result != actions.Success || math.Abs(d-120) > 10 || math.Abs(bearing) > 5*deg {
		t.Errorf("%v, %.0f mm away, at %.0f°", done.Result, d, bearing/deg)
	}
}
