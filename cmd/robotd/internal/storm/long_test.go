package storm

import (
	"fmt"
	"testing"
	"time"

	"github.com/robotd/robotd/hardware/sim"
)

// A device that was broken for minutes is tried again so often that it is well soon after the fault, whenever that ends.
func TestDeviceBrokenForMinutesHealsInTime(t *testing.T) {
	r := begin(t, 1)
	defer r.end()
	r.until(5 * time.Second)
	at := 5 * time.Second
	for i := range 8 {
		if err := r.sim.Rig.Fault(sim.FaultBus, sim.KindUnplug, 0); err != nil {
			t.Fatal(err)
		}
		at += time.Minute + time.Duration(i)*700*time.Millisecond
		r.until(at)
		if len(r.see().ill) == 0 {
			t.Fatal("nothing is ill")
		}
		r.sim.Rig.ClearFaults()
		res := result{}
		if res.calm(r, at, nil); len(res.wrong) > 0 {
			t.Error(fmt.Sprint(res.wrong))
		}
		at += calmFor
	}
}
