package actors

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/hardware"
)

// hangs is a driver that does not return from its second poll, inside a transaction or not.
type hangs struct {
	fakeDevice
	polls   int
	within  bool
	halted  *atomic.Int32
	permit  hardware.BusPermit
	stuck   chan<- hardware.BusPermit
	release <-chan struct{}
}

func (d *hangs) Poll(now time.Time) (hardware.Sample, error) {
	if d.polls++; d.polls == 2 {
		if d.within {
			d.permit.Enter()
		}
		d.stuck <- d.permit
		<-d.release
		if d.within {
			d.permit.Leave()
			<-d.release
		}
	}
	return d.fakeDevice.Poll(now)
}

func (d *hangs) Halt() error {
	d.halted.Add(1)
	return nil
}

// drivers counts the drivers that were made, and how often the one that hung was halted.
type drivers struct{ made, halted atomic.Int32 }

// replaceable starts a robot whose first driver hangs and whose later drivers work.
func replaceable(t *testing.T, within, replace bool, release <-chan struct{}) (*System, *watcher, *recorder, hardware.BusPermit, *drivers) {
	t.Helper()
	w, r := newWatcher(), &recorder{}
	stuck := make(chan hardware.BusPermit, 1)
	world := &fakeWorld{start: time.Now()}
	all := &drivers{}
	s, err := Start(Config{
		Catalog: actorstest.Probes(t, "A", nil, nil), Period: testPeriod, Budget: testPatience, Observer: event.Tee{w, r}, Ticks: []TickObserver{w},
		Timeline: quiet(),
		Devices: []DeviceSpec{{
			Name: hardware.Battery, Replace: replace,
			New: func(permit hardware.BusPermit) (hardware.Device, error) {
				if all.made.Add(1) == 1 {
					return &hangs{fakeDevice: fakeDevice{world: world}, within: within, halted: &all.halted, permit: permit, stuck: stuck, release: release}, nil
				}
				return &fakeDevice{world: world}, nil
			},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, w, r, <-stuck, all
}

// awaitRestart waits for the record of a restart.
func awaitRestart(t *testing.T, w *watcher, r *recorder) event.Restart {
	t.Helper()
	for {
		awaitTick(t, w, "")
		if all := count[event.Restart](r); len(all) > 0 {
			return all[0]
		}
	}
}

// A driver that hangs is replaced: a fresh incarnation on a fresh executor takes over under the same PID. Should the hung
// driver return, it may not use the bus, publishes nothing, and does not restart its successor.
func TestHungDriverIsReplaced(t *testing.T) {
	release := make(chan struct{})
	s, w, r, zombie, all := replaceable(t, false, true, release)
	back := awaitRestart(t, w, r)
	if back.Reason != "hang" || back.Downtime < maxDriverHang-2*maxDriverCall {
		t.Errorf("restart %+v", back)
	}
	if zombie.Enter() {
		t.Error("the zombie may use the bus")
	}
	if n := s.lostDrivers.Load(); n != 1 {
		t.Errorf("%d drivers lost", n)
	}
	samples := len(count[*event.Sample](r))
	close(release)
	for s.lostDrivers.Load() > 0 {
		awaitTick(t, w, "")
	}
	s.actors.Root.Send(s.devices[hardware.Battery], &Apply{At: time.Now(), Command: hardware.StopWheels{}})
	for len(count[*event.Sample](r)) < samples+3 {
		awaitTick(t, w, "")
	}
	if n := all.made.Load(); n != 2 {
		t.Errorf("%d drivers were made", n)
	}
	if f := count[event.Failure](r); len(f) != 1 || f[0].Reason != "hang" {
		t.Errorf("failures %+v", f)
	}
	if len(count[event.Retry](r)) > 0 || all.halted.Load() > 0 {
		t.Error("the zombie's end restarted its successor, or halted the hardware under it")
	}
	if err := s.Stop(context.Background()); err != nil {
		t.Error(err)
	}
}

// A driver that hangs inside a transaction keeps the bus until the transaction ends, and is replaced then.
func TestHungDriverIsNotReplacedInsideTransaction(t *testing.T) {
	release := make(chan struct{})
	s, w, r, _, all := replaceable(t, true, true, release)
	for end := time.Now().Add(maxDriverHang + 2*maxDriverCall); time.Now().Before(end); {
		awaitTick(t, w, "")
	}
	if n := all.made.Load(); n != 1 {
		t.Errorf("%d drivers while the bus was taken", n)
	}
	release <- struct{}{} // the transaction ends; the driver hangs on
	awaitRestart(t, w, r)
	close(release)
	if err := s.Stop(context.Background()); err != nil {
		t.Error(err)
	}
}

// A device without Replace keeps its hung driver until the driver returns, and then goes on with it.
func TestDeviceWithoutReplaceKeepsItsHungDriver(t *testing.T) {
	release := make(chan struct{})
	s, w, r, zombie, all := replaceable(t, false, false, release)
	for end := time.Now().Add(maxDriverHang + maxDriverCall); time.Now().Before(end); {
		awaitTick(t, w, "")
	}
	if !zombie.Enter() {
		t.Error("its permit was taken away")
	}
	zombie.Leave()
	samples := len(count[*event.Sample](r))
	close(release)
	for len(count[*event.Sample](r)) < samples+2 {
		awaitTick(t, w, "")
	}
	if n := all.made.Load(); n != 1 || len(count[event.Failure](r)) != 1 {
		t.Errorf("%d drivers, failures %+v", n, count[event.Failure](r))
	}
	if err := s.Stop(context.Background()); err != nil {
		t.Error(err)
	}
}

// While too many drivers hang, the next one keeps its permit. It goes on if it returns, and is replaced once another has returned.
// Rules: Q-8.
func TestHungDriverBeyondLimitKeepsItsPermit(t *testing.T) {
	for _, returns := range []bool{true, false} {
		t.Run(fmt.Sprint("returns ", returns), func(t *testing.T) {
			release := make(chan struct{})
			s, w, r, permit, all := replaceable(t, false, true, release)
			s.lostDrivers.Add(maxDriverZombies)
			for told := false; !told; {
				awaitTick(t, w, "")
				told = slices.ContainsFunc(count[event.Failure](r), func(f event.Failure) bool { return strings.Contains(f.Text, "not replaced") })
			}
			if !permit.Enter() {
				t.Fatal("its permit was taken away, and nobody gets another")
			}
			permit.Leave()
			if returns {
				samples := len(count[*event.Sample](r))
				close(release)
				for len(count[*event.Sample](r)) < samples+2 {
					awaitTick(t, w, "")
				}
			}
			s.lostDrivers.Add(-maxDriverZombies)
			if !returns {
				awaitRestart(t, w, r)
				close(release)
			}
			if n, want := all.made.Load(), map[bool]int32{true: 1, false: 2}[returns]; n != want {
				t.Errorf("%d drivers were made, want %d", n, want)
			}
			if f := count[event.Failure](r); len(f) != 2 {
				t.Errorf("failures %+v", f)
			}
			if err := s.Stop(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
}

// Either the permit is revoked or the call ends, never both. A later call is not taken for the one that hung.
func TestPermitIsRevokedOnlyInTheCallThatHangs(t *testing.T) {
	l := &busPermit{}
	l.begin()
	first := l.current()
	if l.end() || l.current() != 0 {
		t.Error("lost without a verdict")
	}
	if revoked, over := l.revoke(first, false); revoked || !over {
		t.Error("revoked after its return")
	}
	l.begin()
	if revoked, over := l.revoke(first, false); revoked || !over {
		t.Error("revoked in a later call")
	}
	second := l.current()
	l.Enter()
	if revoked, over := l.revoke(second, false); revoked || over {
		t.Error("revoked within a transaction")
	}
	l.Leave()
	if revoked, _ := l.revoke(second, true); !revoked || !l.spins() || l.Enter() || !l.end() {
		t.Error("not revoked")
	}
}
