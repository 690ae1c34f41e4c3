package actors

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/hardware"
)

// slowThenStuck returns from Open after the watch has fired, and does not return from the first poll, which is the next call in
// the same message.
type slowThenStuck struct {
	fakeDevice
	looked, release <-chan struct{}
}

func (d *slowThenStuck) Open(clk hardware.Clock) error {
	<-d.looked
	return d.fakeDevice.Open(clk)
}

func (d *slowThenStuck) Poll(now time.Time) (hardware.Sample, error) {
	<-d.release
	return d.fakeDevice.Poll(now)
}

// haltStuck fails at its first poll, and does not return from the halt that follows.
type haltStuck struct {
	fakeDevice
	release <-chan struct{}
}

func (d *haltStuck) Poll(time.Time) (hardware.Sample, error) {
	return hardware.Sample{}, errors.New("dead")
}
func (d *haltStuck) Halt() error { <-d.release; return nil }

// A driver is replaced whichever call of a message hangs: the call after one for which the watch has fired, and the halt after
// a failure.
// Rules: Q-8.
func TestHungDriverIsReplacedInAnyCall(t *testing.T) {
	const slow = "after a slow call"
	world := &fakeWorld{start: time.Now()}
	looked, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	for name, first := range map[string]hardware.Device{
		slow:                      &slowThenStuck{fakeDevice{world: world}, looked, release},
		"halting after a failure": &haltStuck{fakeDevice{world: world}, release},
	} {
		t.Run(name, func(t *testing.T) {
			w, r := newWatcher(), &recorder{}
			var made atomic.Int32
			var once sync.Once
			s, err := Start(Config{
				Catalog: actorstest.Probes(t, "A", nil, nil), Period: testPeriod, Budget: testPatience, Observer: event.Tee{w, r}, Ticks: []TickObserver{w},
				Timeline: quiet(),
				Devices: []DeviceSpec{{
					Name: hardware.Battery, Replace: true,
					Safe: func(reason string) {
						if reason == "hang" && name == slow {
							once.Do(func() { close(looked) })
						}
					},
					New: func(hardware.BusPermit) (hardware.Device, error) {
						if made.Add(1) == 1 {
							return first, nil
						}
						return &fakeDevice{world: world}, nil
					},
				}},
			})
			if err != nil {
				t.Fatal(err)
			}
			for n := 4 * maxDriverHang / testPeriod; len(count[event.Restart](r)) == 0 && n > 0; n-- { // ticks, so that a failure ends
				awaitTick(t, w, "")
			}
			if n := made.Load(); n != 2 {
				t.Errorf("%d drivers were made, want a second one in place of the one that hangs", n)
			}
			if err := s.Stop(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
}
