package library_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/path"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/hwtest"
	"github.com/robotd/robotd/hardware/sim"
	"github.com/robotd/robotd/hardware/simtest"
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
	done    []string // actions of VoiceDance, and how they ended
	control []engine.Command
	plans   []actions.PathAnswer
	seen    map[string]time.Duration // how long each behavior was on the stack
	hash    *tape.Hasher
}

func newLife(t testing.TB, opt sim.Options) *life {
	t.Helper()
	robot := simtest.NewRobot(t, opt)
	l := &life{t: t, rig: robot.Rig, run: robot.Runner, by: robot.Devices, seed: opt.Seed, refused: map[string]int{}, seen: map[string]time.Duration{}, hash: tape.NewHasher()}
	eng, err := engine.New(engine.Options{Catalog: shipped(t)})
	if err != nil {
		t.Fatal(err)
	}
	if err := eng.Start(l.run.Clock.Now()); err != nil {
		t.Fatal(err)
	}
	l.eng = eng
	return l
}

func (l *life) intent(tag string) {
	l.control = append(l.control, engine.Command{Kind: engine.PostIntent, Intent: &condition.Intent{Tag: tag}})
}

// step lets a period pass and runs one tick.
func (l *life) step() {
	l.tick++
	l.run.Run(tickTime, nil)
	now := l.run.Clock.Now()
	snap := l.run.Snapshot
	snap.Now = now
	out := l.eng.Step(engine.Input{Tick: l.tick, Now: now, World: snap, Commands: l.control, Plans: l.plans, Seed: l.seed})
	l.control, l.plans = nil, nil
	for i := range out.Plans {
		l.plans = append(l.plans, path.Plan(&out.Plans[i], path.R1))
	}
	l.hash.Add(out)
	for i := range out.Done {
		if d := &out.Done[i]; d.Owner == "VoiceDance" {
			l.done = append(l.done, d.Name+" "+d.Result.String())
		}
	}
	for _, ev := range out.Events {
		switch ev.Kind {
		case stack.EventFault, stack.EventDisabled, stack.EventEmpty, stack.EventBaseDeclined:
			l.t.Fatalf("tick %d: %s", l.tick, ev)
		case stack.EventRefused:
			l.refused[ev.String()]++
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

// report returns how long each behavior was on the stack.
func (l *life) report() string {
	s := ""
	for _, id := range slices.Sorted(maps.Keys(l.seen)) {
		s += fmt.Sprintf("%-24s %v\n", id, l.seen[id].Round(time.Second))
	}
	return s
}

// The shipped tree runs for twenty minutes on two tables. The robot must never fall, must leave the charger when charged, explore, and
// come home to charge, again and again.
func TestShippedTreeExploresAndRecharges(t *testing.T) {
	for seed := uint64(1); seed <= 2; seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			l := newLife(t, sim.Options{Seed: seed})
			l.runFor(20 * time.Minute)
			s := l.rig.Stats()
			if s.Falls != 0 || s.Dockings < 2 || s.DistanceM < 10 {
				t.Errorf("%+v\n%s", s, l.report())
			}
			for _, id := range []string{"Explore", "GreetFace", "GoHome", "SleepOnCharger", "LeaveCharger", "ReactToCliff"} {
				if l.seen[id] == 0 {
					t.Errorf("%s never happened\n%s", id, l.report())
				}
			}
			l.noRefusals()
		})
	}
}

// A person pushes the robot to the edge while it leaves its charger. It must notice that it is no longer on the charger, and go on.
func TestRobotPushedOffChargerGoesOn(t *testing.T) {
	for _, seed := range []uint64{5, 7} {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			l := newLife(t, sim.Options{Seed: seed})
			l.runFor(2 * time.Second)
			l.rig.PushNearEdge()
			l.runFor(15 * time.Minute)
			if s := l.rig.Stats(); s.Falls != 0 || s.Dockings == 0 || l.seen["ReactToCliff"] > 5*time.Minute {
				t.Errorf("%+v\n%s", s, l.report())
			}
		})
	}
}

// Hands, faces and commands neither bring the robot off the table nor break an invariant of the stack.
func TestPeopleNeitherDropNorConfuseTheRobot(t *testing.T) {
	t.Parallel()
	l := newLife(t, sim.Options{Seed: 11})
	rng := rand.New(rand.NewPCG(11, 0))
	intents := l.eng.Catalog().Boot.Intents
	for range 20 {
		l.runFor(time.Duration(5+rng.IntN(20)) * time.Second)
		switch rng.IntN(8) {
		case 0:
			l.rig.PickUp()
			l.runFor(3 * time.Second)
			l.rig.PutDownHere()
		case 1:
			l.rig.Shake(2 * time.Second)
		case 2:
			l.rig.Touch(3 * time.Second)
		case 3:
			l.rig.ShowFace("Bob", 10*time.Second)
		case 4:
			l.rig.PushNearEdge()
		default:
			l.intent(intents[rng.IntN(len(intents))])
		}
	}
	if s := l.rig.Stats(); s.Falls != 0 {
		t.Errorf("%+v\n%s", s, l.report())
	}
	l.noRefusals()
}

// The robot stands where two edges meet at an angle from which a plain step back does not lead away: the right front and the right rear
// sensor see the two sides in turn.
func TestRobotLeavesCornerOfTwoEdges(t *testing.T) {
	t.Parallel()
	l := newLife(t, sim.Options{Seed: 1, StartOffCharger: true, Nobody: true, BatteryRatio: 1})
	l.runFor(time.Second)
	l.rig.Place(-556, -296, -69*math.Pi/180)
	l.runFor(40 * time.Second)
	v := l.rig.View().Robot
	if d := math.Hypot(v.XMM+556, v.YMM+296); d < 80 || l.rig.Stats().Falls != 0 {
		t.Errorf("after 40 s it is at (%.0f, %.0f), %.0f mm away, falls %d", v.XMM, v.YMM, d, l.rig.Stats().Falls)
	}
	l.noRefusals()
}

// Two runs with the same seed decide the same: behaviors depend on readings and seed alone.
func TestEqualSeedsDecideEqually(t *testing.T) {
	t.Parallel()
	sum := func() string {
		l := newLife(t, sim.Options{Seed: 5, BatteryRatio: 0.3})
		l.runFor(4 * time.Minute)
		return l.hash.Sum()
	}
	if a, b := sum(), sum(); a != b {
		t.Errorf("%s and %s", a, b)
	}
}

func (l *life) noRefusals() {
	l.t.Helper()
	for r, n := range l.refused {
		l.t.Errorf("refused %d times: %s", n, r)
	}
}
