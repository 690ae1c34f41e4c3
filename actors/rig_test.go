package actors

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/device"
	"github.com/robotd/robotd/hardware/sim"
	"periph.io/x/conn/v3/i2c"
)

// rig wires the simulated robot the way the daemon does.
func rig(seed uint64, tl clock.Timeline) (*sim.Rig, *device.Safety, []DeviceSpec) {
	r := sim.New(sim.Options{Seed: seed})
	r.SetNow(tl.Now)
	safety := device.NewSafety(r.Lines())
	board := device.Board{
		Bus:   func(clk hardware.Clock) i2c.Bus { return r.Bus(sim.BusName, clk) },
		Lines: r.Lines(), SPI: r.SPI, Pin: r.Pin, Detect: r.Detect,
	}
	var specs []DeviceSpec
	for _, name := range hardware.Names {
		spec := DeviceSpec{Name: name, New: func(permit hardware.BusPermit) (hardware.Device, error) {
			return device.New(name, board, safety, permit)
		}}
		if name == hardware.Motors {
			spec.Safe = safety.Down
			spec.Watch = func(now time.Time) { safety.Watch(now) }
		}
		specs = append(specs, spec)
	}
	return r, safety, specs
}

// fingerprint is a tick observer that hashes decisions and readings.
type fingerprint struct {
	h     *tape.Hasher
	world []hardware.World
	logs  []tape.TickLog
	sums  []string // the hash after each tick
}

func (f *fingerprint) ObserveTick(_ event.Tick, o *engine.Output, e *engine.Engine) {
	f.h.Add(o)
	f.world = append(f.world, *e.View().World)
	f.logs = append(f.logs, tape.LogOf(o))
	f.sums = append(f.sums, f.h.Sum())
}

func runRig(t testing.TB, seed uint64, procs int, cat *catalog.Catalog, d time.Duration, rec event.Observer) (*fingerprint, sim.Stats) {
	t.Helper()
	return runRigWith(t, Config{Catalog: cat, Seed: seed, Observer: rec}, procs, d)
}

func runRigWith(t testing.TB, cfg Config, procs int, d time.Duration) (*fingerprint, sim.Stats) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
	c := clock.NewVirtual(actorstest.Epoch)
	r, safety, specs := rig(cfg.Seed, c)
	f := &fingerprint{h: tape.NewHasher()}
	cfg.Timeline, cfg.Devices, cfg.Ticks = c, specs, []TickObserver{f}
	s, err := Start(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.RunFor(d, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := safety.Close(); err != nil {
		t.Fatal(err)
	}
	return f, r.Stats()
}

// A second run, on another number of processors, reads the same in every tick.
func TestReadingsDoNotDependOnScheduling(t *testing.T) {
	cat := actorstest.Probes(t, "A! > B\nB", nil, nil)
	rec := &recorder{}
	one, _ := runRig(t, 7, 1, cat, 20*time.Second, rec)
	many, _ := runRig(t, 7, 8, cat, 20*time.Second, &recorder{})
	if f := count[event.Failure](rec); len(f) > 0 {
		t.Fatalf("devices failed: %+v", f)
	}
	if len(one.world) != len(many.world) || len(one.world) < 300 {
		t.Fatalf("%d and %d ticks", len(one.world), len(many.world))
	}
	for i := range one.world {
		a, b := &one.world[i], &many.world[i]
		if a.IMU != b.IMU || a.Cliff != b.Cliff || a.Battery != b.Battery || a.Body != b.Body || a.Range != b.Range {
			t.Fatalf("tick %d differs:\n%+v\n%+v\ndecisions: %v", i+1, a.Body, b.Body, tape.Diff(one.logs, many.logs, 5))
		}
	}
	last := one.world[len(one.world)-1]
	for _, d := range hardware.Names {
		if q := last.QualityOf(d); q != hardware.OK {
			t.Errorf("%s is %v", d, q)
		}
	}
}

func BenchmarkMinuteOfRobotLife(b *testing.B) {
	cat := actorstest.Probes(b, "A! > B\nB", nil, nil)
	for b.Loop() {
		runRig(b, 7, 4, cat, time.Minute, event.Tee(nil))
	}
}
