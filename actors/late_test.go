package actors

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// quiet is a machine on which late code waits for something: drivers and hooks that do not return hang, however busy the machine is
// on which the test runs.
func quiet() clock.Timeline {
	none := func() time.Duration { return 0 }
	return clock.Live{Load: &clock.Load{Waiting: func(int64) bool { return true }, CPU: none, Used: none}}
}

// madeSafe is why a device was made safe: the first reason but that its driver was late, which it may be on a busy machine.
func madeSafe(reasons <-chan string) string {
	for {
		if reason := <-reasons; reason != "late" {
			return reason
		}
	}
}

// batteryQuality sends the quality of the battery's reading in each tick.
type batteryQuality chan hardware.Quality

func (q batteryQuality) ObserveTick(_ event.Tick, _ *engine.Output, e *engine.Engine) {
	select {
	case q <- e.View().World.QualityOf(hardware.Battery):
	default:
	}
}

func (q batteryQuality) await(t *testing.T, want hardware.Quality) {
	t.Helper()
	for got := range q {
		if got == want {
			return
		}
		if got == hardware.Failed {
			t.Fatal("failed")
		}
	}
}

// A driver that a loaded machine does not let run is made safe in time. What it read last grows stale, which is the truth; but
// there is no failure, and the driver goes on where it was.
// Rules: Q-8.
func TestLateDriverOnLoadedMachineIsNotTakenForBroken(t *testing.T) {
	none := func() time.Duration { return 0 }
	starved := clock.Live{Load: &clock.Load{Waiting: func(int64) bool { return false }, CPU: none, Used: none}}
	fake := &stuckDevice{fakeDevice: fakeDevice{world: &fakeWorld{start: time.Now()}}, stuck: make(chan struct{}), release: make(chan struct{})}
	safe, seen, r := make(chan string, 64), make(batteryQuality, 1), &recorder{}
	var made atomic.Int32
	s, err := Start(Config{
		Catalog: actorstest.Probes(t, "A", nil, nil), Period: testPeriod, Observer: r, Ticks: []TickObserver{seen}, Timeline: starved,
		Devices: []DeviceSpec{{
			Name: hardware.Battery, Replace: true, Safe: func(reason string) { safe <- reason },
			New: func(hardware.BusPermit) (hardware.Device, error) { made.Add(1); return fake, nil },
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	<-fake.stuck
	if reason := <-safe; reason != "late" {
		t.Errorf("made safe because of %q", reason)
	}
	seen.await(t, hardware.Stale)
	close(fake.release)
	seen.await(t, hardware.OK)
	if f := count[event.Failure](r); len(f) > 0 || made.Load() != 1 {
		t.Errorf("failures %+v, %d drivers", f, made.Load())
	}
	if err := s.Stop(context.Background()); err != nil {
		t.Error(err)
	}
}

// A driver that was replaced while it burned processor time is one of those that every watch leaves out, until it returns.
func TestReplacedDriverThatSpinsIsCountedUntilItReturns(t *testing.T) {
	var used atomic.Int64
	var made atomic.Int32
	load := &clock.Load{
		Waiting: func(int64) bool { return made.Load() > 1 }, CPU: func() time.Duration { return 0 },
		Used: func() time.Duration { return time.Duration(used.Add(int64(time.Hour))) },
	}
	fake := &stuckDevice{fakeDevice: fakeDevice{world: &fakeWorld{start: time.Now()}}, stuck: make(chan struct{}), release: make(chan struct{})}
	w, r := newWatcher(), &recorder{}
	s, err := Start(Config{
		Catalog: actorstest.Probes(t, "A", nil, nil), Period: testPeriod, Observer: event.Tee{w, r}, Ticks: []TickObserver{w},
		Timeline: clock.Live{Load: load},
		Devices: []DeviceSpec{{Name: hardware.Battery, Replace: true, New: func(hardware.BusPermit) (hardware.Device, error) {
			if made.Add(1) == 1 {
				return fake, nil
			}
			return &fakeDevice{world: fake.world}, nil
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	awaitRestart(t, w, r)
	if n := load.Spinners.Load(); n != 1 {
		t.Errorf("%d goroutines spin", n)
	}
	close(fake.release)
	for load.Spinners.Load() > 0 {
		awaitTick(t, w, "")
	}
	if err := s.Stop(context.Background()); err != nil {
		t.Error(err)
	}
}

// watched is a timeline whose executors report a watch that begins while another one of the same executor is not over.
type watched struct {
	clock.Timeline
	t *testing.T
}

func (w watched) Open(name string, rank int) clock.Executor {
	return &watchedExecutor{Executor: w.Timeline.Open(name, rank), name: name, t: w.t}
}

type watchedExecutor struct {
	clock.Executor
	name string
	open atomic.Int32
	t    *testing.T
}

func (e *watchedExecutor) Watch(d time.Duration, f func(clock.Verdict)) func() {
	if e.open.Add(1) > 1 {
		e.t.Errorf("%s: a watch begins before the one before is over", e.name)
	}
	done := e.Executor.Watch(d, f)
	return func() {
		e.open.Add(-1)
		done()
	}
}

// The watch of a driver's call is over with its message, also if the driver fails in it: or it would tell of a hang later on.
// Rules: Q-8.
func TestFailedDriverIsNotWatchedAnyMore(t *testing.T) {
	for _, how := range []string{"error", "panic"} {
		t.Run(how, func(t *testing.T) {
			w, r := newWatcher(), &recorder{}
			world := &fakeWorld{start: time.Now()}
			once := func(at time.Duration) bool { return at > 0 && len(count[event.Failure](r)) == 0 }
			if how == "panic" {
				world.panics = once
			} else {
				world.broken = func(at time.Duration) error {
					if once(at) {
						return errNack
					}
					return nil
				}
			}
			s, err := Start(Config{
				Catalog: actorstest.Probes(t, "A", nil, nil), Period: testPeriod, Observer: event.Tee{w, r}, Ticks: []TickObserver{w}, Timeline: watched{quiet(), t},
				Devices: []DeviceSpec{{Name: hardware.Battery, Replace: true, New: func(hardware.BusPermit) (hardware.Device, error) {
					return &fakeDevice{world: world}, nil
				}}},
			})
			if err != nil {
				t.Fatal(err)
			}
			awaitRestart(t, w, r)
			samples := len(count[*event.Sample](r))
			for len(count[*event.Sample](r)) < samples+2 {
				awaitTick(t, w, "")
			}
			if err := s.Stop(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
}
