package library_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/hwtest"
	"github.com/robotd/robotd/hardware/part"
	"github.com/robotd/robotd/hardware/sim"
)

// tickTime is the default period of the daemon.
const tickTime = 60 * time.Millisecond

// A life is the shipped tree in the simulated robot: real drivers, emulated chips, virtual time, no actors.
type life struct {
	t       testing.TB
	rig     *sim.Rig
	run     *hwtest.Runner
	eng     *engine.Engine
	tick    uint64
	seed    uint64
	by      map[string]hardware.Device
	refused map[string]int
	control []engine.Command
	seen    map[string]time.Duration // how long each behavior was on the stack
	trace   func(string)
	hash    *engine.Hasher
}

func newLife(t testing.TB, opt sim.Options) *life {
	t.Helper()
	clk := hwtest.NewClock()
	opt.Now = clk.Now()
	rig := sim.New(opt)
	rig.SetNow(clk.Now)
	board := part.Board{
		Bus:   func(c hardware.Clock) i2c.Bus { return rig.Bus(sim.BusName, c) },
		Lines: rig.Lines(), SPI: rig.SPI(), Pin: rig.Pin, Detect: rig.Detect,
	}
	safety := part.NewSafety(board.Lines)
	l := &life{t: t, rig: rig, seed: opt.Seed, by: map[string]hardware.Device{}, refused: map[string]int{}, seen: map[string]time.Duration{}, hash: engine.NewHasher()}
	var devices []hardware.Device
	for _, name := range hardware.Names {
		d, err := part.New(name, board, safety)
		if err != nil {
			t.Fatal(err)
		}
		devices = append(devices, d)
		l.by[name] = d
	}
	l.run = hwtest.NewRunner(clk, devices...)
	if err := l.run.Open(); err != nil {
		t.Fatal(err)
	}
	eng, err := engine.New(engine.Options{Catalog: shipped(t)})
	if err != nil {
		t.Fatal(err)
	}
	if err := eng.Start(clk.Now()); err != nil {
		t.Fatal(err)
	}
	l.eng = eng
	return l
}

func (l *life) intent(tag string) {
	l.control = append(l.control, engine.Command{Kind: engine.PostIntent, Intent: &condition.Intent{Tag: tag}})
}

// step lets a period pass and takes one tick.
func (l *life) step() {
	l.tick++
	l.run.Run(tickTime, nil)
	now := l.run.Clock.Now()
	snap := l.run.Snapshot
	snap.Now = now
	out := l.eng.Step(engine.Input{Tick: l.tick, Now: now, World: snap, Commands: l.control, Seed: l.seed})
	l.control = nil
	l.hash.Add(out)
	for _, ev := range out.Events {
		switch ev.Kind {
		case stack.EventFault, stack.EventDisabled, stack.EventEmpty, stack.EventBaseDeclined:
			l.t.Fatalf("tick %d: %s", l.tick, ev)
		case stack.EventRefused:
			l.refused[ev.String()]++
		case stack.EventActivated:
			if l.trace != nil {
				l.trace(fmt.Sprintf("%v %s", now.Sub(hwtest.Start()), ev.ID))
			}
		}
	}
	for _, v := range out.Violations {
		l.t.Fatalf("tick %d: %s", l.tick, v)
	}
	for _, c := range out.Commands {
		if err := l.by[c.Target()].Apply(now, c); err != nil {
			l.t.Fatalf("tick %d: %T: %v", l.tick, c, err)
		}
	}
	for i := range l.eng.Stack().Layers() {
		l.seen[l.eng.Stack().Layers()[i].Node().ID] += tickTime
	}
}

func (l *life) runFor(d time.Duration) {
	for end := l.run.Clock.Now().Add(d); l.run.Clock.Now().Before(end); {
		l.step()
	}
}

// report sums up where the time went.
func (l *life) report() string {
	s := ""
	for _, id := range slices.Sorted(maps.Keys(l.seen)) {
		s += fmt.Sprintf("%-24s %v\n", id, l.seen[id].Round(time.Second))
	}
	return s
}

var _ = behaviors.BootFile

// TestLifeGoesOn lives half an hour on several tables: the robot must never fall, leave the charger when charged, explore,
// and come home to charge, again and again.
func TestLifeGoesOn(t *testing.T) {
	for seed := uint64(1); seed <= 3; seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			l := newLife(t, sim.Options{Seed: seed})
			began := time.Now()
			l.runFor(30 * time.Minute)
			s := l.rig.Stats()
			t.Logf("%v: %+v\n%s", time.Since(began), s, l.report())
			if s.Falls != 0 {
				t.Errorf("fell %d times", s.Falls)
			}
			if s.Dockings == 0 {
				t.Error("never docked")
			}
			for r, n := range l.refused {
				t.Errorf("refused %d times: %s", n, r)
			}
		})
	}
}
