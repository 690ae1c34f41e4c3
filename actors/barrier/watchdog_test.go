package barrier

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

const ms = time.Millisecond

// idle is a machine on which the hook waits for something.
func idle() *clock.Load {
	return &clock.Load{Waiting: func(int64) bool { return true }, CPU: func() time.Duration { return 0 }}
}

// starved is a machine that gives the process no processor time.
func starved() *clock.Load {
	return &clock.Load{Waiting: func(int64) bool { return false }, CPU: func() time.Duration { return 0 }}
}

// A watched is a barrier with one delivery that never ends. The looks of its watchdog are two milliseconds apart.
type watched struct {
	*Barrier
	delivery *delivery
	looks    int
}

func newWatched(t *testing.T, budget time.Duration, l *clock.Load, observers ...event.Observer) *watched {
	t.Helper()
	b, stop := start(t, budget, observers...)
	t.Cleanup(stop)
	b.load = l
	w := &worker{zombies: &b.zombies, spinners: &b.load.Spinners}
	w.delivery.job.w = w
	w.delivery.job.items = make([]item, 1)
	return &watched{Barrier: b, delivery: &w.delivery}
}

// look reports whether the watchdog gives the delivery up, the given time after its last look.
func (w *watched) look(after time.Duration) bool {
	w.looks++
	w.lastPoll = time.Now().Add(-after)
	return w.Barrier.look(w.delivery)
}

// givenUpAfter counts the looks until the watchdog gives the delivery up; 0 if it never does.
func (w *watched) givenUpAfter() int {
	for w.looks < 200 {
		if w.look(maxPoll) {
			return w.looks
		}
	}
	return 0
}

// Rules: T-4.
func TestWaitingHookIsGivenUpAfterItsBudget(t *testing.T) {
	if n := newWatched(t, 10*ms, idle()).givenUpAfter(); n != 5 {
		t.Errorf("after %d looks of 2 ms, want 5 for a budget of 10 ms", n)
	}
}

// The first look at a hook charges at most half of the budget: the hook may have begun just before it.
// Rules: T-4.
func TestOneLookGivesUpNoHook(t *testing.T) {
	if n := newWatched(t, MinBudget, idle()).givenUpAfter(); n != 2 {
		t.Errorf("after %d looks of 2 ms, want 2 for a budget of 2 ms", n)
	}
	if n := newWatched(t, ms/2, idle()).givenUpAfter(); n != 2 {
		t.Errorf("after %d looks of 2 ms, want 2 for a budget of 0.5 ms", n)
	}
}

func TestSpinningHookIsGivenUpOnceItBurnedItsBudget(t *testing.T) {
	var burned time.Duration
	n := newWatched(t, 10*ms, &clock.Load{Waiting: starved().Waiting, CPU: func() time.Duration {
		burned += ms // half a processor
		return burned
	}}).givenUpAfter()
	if n < 5 || n > 30 {
		t.Errorf("after %d looks", n)
	}
}

// The hook that runs is not charged for what an abandoned goroutine burns. Beside a goroutine that spins, a hook that gets no
// processor has ten budgets, a hook that waits has one, and a hook that spins has one of processor time of its own.
// Rules: T-4.
func TestSpinningZombiesAreNotChargedToTheRunningHook(t *testing.T) {
	besideSpinner := func(l *clock.Load) *watched {
		w := newWatched(t, 10*ms, l)
		w.load.Spinners.Store(1)
		return w
	}
	burning := func(each time.Duration) int { // by the process between two looks
		var w *watched
		w = besideSpinner(&clock.Load{Waiting: starved().Waiting, CPU: func() time.Duration { return time.Duration(w.looks) * each }})
		return w.givenUpAfter()
	}
	if n := burning(2 * ms); n != 50 {
		t.Errorf("a starved hook beside a spinner: after %d looks, want 50", n)
	}
	if n := burning(4 * ms); n < 5 || n > 8 {
		t.Errorf("a second spinner: after %d looks", n)
	}
	waits := &clock.Load{Waiting: func(spinners int64) bool { return spinners == 1 }, CPU: starved().CPU}
	if n := besideSpinner(waits).givenUpAfter(); n != 5 {
		t.Errorf("a hook that waits beside a spinner: after %d looks, want 5", n)
	}
}

// Rules: T-4.
func TestStarvedHookIsGivenUpAfterTenBudgets(t *testing.T) {
	if n := newWatched(t, 10*ms, starved()).givenUpAfter(); n != 50 {
		t.Errorf("after %d looks of 2 ms, want 50: ten budgets of 10 ms", n)
	}
}

// Rules: T-4.
func TestMachinePauseCountsAsOneLook(t *testing.T) {
	w := newWatched(t, 10*ms, idle())
	for range 2 { // at the first look, and at a later one
		if w.look(time.Second) {
			t.Error("given up after a pause of the machine")
		}
	}
}

// What the process burns may be others' work, while the hook waits for a processor and the looks come late as well.
// Rules: T-4.
func TestLateLookBesideBusyGoroutinesGivesUpNoHook(t *testing.T) {
	var w *watched
	w = newWatched(t, 10*ms, &clock.Load{Waiting: starved().Waiting, CPU: func() time.Duration { return time.Duration(w.looks) * 100 * ms }})
	for range 2 {
		if w.look(100 * ms) {
			t.Error("given up after one late look")
		}
	}
}

// Exactly one of worker and watchdog wins an item: one that ended since the watchdog looked is not given up.
// Rules: T-10.
func TestItemThatEndsDuringLookIsNotGivenUp(t *testing.T) {
	w := newWatched(t, 10*ms, idle())
	state := &w.delivery.job.state
	seen := state.Load()
	state.Add(nextItem)
	if w.abandon(w.delivery, seen, false) || w.zombies.Load() != 0 || state.Load() != nextItem {
		t.Errorf("given up: %d zombies, state %d", w.zombies.Load(), state.Load())
	}
	if !w.abandon(w.delivery, state.Load(), false) || w.zombies.Load() != 1 || state.Load() != nextItem|abandoned {
		t.Errorf("not given up: %d zombies, state %d", w.zombies.Load(), state.Load())
	}
}

// Each hang of a tick halves the patience with the next hook, never below the least budget.
// Rules: T-4.
func TestPatienceHalvesWithEachHangOfTick(t *testing.T) {
	b := &Barrier{budget: 10 * ms}
	var got []time.Duration
	total := time.Duration(0)
	for b.lost = range MaxZombies {
		got = append(got, b.patience())
		total += b.patience()
	}
	if !slices.Equal(got[:4], []time.Duration{10 * ms, 5 * ms, 2500 * time.Microsecond, 2 * ms}) || got[MaxZombies-1] != 2*ms {
		t.Errorf("patience %v", got)
	}
	if limit := 2*b.budget + MaxZombies*MinBudget; total > limit {
		t.Errorf("%d hangs may take %v of a tick, want at most %v", MaxZombies, total, limit)
	}
	if b.budget = ms; b.patience() != ms {
		t.Errorf("a budget below the least one grew to %v", b.patience())
	}
}

// Hooks that wait take two budgets of a tick, and a look each, however many they are. Looks are the only clock.
// Rules: T-4, T-10.
func TestManyHangsTakeBoundedPartOfTick(t *testing.T) {
	w := newWatched(t, 10*ms, idle())
	for n := range MaxZombies - 1 {
		w.delivery.job.state.Store(0)
		w.delivery.watch = watch{}
		if w.givenUpAfter() == 0 {
			t.Fatalf("hook %d is never given up", n+1)
		}
	}
	if most := 2*5 + MaxZombies; w.looks > most {
		t.Errorf("%d looks of 2 ms, want at most %d", w.looks, most)
	}
}

// Rules: T-4.
func TestPatienceIsWholeInNextTick(t *testing.T) {
	b := &Barrier{budget: 10 * ms, lost: 3}
	b.EndTick()
	if got := b.patience(); got != b.budget {
		t.Errorf("patience %v after the end of a tick with hangs", got)
	}
}

// slowHooks keeps the slow hooks that are reported.
type slowHooks []event.Slow

func (s *slowHooks) Observe(r event.Record) {
	if slow, ok := r.(event.Slow); ok {
		*s = append(*s, slow)
	}
}

// A hook that returns late, but within its budget, is reported with its name. The looks of the watchdog are the only clock.
func TestSlowHookIsReported(t *testing.T) {
	var slow slowHooks
	w := newWatched(t, 10*ms, idle(), &slow)
	d := w.delivery
	d.hook, d.job.items = stack.HookUpdate, nil
	for _, id := range []string{"Quick", "Slow", "Last"} {
		d.job.items = append(d.job.items, item{cell: &engine.Cell{Node: &stack.Node{ID: id}}})
	}
	for i, looks := range []int{1, 4, 1} { // at Quick, Slow and Last
		d.job.state.Store(uint64(i) * nextItem)
		for range looks {
			if w.look(maxPoll) {
				t.Fatal("given up")
			}
		}
	}
	w.slow(d) // the delivery is over
	if len(slow) != 1 || slow[0].Actor != "behavior/Slow" || slow[0].Where != "Update" || slow[0].Took < 6*ms {
		t.Errorf("reported %+v", slow)
	}
	d.op, d.name, d.watch.spent = "Init", "Drive", 5*ms
	w.slow(d)
	if len(slow) != 2 || slow[1] != (event.Slow{Actor: "action/Drive", Where: "Init", Took: 5 * ms}) {
		t.Errorf("reported %+v", slow)
	}
}

// To make a worker takes long. The tick in which a hook was given up goes on with one that is spare, and the next one replaces it.
// Rules: T-4.
func TestTickWithAHangMakesNoWorker(t *testing.T) {
	tr := actorstest.NewTrouble("C", stack.HookUpdate, "block")
	defer tr.Free()
	b, stop := start(t, lenient)
	defer stop()
	e, err := engine.New(engine.Options{Catalog: actorstest.Probes(t, "A > B C D\nB\nC\nD", tr, nil), Hooks: b})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Start(actorstest.Epoch); err != nil {
		t.Fatal(err)
	}
	b.EndTick()
	before := slices.Clone(b.free)
	tick := func(n int) {
		now := actorstest.Epoch.Add(time.Duration(n) * period)
		e.Step(engine.Input{Tick: uint64(n), Now: now, World: hardware.Snapshot{Now: now}})
		b.EndTick()
	}
	tick(1)
	if b.Stats().Hangs != 1 || len(b.free) != len(before)-1 || slices.ContainsFunc(b.free, func(w *worker) bool { return !slices.Contains(before, w) }) {
		t.Errorf("%d hangs; %d free workers before the tick, %d after it, or others", b.Stats().Hangs, len(before), len(b.free))
	}
	tick(2)
	if len(b.free) != len(before) {
		t.Errorf("%d free workers before the hang, %d after the next tick", len(before), len(b.free))
	}
}

// An asked lookout leaves all looks to somebody else, and notes that one is asked for.
type asked struct {
	quiet
	set chan struct{}
}

func (l asked) Set(time.Duration) { l.set <- struct{}{} }

// quietDrama is a drama at whose hooks nobody looks. A next look that somebody asks for is sent to set.
func quietDrama(t *testing.T, l *clock.Load) (p *drama, set chan struct{}) {
	t.Helper()
	set = make(chan struct{}, 100)
	return newDrama(t, func(b *Barrier) {
		b.lookout.Close()
		b.lookout, b.load = asked{set: set}, l
	}), set
}

// A glance leaves the engine's goroutine where it waits.
func TestGlanceAtAHookWithinItsBudgetChangesNothing(t *testing.T) {
	p, set := quietDrama(t, idle())
	b := p.barrier
	p.on("C.Update", func(*behaviors.Control) {
		for range 3 {
			if next, ring := b.glance(); ring != nil || next <= 0 || next > pollEvery {
				t.Errorf("next glance after %v, rings: %t", next, ring != nil)
			}
		}
	})
	p.step(1)
	if n := b.Stats().Hangs; n != 0 || len(set) != 0 {
		t.Errorf("%d hooks given up, %d looks of the engine's goroutine", n, len(set))
	}
	p.end()
}

// A look that is due while the engine's goroutine serves a request, or while somebody else looks, is not lost: the engine's goroutine makes
// it as soon as it can.
// Rules: T-4.
func TestGlanceThatFindsNobodyWaitingIsALookLater(t *testing.T) {
	var claimed *worker
	for name, claim := range map[string]func(b *Barrier){
		"at its begin": func(b *Barrier) { claimed = b.claim() },
		"in its middle": func(b *Barrier) {
			b.load.CPU = func() time.Duration {
				if claimed == nil {
					claimed = b.claim()
				}
				return 0
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			claimed = nil
			p, set := quietDrama(t, idle())
			b := p.barrier
			p.on("C.Update", func(*behaviors.Control) {
				claim(b)
				if next, ring := b.glance(); ring != nil || next != pollEvery {
					t.Errorf("next glance after %v, rings: %t", next, ring != nil)
				}
				if claimed == nil {
					t.Error("nobody waits")
					return
				}
				claimed.arrive()
			})
			p.step(1)
			if n := b.Stats().Hangs; n != 0 || len(set) != 1 {
				t.Errorf("%d hooks given up, %d looks of the engine's goroutine, want 0, 1", n, len(set))
			}
			p.end()
		})
	}
}

// The lookout goes on while the engine's goroutine waits for nobody, for however long. One look of it will do.
func TestGlancesAskForOneLookAtATime(t *testing.T) {
	p, set := quietDrama(t, idle())
	b := p.barrier
	for range 100 {
		b.glance()
	}
	if n := len(b.signals); n != 1 {
		t.Errorf("%d signals after 100 glances", n)
	}
	for range 2 {
		looks := len(set)
		p.step(1)
		if n := len(set) - looks; n != 1 {
			t.Errorf("%d looks", n)
		}
		b.glance() // the next one asks again
	}
	p.end()
}

// An item that ends after a glance has found that it hangs is not given up.
// Rules: T-10.
func TestItemThatEndsAfterAGlanceIsNotGivenUp(t *testing.T) {
	p, set := quietDrama(t, idle())
	b := p.barrier
	b.SetBudget(10 * ms)
	p.on("A.Update", func(*behaviors.Control) {
		for {
			b.lastPoll = time.Now().Add(-maxPoll)
			if _, ring := b.glance(); ring != nil {
				j := b.innermost.Load()
				go func() {
					for index(j.state.Load()) == 0 {
						runtime.Gosched()
					}
					ring()
				}()
				return
			}
		}
	})
	p.step(1)
	if n := b.Stats().Hangs; n != 0 || len(set) != 1 {
		t.Errorf("%d hooks given up, %d looks asked for, want 0, 1", n, len(set))
	}
	b.SetBudget(patient)
	p.on("A.Update", nil)
	p.step(1)
	p.end()
}

// Whoever glances and finds another item than before leaves the look to the engine's goroutine, which asks for the next one: the post that has
// rung may be away.
func TestGlanceAtAnotherItemIsALook(t *testing.T) {
	p, set := quietDrama(t, idle())
	b := p.barrier
	p.on("B.Update", func(*behaviors.Control) {
		if _, ring := b.glance(); ring != nil {
			t.Error("the first glance rings")
		}
	})
	p.on("C.Update", func(*behaviors.Control) {
		_, ring := b.glance()
		if ring == nil {
			t.Error("no ring")
			return
		}
		go ring()
		<-set
	})
	p.step(1)
	p.end()
}

// Rules: T-4.
func TestGlancesJudgeAsLooksDo(t *testing.T) {
	for name, load := range map[string]func() *clock.Load{"waiting": idle, "starved": starved} {
		t.Run(name, func(t *testing.T) {
			want := newWatched(t, 10*ms, load()).givenUpAfter()
			p, set := quietDrama(t, load())
			b, glances := p.barrier, 0
			b.SetBudget(10 * ms)
			p.on("A.Update", func(c *behaviors.Control) {
				for glances < 200 {
					glances++
					b.lastPoll = time.Now().Add(-maxPoll)
					if _, ring := b.glance(); ring != nil {
						go ring()
						break
					}
				}
				p.wait(c)
			})
			p.step(1)
			b.SetBudget(patient)
			if n := b.Stats().Hangs; n != 1 || glances != want || len(set) != 1 {
				t.Errorf("%d hooks given up after %d glances, then %d looks asked for; want 1 after %d, 1", n, glances, len(set), want)
			}
			p.end()
		})
	}
}
