package actors

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/hardware"
)

// exiting is a driver that ends its goroutine in one of its calls.
type exiting struct {
	fakeDevice
	in    string
	polls int
}

func (d *exiting) at(where string) {
	if d.in == where {
		runtime.Goexit()
	}
}

func (d *exiting) Open(clk hardware.Clock) error {
	d.at("Open")
	return d.fakeDevice.Open(clk)
}

func (d *exiting) Poll(now time.Time) (hardware.Sample, error) {
	if d.polls++; d.polls == 2 {
		d.at("Poll")
		if d.in == "Halt" {
			return hardware.Sample{}, errors.New("dead")
		}
	}
	return d.fakeDevice.Poll(now)
}

func (d *exiting) Halt() error {
	d.at("Halt")
	return d.fakeDevice.Halt()
}

// A driver that ends its goroutine is told as that, made safe, and replaced by a fresh one on a fresh goroutine, whichever call it
// ends in. Neither its permit nor a zombie is left.
// Rules: Q-8.
func TestDriverThatEndsItsGoroutineIsReplaced(t *testing.T) {
	for _, in := range []string{"New", "Open", "Poll", "Halt"} {
		t.Run(in, func(t *testing.T) {
			w, r, safe := newWatcher(), &recorder{}, make(chan string, 64)
			world := &fakeWorld{start: time.Now()}
			var made atomic.Int32
			var permit hardware.BusPermit
			s, err := Start(Config{
				Catalog: actorstest.Probes(t, "A", nil, nil), Period: testPeriod, Observer: event.Tee{w, r}, Ticks: []TickObserver{w},
				Devices: []DeviceSpec{{
					Name: hardware.Battery, Replace: true, Safe: func(reason string) { safe <- reason },
					New: func(p hardware.BusPermit) (hardware.Device, error) {
						if made.Add(1) > 1 {
							return &fakeDevice{world: world}, nil
						}
						if permit = p; in == "New" {
							runtime.Goexit()
						}
						return &exiting{fakeDevice: fakeDevice{world: world}, in: in}, nil
					},
				}},
			})
			if err != nil {
				t.Fatal(err)
			}
			back := awaitRestart(t, w, r)
			samples := len(count[*event.Sample](r))
			for len(count[*event.Sample](r)) < samples+2 {
				awaitTick(t, w, "")
			}
			want, text := "goexit", "ended its goroutine with runtime.Goexit"
			if in == "Halt" { // after a failure, which is told
				want, text = "other", "dead"
			}
			f := count[event.Failure](r)
			if len(f) != 1 || f[0].Actor != "device/battery" || f[0].Reason != want || !strings.Contains(f[0].Text, text) || back.Reason != want {
				t.Errorf("failures %+v, restart %+v", f, back)
			}
			if reason := madeSafe(safe); reason != want || made.Load() != 2 || s.lostDrivers.Load() > 0 || permit.Enter() {
				t.Errorf("safe because of %q, %d drivers, %d lost", reason, made.Load(), s.lostDrivers.Load())
			}
			if err := s.Stop(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
}

// A driver that ends its goroutine again and again is made anew no more often than one that fails.
func TestDriverThatAlwaysEndsItsGoroutineWaitsForItsRestarts(t *testing.T) {
	w, r := newWatcher(), &recorder{}
	s, err := Start(Config{
		Catalog: actorstest.Probes(t, "A", nil, nil), Period: testPeriod, Observer: event.Tee{w, r}, Ticks: []TickObserver{w},
		Devices: []DeviceSpec{{
			Name: hardware.Battery, New: func(hardware.BusPermit) (hardware.Device, error) { runtime.Goexit(); return nil, nil },
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for len(count[event.Retry](r)) < 4 {
		awaitTick(t, w, "")
	}
	for i, want := range []time.Duration{0, minDelay, 2 * minDelay, 4 * minDelay} {
		if got := count[event.Retry](r)[i]; got.Tries != i+1 || got.Delay < want || got.Actor != "device/battery" {
			t.Errorf("%+v, want at least %v", got, want)
		}
	}
	if err := s.Stop(context.Background()); err != nil {
		t.Error(err)
	}
}

// A driver that ends its goroutine in the halt of the last stop does not hold the stop.
func TestDriverThatEndsItsGoroutineDoesNotHoldStop(t *testing.T) {
	w, r := newWatcher(), &recorder{}
	s, err := Start(Config{
		Catalog: actorstest.Probes(t, "A", nil, nil), Period: testPeriod, Observer: event.Tee{w, r}, Ticks: []TickObserver{w},
		Devices: []DeviceSpec{{Name: hardware.Battery, New: func(hardware.BusPermit) (hardware.Device, error) {
			return &exiting{fakeDevice: fakeDevice{world: &fakeWorld{start: time.Now()}}, in: "Halt", polls: 2}, nil
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for len(count[*event.Sample](r)) < 1 {
		awaitTick(t, w, "")
	}
	if err := s.Stop(context.Background()); err != nil {
		t.Error(err)
	}
	if f := count[event.Failure](r); len(f) != 1 || f[0].Reason != "goexit" {
		t.Errorf("failures %+v", f)
	}
}
