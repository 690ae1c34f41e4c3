package actors

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// startBusy starts a live robot with one behavior on top of another, an action that never ends, and a fake battery.
func startBusy(t *testing.T) (*System, *watcher, *recorder, *fakeWorld) {
	t.Helper()
	w, r, world := newWatcher(), &recorder{}, &fakeWorld{start: time.Now()}
	endless := make(chan struct{})
	cat := actorstest.Authors(t, []string{"R", "A"}, func(id string) *actorstest.Authored {
		return &actorstest.Authored{Update: func(c *behaviors.Control) {
			switch {
			case !c.InControl():
			case id == "R" && c.Wants("A"):
				c.DelegateTo("A", nil)
			case id == "A":
				c.Act(&stuckAction{in: "never", release: endless, endless: true}, nil)
			}
		}}
	})
	s, err := Start(Config{
		Catalog: cat, Period: testPeriod, Budget: testBudget, Observer: event.Tee{w, r}, Ticks: []TickObserver{w},
		Devices: []DeviceSpec{fakeBattery(world, nil)},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	awaitTick(t, w, "A.activated")
	awaitTick(t, w, "")
	return s, w, r, world
}

// A message to an actor of the robot that the robot itself did not send is refused and counted, a Stop included. No sender can
// take an actor away between two hooks.
// Rules: Q-8.
func TestUnauthorizedSendersNeitherReachNorStopActors(t *testing.T) {
	s, w, r, _ := startBusy(t)
	action := fmt.Sprintf("a-%d", actions.FirstEngineTag)
	names := map[string]string{ // PID → name in the record
		"stack": "stack", "hw": "hw", "parent": "parent", "hw/battery": "device/battery",
		"parent/b-R-0": "b-R-0", "parent/b-A-0": "b-A-0", "parent/" + action: action,
	}
	for id := range names {
		if _, ok := s.actors.ProcessRegistry.GetLocal(id); !ok {
			t.Fatalf("there is no actor %s", id)
		}
		pid := actor.NewPID(s.actors.Address(), id)
		s.actors.Root.Stop(pid)
		s.actors.Root.Poison(pid)
		s.actors.Root.Send(pid, "junk")
	}
	for range 5 {
		tick := awaitTick(t, w, "")
		if len(tick.events) > 0 || strings.Join(tick.stack, " ") != "R A" {
			t.Fatalf("the life was disturbed: %q, stack %q", tick.events, tick.stack)
		}
	}
	if b := w.blamed(); len(b) > 0 {
		t.Errorf("blamed %+v", b)
	}
	refused := map[string]int{}
	for _, l := range count[event.DeadLetter](r) {
		refused[l.To+" "+l.Type]++
	}
	for id, name := range names {
		for _, kind := range []string{"*actor.Stop", "*actor.PoisonPill", "string"} {
			if refused[name+" "+kind] != 1 {
				t.Errorf("%s: %d times %s refused, want 1", id, refused[name+" "+kind], kind)
			}
		}
		if _, ok := s.actors.ProcessRegistry.GetLocal(id); !ok {
			t.Errorf("%s is gone", id)
		}
	}
}

// A flood of junk costs the sender and not the robot: no message waits in a mailbox, and the ticks go on.
// Rules: Q-8.
func TestFloodOfJunkFillsNoMailbox(t *testing.T) {
	const n = 100_000
	s, w, r, _ := startBusy(t)
	for _, id := range []string{"stack", "hw", "hw/battery", "parent/b-A-0"} {
		pid := actor.NewPID(s.actors.Address(), id)
		for range n {
			s.actors.Root.Send(pid, "junk")
		}
	}
	for range 3 {
		awaitTick(t, w, "")
	}
	if got := len(count[event.DeadLetter](r)); got != 4*n {
		t.Errorf("%d refused, want %d", got, 4*n)
	}
}

// At most 1024 commands wait. The next one is refused with a reason.
// Rules: Q-8.
func TestFloodOfCommandsIsRefusedWithReason(t *testing.T) {
	in := newInbox()
	for range maxCommands {
		if _, err := in.Post(engine.Command{Kind: engine.Cancel}); err != nil {
			t.Fatal(err)
		}
	}
	impatient, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := in.Do(impatient, engine.Command{}); err == nil || !strings.Contains(err.Error(), "more than 1024 commands are waiting") {
		t.Errorf("refused with %v", err)
	}
	var next engine.Input
	in.take(&next)
	if len(next.Commands) != maxCommands {
		t.Errorf("the tick takes %d", len(next.Commands))
	}
	if _, err := in.Post(engine.Command{}); err != nil {
		t.Errorf("after the tick: %v", err)
	}
}

// Of a flood of samples the newest of each device is kept, of a flood of events the newest. The number dropped is reported once
// a tick.
// Rules: T-12.
func TestFloodOfSamplesAndEventsIsBoundedAndReported(t *testing.T) {
	s, w, r, _ := startBusy(t)
	for i := range 10_000 {
		s.Inbox().Put(&hardware.Sample{Device: hardware.Battery, Seq: uint64(i), Quality: hardware.OK, Value: hardware.BatteryState{Volts: 4}})
		s.Inbox().Raise(behaviors.Event{Source: "flood", Payload: behaviors.Poked{}, At: time.Now()})
	}
	told := func() (n uint64) {
		for _, d := range count[event.Dropped](r) {
			n += d.N
		}
		return n
	}
	lost := s.Inbox().Dropped()
	if lost == 0 {
		t.Error("none was lost")
	}
	for told() < lost { // the watcher may hold ticks of before
		awaitTick(t, w, "")
	}
	if now := s.Inbox().Dropped(); now != lost || told() != lost {
		t.Errorf("%d lost, then %d, and %d told", lost, now, told())
	}
	in := newInbox()
	for i := range maxInboxEvents + 5 {
		in.Raise(behaviors.Event{Source: "flood", At: actorstest.Epoch.Add(time.Duration(i))})
	}
	var next engine.Input
	in.take(&next)
	if len(next.Events) != maxInboxEvents || !next.Events[0].At.Equal(actorstest.Epoch.Add(5)) || in.Dropped() != 5 {
		t.Errorf("%d left, the first of %v, %d dropped", len(next.Events), next.Events[0].At, in.Dropped())
	}
}

// Commands to a device whose driver does not return wait up to a limit. Beyond it they are refused with a reason.
func TestMailboxOfHungDeviceIsBounded(t *testing.T) {
	w, r := newWatcher(), &recorder{}
	fake := &stuckDevice{fakeDevice: fakeDevice{world: &fakeWorld{start: time.Now()}}, stuck: make(chan struct{}), release: make(chan struct{})}
	s, err := Start(Config{
		Catalog: actorstest.Probes(t, "A", nil, nil), Period: testPeriod, Observer: event.Tee{w, r}, Ticks: []TickObserver{w},
		Devices: []DeviceSpec{{Name: hardware.Battery, New: func(hardware.BusPermit) (hardware.Device, error) { return fake, nil }}},
	})
	if err != nil {
		t.Fatal(err)
	}
	<-fake.stuck
	for range maxMailbox + 7 {
		s.actors.Root.Send(s.devices[hardware.Battery], &Apply{Command: hardware.StopWheels{}})
	}
	refused := count[event.Command](r)
	if len(refused) < 7 || refused[0].Text != errFull || refused[0].Type != "hardware.StopWheels" || refused[0].Device != hardware.Battery {
		t.Errorf("%d refused: %+v", len(refused), refused)
	}
	awaitTick(t, w, "")
	close(fake.release)
	if err := s.Stop(context.Background()); err != nil {
		t.Error(err)
	}
}

// A request through the Control of a hook that is over is refused, from another goroutine and in a hook of a later activation.
// It changes nothing and is counted under the name of the behavior.
// Rules: Q-8.
func TestLateRequestsAreRefusedCountedAndReported(t *testing.T) {
	kept, done := make(chan *behaviors.Control, 1), make(chan error, 3)
	release := make(chan struct{})
	cat := actorstest.Authors(t, []string{"R", "A", "B"}, func(id string) *actorstest.Authored {
		switch id {
		case "R":
			return &actorstest.Authored{Update: func(c *behaviors.Control) {
				switch {
				case c.Tick() == 4 || c.Tick() == 8:
					c.CancelDelegates()
				case c.InControl() && c.Wants("A"):
					c.DelegateTo("A", nil)
				}
			}}
		case "A":
			return &actorstest.Authored{Start: func(c *behaviors.Control) {
				if c.Tick() < 4 {
					kept <- c
				}
			}, Update: func(c *behaviors.Control) {
				if c.Tick() == 6 { // a hook of the second activation runs
					old := <-kept
					elsewhere := make(chan error)
					go func() { elsewhere <- actorstest.Refusal(old, old.CancelSelf()) }()
					done <- <-elsewhere
					done <- actorstest.Refusal(old, old.CancelSelf())
					<-release
				}
			}}
		}
		return &actorstest.Authored{}
	})
	w, r := newWatcher(), &recorder{}
	s, err := Start(Config{Catalog: cat, Period: testPeriod, Budget: time.Minute, Observer: event.Tee{w, r}, Ticks: []TickObserver{w}})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if why := <-done; !isStale(why) {
			t.Errorf("refused with %v", why)
		}
	}
	close(release)
	if tick := awaitTick(t, w, ""); tick.timing.N == 6 && strings.Join(tick.stack, " ") != "R A" {
		t.Errorf("stack %q", tick.stack)
	}
	awaitTick(t, w, "A.deactivated") // by R, in tick 8
	if err := s.Stop(context.Background()); err != nil {
		t.Error(err)
	}
	told := uint64(0)
	for _, e := range count[event.Stale](r) {
		told += e.N
		if e.By != "A" {
			t.Errorf("told of %q", e.By)
		}
	}
	if told != 2 {
		t.Errorf("%d told, want 2", told)
	}
}

func isStale(err error) bool {
	r, ok := err.(*stack.Refusal)
	return ok && r.Reason == stack.Stale
}
