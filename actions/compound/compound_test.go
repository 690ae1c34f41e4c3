package compound_test

import (
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/actions/compound"
)

func stub(label string, lock actions.Tracks, res actions.Result) *actiontest.Stub {
	s := actiontest.NewStub(label, lock)
	s.Result = res
	return s
}

func queue(t *testing.T, r *actiontest.Rig, a actions.Action, o actions.QueueOptions) actions.Tag {
	t.Helper()
	tag, err := r.List.Queue(a, o)
	if err != nil {
		t.Fatal(err)
	}
	return tag
}

func result(done []actions.Completion) actions.Result {
	if len(done) != 1 {
		return actions.Running
	}
	return done[0].Result
}

// The next child starts at the first tick with now ≥ end + delay.
// Rules: SEQ-3.
func TestSequenceStartsNextChildAfterDelay(t *testing.T) {
	r := actiontest.NewRig(nil)
	a, b := stub("A", 0, actions.Success), stub("B", 0, actions.Success)
	queue(t, r, compound.NewSequential(compound.Params{
		Delay: 120 * time.Millisecond, Children: []compound.Child{{Action: a}, {Action: b}},
	}), actions.QueueOptions{})
	r.Tick()
	r.Tick()
	if b.Inits != 0 {
		t.Fatalf("started after 60 ms")
	}
	if res := result(r.Tick()); b.Inits != 1 || res != actions.Success {
		t.Errorf("after 120 ms: inits %d, result %v", b.Inits, res)
	}
}

// The predicate is consulted in the hand-over too, and sees result and action.
// Rules: CPD-2, SEQ-5, SEQ-6.
func TestIgnoreIfSelectsTheFailuresToIgnore(t *testing.T) {
	for _, c := range []struct{ res, want actions.Result }{
		{actions.BadObject, actions.Success}, {actions.BadPose, actions.BadPose}, {actions.StillOnCharger, actions.StillOnCharger},
	} {
		r := actiontest.NewRig(nil)
		a, b := stub("A", 0, actions.Success), stub("B", 0, c.res)
		queue(t, r, compound.NewSequential(compound.Params{Children: []compound.Child{{Action: a}, {
			Action: b,
			IgnoreIf: func(res actions.Result, who actions.Action) bool {
				return res == actions.BadObject && who == actions.Action(b)
			},
		}}}), actions.QueueOptions{})
		if res := result(r.Tick()); res != c.want {
			t.Errorf("%v gives %v, want %v", c.res, res, c.want)
		}
	}
}

// A child's own retries are consumed first, invisibly.
// Rules: SEQ-4.
func TestChildUsesItsOwnRetriesFirst(t *testing.T) {
	r := actiontest.NewRig(nil)
	a := stub("A", actions.Head, actions.Success)
	a.Retries = 2
	queue(t, r, compound.NewSequential(compound.Params{Children: []compound.Child{{Action: a, Retries: 2}}}), actions.QueueOptions{})
	r.Tick()
	r.Tick()
	if res := result(r.Tick()); res != actions.Success || a.Inits != 3 {
		t.Errorf("result %v, inits %d", res, a.Inits)
	}
}

// The first child that ends gives its result.
// Rules: PAR-4.
func TestParallelEndsWithItsFirstChild(t *testing.T) {
	r := actiontest.NewRig(nil)
	a, b := stub("A", actions.Head, actions.Running), stub("B", actions.Lift, actions.Success)
	queue(t, r, compound.NewParallel(compound.Params{
		EndWithFirst: true, Children: []compound.Child{{Action: a}, {Action: b}},
	}), actions.QueueOptions{})
	if res := result(r.Tick()); res != actions.Success || a.Stops != 1 || r.List.Tracks().Mask() != 0 {
		t.Errorf("result %v, stops %d, locked %v", res, a.Stops, r.List.Tracks().Mask())
	}
}

// The hook may end the compound.
// Rules: CPD-7.
func TestFailingEachTickEndsCompound(t *testing.T) {
	for name, build := range map[string]func(compound.Params) actions.Action{
		"sequential": func(p compound.Params) actions.Action { return compound.NewSequential(p) },
		"parallel":   func(p compound.Params) actions.Action { return compound.NewParallel(p) },
	} {
		r := actiontest.NewRig(nil)
		a, n := stub("A", actions.Head, actions.Running), 0
		queue(t, r, build(compound.Params{
			Children: []compound.Child{{Action: a}},
			EachTick: func(*actions.Env) actions.Result {
				if n++; n > 2 {
					return actions.Abort
				}
				return actions.Success
			},
		}), actions.QueueOptions{})
		r.Tick()
		r.Tick()
		if res := result(r.Tick()); res != actions.UpdateDerivedFailed || a.Checks != 2 || a.Stops != 1 {
			t.Errorf("%s: result %v, checks %d, stops %d", name, res, a.Checks, a.Stops)
		}
	}
}

// References become invalid; null and too many are refused. CPD-5: the proxy speaks for the compound, also
// after its end.
// Rules: CPD-2, CPD-4, CPD-5.
func TestRefsAndProxyFollowTheirChild(t *testing.T) {
	r := actiontest.NewRig(nil)
	s := compound.NewSequential(compound.Params{})
	if _, err := s.Add(compound.Child{}); err != compound.ErrNil {
		t.Errorf("nil: %v", err)
	}
	a, b := stub("A", 0, actions.Success), stub("B", 0, actions.Running)
	a.Kind = actions.TypeSayText
	ra, _ := s.Add(compound.Child{Action: a, Proxy: true})
	rb, _ := s.Add(compound.Child{Action: b})
	queue(t, r, s, actions.QueueOptions{})
	if !ra.Alive() || !rb.Alive() || s.Type() != actions.TypeSayText {
		t.Errorf("before: %v %v %v", ra.Alive(), rb.Alive(), s.Type())
	}
	r.Tick()
	if ra.Alive() || !rb.Alive() || s.Type() != actions.TypeSayText || s.Payload() != "A" {
		t.Errorf("after A: %v %v %v %v", ra.Alive(), rb.Alive(), s.Type(), s.Payload())
	}
	for i := 0; ; i++ {
		if _, err := s.Add(compound.Child{Action: stub("X", 0, 0)}); err != nil {
			if err != compound.ErrFull || i != 31 {
				t.Errorf("child %d: %v", i, err)
			}
			break
		}
	}
	if (compound.Ref{}).Alive() {
		t.Errorf("the zero reference lives")
	}
}

// Suppression reaches children of children.
// Rules: CPD-3, TRK-13.
func TestSuppressionReachesGrandchildren(t *testing.T) {
	r := actiontest.NewRig(nil)
	r.List.Tracks().Lock("owner", actions.All)
	a := stub("A", actions.Head, actions.Success)
	inner := compound.NewParallel(compound.Params{Children: []compound.Child{{Action: a}}})
	outer := compound.NewSequential(compound.Params{Children: []compound.Child{{Action: inner}}})
	queue(t, r, outer, actions.QueueOptions{SuppressTracks: true})
	if res := result(r.Tick()); res != actions.Success {
		t.Errorf("result %v", res)
	}
}

// Retry wrapper: any failure is repeated, tracks are free between attempts, the result of the last attempt counts.
func TestRetryRepeatsUntilSuccessOrMax(t *testing.T) {
	for _, c := range []struct {
		name  string
		fails int // attempts that fail
		max   int
		want  actions.Result
		inits int
	}{
		{"first works", 0, 2, actions.Success, 1},
		{"third works", 2, 2, actions.Success, 3},
		{"none works", 9, 2, actions.BadPose, 3},
		{"no repetition", 9, 0, actions.BadPose, 1},
	} {
		r := actiontest.NewRig(nil)
		a := stub("A", actions.Head, actions.BadPose)
		a.OnCheck = func(*actions.Env) {
			if a.Inits > c.fails {
				a.Result = actions.Success
			}
		}
		var saw []actions.Completion
		r.List.Watch(func(c actions.Completion) { saw = append(saw, c) })
		done := r.Run(t, compound.NewRetry(compound.RetryParams{Action: a, Max: c.max}), actions.QueueOptions{}, 5*time.Second)
		if done.Result != c.want || a.Inits != c.inits || done.Payload != "A" || done.Type != actions.TypeWait {
			t.Errorf("%s: %+v, inits %d", c.name, done, a.Inits)
		}
		if len(saw) != 2 || saw[0].Name != "A" || saw[0].Result != c.want {
			t.Errorf("%s: watchers saw %+v", c.name, saw)
		}
		if r.List.Tracks().Mask() != 0 {
			t.Errorf("%s: locked %v", c.name, r.List.Tracks().Mask())
		}
	}
}

// Rules: CPD-4.
func TestRetryFreesTracksForItsAnimation(t *testing.T) {
	r := actiontest.NewRig(nil)
	a := stub("A", actions.Head, actions.BadPose)
	var anims []*actiontest.Stub
	done := r.Run(t, compound.NewRetry(compound.RetryParams{
		Action: a, Max: 1,
		Animation: func() actions.Action {
			s := stub("anim", actions.Head, actions.Success)
			anims = append(anims, s)
			return s
		},
	}), actions.QueueOptions{}, time.Second)
	// With an animation the decision comes after it: two failures, two animations.
	if done.Result != actions.BadPose || len(anims) != 2 || anims[0].Checks != 1 || a.Inits != 2 {
		t.Errorf("%+v, %d animations, inits %d", done, len(anims), a.Inits)
	}
}

// RUN-8 on the wrapper itself: the wrapped action locks its tracks again.
// Rules: RUN-8.
func TestRetriedRunnerLocksTracksOfRetryAgain(t *testing.T) {
	r := actiontest.NewRig(nil)
	a := stub("A", actions.Head, actions.FailedTraversingPath)
	locked := 0
	a.OnCheck = func(env *actions.Env) {
		if env.Tracks.Mask()&actions.Head != 0 {
			locked++
		}
	}
	done := r.Run(t, compound.NewRetry(compound.RetryParams{
		Action: a, Max: 0,
		Animation: func() actions.Action { return stub("anim", 0, actions.Success) },
	}), actions.QueueOptions{Retries: 1}, time.Second)
	if done.Result != actions.FailedTraversingPath || a.Inits != 2 || locked != 2 {
		t.Errorf("%+v, inits %d, locked in %d of them", done, a.Inits, locked)
	}
}

// Cancelling in the middle of the animation ends both, and reports the action's last result.
// Rules: DONE-2.
func TestCancelDuringRetryAnimationEndsBoth(t *testing.T) {
	r := actiontest.NewRig(nil)
	var ended []string
	r.List.Watch(func(c actions.Completion) { ended = append(ended, c.Name+" "+c.Result.String()) })
	tag := queue(t, r, compound.NewRetry(compound.RetryParams{
		Action: stub("A", actions.Head, actions.BadPose), Max: 3,
		Animation: func() actions.Action { return stub("anim", actions.Head, actions.Running) },
	}), actions.QueueOptions{})
	r.Tick()
	r.Tick()
	r.List.CancelTag(tag)
	r.Tick()
	want := []string{"anim CANCELLED_WHILE_RUNNING", "A BAD_POSE", "Retry(A) CANCELLED_WHILE_RUNNING"}
	if !slices.Equal(ended, want) || r.List.Tracks().Mask() != 0 {
		t.Errorf("ended %q, locked %v", ended, r.List.Tracks().Mask())
	}
}

func TestRetryStopsWhenDecideRefuses(t *testing.T) {
	r := actiontest.NewRig(nil)
	a := stub("A", 0, actions.BadPose)
	var asked []int
	done := r.Run(t, compound.NewRetry(compound.RetryParams{
		Action: a, Max: 5,
		Decide: func(c actions.Completion, n int) (bool, actions.Action) {
			asked = append(asked, n)
			return c.Result == actions.BadPose && n < 3, nil
		},
	}), actions.QueueOptions{}, time.Second)
	if done.Result != actions.BadPose || a.Inits != 3 || len(asked) != 3 || asked[2] != 3 {
		t.Errorf("%+v, inits %d, asked %v", done, a.Inits, asked)
	}
}

func TestRetryRepeatsNeitherNothingNorACancellation(t *testing.T) {
	w := compound.NewRetry(compound.RetryParams{Max: 2})
	if w.Timeout() != time.Minute {
		t.Errorf("timeout %v", w.Timeout())
	}
	r := actiontest.NewRig(nil)
	if done := r.Run(t, w, actions.QueueOptions{}, time.Second); done.Result != actions.NullSubaction {
		t.Errorf("empty wrapper: %+v", done)
	}
	a := stub("A", actions.Head, actions.CancelledWhileRunning)
	if done := r.Run(t, compound.NewRetry(compound.RetryParams{Action: a, Max: 2}), actions.QueueOptions{}, time.Second); done.Result != actions.CancelledWhileRunning || a.Inits != 1 {
		t.Errorf("cancelled: %+v", done)
	}
}

func TestCompoundTellsWhoHoldsTheTracksOfItsChild(t *testing.T) {
	r := actiontest.NewRig(nil)
	r.List.Tracks().Lock("somebody", actions.Head)
	c := compound.NewSequential(compound.Params{Children: []compound.Child{{Action: stub("A", actions.Head, actions.Success)}}})
	queue(t, r, c, actions.QueueOptions{})
	done := r.Tick()
	if result(done) != actions.TracksLocked || done[0].Detail != "HEAD held by somebody" {
		t.Errorf("ended: %+v", done)
	}
}

func TestCompoundNeedsWhatItsPartsLock(t *testing.T) {
	inner := compound.NewRetry(compound.RetryParams{Action: stub("B", actions.Lift, actions.Success)})
	c := compound.NewParallel(compound.Params{Children: []compound.Child{{Action: stub("A", actions.Head, actions.Success)}, {Action: inner}}})
	if got := actions.Needs(c); got != actions.Head|actions.Lift {
		t.Errorf("it needs %v", got)
	}
	if got := actions.Needs(compound.NewRetry(compound.RetryParams{})); got != 0 {
		t.Errorf("nothing needs %v", got)
	}
}
