package motion_test

import (
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
)

// Any cube is the one that was seen last when the action began, whatever is seen on the way.
func TestTargetWithoutIDIsTheObjectSeenLast(t *testing.T) {
	for name, make := range map[string]func(motion.Target) actions.Action{
		"TurnTowards": func(x motion.Target) actions.Action {
			return motion.NewTurnTowards(motion.TowardsParams{Target: x})
		},
		"DriveNear": func(x motion.Target) actions.Action {
			return motion.NewDriveNear(motion.NearParams{Target: x, DistanceMM: 200})
		},
	} {
		r := actiontest.NewRig(nil)
		begin := actiontest.Start()
		r.World.Objects = []hardware.KnownObject{
			{ID: 1, Kind: hardware.KindCharger, Origin: 1, Pose: hardware.Pose{XMM: -600}, SeenAt: begin},
			{ID: 2, Kind: hardware.KindCube, Origin: 1, Pose: hardware.Pose{XMM: 600}, SeenAt: begin.Add(-time.Minute)},
			{ID: 3, Kind: hardware.KindCube, Origin: 1, Pose: hardware.Pose{YMM: 600}, SeenAt: begin.Add(-time.Second)},
		}
		r.Before = func(tick int) {
			if tick == 3 {
				r.World.Objects[1].SeenAt = r.World.Now
			}
		}
		if done := r.Run(t, make(motion.ObjectTarget{Kind: hardware.KindCube}), actions.QueueOptions{}, time.Minute); done.Result != actions.Success {
			t.Errorf("%s: %v", name, done.Result)
		}
		if d, bearing := r.World.Body.Pose.To(0, 600); bearing > 0.1 || bearing < -0.1 || name == "DriveNear" && d > 230 {
			t.Errorf("%s: it ends at %+v, %.0f mm from the cube that was seen last", name, r.World.Body.Pose, d)
		}
	}
}

// Rules: RUN-6.
func TestTurnTowardsLooksForWhatItVerifies(t *testing.T) {
	object, face := motion.ObjectTarget{ID: 2, Kind: hardware.KindCube}, motion.FaceTarget{ID: 7}
	for _, c := range []struct {
		target motion.Target
		verify bool
		want   hardware.Look
	}{
		{face, true, hardware.LookFor(hardware.SeeFaces, hardware.High)},
		{object, true, hardware.LookFor(hardware.SeeMarkers, hardware.High)},
		{face, false, hardware.Look{}},
		{motion.PointTarget{YMM: 500}, true, hardware.Look{}},
	} {
		r := actiontest.NewRig(nil)
		r.World.Faces = []hardware.KnownFace{{ID: 7, YMM: 500, SeenAt: actiontest.Start()}}
		r.World.Objects = []hardware.KnownObject{{ID: 2, Kind: hardware.KindCube, Origin: 1, Pose: hardware.Pose{YMM: 500}, SeenAt: actiontest.Start()}}
		if _, err := r.List.Queue(motion.NewTurnTowards(motion.TowardsParams{Target: c.target, Verify: c.verify}), actions.QueueOptions{}); err != nil {
			t.Fatal(err)
		}
		r.Tick()
		if got := r.List.Look(); got != c.want || len(r.List.Watchers()) > 1 {
			t.Errorf("%+v, verify %v: it looks for %v, want %v", c.target, c.verify, got, c.want)
		}
	}
}
