package faultmatrix

import (
	"fmt"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/sim"
)

// The tolerance of the one-shot's parts (hardware/README.md).
var ratios = []float64{0.7, 1, 1.3}

// straightOn drives at a speed for as long as the test lasts. A motion that ended is followed by another one.
func straightOn(mmps float64) script {
	id := uint64(0)
	return func(n int, env *actions.Env) {
		if n < settled {
			return
		}
		if m := env.World.Motors.Value; id == 0 || m.Segment == id && m.Phase == hardware.PhaseAborted && !m.CliffLatched {
			id = env.NextID()
		}
		env.Send(hardware.Drive{ID: id, Kind: hardware.Wheels, LeftMMPS: mmps, RightMMPS: mmps})
	}
}

// stopMM bounds the way to rest after the last control cycle at a speed: 300 ms with the last duty, which the control loop may have
// set for 17 mm/s more than it was to drive (16.3 were seen), and the lag of the motors.
func stopMM(mmps float64) float64 { return (mmps + 17) * (powerLimit.Seconds() + 0.060) }

// A frozen robot that drives towards an edge does not fall, if its axle is the stopping distance away from it. Nothing in the process
// takes part: neither the cliff sensors nor the lease gets a turn. It goes on by itself.
// Rules: FLT-4.
func TestFrozenHostDoesNotFall(t *testing.T) {
	for _, ratio := range ratios {
		for _, mmps := range []float64{40, 80, 120, 170, 220} {
			t.Run(fmt.Sprint(ratio, " ", mmps, " mm per s"), func(t *testing.T) {
				t.Parallel()
				opt := onTheTable()
				opt.PulseRatio = ratio
				r := start(t, following(t, straightOn(mmps)), opt, tick)
				r.rig.Place(0, 100, 0)
				r.run(1700 * time.Millisecond) // until it is as fast as it is to drive
				r.rig.Place(600-stopMM(mmps), 100, 0)
				r.run(3 * time.Millisecond)
				if !r.pins.driven() {
					t.Fatal("the wheels are not driven")
				}
				at, way := r.now(), r.rig.Stats().DistanceM
				r.inject(sim.FaultHost, sim.KindFrozen, 3*time.Second)
				r.run(3*time.Second - time.Millisecond)
				off, ok := r.pins.offSince(at)
				mm := (r.rig.Stats().DistanceM - way) * 1000
				t.Logf("off after %v, %.1f mm of %.1f", off.Sub(at), mm, stopMM(mmps))
				if !ok || off.Sub(at) > powerLimit {
					t.Errorf("power off after %v, limit %v", off.Sub(at), powerLimit)
				}
				if falls := r.rig.Stats().Falls; mm > stopMM(mmps) || falls != 0 {
					t.Errorf("rolled %.1f mm, limit %.1f; %d falls", mm, stopMM(mmps), falls)
				}
				r.run(tick)
				if d := r.log.devices[hardware.Motors]; d.Lapses != 1 || d.Failures != 0 {
					t.Errorf("%d lapses, failures %q", d.Lapses, d.Texts)
				}
				r.rig.Place(0, 100, 0)
				if !r.until(tick, 2*time.Second, r.pins.driven) {
					t.Error("the robot did not go on")
				}
			})
		}
	}
}

// lateCycle is how long before a freeze the last control cycle may have ended: two periods, and the waits of its transactions for
// those of others on the bus.
const lateCycle = 30 * time.Millisecond

// The shipped robot is frozen again and again, shortly and for long, at any moment between two ticks. A freeze in which the
// shortest pulse does not end is not felt.
func TestFrozenHostHealsWhateverTheFreeze(t *testing.T) {
	spans := []time.Duration{
		100 * time.Millisecond, 140 * time.Millisecond, 180 * time.Millisecond, 240 * time.Millisecond, 260 * time.Millisecond,
		299 * time.Millisecond, 400 * time.Millisecond, 5 * time.Second, 10 * time.Minute,
	}
	for _, ratio := range ratios {
		t.Run(fmt.Sprint(ratio), func(t *testing.T) {
			t.Parallel()
			opt := alone()
			opt.PulseRatio = ratio
			r := start(t, setuptest.Catalog(t), opt, tick)
			for i, span := range spans {
				for ok := false; !ok; ok = r.pins.driven() { // it may have been about to stop
					r.untilCruising()
					r.run(time.Duration(i*13%59)*time.Millisecond + 300*time.Microsecond)
				}
				lapses, at := r.log.devices[hardware.Motors].Lapses, r.now()
				r.inject(sim.FaultHost, sim.KindFrozen, span)
				r.run(span)
				r.run(20 * time.Millisecond) // the first polls wait for each other on the bus
				off, ok := r.pins.offSince(at)
				pulse := time.Duration(ratio * float64(220*time.Millisecond))
				switch felt := r.log.devices[hardware.Motors].Lapses - lapses; {
				case span < pulse-lateCycle && (r.pins.drivenIn(at, at.Add(span)) != span || felt != 0):
					t.Errorf("a freeze of %v was felt: driven for %v, %d lapses", span, r.pins.drivenIn(at, at.Add(span)), felt)
				case span > powerLimit && (!ok || off.Sub(at) > powerLimit || felt != 1):
					t.Errorf("a freeze of %v: off after %v, %d lapses", span, off.Sub(at), felt)
				}
				r.run(5 * time.Second)
				if !r.log.calm(at.Add(span + time.Second)) {
					t.Errorf("a device is not OK after a freeze of %v", span)
				}
			}
			for _, name := range hardware.Names {
				if d := r.log.devices[name]; d.Failures != 0 {
					t.Errorf("%s failed: %q", name, d.Texts)
				}
			}
		})
	}
}
