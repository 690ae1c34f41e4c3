package actions_test

import (
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/hardware"
)

// An action that ends by itself or is cancelled has stopped its motors when its tracks become free.
// Rules: DONE-3, RUN-13.
func TestMotorsStopBeforeTracksAreFree(t *testing.T) {
	for _, cancelled := range []bool{false, true} {
		l := actions.NewList(nil, actiontest.Start())
		held := actions.Tracks(0)
		env := &actions.Env{Now: actiontest.Start(), World: &hardware.World{}, Send: func(c hardware.Command) {
			if _, ok := c.(hardware.StopWheels); ok {
				held = l.Tracks().Mask()
			}
		}}
		a := actiontest.NewStub("A", actions.Body)
		tag := run(t, l, a, actions.QueueOptions{})
		if cancelled {
			a.OnCheck = func(*actions.Env) { l.CancelTag(tag) }
		} else {
			a.Result = actions.Success
		}
		l.Update(env)
		if held != actions.Body || l.Tracks().Mask() != 0 {
			t.Errorf("cancelled %v: held %v at the stop, %v in the end", cancelled, held, l.Tracks().Mask())
		}
	}
}

// The engine tag of an action with a custom tag is not given to another action; both are free when the action has ended.
// Rules: TAG-2.
func TestEngineTagStaysReservedBesideACustomOne(t *testing.T) {
	l := actions.NewList(nil, actiontest.Start())
	run(t, l, actiontest.NewStub("A", 0), actions.QueueOptions{Tag: 20_000})
	claim := func(tag actions.Tag) error {
		_, err := l.Queue(actiontest.NewStub("B", 0), actions.QueueOptions{Tag: tag, Position: actions.PositionAtEnd})
		return err
	}
	if err := claim(actions.FirstEngineTag); err != actions.ErrBadTag {
		t.Errorf("the reserved tag: %v", err)
	}
	l.CancelTag(20_000)
	if err := claim(actions.FirstEngineTag); err != nil {
		t.Errorf("the engine tag after the end: %v", err)
	}
	if err := claim(20_000); err != nil {
		t.Errorf("the custom tag after the end: %v", err)
	}
}

// The abort form of a failure ends the action; the retry form of the same failure is repeated.
// Rules: RES-2, RUN-9.
func TestFailuresWithTwoForms(t *testing.T) {
	for abort, retry := range map[actions.Result]actions.Result{
		actions.NotOnChargerAbort:       actions.NotOnChargerRetry,
		actions.NotCarryingObjectAbort:  actions.NotCarryingObjectRetry,
		actions.PathPlanningFailedAbort: actions.PathPlanningFailedRetry,
	} {
		for res, inits := range map[actions.Result]int{abort: 1, retry: 2} {
			r := actiontest.NewRig(nil)
			a := actiontest.NewStub("A", 0)
			a.Result = res
			if c := r.Run(t, a, actions.QueueOptions{Retries: 1}, 3*actiontest.Period); c.Result != res || a.Inits != inits {
				t.Errorf("%v: ended %v after %d attempts, want %d", res, c.Result, a.Inits, inits)
			}
		}
	}
}

// An action that clears the list from its check or its stop ends once, and so does everything else.
// Rules: DONE-5, actions/Q-10.
func TestClearFromWithinAnAction(t *testing.T) {
	for _, where := range []string{"check", "stop"} {
		r := actiontest.NewRig(nil)
		a, b, c := actiontest.NewStub("A", actions.Head), actiontest.NewStub("B", 0), actiontest.NewStub("C", actions.Lift)
		if where == "check" {
			a.OnCheck = func(*actions.Env) { r.List.Clear() }
		} else {
			a.Result, a.OnStop = actions.Success, r.List.Clear
		}
		run(t, r.List, a, actions.QueueOptions{})
		run(t, r.List, b, actions.QueueOptions{Position: actions.PositionAtEnd})
		run(t, r.List, c, actions.QueueOptions{Position: actions.PositionInParallel})
		ended := map[string]int{}
		for range 3 {
			for _, c := range r.Tick() {
				ended[c.Name]++
			}
		}
		if len(ended) != 3 || ended["A"] != 1 || ended["B"] != 1 || ended["C"] != 1 || a.Stops != 1 {
			t.Errorf("in its %s: ended %v, stops %d", where, ended, a.Stops)
		}
		if r.List.Queues() != 0 || r.List.Tracks().Mask() != 0 {
			t.Errorf("in its %s: %d queues, locked %v", where, r.List.Queues(), r.List.Tracks().Mask())
		}
	}
}

// A watcher hears of an end after every slot was updated and the tracks are free, also of an end between two updates.
// Rules: DONE-2, DONE-3, actions/Q-3.
func TestWatchersAreCalledAfterAllSlots(t *testing.T) {
	r := actiontest.NewRig(nil)
	a, b, c := actiontest.NewStub("A", actions.Head), actiontest.NewStub("B", 0), actiontest.NewStub("C", actions.Lift)
	a.Result = actions.Success
	checks := map[string]int{} // of B, when the watcher heard of the end of that action
	first := r.List.Watch(func(done actions.Completion) {
		checks[done.Name] = b.Checks
		if held := r.List.Tracks().Mask() & actions.Head; held != 0 {
			t.Errorf("%v still locked at the end of %s", held, done.Name)
		}
	})
	run(t, r.List, a, actions.QueueOptions{})
	run(t, r.List, b, actions.QueueOptions{Position: actions.PositionInParallel})
	tag := run(t, r.List, c, actions.QueueOptions{Position: actions.PositionInParallel})
	r.Tick()
	r.List.CancelTag(tag)
	if _, told := checks["C"]; told {
		t.Error("told of C outside of an update")
	}
	r.Tick()
	if checks["A"] != 1 || checks["C"] != 2 || first != 1 {
		t.Errorf("B had its updates when the watcher heard: %v; the first watcher is %d", checks, first)
	}
}

// An action that is to begin first gets its tracks although one in a lower slot, queued later, wants them too.
func TestActionThatBeginsFirstGetsItsTracks(t *testing.T) {
	r := actiontest.NewRig(nil)
	mine, theirs, other := actiontest.NewStub("Mine", actions.Head), actiontest.NewStub("Theirs", actions.Head), actiontest.NewStub("Other", 0)
	run(t, r.List, mine, actions.QueueOptions{Position: actions.PositionInParallel, First: true})
	run(t, r.List, theirs, actions.QueueOptions{})
	run(t, r.List, other, actions.QueueOptions{Position: actions.PositionInParallel})
	done := r.Tick()
	if len(done) != 1 || done[0].Name != "Theirs" || done[0].Result != actions.TracksLocked {
		t.Errorf("ended: %+v", done)
	}
	r.Tick()
	if mine.Checks != 2 || other.Checks != 2 {
		t.Errorf("in two updates it had %d, and the other one %d", mine.Checks, other.Checks)
	}
}
