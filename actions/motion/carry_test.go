package motion_test

import (
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
)

func TestDrivesWithSomethingOnTheLiftAreSlow(t *testing.T) {
	for name, drive := range map[string]func() actions.Action{
		"straight": func() actions.Action {
			return motion.NewDriveStraight(motion.StraightParams{DistanceMM: 180, SpeedMMPS: 150})
		},
		"to a pose": func() actions.Action {
			return motion.NewDriveToPose(motion.PoseParams{Goals: []hardware.Pose{pose(180, 0, 0)}, SpeedMMPS: 150})
		},
		"along a path": func() actions.Action {
			return motion.NewDrivePath([]motion.PathSegment{{DistanceMM: 180, AngleRad: 10 * deg, SpeedMMPS: 150}})
		},
	} {
		took := map[bool]time.Duration{}
		for _, carrying := range []bool{false, true} {
			r := actiontest.NewRig(nil)
			r.World.Body.Carrying = carrying
			begin := r.World.Now
			if done := r.Run(t, drive(), actions.QueueOptions{}, 20*time.Second); done.Result != actions.Success {
				t.Fatalf("%s, carrying %v: %v", name, carrying, done.Result)
			}
			took[carrying] = r.World.Now.Sub(begin)
		}
		if took[false] > 2500*time.Millisecond || took[true] < 3*time.Second {
			t.Errorf("%s takes %v, with something on the lift %v", name, took[false], took[true])
		}
	}
}
