package actors

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware"
)

// BenchmarkPanic is how long it takes after a panic until a fresh incarnation is in place (goal/M6).
func BenchmarkPanic(b *testing.B) {
	for _, c := range []struct {
		name string
		back func(testing.TB) []time.Duration
	}{{"behavior", backAfterBehavior}, {"action", backAfterAction}, {"driver", backAfterDriver}} {
		b.Run(c.name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				took = append(took, c.back(b)...)
			}
			b.ReportMetric(percentile(took, 50), "back-p50-us")
			b.ReportMetric(percentile(took, 99), "back-p99-us")
			b.ReportMetric(float64(len(took)), "panics")
		})
	}
}

// crashes is how many behaviors or actions crash in one round.
const crashes = 64

// crashing records when each behavior, action or device panicked, and when it was back.
type crashing struct {
	struck, back map[string]time.Time
}

func newCrashing() *crashing { return &crashing{map[string]time.Time{}, map[string]time.Time{}} }

func (c *crashing) panic(id string) {
	c.struck[id] = time.Now()
	panic("trouble in " + id)
}

// downtimes are the times between panic and return. It fails if one did not come back.
func (c *crashing) downtimes(t testing.TB) (ds []time.Duration) {
	t.Helper()
	for id, at := range c.struck {
		back, ok := c.back[id]
		if !ok {
			t.Fatalf("%s did not come back", id)
		}
		ds = append(ds, back.Sub(at))
	}
	if len(ds) != crashes {
		t.Fatalf("%d panicked, want %d", len(ds), crashes)
	}
	return ds
}

// crasher panics in its Update in the tick of its number. Its next incarnation is back when it has entered the scope.
type crasher struct {
	id string
	at uint64
	c  *crashing
}

func (x *crasher) OnEnteredScope(*behaviors.Control) {
	if _, struck := x.c.struck[x.id]; struck {
		x.c.back[x.id] = time.Now()
	}
}

func (x *crasher) Update(c *behaviors.Control) {
	if _, struck := x.c.struck[x.id]; !struck && c.Tick() == x.at {
		x.c.panic(x.id)
	}
}

func backAfterBehavior(t testing.TB) []time.Duration {
	c, ids := newCrashing(), numbered("X", crashes)
	const first = 10
	class := behaviors.Class{Name: "Crasher", New: func(cfg *behaviors.Config) behaviors.Behavior {
		return &crasher{cfg.ID(), first + uint64(slices.Index(ids, cfg.ID())), c}
	}}
	run, stop := inVirtualTime(t, scope(t, map[string][]string{"Crasher": ids}, class), func(tick event.Tick, o *engine.Output, _ *engine.Engine) {
		if len(c.struck) != len(c.back) || len(o.Violations) > 0 {
			t.Errorf("tick %d: %d panicked, %d are back, violations %v", tick.N, len(c.struck), len(c.back), o.Violations)
		}
	})
	defer stop()
	run(first + crashes)
	return c.downtimes(t)
}

// bomb is an action that panics in its second tick.
type bomb struct {
	id    string
	steps int
	c     *crashing
}

func (*bomb) Name() string                     { return "Bomb" }
func (*bomb) Type() actions.Type               { return actions.TypeHang }
func (*bomb) Tracks() actions.Tracks           { return actions.Head }
func (*bomb) Init(*actions.Env) actions.Result { return actions.Success }
func (x *bomb) CheckIfDone(*actions.Env) actions.Result {
	if x.steps++; x.steps == 2 {
		x.c.panic(x.id)
	}
	return actions.Running
}

// bomber is a base behavior that plants one bomb after the other.
type bomber struct {
	c       *crashing
	planted int
	bad     error
}

func (p *bomber) OnActivated(c *behaviors.Control) { p.plant(c) }

func (p *bomber) plant(c *behaviors.Control) {
	if p.planted == crashes {
		return
	}
	id := fmt.Sprint("bomb ", p.planted)
	p.planted++
	err := actorstest.Refusal(c, c.Act(&bomb{id: id, c: p.c}, func(c *behaviors.Control, o behaviors.Outcome) {
		if o.Completion.Result != actions.Abort {
			p.bad = fmt.Errorf("%s ended with %s", id, o.Completion.Result)
		}
		p.plant(c)
	}))
	p.bad = errors.Join(p.bad, err)
}

func (*bomber) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

// backAfterAction: an action has one life. It is over when the tick in which it panicked is complete: it ended with ABORT,
// its tracks are free, and its owner may start another.
func backAfterAction(t testing.TB) []time.Duration {
	p := &bomber{c: newCrashing()}
	class := behaviors.Class{Name: "Bomber", New: func(*behaviors.Config) behaviors.Behavior { return p }}
	run, stop := inVirtualTime(t, alone(t, class), func(event.Tick, *engine.Output, *engine.Engine) {
		for id := range p.c.struck {
			if _, known := p.c.back[id]; !known {
				p.c.back[id] = time.Now()
			}
		}
	})
	defer stop()
	run(4 * crashes)
	if p.bad != nil {
		t.Fatal(p.bad)
	}
	return p.c.downtimes(t)
}

// glitch is a device whose first driver panics.
type glitch struct {
	name   string
	polls  int // before it panics; never if negative
	struck *time.Time
	back   chan<- time.Duration
}

func (g *glitch) Name() string          { return g.name }
func (g *glitch) Period() time.Duration { return 2 * time.Millisecond }

func (g *glitch) Open(hardware.Clock) error {
	if !g.struck.IsZero() {
		g.back <- time.Since(*g.struck)
	}
	return nil
}

func (g *glitch) Poll(time.Time) (hardware.Sample, error) {
	if g.polls--; g.polls == 0 {
		*g.struck = time.Now()
		panic("trouble in " + g.name)
	}
	return hardware.Sample{Quality: hardware.Stale}, nil
}

func (g *glitch) Apply(time.Time, hardware.Command) error { return nil }
func (g *glitch) Halt() error                             { return nil }

// backAfterDriver runs in real time: devices live beside the tick. Each driver panics once, one after the other. It is back
// when the driver of the next incarnation is opened.
func backAfterDriver(t testing.TB) (ds []time.Duration) {
	back := make(chan time.Duration, len(hardware.Names))
	var specs []DeviceSpec
	for i, name := range hardware.Names {
		polls, struck := i+3, new(time.Time)
		specs = append(specs, DeviceSpec{Name: name, New: func(hardware.BusPermit) (hardware.Device, error) {
			g := &glitch{name: name, polls: polls, struck: struck, back: back}
			polls = -1 // of the next incarnation
			return g, nil
		}})
	}
	s, err := Start(Config{Catalog: actorstest.Probes(t, "A", nil, nil), Devices: specs})
	if err != nil {
		t.Fatal(err)
	}
	late := time.NewTimer(10 * time.Second)
	defer late.Stop()
	for range specs {
		select {
		case d := <-back:
			ds = append(ds, d)
		case <-late.C:
			t.Fatalf("%d of %d drivers came back", len(ds), len(specs))
		}
	}
	if err := s.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	return ds
}
