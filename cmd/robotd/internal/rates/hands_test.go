package rates

import (
	"math"
	"slices"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/hands"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/sim"
)

// handMeasures are the rows of what is done with cubes. Each begins where the robot sees a cube, and is judged by the truth: which cube is
// where, how high, and which side is up, a second after the action.
func handMeasures() []measure {
	return []measure{
		{row: Row{What: "drive to a pre-action pose: distance", Unit: "mm", Limit: 3, Q: 0.95, Rate: 0.98}, try: preAction(func(off, _ float64) float64 { return off })},
		{row: Row{What: "drive to a pre-action pose: angle to the face", Unit: "°", Limit: 4, Q: 0.95, Rate: 0.98}, try: preAction(func(_, turn float64) float64 { return turn })},
		{row: Row{What: "lift a cube", Unit: "s", Rate: 0.95}, try: handTrial(lift)},
		{row: Row{What: "place a cube on the ground", Unit: "s", Rate: 0.97}, try: handTrial(place)},
		{row: Row{What: "stack a cube on another", Unit: "s", Rate: 0.90}, try: handTrial(stack)},
		{row: Row{What: "roll a cube", Unit: "s", Rate: 0.90}, try: handTrial(roll)},
		{row: Row{What: "lift a cube, ×5 vision noise", Unit: "s", Rate: 0.95}, options: noisy(5), try: handTrial(lift)},
		{row: Row{What: "place a cube on the ground, ×5 vision noise", Unit: "s", Rate: 0.95}, options: noisy(5), try: handTrial(place)},
		{row: Row{What: "stack a cube on another, ×5 vision noise", Unit: "s", Rate: 0.90}, options: noisy(5), try: handTrial(stack)},
		{row: Row{What: "roll a cube, ×5 vision noise", Unit: "s", Rate: 0.90}, options: noisy(5), try: handTrial(roll)},
		{row: Row{What: "knock a stack over", Unit: "s", Rate: 0.90}, try: handTrial(knock)},
	}
}

// handRetries are as many as a helper has.
const handRetries = 2

// look sets the robot down so that the robot sees a cube, and returns its number.
func (t *trial) look() (cube sim.ViewCube, err error) {
	cube, pose, ok := t.beforeCube()
	if !ok {
		return cube, errNoRoom
	}
	t.rig.PickUp() // what it believes of the place where it was must not count
	if err := t.sys.RunFor(time.Second, nil); err != nil {
		return cube, err
	}
	t.rig.PutDown(pose.XMM, pose.YMM, pose.HeadingRad)
	return cube, t.sys.RunFor(4*time.Second, nil)
}

// now is a cube as it truly is.
func (t *trial) cube(number int) sim.TruthCube { return t.rig.Truth().Cubes[number-1] }

func preAction(of func(off, turn float64) float64) func(*trial, do) (bool, float64, error) {
	return func(t *trial, do do) (bool, float64, error) {
		cube, err := t.look()
		if err != nil {
			return false, 0, err
		}
		err = do(60*time.Second, func(*hardware.World) actions.Action {
			return hands.NewDrive(hands.DriveParams{ID: sim.ObjectID(cube.ID)})
		})
		if err != nil {
			return false, 0, err
		}
		c, robot := t.cube(cube.ID).Pose, t.rig.View().Robot.Pose
		m := hands.MissOf(c, hands.NearestFace(c, robot), robot)
		off, turn := math.Hypot(m.OffMM-hands.PreDockMM, m.SideMM), math.Abs(m.TurnRad)*180/math.Pi
		return t.result == actions.Success && off <= 5 && turn <= 5 && !moved(t.rig.View(), cube), of(off, turn), nil
	}
}

// handTrial measures the time of what f does with a cube that is seen.
func handTrial(f func(t *trial, do do, cube sim.ViewCube) (bool, error)) func(*trial, do) (bool, float64, error) {
	return func(t *trial, do do) (bool, float64, error) {
		cube, err := t.look()
		if err != nil {
			return false, 0, err
		}
		begin := t.now()
		good, err := f(t, do, cube)
		return good, t.now().Sub(begin).Seconds(), err
	}
}

// hand drives to a cube and does something there, with the retries of a helper, and reports success. The world then has a second to fall over.
// From an edge that ended an attempt the robot backs away, as the shipped reaction does.
func (t *trial) hand(do do, cube int, then func(id int) actions.Action) (bool, error) {
	for range handRetries + 1 {
		err := do(2*time.Minute, func(*hardware.World) actions.Action {
			id := sim.ObjectID(cube)
			return hands.DriveThen(id, then(id))
		})
		if err != nil {
			return false, err
		}
		if err := t.sys.RunFor(time.Second, nil); err != nil {
			return false, err
		}
		if t.result == actions.Success {
			return true, nil
		}
		if err := t.retreat(do); err != nil {
			return false, err
		}
		if t.enough != nil && t.enough(&t.after) {
			return true, nil
		}
	}
	return false, nil
}

// retreatMM is how far the shipped reaction backs away from an edge.
const retreatMM = 70.0

// retreat moves away from an edge that the cliff sensors see.
func (t *trial) retreat(do do) error {
	for range handRetries {
		away := gesture.Retreat(gesture.EdgeOf(t.after.Cliff.Value.Detected), retreatMM)
		if t.result != actions.CancelledWhileRunning || away == nil {
			return nil
		}
		if err := do(10*time.Second, func(*hardware.World) actions.Action { return away }); err != nil {
			return err
		}
	}
	return nil
}

func pickUp(id int) actions.Action { return hands.NewPickUp(hands.PickUpParams{ID: id}) }

func lift(t *trial, do do, cube sim.ViewCube) (bool, error) {
	ok, err := t.hand(do, cube.ID, pickUp)
	return ok && t.cube(cube.ID).Carried, err
}

func place(t *trial, do do, cube sim.ViewCube) (bool, error) {
	if ok, err := t.hand(do, cube.ID, pickUp); err != nil || !ok {
		return false, errNoRoom // it is measured elsewhere
	}
	if err := do(time.Minute, func(*hardware.World) actions.Action { return hands.NewPutDown() }); err != nil {
		return false, err
	}
	c := t.cube(cube.ID)
	return t.result == actions.Success && c.Present && !c.Carried && c.On == 0 && c.BaseMM == 0 && c.Up == cube.Up, nil
}

// stack picks a cube up, drives to another one that it knows, and puts it there.
func stack(t *trial, do do, cube sim.ViewCube) (bool, error) {
	if ok, err := t.hand(do, cube.ID, pickUp); err != nil || !ok {
		return false, errNoRoom
	}
	other, ok := t.another(cube.ID)
	if !ok {
		return false, errNoRoom
	}
	ok, err := t.hand(do, other, func(id int) actions.Action { return hands.NewPlaceOn(hands.PlaceOnParams{ID: id}) })
	c := t.cube(cube.ID)
	return ok && c.On == other && !c.Carried && t.cube(other).BaseMM == 0, err
}

// another puts another cube before the robot where it sees it, to the left or to the right of what it carries, and not behind a third one.
func (t *trial) another(not int) (number int, ok bool) {
	number = not%3 + 1
	p := t.rig.View().Robot.Pose
	for k := range 9 { // in view
		a := p.HeadingRad + 5*math.Pi/180*float64((k+1)/2)*float64(1-k%2*2)
		for _, d := range []float64{240, 200, 280} {
			s, c := math.Sincos(a)
			v := t.rig.View()
			v.Cubes = slices.DeleteFunc(v.Cubes, func(c sim.ViewCube) bool { return c.ID == number || c.ID == not })
			if !clear(v, hardware.Pose{XMM: p.XMM, YMM: p.YMM, HeadingRad: a}, d) {
				continue
			}
			if t.rig.MoveCube(number, p.XMM+d*c, p.YMM+d*s, float64(t.seed)) {
				return number, t.sys.RunFor(time.Second, nil) == nil
			}
		}
	}
	return 0, false
}

// knock builds a stack, drives up to it, and sweeps the upper cube off. The lower one stays where it is, or nearly so.
func knock(t *trial, do do, cube sim.ViewCube) (bool, error) {
	upper := cube.ID%3 + 1
	if !t.rig.MoveCube(upper, cube.XMM, cube.YMM, cube.HeadingRad) || t.sys.RunFor(time.Second, nil) != nil || t.cube(upper).On != cube.ID {
		return false, errNoRoom
	}
	ok, err := t.hand(do, upper, func(id int) actions.Action { return hands.NewKnockOver(hands.KnockOverParams{ID: id}) })
	c, low := t.cube(upper), t.cube(cube.ID)
	return ok && c.Present && !c.Carried && c.BaseMM == 0 && low.Present && math.Hypot(low.Pose.XMM-cube.XMM, low.Pose.YMM-cube.YMM) < 30, err
}

// roll rolls a cube. As the helper does, it is content when it sees another side up before an attempt, because an edge may have ended the one
// before after its work.
func roll(t *trial, do do, cube sim.ViewCube) (bool, error) {
	t.enough = func(w *hardware.World) bool {
		o, known := w.Object(sim.ObjectID(cube.ID))
		return known && o.Up != 0 && o.Up != cube.Up
	}
	ok, err := t.hand(do, cube.ID, func(id int) actions.Action { return hands.NewRoll(hands.RollParams{ID: id}) })
	c := t.cube(cube.ID)
	return ok && c.Present && c.Up != cube.Up && c.BaseMM == 0, err
}
