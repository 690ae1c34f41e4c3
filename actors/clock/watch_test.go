package clock

import (
	"testing"
	"time"
)

const ms = time.Millisecond

// A machine is a load with answers that a test sets.
type machine struct {
	*Load
	busy bool
	used time.Duration
}

func newMachine() *machine {
	m := &machine{}
	m.Load = &Load{Waiting: func(spinners int64) bool { return !m.busy }, Used: func() time.Duration { return m.used }}
	return m
}

// A piece of work that is late hangs if it waits, if it burned its limit, or if it had ten of them. Otherwise the machine does not
// let it run.
// Rules: Q-8.
func TestLateWorkIsJudgedByWhatItWaitedForOrBurned(t *testing.T) {
	const limit = 250 * ms
	for _, c := range []struct {
		name             string
		wall             time.Duration
		busy             bool
		burned           time.Duration // by the process
		spinners         int64
		owed, sleepsTill time.Duration // late sleeps of the work; the end of the present one
		want             Verdict
		again            time.Duration
	}{
		{name: "waits", wall: limit, want: Waits},
		{name: "waits beside a foreign load that made a sleep late", wall: limit, owed: 100 * ms, want: Late, again: 100 * ms},
		{name: "waits in spite of late sleeps", wall: limit + 100*ms, owed: 100 * ms, want: Waits},
		{name: "sleeps as long as it wants to", wall: limit, sleepsTill: limit + time.Hour, want: Waits},
		{name: "is not woken", wall: limit, sleepsTill: 30 * ms, want: Late, again: 220 * ms},
		{name: "is woken a little late", wall: limit, sleepsTill: limit - ms, want: Waits},
		{name: "burned its limit", wall: limit, busy: true, burned: limit, want: Spins},
		{name: "burns", wall: limit, busy: true, burned: limit - 1, want: Late, again: 10 * ms},
		{name: "beside a zombie that burns", wall: limit, busy: true, burned: 2*limit - 1, spinners: 1, want: Late, again: 10 * ms},
		{name: "burned its limit beside a zombie", wall: limit, busy: true, burned: 2 * limit, spinners: 1, want: Spins},
		{name: "does not run", wall: 10*limit - 1, busy: true, want: Late, again: 10 * ms},
		{name: "had ten limits", wall: 10 * limit, busy: true, want: Spins},
		{name: "had ten limits and waits", wall: 10 * limit, owed: 10 * limit, want: Waits},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMachine()
			e := &liveExecutor{load: m.Load, opened: time.Now()}
			w := &watch{executor: e, limit: limit, begun: time.Minute, owed: time.Second, used: time.Second}
			m.busy, m.used = c.busy, w.used+c.burned
			m.Spinners.Store(c.spinners)
			e.owed.Store(int64(w.owed + c.owed))
			if c.sleepsTill > 0 {
				e.due.Store(int64(w.begun + c.sleepsTill))
			}
			if v, again := w.judge(w.begun + c.wall); v != c.want || again != c.again {
				t.Errorf("%d, again in %v; want %d, %v", v, again, c.want, c.again)
			}
		})
	}
}

// A watch tells that its work is late, and once more when it hangs.
func TestWatchTellsLateWorkOnceAndThenThatItHangs(t *testing.T) {
	looked, busy := make(chan struct{}), make(chan bool)
	e := Live{Load: &Load{Used: func() time.Duration { return 0 }, Waiting: func(int64) bool {
		looked <- struct{}{}
		return !<-busy
	}}}.Open("e", 1)
	defer e.Close()
	told := make(chan Verdict, 4)
	done := e.Watch(100*ms, func(v Verdict) { told <- v })
	for range 3 { // three looks, and one verdict
		<-looked
		busy <- true
	}
	<-looked
	busy <- false
	if first, then := <-told, <-told; first != Late || then != Waits || len(told) > 0 {
		t.Errorf("told %d, then %d, and %d more", first, then, len(told))
	}
	done()
}

// A process that was stopped in the middle of some work finds it long overdue, and so is the watch itself. The work has its limit
// from then on, and hangs after that.
func TestWorkOfAProcessThatStoodStillHasItsLimitAgain(t *testing.T) {
	const limit = 250 * ms
	m := newMachine()
	e := &liveExecutor{load: m.Load, opened: time.Now().Add(-time.Hour)}
	var told []Verdict
	w := &watch{executor: e, limit: limit, f: func(v Verdict) { told = append(told, v) }, timer: time.NewTimer(time.Hour)}
	look := func(begun, planned time.Duration) []Verdict {
		w.begun, w.planned = begun, planned
		w.look()
		return told
	}
	now := time.Since(e.opened)
	if got := look(now-time.Minute, now-time.Minute+limit); len(got) != 1 || got[0] != Late || w.begun < now || w.planned < now+limit {
		t.Errorf("after the stop: told %v, begun %v ago", got, now-w.begun)
	}
	now = time.Since(e.opened)
	if got := look(now-limit, now); len(got) != 2 || got[1] != Waits {
		t.Errorf("a limit later: told %v", got)
	}
}

// A watch whose work returns is quiet, and is used again.
func TestWatchThatEndedIsUsedAgain(t *testing.T) {
	e := Live{Load: newMachine().Load}.Open("e", 1).(*liveExecutor)
	defer e.Close()
	e.Watch(time.Hour, func(Verdict) { t.Error("fired") })()
	first := e.watch
	told := make(chan Verdict, 1)
	done := e.Watch(ms, func(v Verdict) {
		if v != Late { // the machine let the watch wait
			told <- v
		}
	})
	if e.watch != nil || first == nil {
		t.Error("another watch was made")
	}
	if v := <-told; v != Waits {
		t.Errorf("told %d", v)
	}
	if done(); e.watch != nil {
		t.Error("a watch that fired is kept")
	}
}

// Watches that begin share what the process has used, for a while: the kernel is asked seldom.
func TestManyWatchesAskTheKernelSeldom(t *testing.T) {
	asked := 0
	m := &Load{Used: func() time.Duration { asked++; return time.Duration(asked) }}
	m.at = time.Now().Add(-agoMost - 1)
	first := m.usedLately()
	m.at = time.Now().Add(time.Hour) // no time passes
	if again := m.usedLately(); first != 1 || again != 1 || asked != 1 {
		t.Errorf("%d, then %d, asked %d times", first, again, asked)
	}
}

// What a sleep lasts longer than it should is kept, for the watches, unless every machine is as late.
func TestLateSleepsAreOwed(t *testing.T) {
	for late, want := range map[time.Duration]time.Duration{-ms: 0, punctual: 0, punctual + 1: punctual + 1, time.Second: time.Second} {
		if got := overdue(time.Minute+late, time.Minute); got != want {
			t.Errorf("%v late: %v owed, want %v", late, got, want)
		}
	}
	if got := overdue(time.Minute, 0); got != 0 {
		t.Errorf("awake: %v owed", got)
	}
	e := Live{}.Open("e", 1).(*liveExecutor)
	defer e.Close()
	from := time.Now()
	e.Sleep(ms)
	if late := time.Since(from) - ms; e.due.Load() != 0 || time.Duration(e.owed.Load()) > late {
		t.Errorf("sleeps until %d, owed %v of %v", e.due.Load(), time.Duration(e.owed.Load()), late)
	}
	e.opened = e.opened.Add(-time.Hour)
	before := e.owed.Load()
	e.Sleep(-5 * ms) // it should have ended already
	if owed := time.Duration(e.owed.Load() - before); owed < 5*ms {
		t.Errorf("owed %v for a sleep that is 5 ms late", owed)
	}
}
