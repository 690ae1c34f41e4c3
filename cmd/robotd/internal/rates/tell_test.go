package rates

import (
	"flag"
	"fmt"
	"math"
	"os"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/sim"
)

var oneSeed = flag.Uint64("seed", 0, "try only this seed, and tell what the robot does")

// tell prints a line when the status of the action changes: the true pose of the robot, and for each known thing where it truly is from
// there and by how much it is believed elsewhere, ahead, to the left and in its turn.
func (t *trial) tell(w *hardware.World) {
	s, ok := t.action.(interface{ Status() string })
	if *oneSeed == 0 || !ok || s.Status() == t.told {
		return
	}
	t.told = s.Status()
	v := t.rig.View()
	fmt.Fprintf(os.Stderr, "%6.2f s %s: %s; at %.0f %.0f %.1f°, lift %.0f", t.now().Sub(epoch).Seconds(), t.action.Name(), t.told,
		v.Robot.XMM, v.Robot.YMM, degrees(v.Robot.HeadingRad), w.Servos.Value.LiftMM)
	for _, o := range w.Objects {
		k, ok := truthOf(v, o)
		if !ok {
			continue
		}
		d, b := v.Robot.To(k.XMM, k.YMM)
		kd, kb := w.Body.Pose.To(o.Pose.XMM, o.Pose.YMM)
		turn := (o.Pose.HeadingRad - w.Body.Pose.HeadingRad) - (k.HeadingRad - v.Robot.HeadingRad)
		fmt.Fprintf(os.Stderr, "; %v %d %.0f mm %.0f°, off %.1f %.1f mm %.1f°, seen %.1f s ago, sigma %.1f mm", o.Kind, o.ID, d, degrees(b),
			kd-d, d*hardware.WrapRad(kb-b), degrees(math.Remainder(turn, math.Pi/2)), w.Now.Sub(o.SeenAt).Seconds(), o.SigmaMM)
	}
	fmt.Fprintln(os.Stderr)
}

// ended prints how an action ended.
func (t *trial) ended() {
	if *oneSeed != 0 {
		fmt.Fprintf(os.Stderr, "%6.2f s %s ended with %v; on contacts %v, cubes %+v\n", t.now().Sub(epoch).Seconds(), t.action.Name(), t.result,
			t.rig.Stats().OnContacts, t.rig.Truth().Cubes)
	}
}

// truthOf is where a known object truly is.
func truthOf(v sim.View, o hardware.KnownObject) (hardware.Pose, bool) {
	if o.Kind == hardware.KindCharger {
		return v.Charger, true
	}
	for _, c := range v.Cubes {
		if sim.ObjectID(c.ID) == o.ID {
			return c.Pose, true
		}
	}
	return hardware.Pose{}, false
}

func degrees(rad float64) float64 { return rad * 180 / math.Pi }
