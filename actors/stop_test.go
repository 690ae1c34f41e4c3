package actors

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// stopping is a context that ends long before the deadlines of a stop, so that tests need not wait for those.
func stopping(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// A hook that hangs during the stop costs its budget. The rest of the stack is popped, devices halt, and Stop reports no error.
func TestHangingHookDoesNotHoldStop(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	cat := actorstest.Authors(t, []string{"R", "A"}, func(id string) *actorstest.Authored {
		if id == "R" {
			return &actorstest.Authored{Update: func(c *behaviors.Control) {
				if c.InControl() && c.Wants("A") {
					c.DelegateTo("A", nil)
				}
			}}
		}
		return &actorstest.Authored{End: func(*behaviors.Control) { <-release }}
	})
	w, world := newWatcher(), &fakeWorld{start: time.Now()}
	s, err := Start(Config{
		Catalog: cat, Period: testPeriod, Budget: testBudget, Observer: w, Ticks: []TickObserver{w},
		Devices: []DeviceSpec{fakeBattery(world, nil)},
	})
	if err != nil {
		t.Fatal(err)
	}
	awaitTick(t, w, "A.activated")
	if err := s.Stop(context.Background()); err != nil {
		t.Errorf("stop: %v", err)
	}
	last := awaitTick(t, w, "A.OnDeactivated failed: hang")
	if got := strings.Join(last.events, ", "); !strings.HasSuffix(got, "A.pop, A.left-scope, R.deactivated, R.pop, R.left-scope") {
		t.Errorf("events %s", got)
	}
	if log := world.lines(); !strings.HasSuffix(log[len(log)-1], "halt") {
		t.Errorf("log %q", log)
	}
}

// haltless is a device whose Halt never returns.
type haltless struct {
	fakeDevice
	release <-chan struct{}
}

func (d *haltless) Halt() error { <-d.release; return nil }

func (d *haltless) Poll(time.Time) (hardware.Sample, error) {
	return hardware.Sample{Quality: hardware.Absent}, nil
}

// A device that does not halt is named by the error and by an event. It is made safe without its driver, and the others halt.
func TestDeviceThatDoesNotHaltIsReportedAndMadeSafe(t *testing.T) {
	release := make(chan struct{})
	r, world := &recorder{}, &fakeWorld{start: time.Now()}
	safe := make(chan string, 16)
	w := newWatcher()
	s, err := Start(Config{
		Catalog: actorstest.Probes(t, "A", nil, nil), Period: testPeriod, Budget: testPatience, Observer: r, Ticks: []TickObserver{w},
		Timeline: quiet(),
		Devices: []DeviceSpec{
			{
				Name: hardware.Motors, Safe: func(reason string) { safe <- reason },
				New: func(hardware.BusPermit) (hardware.Device, error) {
					return &haltless{fakeDevice{world: &fakeWorld{start: time.Now()}}, release}, nil
				},
			},
			fakeBattery(world, nil),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	awaitTick(t, w, "")
	err = s.Stop(context.Background())
	close(release)
	if err == nil || err.Error() != "actors: stop: device/motors did not halt within 2s" {
		t.Errorf("stop: %v", err)
	}
	for _, want := range []string{"halt", "hang", "stop"} { // before it halts, when it takes too long, when it is overdue
		if reason := madeSafe(safe); reason != want {
			t.Errorf("made safe because of %q, want %q", reason, want)
		}
	}
	if o := count[event.Overdue](r); len(o) != 1 || o[0] != (event.Overdue{Actor: "device/motors", Stage: "halt", Limit: haltDeadline}) {
		t.Errorf("told %+v", o)
	}
	if log := world.lines(); !strings.HasSuffix(log[len(log)-1], "halt") {
		t.Errorf("the other device: %q", log)
	}
	if again := s.Stop(context.Background()); again != err {
		t.Errorf("a second stop says %v", again)
	}
}

// A Safe function that panics during the stop neither cancels the stop, as a panic in Stopping would, nor keeps the driver from
// its Halt.
func TestPanicInHaltDoesNotCancelStop(t *testing.T) {
	r, world := &recorder{}, &fakeWorld{start: time.Now()}
	w := newWatcher()
	s, err := Start(Config{
		Catalog: actorstest.Probes(t, "A", nil, nil), Period: testPeriod, Observer: r, Ticks: []TickObserver{w},
		Devices: []DeviceSpec{fakeBattery(world, func(string) { panic("no line") })},
	})
	if err != nil {
		t.Fatal(err)
	}
	awaitTick(t, w, "")
	if err := s.Stop(context.Background()); err != nil {
		t.Errorf("stop: %v", err)
	}
	if log := world.lines(); len(log) != 2 || !strings.HasSuffix(log[1], "halt") {
		t.Errorf("log %q", log)
	}
}

// stuckObserver never returns from a tick.
type stuckObserver struct {
	stuck   atomic.Bool
	release chan struct{}
}

func (o *stuckObserver) ObserveTick(event.Tick, *engine.Output, *engine.Engine) {
	if o.stuck.CompareAndSwap(false, true) {
		<-o.release
	}
}

// An observer that hangs holds the supervisor's goroutine. The failure names the observer, everything is made safe, Fatal is
// called, and the stop ends although the stack is not drained.
func TestHangingObserverCallsFatal(t *testing.T) {
	bad := &stuckObserver{release: make(chan struct{})}
	r, world := &recorder{}, &fakeWorld{start: time.Now()}
	fatal, safe := make(chan error, 8), make(chan string, 16)
	s, err := Start(Config{
		Catalog: actorstest.Probes(t, "A", nil, nil), Period: testPeriod, Observer: r, Ticks: []TickObserver{bad},
		TickLimit: time.Second, Fatal: func(err error) { fatal <- err },
		Devices: []DeviceSpec{fakeBattery(world, func(reason string) { safe <- reason })},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-fatal; err.Error() != "actors: observer *actors.stuckObserver did not return within 1s" {
		t.Errorf("told %v", err)
	}
	if reason := madeSafe(safe); reason != "mind" {
		t.Errorf("made safe because of %q", reason)
	}
	err = s.Stop(stopping(t))
	if err == nil || !strings.Contains(err.Error(), "stack did not drain within 3s") {
		t.Errorf("stop: %v", err)
	}
	close(bad.release)
	if o := count[event.Overdue](r); len(o) == 0 || o[0].Actor != "stack" || o[0].Stage != "drain" {
		t.Errorf("told %+v", o)
	}
	if f := count[event.Failure](r); len(f) != 1 || f[0].Actor != "stack" || f[0].Where != "observer *actors.stuckObserver" || f[0].Reason != "hang" || len(fatal) > 0 {
		t.Errorf("failures %+v, told %d times more", f, len(fatal))
	}
}

// deaf does not return when an overdue stop is reported to it.
type deaf struct{ release chan struct{} }

func (d *deaf) Observe(r event.Record) {
	if _, ok := r.(event.Overdue); ok {
		<-d.release
	}
}

// An observer that hangs when an overdue stop is reported does not hold the stop.
func TestHangingObserverDoesNotHoldStop(t *testing.T) {
	d := &deaf{release: make(chan struct{})}
	release := make(chan struct{})
	w := newWatcher()
	s, err := Start(Config{
		Catalog: actorstest.Probes(t, "A", nil, nil), Period: testPeriod, Observer: d, Ticks: []TickObserver{w},
		Devices: []DeviceSpec{{Name: hardware.Battery, New: func(hardware.BusPermit) (hardware.Device, error) {
			return &haltless{fakeDevice{world: &fakeWorld{start: time.Now()}}, release}, nil
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	awaitTick(t, w, "")
	if err := s.Stop(stopping(t)); err == nil || !strings.Contains(err.Error(), "device/battery did not halt") {
		t.Errorf("stop: %v", err)
	}
	close(release)
	close(d.release)
}
