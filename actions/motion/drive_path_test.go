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

func TestPathOfSegmentsIsDriven(t *testing.T) {
	r := 100.0
	for name, c := range map[string]struct {
		path []motion.PathSegment
		want hardware.Pose
	}{
		"a line":              {[]motion.PathSegment{{DistanceMM: 200}}, pose(200, 0, 0)},
		"a turn":              {[]motion.PathSegment{{AngleRad: -90 * deg}}, pose(0, 0, -90)},
		"an arc to the left":  {[]motion.PathSegment{{DistanceMM: r * math.Pi / 2, AngleRad: 90 * deg}}, pose(r, r, 90)},
		"an arc to the right": {[]motion.PathSegment{{DistanceMM: r * math.Pi / 2, AngleRad: -90 * deg}}, pose(r, -r, -90)},
		"an arc backward":     {[]motion.PathSegment{{DistanceMM: -r * math.Pi / 2, AngleRad: 90 * deg}}, pose(-r, -r, 90)},
		"all of them": {
			[]motion.PathSegment{{DistanceMM: 100}, {AngleRad: 90 * deg}, {DistanceMM: 50}, {DistanceMM: 2 * r * math.Pi / 4, AngleRad: -90 * deg}},
			pose(100+r, 50+r, 0),
		},
	} {
		rig := actiontest.NewRig(nil)
		done := rig.Run(t, motion.NewDrivePath(c.path), actions.QueueOptions{}, 20*time.Second)
		if done.Result != actions.Success {
			t.Errorf("%s: %v", name, done.Result)
		}
		t.Run(name, func(t *testing.T) { near(t, rig.World.Body.Pose, c.want, 14, 6*deg) })
		if m := rig.World.Motors.Value; m.Phase == hardware.PhaseMoving {
			t.Errorf("%s: the wheels turn", name)
		}
	}
}

func TestPathOfSegmentsFails(t *testing.T) {
	for name, c := range map[string]struct {
		set   func(*actiontest.Rig)
		path  []motion.PathSegment
		want  actions.Result
		after time.Duration
	}{
		"no segments":              {nil, nil, actions.NoGoalSet, 0},
		"a number that is none":    {nil, []motion.PathSegment{{DistanceMM: math.NaN()}}, actions.Abort, 0},
		"on the charger":           {onCharger, []motion.PathSegment{{DistanceMM: 10}}, actions.ShouldntDriveOnCharger, 0},
		"something before an arc":  {func(r *actiontest.Rig) { r.WallMM = 120 }, []motion.PathSegment{{DistanceMM: 200, AngleRad: 0.1}}, actions.FailedTraversingPath, 0},
		"motors that never begin":  {func(r *actiontest.Rig) { r.Deaf = true }, []motion.PathSegment{{DistanceMM: 200}}, actions.FailedTraversingPath, time.Second},
		"motors that begin no arc": {func(r *actiontest.Rig) { r.Deaf = true }, []motion.PathSegment{{DistanceMM: 200, AngleRad: 1}}, actions.FailedTraversingPath, time.Second},
	} {
		rig := actiontest.NewRig(nil)
		if c.set != nil {
			c.set(rig)
		}
		done := rig.Run(t, motion.NewDrivePath(c.path), actions.QueueOptions{}, 5*time.Second)
		if took := rig.World.Now.Sub(actiontest.Start()); done.Result != c.want || took < c.after {
			t.Errorf("%s: %v after %v, want %v", name, done.Result, took, c.want)
		}
	}
}

// Rules: TC-22.
func TestAbortedPathOfSegmentsStops(t *testing.T) {
	for _, s := range []motion.PathSegment{{DistanceMM: 300}, {DistanceMM: 300, AngleRad: 1}, {AngleRad: 3}} {
		r := actiontest.NewRig(nil)
		tag := queue(t, r, motion.NewDrivePath([]motion.PathSegment{s}))
		if st := statuses(r, 8); st[0] != "waiting to begin" || st[7] != "following, segment 1 of 1" {
			t.Errorf("%+v: %q", s, st)
		}
		r.List.CancelTag(tag)
		statuses(r, 2)
		if m := r.World.Motors.Value; m.Phase == hardware.PhaseMoving {
			t.Errorf("%+v: the wheels turn", s)
		}
	}
}
