package clock

import (
	"sync"
	"time"
)

// A Verdict is what a watch says of work that has not returned in time.
type Verdict uint8

const (
	Late  Verdict = iota // only the clock says so: the machine woke the work late, or does not let it run
	Waits                // it hangs: it waits for something, and does not burn processor time
	Spins                // it hangs: it burned its time
)

const (
	// starvation is how many times its limit work has that a loaded machine does not let run.
	starvation = 10
	// looks is the part of the limit after which a watch looks again at work that is late.
	looks = 25
	// punctual is how late a sleep may end on a machine that has nothing else to do.
	punctual = time.Millisecond
	// standstill is how late a look is if the process had no turn, the watch included.
	standstill = 125 * time.Millisecond
)

// A watch is the account of one piece of work on an executor. Work hangs if it takes its limit and then waits for something, or
// burns that much processor time, or takes ten times as long. What does not count is time by which the machine ended the
// work's sleeps too late, and time in which the whole process stood still.
type watch struct {
	executor *liveExecutor
	done     func() // end, bound once

	mu    sync.Mutex
	timer *time.Timer
	f     func(Verdict)
	limit time.Duration
	over  bool // end was called
	fired bool

	begun, owed, used time.Duration // at the beginning
	planned           time.Duration // of the next look
}

// Watch implements Executor.
func (e *liveExecutor) Watch(d time.Duration, f func(Verdict)) func() {
	e.mu.Lock()
	w := e.watch
	e.watch = nil
	e.mu.Unlock()
	if w == nil {
		w = &watch{executor: e}
		w.done = w.end
	}
	w.begin(d, f)
	return w.done
}

func (w *watch) begin(d time.Duration, f func(Verdict)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	e := w.executor
	w.f, w.limit, w.over = f, d, false
	w.account(time.Since(e.opened))
	if w.timer == nil {
		w.timer = time.AfterFunc(d, w.look)
	} else {
		w.timer.Reset(d)
	}
}

// account begins the account of the work, of which nothing is spent at now.
func (w *watch) account(now time.Duration) {
	e := w.executor
	w.begun, w.owed, w.used = now, time.Duration(e.owed.Load()), e.load.usedLately()
	w.planned = now + w.limit
}

// end ends the watch. One that has not fired is used again.
func (w *watch) end() {
	w.mu.Lock()
	w.over = true
	quiet := w.timer.Stop() && !w.fired
	w.mu.Unlock()
	if e := w.executor; quiet {
		e.mu.Lock()
		e.watch = w
		e.mu.Unlock()
	}
}

// look judges the work, tells the first verdict and the one that it hangs, and looks again unless it hangs.
func (w *watch) look() {
	w.mu.Lock()
	first := !w.fired
	w.fired = true
	if w.over {
		w.mu.Unlock()
		return
	}
	now := time.Since(w.executor.opened)
	v, again := Late, w.limit
	if now-w.planned >= standstill { // not even the watch got a turn: the process stood still, and the work has its limit again
		w.account(now)
	} else if v, again = w.judge(now); v == Late {
		w.planned = now + again
	}
	if v == Late {
		w.timer.Reset(again)
	}
	f := w.f
	w.mu.Unlock()
	if first || v != Late {
		f(v)
	}
}

// judge returns the verdict at an instant, and if the work is only late, the time until the next look.
func (w *watch) judge(now time.Duration) (v Verdict, again time.Duration) {
	e, wall, again := w.executor, now-w.begun, max(w.limit/looks, punctual)
	spinners := e.load.Spinners.Load()
	verdict := Spins
	if e.load.Waiting(spinners) {
		verdict = Waits
	}
	if wall >= starvation*w.limit {
		return verdict, 0
	}
	owed := time.Duration(e.owed.Load()) - w.owed + overdue(now, time.Duration(e.due.Load()))
	if left := w.limit - (wall - owed); left > 0 {
		return Late, max(left, again)
	}
	burned := e.load.Used() - w.used - time.Duration(spinners)*wall
	if verdict == Waits || burned >= w.limit {
		return verdict, 0
	}
	return Late, again
}

// overdue is by how much a sleep that was to end at due is late, beyond what it is on a machine with nothing else to do.
func overdue(now, due time.Duration) time.Duration {
	if late := now - due; due > 0 && late > punctual {
		return late
	}
	return 0
}
