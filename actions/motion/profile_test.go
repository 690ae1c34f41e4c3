package motion_test

import (
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
)

// drives are the segments that an action gives under a profile.
func drives(t *testing.T, p actions.Profile, a actions.Action) (all []hardware.Drive) {
	t.Helper()
	r := actiontest.NewRig(nil)
	r.List.SetProfile(p)
	r.Before = func(tick int) {
		if tick == 2 {
			r.List.SetProfile(actions.Profile{DriveMMPS: 7, BackMMPS: 7, TurnRadPS: 0.7}) // too late for what has begun
		}
	}
	seen := uint64(0)
	done := r.Run(t, a, actions.QueueOptions{}, time.Minute)
	if done.Result != actions.Success {
		t.Fatalf("%v", done.Result)
	}
	for _, c := range r.Sent {
		if d, ok := c.(hardware.Drive); ok && d.ID != seen {
			seen = d.ID
			all = append(all, d)
		}
	}
	return all
}

// The profile in force at the start replaces the defaults of the action and of its helpers, the
// limits hold, and what the action was given explicitly wins.
// Rules: B-12.
func TestProfileReplacesDefaultSpeeds(t *testing.T) {
	p := actions.Profile{DriveMMPS: 40, BackMMPS: 30, AccelMMPS2: 90, TurnRadPS: 1}
	for _, c := range []struct {
		name               string
		profile            actions.Profile
		action             actions.Action
		mmps, mmps2, radPS float64
	}{
		{"no profile", actions.Profile{}, motion.NewDriveStraight(motion.StraightParams{DistanceMM: 50}), 100, 200, 0},
		{"forward", p, motion.NewDriveStraight(motion.StraightParams{DistanceMM: 50}), 40, 90, 0},
		{"backward", p, motion.NewDriveStraight(motion.StraightParams{DistanceMM: -50}), 30, 90, 0},
		{"explicit", p, motion.NewDriveStraight(motion.StraightParams{DistanceMM: 50, SpeedMMPS: 60}), 60, 90, 0},
		{"beyond the limit", actions.Profile{DriveMMPS: 900}, motion.NewDriveStraight(motion.StraightParams{DistanceMM: 50}), 170, 200, 0},
		{"turn", p, motion.NewTurnInPlace(motion.TurnParams{AngleRad: 1}), 0, 0, 1},
		{"turn without profile", actions.Profile{}, motion.NewTurnInPlace(motion.TurnParams{AngleRad: 1}), 0, 0, 2},
		{"turn, explicit", p, motion.NewTurnInPlace(motion.TurnParams{AngleRad: 1, SpeedRadPS: 3}), 0, 0, 3},
		{"helpers", p, motion.NewDriveToPose(motion.PoseParams{Goal: pose(100, 100, 90)}), 40, 90, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := drives(t, c.profile, c.action)
			if len(all) == 0 {
				t.Fatal("nothing moved")
			}
			for _, d := range all {
				if d.Kind == hardware.Straight && (d.SpeedMMPS != c.mmps || d.AccelMMPS2 != c.mmps2) ||
					d.Kind == hardware.Turn && d.SpeedRadPS != c.radPS {
					t.Errorf("%+v", d)
				}
			}
		})
	}
}

// A slow drive has the time it needs.
func TestSlowProfileExtendsTimeout(t *testing.T) {
	drives(t, actions.Profile{DriveMMPS: 10}, motion.NewDriveStraight(motion.StraightParams{DistanceMM: 400}))
}
