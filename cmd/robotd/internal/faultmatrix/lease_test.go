package faultmatrix

import (
	"fmt"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/sim"
)

// settled is the tick in which scripts begin: every device is open and the robot stands.
const settled = 20

// orders are the ways to drive.
func orders() map[string]hardware.Drive {
	return map[string]hardware.Drive{
		"straight": {Kind: hardware.Straight, DistanceMM: 400, SpeedMMPS: 120},
		"turn":     {Kind: hardware.Turn, AngleRad: 6, SpeedRadPS: 2},
		"wheels":   {Kind: hardware.Wheels, LeftMMPS: 90, RightMMPS: 70},
	}
}

// once gives one order and never renews it. at becomes the instant of the order.
func once(d hardware.Drive, at *time.Time) script {
	return func(n int, env *actions.Env) {
		if n == settled {
			d.ID = env.NextID()
			env.Send(d)
			*at = env.Now
		}
	}
}

func onTheTable() sim.Options {
	return sim.Options{Seed: 7, BatteryRatio: 1, StartOffCharger: true, Nobody: true}
}

// TestUnrenewedLeaseEndsOnTime gives one order and does not renew it. The periods put the end of the lease on a poll of the motors
// and between two.
func TestUnrenewedLeaseEndsOnTime(t *testing.T) {
	for name, d := range orders() {
		for _, period := range []time.Duration{tick, 37 * time.Millisecond, 23300 * time.Microsecond, 5123 * time.Microsecond} {
			t.Run(fmt.Sprint(name, " ", period), func(t *testing.T) {
				t.Parallel()
				var at time.Time
				r := start(t, following(t, once(d, &at)), onTheTable(), period)
				r.run((settled + 5) * period)
				r.until(sampling, time.Second, func() bool { return !at.IsZero() && r.pins.driven() })
				if at.IsZero() || !r.pins.driven() {
					t.Fatal("the wheels were never driven")
				}
				var m motion
				m.sample(r)
				r.until(sampling, time.Second, func() bool { m.sample(r); return false })
				end := at.Add(device.DefaultLease)
				off, ok := r.pins.offSince(end.Add(-20 * time.Millisecond))
				if late := off.Sub(end); !ok || late < 0 || late > time.Millisecond {
					t.Errorf("off %v after the lease", late)
				}
				if r.pins.drivenIn(off, r.now()) != 0 {
					t.Error("driven again without an order")
				}
				if still, _, ok := m.stillAt(off); !ok || still.Sub(off) > lagLimit {
					t.Errorf("standing %v after the wheels were off", still.Sub(off))
				}
				if s := r.log.world.Motors.Value; s.Phase != hardware.PhaseAborted || s.Reason != device.ReasonLease {
					t.Errorf("phase %d, reason %q", s.Phase, s.Reason)
				}
			})
		}
	}
}

// TestFaultWithoutRenewalStopsWheelsWithinTheLease repeats every cell of the matrix with one order that is given
// 100 ms before the fault and never renewed. The wheels stop when the lease ends, or before.
func TestFaultWithoutRenewalStopsWheelsWithinTheLease(t *testing.T) {
	const lead = 100 * time.Millisecond
	all := cells()
	lates := make([]time.Duration, len(all))
	t.Run("cell", func(t *testing.T) {
		for i, c := range all {
			t.Run(c.device+"/"+c.kind, func(t *testing.T) {
				t.Parallel()
				var at time.Time
				r := start(t, following(t, once(orders()["straight"], &at)), onTheTable(), tick)
				r.until(tick, 3*time.Second, func() bool { return !at.IsZero() })
				r.run(lead + time.Duration(i*7%13)*time.Millisecond)
				if !r.pins.driven() {
					t.Fatal("the wheels are not driven")
				}
				began := r.now()
				r.inject(c.device, c.kind, faultTime)
				var m motion
				for m.sample(r); r.now().Before(began.Add(faultTime)); m.sample(r) {
					r.run(sampling)
				}
				end := at.Add(device.DefaultLease)
				off, ok := r.pins.offSince(began)
				lates[i] = off.Sub(end)
				if late := off.Sub(began) - powerLimit; !ok || lates[i] > tick+time.Millisecond && (c.device != sim.FaultHost || late > 0) {
					t.Errorf("off %v after the lease", lates[i])
				}
				if r.pins.drivenIn(off, r.now()) != 0 {
					t.Error("driven again without an order")
				}
				if still, _, ok := m.stillAt(off); !ok || still.Sub(off) > lagLimit {
					t.Errorf("standing %v after the wheels were off", still.Sub(off))
				}
			})
		}
	})
	text := "\noff after the end of the lease, in ms (negative: the fault stopped the wheels before):\n"
	for i, c := range all {
		if lates[i] != 0 {
			text += fmt.Sprintf("  %-8s %-8s %+.1f\n", c.device, c.kind, lates[i].Seconds()*1000)
		}
	}
	t.Log(text + "  all others 0")
}

// TestMotorsRefuseOrdersRepeatedDuringAFault repeats the cells that must stop the wheels while an action renews its order every
// tick, whatever the sensors say: the motors' driver alone must refuse. Where the wheel chip itself cannot be trusted, the enable
// line falls too.
func TestMotorsRefuseOrdersRepeatedDuringAFault(t *testing.T) {
	for i, c := range cells() {
		if c.wheels != stop && c.wheels != pause && c.wheels != tries {
			continue
		}
		t.Run(c.device+"/"+c.kind, func(t *testing.T) {
			t.Parallel()
			d := orders()["wheels"]
			cat := following(t, func(n int, env *actions.Env) {
				if n == settled {
					d.ID = env.NextID()
				}
				if n >= settled {
					env.Send(d)
				}
			})
			r := start(t, cat, onTheTable(), tick)
			r.run((settled + 8) * tick)
			r.run(time.Duration(i*7%59)*time.Millisecond + 300*time.Microsecond)
			if !r.pins.driven() {
				t.Fatal("the wheels are not driven")
			}
			at := r.now()
			r.inject(c.device, c.kind, faultTime)
			r.run(faultTime)
			off, ok := r.pins.offSince(at)
			if !ok || off.Sub(at) > stopLimit {
				t.Errorf("off after %v", off.Sub(at))
			}
			if again := r.pins.drivenIn(off, r.now()); again != 0 {
				t.Errorf("driven again for %v while broken", again)
			}
			if line := r.pins.fell.Sub(at); c.device == hardware.Motors && c.way != abort && (line < 0 || line > stopLimit) {
				t.Errorf("MOTOR_EN fell after %v", line)
			}
		})
	}
}

// TestOrdersOfASlowMindEndWithTheLease runs the shipped tree with one tick a second, so that each lease ends before the next
// order: the robot drives in jerks, none of which lasts beyond the lease, but for the transactions that the last one waits for on the bus.
func TestOrdersOfASlowMindEndWithTheLease(t *testing.T) {
	r := start(t, setuptest.Catalog(t), alone(), time.Second)
	jerks := 0
	for range 90 {
		r.run(time.Second)
		at := r.log.tickAt
		if d := r.pins.drivenIn(at.Add(-time.Second), at); d > 0 {
			jerks++
		}
		off, ok := r.pins.offSince(at.Add(-time.Second + device.DefaultLease))
		if late := off.Sub(at.Add(-time.Second + device.DefaultLease)); !ok || late > 5*time.Millisecond {
			t.Fatalf("off %v after the lease", late)
		}
		if again := r.pins.drivenIn(off, at); again != 0 {
			t.Fatalf("driven for %v without a lease", again)
		}
	}
	if jerks < 20 {
		t.Errorf("only %d jerks", jerks)
	}
}
