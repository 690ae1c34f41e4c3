package rates

import (
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/hands"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/sim"
)

// A blow happens once during an action.
type blow struct {
	when func(w *hardware.World) bool
	do   func()
	done bool
}

func (b *blow) strike(w *hardware.World) {
	if !b.done && b.when(w) {
		b.done = true
		b.do()
	}
}

// struck is a pick-up during which something happens.
type struck struct {
	*hands.PickUp
	blow
}

// CheckIfDone strikes.
func (s *struck) CheckIfDone(env *actions.Env) actions.Result {
	s.strike(env.World)
	return s.PickUp.CheckIfDone(env)
}

// struckPlace is a stacking during which something happens.
type struckPlace struct {
	*hands.PlaceOn
	blow
}

// CheckIfDone strikes.
func (s *struckPlace) CheckIfDone(env *actions.Env) actions.Result {
	s.strike(env.World)
	return s.PlaceOn.CheckIfDone(env)
}

// strike picks a cube up; when the lift is above a height something happens. It returns the cube as it truly is four seconds after the end.
func strike(t *testing.T, seed uint64, liftMM float64, harm func(r *sim.Rig), then func(tr *trial, do do, cube sim.TruthCube)) {
	t.Helper()
	err := run(options(seed), func(tr *trial, do do) error {
		cube, err := tr.look()
		if err != nil {
			return nil //nolint:nilerr // no room in this world: no trial
		}
		id := sim.ObjectID(cube.ID)
		err = do(time.Minute, func(*hardware.World) actions.Action { return hands.NewDrive(hands.DriveParams{ID: id}) })
		if err != nil || tr.result != actions.Success {
			return err
		}
		err = do(time.Minute, func(*hardware.World) actions.Action {
			return &struck{
				PickUp: hands.NewPickUp(hands.PickUpParams{ID: id}),
				blow: blow{
					when: func(w *hardware.World) bool { return w.Servos.Value.LiftMM >= liftMM && tr.cube(cube.ID).BaseMM > 3 },
					do:   func() { harm(tr.rig) },
				},
			}
		})
		if err != nil {
			return err
		}
		if err := tr.sys.RunFor(4*time.Second, nil); err != nil {
			return err
		}
		then(tr, do, tr.cube(cube.ID))
		return nil
	})
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
}

// The lift's chip loses its registers once: the pulses go off, the driver notices within a tenth of a second and sets them again. The cube
// sinks some millimeters and comes up.
func TestBrownOutOfTheLiftWhileItRaisesACubeIsMended(t *testing.T) {
	for seed := range uint64(6) {
		strike(t, seed+1, 45+8*float64(seed), func(r *sim.Rig) {
			if err := r.Fault(hardware.Servos, sim.KindBrownout, 0); err != nil {
				t.Error(err)
			}
		}, func(tr *trial, _ do, c sim.TruthCube) {
			if tr.result != actions.Success || !c.Carried || c.BaseMM < 50 {
				t.Errorf("seed %d: %v, cube %+v", seed+1, tr.result, c)
			}
		})
	}
}

// The lift's chip is gone for two seconds: the action ends at once and says so, the wheels stand, and the cube sinks to the ground. When the
// chip is back, the next attempt takes the cube.
func TestLiftThatFailsWithACubeEndsTheActionAndTheCubeStands(t *testing.T) {
	for seed := range uint64(6) {
		strike(t, seed+1, 45+8*float64(seed), func(r *sim.Rig) {
			if err := r.Fault(hardware.Servos, sim.KindBrownout, 0); err != nil {
				t.Error(err)
			}
			if err := r.Fault(hardware.Servos, sim.KindAbsent, 2*time.Second); err != nil {
				t.Error(err)
			}
		}, func(tr *trial, do do, c sim.TruthCube) {
			if tr.result != actions.SendMessageToRobotFailed || c.Carried || c.BaseMM != 0 {
				t.Errorf("seed %d: %v, cube %+v", seed+1, tr.result, c)
			}
			if ok, err := tr.hand(do, c.ID, pickUp); !ok || err != nil || !tr.cube(c.ID).Carried {
				t.Errorf("seed %d: the next attempts ended with %v, %v", seed+1, tr.result, err)
			}
		})
	}
}

// The moments of a stacking, by the status of the action, in which the lift's chip is struck.
var stackMoments = [...]string{"driving up", "lowering", "backing away"}

// strikeStack stacks a cube; as soon as the action has a status something happens. It then has the two cubes as they truly are four seconds
// after the end, and reports false if the world of the seed has no room or the pick-up failed.
func strikeStack(t *testing.T, seed uint64, moment string, harm func(r *sim.Rig), then func(tr *trial, do do, upper, lower sim.TruthCube)) (tried bool) {
	t.Helper()
	err := run(options(seed), func(tr *trial, do do) error {
		cube, err := tr.look()
		if err != nil {
			return nil //nolint:nilerr // no room in this world: no trial
		}
		if ok, err := tr.hand(do, cube.ID, pickUp); err != nil || !ok {
			return err
		}
		other, ok := tr.another(cube.ID)
		if !ok {
			return nil
		}
		id := sim.ObjectID(other)
		if err := do(time.Minute, func(*hardware.World) actions.Action { return hands.NewDrive(hands.DriveParams{ID: id}) }); err != nil || tr.result != actions.Success {
			return err
		}
		place := hands.NewPlaceOn(hands.PlaceOnParams{ID: id})
		err = do(time.Minute, func(*hardware.World) actions.Action {
			return &struckPlace{PlaceOn: place, blow: blow{
				when: func(*hardware.World) bool { return place.Status() == moment },
				do:   func() { tried = true; harm(tr.rig) },
			}}
		})
		if err != nil {
			return err
		}
		if err := tr.sys.RunFor(4*time.Second, nil); err != nil {
			return err
		}
		then(tr, do, tr.cube(cube.ID), tr.cube(other))
		return nil
	})
	if err != nil {
		t.Fatalf("seed %d, %s: %v", seed, moment, err)
	}
	return tried
}

// everyMoment strikes the stacking of three seeds in each moment.
func everyMoment(t *testing.T, harm func(r *sim.Rig) error, then func(t *testing.T, tr *trial, do do, moment string, upper, lower sim.TruthCube)) {
	for _, moment := range stackMoments {
		t.Run(moment, func(t *testing.T) {
			n := 0
			for seed := uint64(1); seed <= 20 && n < 3; seed++ {
				if strikeStack(t, seed, moment, func(r *sim.Rig) {
					if err := harm(r); err != nil {
						t.Error(err)
					}
				}, func(tr *trial, do do, upper, lower sim.TruthCube) { then(t, tr, do, moment, upper, lower) }) {
					n++
				}
			}
			if n < 3 {
				t.Errorf("only %d trials", n)
			}
		})
	}
}

// A brown-out of the lift's chip that passes: the driver sets it up again within a tenth of a second, and the cube comes to stand on the other one.
func TestBrownOutOfTheLiftWhileItStacksACubeIsMended(t *testing.T) {
	everyMoment(t, func(r *sim.Rig) error { return r.Fault(hardware.Servos, sim.KindBrownout, 0) },
		func(t *testing.T, tr *trial, _ do, _ string, upper, lower sim.TruthCube) {
			if tr.result != actions.Success || upper.On != lower.ID || upper.Carried || lower.BaseMM != 0 {
				t.Errorf("seed %d: %v, cubes %+v %+v", tr.seed, tr.result, upper, lower)
			}
		})
}

// The lift's chip is gone for two seconds: the action ends at once and says so. The cube sinks: to the ground while the robot drives up, onto the
// other cube as soon as it is over that. It is nowhere else. From the ground the next attempts take it again.
func TestLiftThatFailsWhileItStacksACubeEndsTheAction(t *testing.T) {
	everyMoment(t, func(r *sim.Rig) error {
		if err := r.Fault(hardware.Servos, sim.KindBrownout, 0); err != nil {
			return err
		}
		return r.Fault(hardware.Servos, sim.KindAbsent, 2*time.Second)
	}, func(t *testing.T, tr *trial, do do, moment string, upper, lower sim.TruthCube) {
		stacked := upper.On == lower.ID && upper.BaseMM == 44
		if tr.result != actions.SendMessageToRobotFailed || upper.Carried || !upper.Present || lower.BaseMM != 0 || stacked != (moment != "driving up") || !stacked && upper.BaseMM != 0 {
			t.Errorf("seed %d: %v, cubes %+v %+v", tr.seed, tr.result, upper, lower)
		}
		if stacked {
			return
		}
		err := do(10*time.Second, func(*hardware.World) actions.Action { // as a helper does before it looks for a cube
			return motion.NewDriveStraight(motion.StraightParams{DistanceMM: -70})
		})
		if err != nil {
			t.Fatal(err)
		}
		if ok, err := tr.hand(do, upper.ID, pickUp); !ok || err != nil || !tr.cube(upper.ID).Carried {
			t.Errorf("seed %d: the next pick-up ended with %v, %v", tr.seed, tr.result, err)
		}
	})
}
