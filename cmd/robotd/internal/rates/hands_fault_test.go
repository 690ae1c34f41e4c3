package rates

import (
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/hands"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/sim"
)

// struck is an action during which something happens once.
type struck struct {
	*hands.PickUp
	when func(w *hardware.World) bool
	do   func()
	done bool
}

// CheckIfDone strikes.
func (s *struck) CheckIfDone(env *actions.Env) actions.Result {
	if !s.done && s.when(env.World) {
		s.done = true
		s.do()
	}
	return s.PickUp.CheckIfDone(env)
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
				when:   func(w *hardware.World) bool { return w.Servos.Value.LiftMM >= liftMM && tr.cube(cube.ID).BaseMM > 3 },
				do:     func() { harm(tr.rig) },
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
