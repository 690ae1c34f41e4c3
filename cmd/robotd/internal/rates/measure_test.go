package rates

import (
	"math"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/charger"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/sim"
)

// A Row is one line of the table: what was tried, how often it went well, and how large the error was.
type Row struct {
	What   string
	N      int
	Good   int       // trials that succeeded by the truth
	Errors []float64 // of the good ones, in Unit
	Unit   string
	Falls  uint64
	Failed []int // seeds of the others

	// Rate is the wanted share of good trials, 0 if none is wanted. Limit is the largest error allowed at quantile Q (0.95) or, with Q 0, of the mean.
	Rate, Limit, Q float64
}

// do gives the robot an action that is made of what it believes, and waits for its end.
type do func(limit time.Duration, next func(w *hardware.World) actions.Action) error

// A measure tries one thing with one seed.
type measure struct {
	row     Row
	options func(o *sim.Options)
	alone   func(seed uint64) (good bool, err float64, fail error) // instead of try, for what needs no action
	try     func(t *trial, do do) (good bool, err float64, fail error)
}

// turned is by how much two headings differ, in degrees.
func turned(a, b hardware.Pose) float64 {
	return math.Abs(hardware.WrapRad(b.HeadingRad-a.HeadingRad)) * 180 / math.Pi
}

// measures are the rows, in the order of the table.
func measures() []measure {
	return append([]measure{
		{row: Row{What: "heading error after one minute of driving", Unit: "°", Limit: 1.5}, try: drift(time.Minute)},
		{row: Row{What: "heading error after five minutes of driving", Unit: "°", Limit: 7.5}, try: drift(5 * time.Minute)},
		{row: Row{What: "straight 400 mm: sideways", Unit: "mm", Limit: 6, Q: 0.95, Rate: 0.95}, try: straight(func(side, _, _ float64) float64 { return math.Abs(side) })},
		{row: Row{What: "straight 400 mm: heading", Unit: "°", Limit: 1.5, Q: 0.95, Rate: 0.95}, try: straight(func(_, turn, _ float64) float64 { return turn })},
		{row: Row{What: "straight 400 mm: length", Unit: "mm", Limit: 6, Q: 0.95, Rate: 0.95}, try: straight(func(_, _, long float64) float64 { return math.Abs(long) })},
		{row: Row{What: "straight 200 mm, stopped on the way and retried: length", Unit: "mm", Limit: 6, Q: 0.95, Rate: 0.95}, try: again},
		{row: Row{What: "drive near a cube: distance", Unit: "mm", Limit: 3, Q: 0.95, Rate: 0.98}, try: nearCube(func(off, _ float64) float64 { return off })},
		{row: Row{What: "drive near a cube: angle", Unit: "°", Limit: 4, Q: 0.95, Rate: 0.98}, try: nearCube(func(_, bearing float64) float64 { return bearing })},
		{row: Row{What: "mount the charger from sight", Unit: "s", Rate: 0.99}, try: dock},
		{row: Row{What: "mount the charger from sight, ×5 vision noise", Unit: "s", Rate: 0.95}, options: noisy(5), try: dock},
	}, append(append(append(handMeasures(), lookMeasures()...), lifeMeasures()...), pathRows()...)...)
}

// noisy multiplies the errors of sightings, and how often one is missed, far off or taken for another thing.
func noisy(times float64) func(o *sim.Options) {
	return func(o *sim.Options) { o.SightNoise = times }
}

// drift drives to and fro near the middle of the table and compares the heading that the robot believes with the true one.
func drift(span time.Duration) func(*trial, do) (bool, float64, error) {
	return func(t *trial, do do) (bool, float64, error) {
		start := t.rig.View().Robot
		t.rig.Place(0, 0, start.HeadingRad)
		if err := t.sys.RunFor(2*time.Second, nil); err != nil {
			return false, 0, err
		}
		believed, truth := 0.0, 0.0
		first := true
		end := t.now().Add(span)
		for i := 0; t.now().Before(end); i++ {
			if err := do(20*time.Second, func(*hardware.World) actions.Action { return leg(t.seed, i) }); err != nil {
				return false, 0, err
			}
			if first {
				believed, truth, first = t.before.Body.Pose.HeadingRad, t.truth.HeadingRad, false
			}
		}
		b := hardware.WrapRad(t.after.Body.Pose.HeadingRad - believed)
		w := hardware.WrapRad(t.rig.View().Robot.HeadingRad - truth)
		return true, math.Abs(hardware.WrapRad(b-w)) * 180 / math.Pi, nil
	}
}

// leg is the i-th of a row of motions that stays near where it began: forth, a turn, back, a turn back or on.
func leg(seed uint64, i int) actions.Action {
	switch n := (seed*2654435761 + uint64(i)*40503) >> 7; i % 4 {
	case 0:
		return motion.NewDriveStraight(motion.StraightParams{DistanceMM: 60, SpeedMMPS: 60 + float64(n%60)})
	case 2:
		return motion.NewDriveStraight(motion.StraightParams{DistanceMM: -60, SpeedMMPS: 60 + float64(n%60)})
	default:
		angle := math.Pi / 180 * (40 + float64(n%100))
		if n>>8&1 == 1 {
			angle = -angle
		}
		return motion.NewTurnInPlace(motion.TurnParams{AngleRad: angle, SpeedRadPS: 1 + float64(n%3)/2})
	}
}

// straight drives 400 mm after half a minute of life and compares the way with the truth.
func straight(of func(side, turn, long float64) float64) func(*trial, do) (bool, float64, error) {
	return func(t *trial, do do) (bool, float64, error) {
		pose, ok := t.lane(430)
		if !ok {
			return false, 0, errNoRoom
		}
		t.rig.Place(pose.XMM, pose.YMM, pose.HeadingRad)
		if err := t.sys.RunFor(5*time.Second, nil); err != nil {
			return false, 0, err
		}
		from := t.rig.View().Robot.Pose
		err := do(20*time.Second, func(*hardware.World) actions.Action {
			return motion.NewDriveStraight(motion.StraightParams{DistanceMM: 400, SpeedMMPS: 120})
		})
		if err != nil {
			return false, 0, err
		}
		to := t.rig.View().Robot.Pose
		s, c := math.Sincos(from.HeadingRad)
		dx, dy := to.XMM-from.XMM, to.YMM-from.YMM
		return t.result == actions.Success, of(-s*dx+c*dy, turned(from, to), c*dx+s*dy-400), nil
	}
}

// dock puts the robot where it sees the charger and lets it mount, once. It counts if that succeeds and the robot then stands on the contacts for
// two seconds, by the truth.
func dock(t *trial, do do) (bool, float64, error) {
	c := t.rig.View().Charger
	ahead := 200 + float64(t.seed%5)*20
	side := (float64(t.seed%7) - 3) * 20
	s, cos := math.Sincos(c.HeadingRad)
	x, y := c.XMM+cos*ahead-s*side, c.YMM+s*ahead+cos*side
	if err := t.carry(hardware.Pose{XMM: x, YMM: y, HeadingRad: math.Atan2(c.YMM-y, c.XMM-x)}); err != nil {
		return false, 0, err
	}
	begin := t.now()
	if err := do(90*time.Second, func(*hardware.World) actions.Action { return charger.NewMount(charger.MountParams{}) }); err != nil {
		return false, 0, err
	}
	took := t.now().Sub(begin).Seconds()
	lasting := t.rig.Stats().OnContacts
	err := t.sys.RunFor(2*time.Second, func() bool {
		lasting = lasting && t.rig.Stats().OnContacts
		return false
	})
	return lasting && t.result == actions.Success, took, err
}
