package barrier

import (
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/actors/event"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
)

// looked is the number of the present look.
var looked int

// looks counts the looks, two milliseconds apart, until the watchdog gives a verdict; 0 if it never does.
func looks(t *testing.T, l load, spinners ...int64) int {
	t.Helper()
	j, stop := start(t, 10*time.Millisecond)
	defer stop()
	j.load = l
	for _, n := range spinners {
		j.spinners.Store(n)
	}
	w := &worker{zombies: &j.zombies, spinners: &j.spinners}
	d := &w.delivery
	d.job.items = make([]item, 1)
	for n := 1; n < 200; n++ {
		looked = n
		j.lastPoll = time.Now().Add(-maxPoll)
		if j.look(d) {
			return n
		}
	}
	return 0
}

// Rules: T-4.
func TestAHookThatWaitsIsCondemnedAfterItsBudget(t *testing.T) {
	n := looks(t, load{waiting: func(int64) bool { return true }, cpu: func() time.Duration { return 0 }})
	if n != 5 {
		t.Errorf("after %d looks of 2 ms, want 5 for a budget of 10 ms", n)
	}
}

func TestAHookThatSpinsIsCondemnedWhenItBurnedItsBudget(t *testing.T) {
	var burned time.Duration
	n := looks(t, load{waiting: func(int64) bool { return false }, cpu: func() time.Duration {
		burned += time.Millisecond // half a processor
		return burned
	}})
	if n < 5 || n > 30 {
		t.Errorf("after %d looks", n)
	}
}

// What a goroutine burns that was given up before is not the hook's: beside it, a hook that gets no processor is spared like on any
// loaded machine, one that waits is condemned in time, and one that spins, too, as soon as it burned its own share.
// Rules: T-4.
func TestZombiesThatSpinDoNotCondemnTheInnocent(t *testing.T) {
	burns := func(each time.Duration) load {
		return load{waiting: func(int64) bool { return false }, cpu: func() time.Duration { return time.Duration(looked) * each }}
	}
	if n := looks(t, burns(2*time.Millisecond), 1); n != 50 {
		t.Errorf("a starved hook beside a spinner: after %d looks, want 50", n)
	}
	if n := looks(t, burns(4*time.Millisecond), 1); n < 5 || n > 8 {
		t.Errorf("a second spinner: after %d looks", n)
	}
	waits := load{waiting: func(spinners int64) bool { return spinners == 1 }, cpu: func() time.Duration { return 0 }}
	if n := looks(t, waits, 1); n != 5 {
		t.Errorf("a hook that waits beside a spinner: after %d looks, want 5", n)
	}
}

// A machine that gives the process no time blames nobody for ten budgets, but not for ever.
// Rules: T-4.
func TestAStarvedHookIsSparedForAWhile(t *testing.T) {
	n := looks(t, load{waiting: func(int64) bool { return false }, cpu: func() time.Duration { return 0 }})
	if n != 50 {
		t.Errorf("after %d looks of 2 ms, want 50: ten budgets of 10 ms", n)
	}
}

// A machine that stood still for a second counts as one look.
// Rules: T-4.
func TestAPauseOfTheMachineCountsOnce(t *testing.T) {
	j, stop := start(t, 10*time.Millisecond)
	defer stop()
	j.load = load{waiting: func(int64) bool { return true }, cpu: func() time.Duration { return 0 }}
	w := &worker{zombies: &j.zombies, spinners: &j.spinners}
	w.delivery.job.items = make([]item, 1)
	for range 2 { // at first sight, and later
		j.lastPoll = time.Now().Add(-time.Second)
		if j.look(&w.delivery) {
			t.Error("condemned by a pause")
		}
	}
}

// Of worker and watchdog exactly one wins a delivery: one that ended since the watchdog looked is not given up.
// Rules: T-10.
func TestADeliveryThatEndsInTimeIsNotGivenUp(t *testing.T) {
	j := &Barrier{load: load{waiting: func(int64) bool { return true }}}
	d := &(&worker{zombies: &j.zombies, spinners: &j.spinners}).delivery
	seen := d.job.state.Load()
	d.job.state.Add(nextItem)
	if j.abandon(d, seen) || j.zombies.Load() != 0 || d.job.state.Load() != nextItem {
		t.Errorf("given up: %d zombies, state %d", j.zombies.Load(), d.job.state.Load())
	}
	if !j.abandon(d, d.job.state.Load()) || j.zombies.Load() != 1 || d.job.state.Load() != nextItem|abandoned {
		t.Errorf("not given up: %d zombies, state %d", j.zombies.Load(), d.job.state.Load())
	}
}

// The patience with one hook: the whole budget, halved by each hang of the tick, never below the least one.
// Rules: T-4.
func TestPatienceShrinksWithEachHangOfATick(t *testing.T) {
	j := &Barrier{budget: 10 * time.Millisecond}
	var got []time.Duration
	total := time.Duration(0)
	for j.lost = range MaxZombies {
		got = append(got, j.patience())
		total += j.patience()
	}
	ms := time.Millisecond
	if !slices.Equal(got[:4], []time.Duration{10 * ms, 5 * ms, 2500 * time.Microsecond, 2 * ms}) || got[MaxZombies-1] != 2*ms {
		t.Errorf("patience %v", got)
	}
	if limit := 2*j.budget + MaxZombies*MinBudget; total > limit {
		t.Errorf("%d hangs may take %v of a tick, want at most %v", MaxZombies, total, limit)
	}
	if j.budget = ms; j.patience() != ms {
		t.Errorf("a budget below the least one grew to %v", j.patience())
	}
}

// Every tick begins with the whole patience.
// Rules: T-4.
func TestPatienceIsWholeAgainInTheNextTick(t *testing.T) {
	j := &Barrier{budget: 10 * time.Millisecond, lost: 3}
	j.EndTick()
	if got := j.patience(); got != j.budget {
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

// A hook that comes through but holds on is told of with its name; the looks of the watchdog are the only clock.
func TestASlowHookIsNamed(t *testing.T) {
	var slow slowHooks
	j, stop := start(t, 10*time.Millisecond, &slow)
	defer stop()
	j.load = load{waiting: func(int64) bool { return true }, cpu: func() time.Duration { return 0 }}
	d := &(&worker{zombies: &j.zombies, spinners: &j.spinners}).delivery
	d.hook = stack.HookUpdate
	for _, id := range []string{"Quick", "Slow", "Last"} {
		d.job.items = append(d.job.items, item{cell: &engine.Cell{Node: &stack.Node{ID: id}}})
	}
	look := func(times int) {
		for range times {
			j.lastPoll = time.Now().Add(-maxPoll)
			if j.look(d) {
				t.Fatal("condemned")
			}
		}
	}
	look(1) // Quick is seen once
	d.job.state.Store(1 * nextItem)
	look(4) // Slow for three looks after the first sight
	d.job.state.Store(2 * nextItem)
	look(1)
	j.slow(d) // the delivery is over
	if len(slow) != 1 || slow[0].Actor != "behavior/Slow" || slow[0].Where != "Update" || slow[0].Took < 6*time.Millisecond {
		t.Errorf("told %+v", slow)
	}
	d.op, d.name, d.watch.spent = "Init", "Drive", 5*time.Millisecond
	j.slow(d)
	if len(slow) != 2 || slow[1] != (event.Slow{Actor: "action/Drive", Where: "Init", Took: 5 * time.Millisecond}) {
		t.Errorf("told %+v", slow)
	}
}
