package faultmatrix

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/setuptest"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/sim"
)

// operate hands an operator's command to the next tick, runs it, and fails the test if it was refused.
func (r *robot) operate(kind engine.CommandKind) {
	r.t.Helper()
	answer, err := r.system.Inbox().Post(engine.Command{Kind: kind})
	if err != nil {
		r.t.Fatal(err)
	}
	r.run(tick)
	if a := <-answer; a.Err != "" {
		r.t.Fatal(a.Err)
	}
}

// resume releases the line after an emergency stop.
func (r *robot) resume() {
	r.t.Helper()
	if was, err := r.safety.Resume(r.safety.State().Stop); !was || err != nil {
		r.t.Fatal(was, err)
	}
}

// TestEmergencyStop stops as the control API does: first the enable line, then the engine.
func TestEmergencyStop(t *testing.T) {
	r := start(t, setuptest.Catalog(t), alone(), tick)
	r.untilCruising()
	r.run(31700 * time.Microsecond)
	at := r.now()
	r.safety.EStop()
	if r.pins.high || r.pins.driven() {
		t.Fatal("MOTOR_EN is still high")
	}
	r.operate(engine.EStop)
	orders, way := r.log.orders, r.rig.Stats().DistanceM
	r.run(20 * time.Second)
	if r.log.orders != orders {
		t.Errorf("the mind gave %d orders to drive", r.log.orders-orders)
	}
	if d := r.pins.drivenIn(at, r.now()); d != 0 {
		t.Errorf("driven for %v", d)
	}
	if mm := (r.rig.Stats().DistanceM - way) * 1000; mm > 15 {
		t.Errorf("rolled %.1f mm", mm)
	}
	r.operate(engine.Resume)
	r.resume()
	way = r.rig.Stats().DistanceM
	if !r.until(tick, lifeLimit, func() bool { return r.rig.Stats().DistanceM > way+lifeMM/1000.0 }) {
		t.Error("the robot did not go on after resume")
	}
}

// TestEmergencyStopRefusesMotionUntilReleased has an action that orders a new motion every tick, in every way, retreats included,
// without regard to the stop. None is accepted until the stop is released; the next one is.
func TestEmergencyStopRefusesMotionUntilReleased(t *testing.T) {
	all := orders()
	cat := following(t, func(n int, env *actions.Env) {
		if n < settled {
			return
		}
		d := all[[...]string{"straight", "turn", "wheels"}[n%3]]
		d.ID, d.Retreat = env.NextID(), n%2 == 0
		env.Send(d)
	})
	r := start(t, cat, onTheTable(), tick)
	if !r.until(tick, 5*time.Second, func() bool { return r.log.orders > 5 && r.pins.driven() }) {
		t.Fatal("the wheels were never driven")
	}
	r.run(17 * time.Millisecond)
	at := r.now()
	r.safety.EStop()
	if r.pins.high {
		t.Fatal("MOTOR_EN is still high")
	}
	before := r.log.orders
	for range 100 {
		r.run(tick)
		if s := r.log.world.Motors.Value; r.now().Sub(at) > 3*tick && (s.Phase != hardware.PhaseAborted || s.Reason != device.ReasonEStop || s.Enabled) {
			t.Fatalf("motors: %+v", s)
		}
	}
	if r.log.orders < before+99 || r.pins.drivenIn(at, r.now()) != 0 {
		t.Errorf("%d orders, driven for %v", r.log.orders-before, r.pins.drivenIn(at, r.now()))
	}
	r.resume()
	r.run(2 * tick)
	if !r.pins.driven() {
		t.Error("not driven after the release")
	}
}

// A cliff scan begins every 10 ms and converts four inputs at 1.3 ms each: what a sensor sees at any instant is known to the
// stop path one period and one scan later.
const scanLimit = 10*time.Millisecond + 4*1500*time.Microsecond

// blackMM is how far beyond the edge the middle of a sensor's 4 mm spot is when it reads less than the threshold of 300:
// the reading falls linearly from about 800 through half at the edge.
const blackMM = 1.2

// TestCliffReflexStopsWithinOneScan drives straight over an edge at several speeds. The instant at which a sensor lost the floor
// comes from geometry.
func TestCliffReflexStopsWithinOneScan(t *testing.T) {
	for i, mmps := range []float64{40, 80, 120, 150, 170} {
		t.Run(fmt.Sprint(mmps, " mm per s"), func(t *testing.T) {
			t.Parallel()
			id := uint64(0)
			cat := following(t, func(n int, env *actions.Env) {
				if n < settled {
					return
				}
				if id == 0 {
					id = env.NextID()
				}
				env.Send(hardware.Drive{ID: id, Kind: hardware.Wheels, LeftMMPS: mmps, RightMMPS: mmps})
			})
			opt := onTheTable()
			opt.Seed += uint64(i)
			r := start(t, cat, opt, tick)
			r.run(time.Second)
			r.rig.PushNearEdge()
			var lost time.Time
			r.until(time.Millisecond, 10*time.Second, func() bool {
				if lost.IsZero() && overEdge(r.rig.View()) >= blackMM {
					lost = r.now()
				}
				return r.safety.State().Latched
			})
			if !r.safety.State().Latched {
				t.Fatal("the reflex never came")
			}
			off, _ := r.pins.offSince(r.now())
			switch {
			case r.pins.high:
				t.Error("MOTOR_EN is high")
			case lost.IsZero(): // seen a little earlier than the floor was gone for certain
			case off.Sub(lost) > scanLimit:
				t.Errorf("stopped %v after the floor was gone", off.Sub(lost))
			}
			t.Logf("MOTOR_EN low with the sensor %.1f mm beyond the edge", overEdge(r.rig.View()))
			r.run(3 * time.Second)
			over := overEdge(r.rig.View())
			t.Logf("stands with the sensor %.1f mm beyond the edge", over)
			if r.rig.Stats().Falls != 0 || over > 30 {
				t.Errorf("rolled on until the sensor was %.1f mm beyond the edge", over)
			}
			if d := r.pins.drivenIn(off, r.now()); d != 0 {
				t.Errorf("driven for %v after the reflex", d)
			}
		})
	}
}

// TestShippedRobotStopsAtEdges puts the driving robot in front of an edge, again and again.
func TestShippedRobotStopsAtEdges(t *testing.T) {
	r := start(t, setuptest.Catalog(t), sim.Options{Seed: 9, BatteryRatio: 1, Nobody: true}, tick)
	reflexes := 0
	for range 4 {
		r.untilCruising()
		r.rig.PushNearEdge()
		before := r.safety.State().Stops
		var lost time.Time
		latched := r.until(time.Millisecond, 3*time.Second, func() bool {
			if lost.IsZero() && overEdge(r.rig.View()) >= blackMM {
				lost = r.now()
			}
			return r.safety.State().Latched
		})
		if !latched {
			if !lost.IsZero() && r.pins.driven() {
				t.Fatal("drives over the edge")
			}
			continue
		}
		reflexes++
		if r.pins.high || !lost.IsZero() && r.now().Sub(lost) > scanLimit || r.safety.State().Stops == before {
			t.Errorf("line high: %v, %v after the floor was gone", r.pins.high, r.now().Sub(lost))
		}
		if !r.until(tick, lifeLimit, func() bool { return overEdge(r.rig.View()) < -60 }) {
			t.Error("still at the edge after a minute")
		}
	}
	if reflexes < 3 {
		t.Errorf("only %d reflexes", reflexes)
	}
}

// overEdge is how far the outermost front sensor is beyond the table's edge, in mm; negative on the table, which is convex.
func overEdge(v sim.View) float64 {
	most := math.Inf(-1)
	for _, c := range v.Cliffs[:2] {
		for i, a := range v.Table {
			b := v.Table[(i+1)%len(v.Table)]
			ex, ey := b[0]-a[0], b[1]-a[1]
			cross := (ex*(c[1]-a[1]) - ey*(c[0]-a[0])) / math.Hypot(ex, ey)
			most = max(most, -cross*orientation(v.Table))
		}
	}
	return most
}

// orientation is 1 if the corners go counter-clockwise, else -1.
func orientation(p [][2]float64) float64 {
	area := 0.0
	for i, a := range p {
		b := p[(i+1)%len(p)]
		area += a[0]*b[1] - b[0]*a[1]
	}
	return math.Copysign(1, area)
}
