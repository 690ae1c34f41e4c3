package actors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// fakeDevice is a battery whose script says what fails at which instant.
type fakeDevice struct {
	world *fakeWorld
	clk   hardware.Clock
}

type fakeWorld struct {
	mu       sync.Mutex
	log      []string
	broken   func(at time.Duration) error // nil error = fine
	panics   func(at time.Duration) bool
	start    time.Time
	deadline time.Time
	span     time.Duration // of a deadline; 33 ms if 0
	sticky   bool          // the driver never forgets a deadline
}

func (w *fakeWorld) note(now time.Time, format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.log = append(w.log, fmt.Sprintf("%v ", now.Sub(w.start))+fmt.Sprintf(format, args...))
}

func (w *fakeWorld) lines() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.log)
}

func (d *fakeDevice) Name() string          { return hardware.Battery }
func (d *fakeDevice) Period() time.Duration { return 100 * time.Millisecond }

func (d *fakeDevice) Open(clk hardware.Clock) error {
	d.clk = clk
	clk.Sleep(3 * time.Millisecond)
	if d.world.broken != nil {
		if err := d.world.broken(clk.Now().Sub(d.world.start)); err != nil {
			d.world.note(clk.Now(), "open fails")
			return err
		}
	}
	d.world.note(clk.Now(), "open")
	return nil
}

func (d *fakeDevice) Poll(now time.Time) (hardware.Sample, error) {
	at := now.Sub(d.world.start)
	if d.world.panics != nil && d.world.panics(at) {
		panic("driver bug")
	}
	if d.world.broken != nil {
		if err := d.world.broken(at); err != nil {
			return hardware.Sample{Quality: hardware.Failed}, err
		}
	}
	if !d.world.deadline.IsZero() && !now.Before(d.world.deadline) {
		d.world.note(now, "deadline over")
		if !d.world.sticky {
			d.world.deadline = time.Time{}
		}
	}
	return hardware.Sample{Quality: hardware.OK, Value: hardware.BatteryState{Volts: 4}}, nil
}

func (d *fakeDevice) Apply(now time.Time, c hardware.Command) error {
	d.world.note(now, "apply %T", c)
	d.world.deadline = now.Add(cmp.Or(d.world.span, 33*time.Millisecond))
	return nil
}

func (d *fakeDevice) Deadline() time.Time { return d.world.deadline }

func (d *fakeDevice) Halt() error {
	d.world.note(d.clk.Now(), "halt")
	return nil
}

type recorder struct {
	mu      sync.Mutex
	records []event.Record
}

func (r *recorder) Observe(rec event.Record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch v := rec.(type) { // valid until this returns
	case *event.Tick:
		c := *v
		rec = &c
	case *event.Sample:
		c := *v
		rec = &c
	}
	r.records = append(r.records, rec)
}

func count[T event.Record](r *recorder) (out []T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, rec := range r.records {
		if v, ok := rec.(T); ok {
			out = append(out, v)
		}
	}
	return out
}

// virtual starts a robot in virtual time with one fake device.
func virtual(t *testing.T, w *fakeWorld, r *recorder, ticks ...TickObserver) *System {
	t.Helper()
	w.start = actorstest.Epoch
	s, err := Start(Config{
		Catalog: actorstest.Probes(t, "A", nil, nil), Timeline: clock.NewVirtual(actorstest.Epoch), Observer: r, Ticks: ticks,
		Devices: []DeviceSpec{{
			Name: hardware.Battery,
			New:  func(hardware.BusPermit) (hardware.Device, error) { return &fakeDevice{world: w}, nil },
			Safe: func(reason string) { w.note(actorstest.Epoch, "safe: %s", reason) },
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return s
}

func run(t *testing.T, s *System, d time.Duration) {
	t.Helper()
	if err := s.RunFor(d, nil); err != nil {
		t.Fatal(err)
	}
}

var errNack = &hardware.DeviceError{Device: "battery", Op: "read", Cause: hardware.CauseNack, Err: errors.New("no answer")}

func during(from, to time.Duration) func(time.Duration) error {
	return func(at time.Duration) error {
		if at >= from && at < to {
			return errNack
		}
		return nil
	}
}

func TestTwoErrorsInARowDoNotRestartDevice(t *testing.T) {
	w, r := &fakeWorld{broken: during(500*time.Millisecond, 700*time.Millisecond)}, &recorder{}
	run(t, virtual(t, w, r), 2*time.Second)
	if f := count[event.Failure](r); len(f) != 0 {
		t.Errorf("failed: %+v", f)
	}
}

func TestFailingDeviceIsRetriedWithBackoffUntilItOpens(t *testing.T) {
	w, r := &fakeWorld{broken: during(time.Second, 4*time.Second)}, &recorder{}
	run(t, virtual(t, w, r), 8*time.Second)
	retries := count[event.Retry](r)
	if len(retries) < 5 || len(retries) > 10 {
		t.Fatalf("%d retries in 3 s: %+v", len(retries), retries)
	}
	if retries[0].Delay != 0 {
		t.Errorf("the first restart waited %v", retries[0].Delay)
	}
	for i := 2; i < len(retries); i++ {
		if retries[i].Delay <= retries[i-1].Delay && retries[i].Delay < maxDelay {
			t.Errorf("delay %d is %v after %v", i, retries[i].Delay, retries[i-1].Delay)
		}
	}
	restarts := count[event.Restart](r)
	if len(restarts) != 1 || restarts[0].Reason != "nack" {
		t.Fatalf("restarts: %+v", restarts)
	}
	if restarts[0].Downtime > 4*time.Second {
		t.Errorf("down for %v after a fault of 3 s", restarts[0].Downtime)
	}
}

// A device that is down for half a minute is tried rarely. One that fails again and again and works for five seconds in between is not.
func TestOnlyADeviceThatStaysDownIsTriedRarely(t *testing.T) {
	for name, c := range map[string]struct {
		broken func(at time.Duration) error
		rarely bool
	}{
		"stays down":          {during(time.Second, 50*time.Second), true},
		"works now and again": {func(at time.Duration) error { return during(0, 4*time.Second)(at % (9 * time.Second)) }, false},
	} {
		w, r := &fakeWorld{broken: c.broken}, &recorder{}
		run(t, virtual(t, w, r), time.Minute)
		longest := time.Duration(0)
		for _, again := range count[event.Retry](r) {
			longest = max(longest, again.Delay)
		}
		if limit := maxDelay * 11 / 10; c.rarely && longest != slowDelay || !c.rarely && (longest > limit || longest < maxDelay) {
			t.Errorf("%s: waits up to %v", name, longest)
		}
	}
}

func TestFailingDeviceIsMadeSafeFirst(t *testing.T) {
	w, r := &fakeWorld{panics: func(at time.Duration) bool { return at > 500*time.Millisecond && at < 650*time.Millisecond }}, &recorder{}
	run(t, virtual(t, w, r), time.Second)
	log := w.lines()
	i := slices.IndexFunc(log, func(l string) bool { return l == "0s safe: panic" })
	if i < 0 || i+1 >= len(log) || log[i+1] != "503ms halt" {
		t.Fatalf("log: %q", log)
	}
	f := count[event.Failure](r)
	if len(f) == 0 || f[0].Reason != "panic" || !strings.Contains(f[0].Stack.String(), "device_test.go") || f[0].Actor != "device/battery" {
		t.Errorf("failure: %+v", f)
	}
}

func TestDeviceIsPolledAtItsDeadline(t *testing.T) {
	w, r := &fakeWorld{}, &recorder{}
	s := virtual(t, w, r)
	run(t, s, 50*time.Millisecond)
	s.actors.Root.Send(s.devices[hardware.Battery], &Apply{At: actorstest.Epoch.Add(50 * time.Millisecond), Command: hardware.StopWheels{}})
	run(t, s, time.Second)
	if !slices.Contains(w.lines(), "83ms deadline over") {
		t.Errorf("log: %q", w.lines())
	}
}

// A deadline is usually several periodic polls away.
func TestDeviceIsPolledAtDeadlineSeveralPeriodsAway(t *testing.T) {
	w, r := &fakeWorld{span: 333 * time.Millisecond}, &recorder{}
	s := virtual(t, w, r)
	run(t, s, 50*time.Millisecond)
	s.actors.Root.Send(s.devices[hardware.Battery], &Apply{At: actorstest.Epoch.Add(50 * time.Millisecond), Command: hardware.StopWheels{}})
	run(t, s, time.Second)
	if !slices.Contains(w.lines(), "383ms deadline over") {
		t.Errorf("log: %q", w.lines())
	}
}

func TestPassedDeadlineDoesNotMakeDriverSpin(t *testing.T) {
	w, r := &fakeWorld{sticky: true}, &recorder{}
	s := virtual(t, w, r)
	run(t, s, 50*time.Millisecond)
	s.actors.Root.Send(s.devices[hardware.Battery], &Apply{At: actorstest.Epoch.Add(50 * time.Millisecond), Command: hardware.StopWheels{}})
	run(t, s, time.Second)
	want := []string{"3ms open", "50ms apply hardware.StopWheels", "83ms deadline over", "103ms deadline over", "203ms deadline over"}
	if log := w.lines(); len(log) < len(want) || !slices.Equal(log[:len(want)], want) {
		t.Errorf("log: %q", log)
	}
}

// Rules: Q-8.
func TestCommandFromBeforeRestartIsNotCarriedOut(t *testing.T) {
	w, r := &fakeWorld{}, &recorder{}
	s := virtual(t, w, r)
	run(t, s, 50*time.Millisecond)
	s.actors.Root.Send(s.devices[hardware.Battery], &Apply{At: actorstest.Epoch, Command: hardware.StopWheels{}})
	run(t, s, 50*time.Millisecond)
	for _, l := range w.lines() {
		if l == "50ms apply hardware.StopWheels" {
			t.Errorf("followed an order older than the driver: %q", w.lines())
		}
	}
}

// qualities records the battery's quality at each tick.
type qualities struct{ seen []hardware.Quality }

func (q *qualities) ObserveTick(_ event.Tick, _ *engine.Output, e *engine.Engine) {
	q.seen = append(q.seen, e.View().World.Battery.Quality)
}

func TestReadingsAreFailedWhileDeviceIsDown(t *testing.T) {
	w, r, q := &fakeWorld{broken: during(time.Second, 2*time.Second)}, &recorder{}, &qualities{}
	run(t, virtual(t, w, r, q), 4*time.Second)
	if q.seen[5] != hardware.OK || !slices.Contains(q.seen, hardware.Failed) || q.seen[len(q.seen)-1] != hardware.OK {
		t.Errorf("qualities: %v", q.seen)
	}
}

// pops records in the world when the base leaves the stack.
type pops struct{ world *fakeWorld }

func (p pops) ObserveTick(tick event.Tick, o *engine.Output, e *engine.Engine) {
	if e.Stack().Depth() == 0 {
		p.world.note(tick.Start, "popped")
	}
}

// Rules: L-13.
func TestStopPopsStackBeforeDevicesHalt(t *testing.T) {
	w, r := &fakeWorld{}, &recorder{}
	seen := newWatcher()
	w.start = actorstest.Epoch
	s, err := Start(Config{
		Catalog: actorstest.Probes(t, "A! > B\nB", nil, nil), Timeline: clock.NewVirtual(actorstest.Epoch), Observer: r, Ticks: []TickObserver{seen, pops{w}},
		Devices: []DeviceSpec{{Name: hardware.Battery, New: func(hardware.BusPermit) (hardware.Device, error) { return &fakeDevice{world: w}, nil }}},
	})
	if err != nil {
		t.Fatal(err)
	}
	run(t, s, 300*time.Millisecond)
	if err := s.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	var last tickSeen
	for len(seen.ticks) > 0 {
		last = <-seen.ticks
	}
	want := []string{"B.deactivated", "B.pop", "B.left-scope", "A.deactivated", "A.pop", "A.left-scope"}
	if !slices.Equal(last.events, want) {
		t.Errorf("events %q, want %q", last.events, want)
	}
	if log := w.lines(); !strings.HasSuffix(log[len(log)-2], " popped") || log[len(log)-1] != "300ms halt" {
		t.Errorf("log: %q", log)
	}
	if _, err := s.Inbox().Do(context.Background(), engine.Command{Kind: engine.Cancel}); !errors.Is(err, errStopping) {
		t.Errorf("a command after the end: %v", err)
	}
}

// stuckDevice never returns from its second poll.
type stuckDevice struct {
	fakeDevice
	polls   int
	stuck   chan struct{}
	release chan struct{}
}

func (d *stuckDevice) Poll(now time.Time) (hardware.Sample, error) {
	if d.polls++; d.polls == 2 {
		close(d.stuck)
		<-d.release
	}
	return d.fakeDevice.Poll(now)
}

// A driver that hangs blocks its own executor only: the tick goes on, and the device's Watch is called.
func TestHungDriverBlocksNeitherTickNorWatch(t *testing.T) {
	w := newWatcher()
	fake := &stuckDevice{fakeDevice: fakeDevice{world: &fakeWorld{start: time.Now()}}, stuck: make(chan struct{}), release: make(chan struct{})}
	watched := make(chan time.Time, 1024)
	s, err := Start(Config{
		Catalog: actorstest.Probes(t, "A", nil, nil), Period: 10 * time.Millisecond, Observer: w, Ticks: []TickObserver{w},
		Devices: []DeviceSpec{{
			Name:  hardware.Battery,
			New:   func(hardware.BusPermit) (hardware.Device, error) { return fake, nil },
			Watch: func(now time.Time) { watched <- now },
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	<-fake.stuck
	for len(watched) > 0 {
		<-watched
	}
	<-watched
	<-watched
	for len(w.ticks) > 0 {
		<-w.ticks
	}
	<-w.ticks
	close(fake.release)
	if err := s.Stop(context.Background()); err != nil {
		t.Error(err)
	}
}

// fakeBattery is the spec of a fake device with a Safe function.
func fakeBattery(w *fakeWorld, safe func(reason string)) DeviceSpec {
	return DeviceSpec{
		Name: hardware.Battery, New: func(hardware.BusPermit) (hardware.Device, error) { return &fakeDevice{world: w}, nil }, Safe: safe,
	}
}
