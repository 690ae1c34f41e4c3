package actors

import (
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/robotd/robotd/actors/event"
)

// looked is the number of the present look.
var looked int

// looks counts the looks, two milliseconds apart, until the watchdog gives a verdict; 0 if it never does.
func looks(t *testing.T, l load, spinners ...int64) int {
	t.Helper()
	sys := actor.NewActorSystem()
	defer sys.Shutdown()
	j, err := newJoint(sys, 10*time.Millisecond, event.Tee(nil))
	if err != nil {
		t.Fatal(err)
	}
	defer j.close()
	j.load = l
	for _, n := range spinners {
		j.spinners.Store(n)
	}
	w := &worker{zombies: &j.zombies, spinners: &j.spinners}
	fl := &w.flight
	fl.job.items = make([]item, 1)
	for n := 1; n < 200; n++ {
		looked = n
		j.lastPoll = time.Now().Add(-maxPoll)
		if j.look(fl) {
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
	sys := actor.NewActorSystem()
	defer sys.Shutdown()
	j, err := newJoint(sys, 10*time.Millisecond, event.Tee(nil))
	if err != nil {
		t.Fatal(err)
	}
	defer j.close()
	j.load = load{waiting: func(int64) bool { return true }, cpu: func() time.Duration { return 0 }}
	w := &worker{zombies: &j.zombies, spinners: &j.spinners}
	w.flight.job.items = make([]item, 1)
	for range 2 { // at first sight, and later
		j.lastPoll = time.Now().Add(-time.Second)
		if j.look(&w.flight) {
			t.Error("condemned by a pause")
		}
	}
}

// Of worker and watchdog exactly one wins a delivery: one that ended since the watchdog looked is not given up.
// Rules: T-10.
func TestADeliveryThatEndsInTimeIsNotGivenUp(t *testing.T) {
	j := &Joint{load: load{waiting: func(int64) bool { return true }}}
	fl := &(&worker{zombies: &j.zombies, spinners: &j.spinners}).flight
	seen := fl.job.state.Load()
	fl.job.state.Add(delivery)
	if j.abandon(fl, seen) || j.zombies.Load() != 0 || fl.job.state.Load() != delivery {
		t.Errorf("given up: %d zombies, state %d", j.zombies.Load(), fl.job.state.Load())
	}
	if !j.abandon(fl, fl.job.state.Load()) || j.zombies.Load() != 1 || fl.job.state.Load() != delivery|abandoned {
		t.Errorf("not given up: %d zombies, state %d", j.zombies.Load(), fl.job.state.Load())
	}
}
