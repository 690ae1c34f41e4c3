package faultmatrix

import (
	"context"
	"math"
	"testing"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/actors"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/cmd/robotd/internal/runstats"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/sim"
)

const (
	tick = actors.DefaultPeriod
	// sampling is how often the geometry is looked at: after each step of the world. The edges of MOTOR_EN and the duties
	// are not sampled but kept with their instants.
	sampling = sim.StepMS * time.Millisecond
)

func epoch() time.Time { return time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC) }

// A robot is the daemon's robot in virtual time: all actors, all drivers, emulated chips, with probes at the H-bridge.
type robot struct {
	t        testing.TB
	timeline *clock.Virtual
	rig      *sim.Rig
	safety   *device.Safety
	system   *actors.System
	pins     *pins
	log      *chronicle
	counters *runstats.Counters
}

// start builds a robot over a catalog and stops it at the end of the test.
func start(t testing.TB, cat *catalog.Catalog, opt sim.Options, period time.Duration) *robot {
	t.Helper()
	c := clock.NewVirtual(epoch())
	opt.Now = c.Now()
	r := &robot{t: t, timeline: c, pins: &pins{now: c.Now}, log: newChronicle(c.Now)}
	opt.OnPower = r.pins.gate
	r.rig = sim.New(opt)
	r.rig.SetNow(c.Now)
	r.rig.SetFreeze(c.Freeze)
	r.counters = runstats.NewCounters(false, func(v string) { t.Errorf("lifecycle violation: %s", v) })
	board := device.Board{
		Bus:   func(clk hardware.Clock) i2c.Bus { return bus{r.rig.Bus(sim.BusName, clk), r.pins} },
		Lines: lines{r.rig.Lines(), r.pins}, SPI: r.rig.SPI, Pin: r.rig.Pin, Detect: r.rig.Detect,
		Rates: device.NewRates(),
	}
	r.safety = device.NewSafety(board.Lines)
	var err error
	r.system, err = actors.Start(actors.Config{
		Catalog: cat, Seed: opt.Seed, Period: period, Devices: specs(board, r.safety), Timeline: c,
		Observer: event.Tee{r.counters, r.log}, Ticks: []actors.TickObserver{r.counters, r.log},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.stop)
	return r
}

func specs(board device.Board, safety *device.Safety) (all []actors.DeviceSpec) {
	for _, name := range hardware.Names {
		s := actors.DeviceSpec{Name: name, New: func(permit hardware.BusPermit) (hardware.Device, error) {
			return device.New(name, board, safety, permit)
		}}
		if name == hardware.Motors {
			s.Safe = safety.Down
			s.Watch = func(now time.Time) { safety.Watch(now) }
		}
		all = append(all, s)
	}
	return all
}

func (r *robot) stop() {
	if err := r.system.Stop(context.Background()); err != nil {
		r.t.Error(err)
	}
	if err := r.safety.Close(); err != nil {
		r.t.Error(err)
	}
	r.timeline.Close()
	if n := r.counters.Violations.Load(); n != 0 {
		r.t.Errorf("%d lifecycle violations", n)
	}
	if len(r.log.faults) > 0 {
		r.t.Errorf("behaviors or actions failed: %q", r.log.faults)
	}
	if s := r.rig.Stats(); s.Falls != 0 {
		r.t.Errorf("%d falls", s.Falls)
	}
}

func (r *robot) now() time.Time { return r.timeline.Now() }

func (r *robot) run(d time.Duration) {
	r.t.Helper()
	if err := r.system.RunFor(d, nil); err != nil {
		r.t.Fatal(err)
	}
	r.rig.Stats() // the world goes on also when nobody looks at it
}

// until runs in steps until done returns true, and reports whether that happened within the limit.
func (r *robot) until(step, limit time.Duration, done func() bool) bool {
	r.t.Helper()
	for end := r.now().Add(limit); r.now().Before(end); {
		r.run(step)
		if done() {
			return true
		}
	}
	return false
}

// inject breaks a device. Tests touch the hardware in no other way.
func (r *robot) inject(device, kind string, d time.Duration) {
	r.t.Helper()
	if err := r.rig.Fault(device, kind, d); err != nil {
		r.t.Fatal(err)
	}
	if device == hardware.Motors && kind == sim.KindBrownout {
		r.pins.powerLoss()
	}
}

// motion is where the robot stood at successive instants.
type motion struct {
	at    []time.Time
	poses []hardware.Pose
}

func (m *motion) sample(r *robot) {
	m.at = append(m.at, r.now())
	m.poses = append(m.poses, r.rig.View().Robot.Pose)
}

// Below these speeds a robot counts as standing; the wheels' first-order lag makes the rest of the way endless.
const (
	stillMMPS  = 2.0
	stillRadPS = 2 * stillMMPS / 46
)

// stillAt is the first sample from t on after which the robot does not move for 20 ms, and the way from t to there.
func (m *motion) stillAt(t time.Time) (at time.Time, wayMM float64, ok bool) {
	const span = int(20 * time.Millisecond / sampling)
	first := -1
	for i := range m.poses {
		if m.at[i].Before(t) {
			continue
		}
		if first < 0 {
			first = i
		}
		if i+span >= len(m.poses) {
			return time.Time{}, 0, false
		}
		a, b := m.poses[i], m.poses[i+span]
		seconds := m.at[i+span].Sub(m.at[i]).Seconds()
		if math.Hypot(b.XMM-a.XMM, b.YMM-a.YMM)/seconds < stillMMPS &&
			math.Abs(hardware.WrapRad(b.HeadingRad-a.HeadingRad))/seconds < stillRadPS {
			f := m.poses[first]
			return m.at[i], math.Hypot(a.XMM-f.XMM, a.YMM-f.YMM), true
		}
	}
	return time.Time{}, 0, false
}

// top is the greatest speed over 20 ms.
func (m *motion) top() (mmps float64) {
	const span = int(20 * time.Millisecond / sampling)
	for i := span; i < len(m.poses); i++ {
		a, b := m.poses[i-span], m.poses[i]
		mmps = max(mmps, math.Hypot(b.XMM-a.XMM, b.YMM-a.YMM)/m.at[i].Sub(m.at[i-span]).Seconds())
	}
	return mmps
}
