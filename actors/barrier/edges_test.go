package barrier

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/actors/clock"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
)

// Only a hook or step that took a quarter of the budget, and two looks, counts as slow; a constructor never does, nor anything in virtual
// time.
func TestSlowBeginsAtQuarterOfBudget(t *testing.T) {
	cell := &engine.Cell{Node: &stack.Node{ID: "A"}}
	for _, c := range []struct {
		name          string
		budget, spent time.Duration
		set           func(w *watched)
		reported      bool
	}{
		{"a quarter", 12 * ms, 3 * ms, nil, true},
		{"less than a quarter", 12 * ms, 3*ms - 1, nil, false},
		{"two looks", 4 * ms, 2 * ms, nil, true},
		{"less than two looks", 4 * ms, 2*ms - 1, nil, false},
		{"not looked at", 12 * ms, 6 * ms, func(w *watched) { w.delivery.watch.on = false }, false},
		{"virtual time", 12 * ms, 6 * ms, func(w *watched) { w.onHang = func(string) {} }, false},
		{"a constructor", 12 * ms, 6 * ms, func(w *watched) { w.delivery.name = "A constructor" }, false},
		{"all items done", 12 * ms, 6 * ms, func(w *watched) { w.delivery.watch.state = nextItem }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var slow slowHooks
			w := newWatched(t, c.budget, idle(), &slow)
			w.delivery.job.items[0].cell = cell
			w.delivery.watch = watch{on: true, spent: c.spent}
			if c.set != nil {
				c.set(w)
			}
			w.slow(w.delivery)
			if (len(slow) > 0) != c.reported {
				t.Errorf("reported %+v", slow)
			}
		})
	}
}

// A delivery whose items are all done is not given up, however late the worker's report is.
// Rules: T-10.
func TestDoneDeliveryIsNotGivenUp(t *testing.T) {
	w := newWatched(t, 10*ms, idle())
	w.delivery.job.state.Store(nextItem)
	if n := w.givenUpAfter(); n != 0 || w.zombies.Load() != 0 {
		t.Errorf("given up after %d looks, %d zombies", n, w.zombies.Load())
	}
}

// Before the first look a hook is assumed to have burned a sixth of the budget at most, and no more than the look says.
// Rules: T-4.
func TestTrustBeforeFirstLookIsBounded(t *testing.T) {
	for budget, want := range map[time.Duration]time.Duration{6 * ms: ms, 60 * ms: maxPoll} {
		w := newWatched(t, budget, idle())
		w.look(maxPoll)
		if got := w.delivery.watch.trust; got != want {
			t.Errorf("budget %v: %v are assumed, want %v", budget, got, want)
		}
	}
}

// An invoker keeps what a mailbox delivers.
type invoker struct{ got []any }

func (i *invoker) InvokeSystemMessage(msg any) { i.got = append(i.got, "system", msg) }
func (i *invoker) InvokeUserMessage(msg any)   { i.got = append(i.got, msg) }
func (i *invoker) EscalateFailure(_, msg any)  { i.got = append(i.got, "failure", msg) }

// The next look comes when the patience with the item is over, if that is sooner than the next ordinary look.
// Rules: T-4.
func TestNextLookComesAtEndOfPatience(t *testing.T) {
	w := newWatched(t, 10*ms, idle())
	for i := range 3 { // 2, 4 and 6 ms are charged
		if got, want := w.charge(w.delivery, 0, maxPoll), 10*ms-time.Duration(i+1)*maxPoll; got != want {
			t.Errorf("look %d: %v are left, want %v", i+1, got, want)
		}
	}
}

// A mailbox delivers what the barrier hands it until it is killed. A message of any other sender is reported and
// dropped, also without an observer.
func TestMailboxDeliversNothingToTheDead(t *testing.T) {
	var unexpected []any
	to := &invoker{}
	m := &mailbox{unexpected: func(_ string, msg any) { unexpected = append(unexpected, msg) }}
	m.RegisterHandlers(to, nil)
	m.PostUserMessage("stray")
	m.PostSystemMessage(&actor.Stop{})
	m.deliver("hook")
	m.deliver(nil)
	if !slices.Equal(to.got, []any{"hook"}) || len(unexpected) != 2 || unexpected[0] != "stray" {
		t.Errorf("delivered %v, unexpected %v", to.got, unexpected)
	}
	m.kill()
	m.deliver("late")
	m.escalate(errKilled, "late")
	m.PostSystemMessage("late")
	m.deliver(nil)
	if !slices.Equal(to.got, []any{"hook"}) {
		t.Errorf("delivered to the dead: %v", to.got)
	}
	(&mailbox{}).PostUserMessage("stray")
}

// The actor of an action is made when the action is queued and gone when the action has ended.
func TestActorOfActionEndsWithIt(t *testing.T) {
	b, stop := start(t, time.Second)
	defer stop()
	list := actions.NewList(b, time.Time{})
	tag, err := list.Queue(actiontest.NewStub("act", 0), actions.QueueOptions{Position: actions.PositionNow, Owner: "A"})
	if err != nil {
		t.Fatal(err)
	}
	list.Update(&actions.Env{})
	cell := b.parent.actions[tag]
	if cell == nil {
		t.Fatal("the action has no actor")
	}
	names := b.parent.system.ProcessRegistry
	if _, ok := names.GetLocal(cell.pid.Id); !ok {
		t.Errorf("there is no %s", cell.pid.Id)
	}
	list.CancelTag(tag)
	list.Drain()
	list.Update(&actions.Env{})
	if _, ok := names.GetLocal(cell.pid.Id); ok || len(b.parent.actions) != 0 {
		t.Errorf("%s is left: %t, %d actors of actions", cell.pid.Id, ok, len(b.parent.actions))
	}
}

// A constructor that panics is reported as that, and protoactor's failure of the actor is settled by its restart.
func TestPanicOfConstructorIsSettledByRestart(t *testing.T) {
	b, stop := start(t, time.Second)
	defer stop()
	c := &engine.Cell{Node: &stack.Node{ID: "A"}, Entry: &catalog.Entry{}} // without a class there is nothing to make
	for range 2 {
		if err := b.Fresh(c); err == nil || !strings.HasPrefix(err.Error(), "panic: ") {
			t.Errorf("%v", err)
		}
	}
	if n := len(b.parent.failed); n != 0 {
		t.Errorf("%d failures wait after the restart", n)
	}
}

// A late hook may still burn its budget, less what is assumed and what it burned; what spinning zombies burned meanwhile is not its own.
// Rules: T-4.
func TestProcessorTimeThatIsLeft(t *testing.T) {
	w := newWatched(t, 10*ms, &clock.Load{Waiting: starved().Waiting, CPU: func() time.Duration { return 10 * ms }})
	for spinners, want := range map[int64]time.Duration{0: 2 * ms, 1: 4 * ms, 2: 6 * ms} {
		w.load.Spinners.Store(spinners)
		if got := w.stuck(&watch{cpu: 3 * ms, trust: ms, wall: 2 * ms}, measure(w.load, true)); got != want {
			t.Errorf("%d zombies spin: %v are left, want %v", spinners, got, want)
		}
	}
}

// abandoning gives a job up while its item runs.
type abandoning struct {
	invoker
	job *job
}

func (a *abandoning) InvokeUserMessage(any) { a.job.state.Or(abandoned) }

// A hook that returns after it was given up is a zombie no more, and reports nothing.
// Rules: T-10.
func TestReturningZombieIsNotCountedAnyMore(t *testing.T) {
	for _, spins := range []bool{false, true} {
		var zombies, spinners atomic.Int64
		zombies.Store(2)
		spinners.Store(2)
		c := &crossing{signals: make(chan signal, 1)}
		w := &worker{zombies: &zombies, spinners: &spinners}
		w.begin(c, w)
		j := &w.delivery.job
		j.w = w
		m := &mailbox{invoker: &abandoning{job: j}}
		j.items, j.spins = []item{{mailbox: m, msg: "hook"}, {mailbox: m, msg: "next"}}, spins
		why := w.enter() // until the coroutine has ended
		if want := map[bool]int64{false: 2, true: 1}[spins]; zombies.Load() != 1 || spinners.Load() != want || why != (signal{}) || len(c.signals) != 0 {
			t.Errorf("spins %t: %d zombies, %d spin, reported %+v, %d signals", spins, zombies.Load(), spinners.Load(), why, len(c.signals))
		}
	}
}

// deep calls f below a number of frames.
func deep(frames int, f func() bool) bool {
	if frames == 0 {
		return f()
	}
	return deep(frames-1, f)
}

// calling calls a function for each message.
type calling struct {
	invoker
	f func()
}

func (c *calling) InvokeUserMessage(any) { c.f() }

// A caller knows at any depth whether a worker runs it.
// Rules: Q-8.
func TestWorkerIsRecognizedAtAnyDepth(t *testing.T) {
	for _, depth := range []int{0, 30, 60, 64, 100, 1000} {
		if deep(depth, onWorker) {
			t.Errorf("%d frames of a test are a worker", depth)
		}
		on := false
		m := &mailbox{invoker: &calling{f: func() { on = deep(depth, onWorker) }}}
		j := &job{w: &worker{}, items: []item{{mailbox: m, msg: "hook"}}}
		if next, alive := j.runFrom(0); !on || next != 1 || !alive {
			t.Errorf("%d frames on a worker: %t, next %d, %t", depth, on, next, alive)
		}
	}
}

// Only the hook of the item that runs may ask; when all are done none may.
func TestOnlyTheRunningItemAsks(t *testing.T) {
	var d delivery
	ports := []*hookPort{{}, {}}
	for _, p := range ports {
		d.job.items = append(d.job.items, item{msg: &p.msg})
	}
	for i := range 3 {
		d.job.state.Store(uint64(i) * nextItem)
		for k, p := range ports {
			if d.runs(p) != (k == i) {
				t.Errorf("item %d runs, and port %d may ask: %t", i, k, d.runs(p))
			}
		}
	}
	if who := d.culprit(); who != "" {
		t.Errorf("all are done, and %q is to blame", who)
	}
}

// Who is given up is named and counted: the tick's patience shrinks, and so does the room for zombies.
// Rules: T-4.
func TestGivenUpItemIsNamedAndCounted(t *testing.T) {
	for _, c := range []struct{ name, op, want string }{
		{"", "", "A.Update"}, {"A constructor", "", "A constructor"}, {"Drive", "Init", "Drive.Init (action)"},
	} {
		w := newWatched(t, 10*ms, idle())
		hung := ""
		w.onHang = func(who string) { hung = who }
		w.delivery.hook, w.delivery.name, w.delivery.op = stack.HookUpdate, c.name, c.op
		w.delivery.job.items[0].cell = &engine.Cell{Node: &stack.Node{ID: "A"}}
		if w.givenUpAfter() == 0 || hung != c.want || w.lost != 1 || w.zombies.Load() != 1 || w.patience() != 5*ms {
			t.Errorf("%q, want %q; %d lost, %d zombies, patience %v", hung, c.want, w.lost, w.zombies.Load(), w.patience())
		}
	}
}
