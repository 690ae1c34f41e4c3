package actors

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/hardware"
)

// saboteur makes the third tick itself fail, not a hook in it.
type saboteur struct{ recorder }

func (s *saboteur) Observe(r event.Record) {
	if t, ok := r.(*event.Tick); ok && t.N == 3 {
		panic("broken mind")
	}
	s.recorder.Observe(r)
}

// After a tick that panics everything is made safe, Fatal is called once, and no hook runs any more.
// Rules: Q-8.
func TestPanickingTickMakesSafeAndCallsFatal(t *testing.T) {
	bad := &saboteur{}
	fatal, safe := make(chan error, 8), make(chan string, 8)
	w := &fakeWorld{start: time.Now()}
	var thought atomic.Uint64 // the newest tick in which a hook ran
	cat := actorstest.Authors(t, []string{"A"}, func(string) *actorstest.Authored {
		return &actorstest.Authored{Update: func(c *behaviors.Control) { thought.Store(c.Tick()) }}
	})
	s, err := Start(Config{
		Catalog: cat, Period: 5 * time.Millisecond, Observer: bad, Fatal: func(err error) { fatal <- err },
		Devices: []DeviceSpec{{
			Name: hardware.Battery, New: func(hardware.BusPermit) (hardware.Device, error) { return &fakeDevice{world: w}, nil },
			Safe: func(reason string) { safe <- reason },
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-fatal; !strings.Contains(err.Error(), "broken mind") {
		t.Errorf("told %v", err)
	}
	if reason := madeSafe(safe); reason != "mind" {
		t.Errorf("made safe because of %q", reason)
	}
	done := make(chan struct{})
	s.actors.Root.Send(s.stack, &clock.Tick{N: 100, Due: time.Now(), Now: time.Now(), Done: func() { close(done) }})
	<-done
	if n := thought.Load(); n > 3 {
		t.Errorf("a hook ran in tick %d", n)
	}
	if err := s.Stop(context.Background()); err != nil {
		t.Error(err)
	}
	for _, f := range count[*event.Tick](&bad.recorder) {
		if f.N > 3 {
			t.Errorf("tick %d was run by a broken mind", f.N)
		}
	}
	if f := count[event.Failure](&bad.recorder); len(f) != 1 || f[0].Actor != "stack" || !strings.Contains(f[0].Stack.String(), "crash_test.go") || len(fatal) > 0 {
		t.Errorf("failures %+v, told %d times more", f, len(fatal))
	}
}

func TestPanickingTickFailsVirtualRun(t *testing.T) {
	bad := &saboteur{}
	s, err := Start(Config{Catalog: actorstest.Probes(t, "A", nil, nil), Timeline: clock.NewVirtual(actorstest.Epoch), Observer: bad})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.RunFor(time.Second, nil); err == nil || !strings.Contains(err.Error(), "broken mind") {
		t.Errorf("the run says %v", err)
	}
	if err := s.Stop(context.Background()); err != nil {
		t.Error(err)
	}
}
