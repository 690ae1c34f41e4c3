package robotmain

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// samePress is how long a second signal counts as part of the first: a shell's timeout and make signal a process and then
// its group.
const samePress = 300 * time.Millisecond

// hurryLimit is how long the process may still live after the second signal, before its last words.
const hurryLimit = 100 * time.Millisecond

// settleTime is how long after SIGHUP it is asked whether the terminal is gone: a shell that ends sends it shortly before.
const settleTime = 100 * time.Millisecond

// A hangup says what SIGHUP means to a live robot: read the definitions again, or stop, because the terminal that it was started from was
// closed. A robot without a terminal, such as a service, and one that was started with the signal ignored (nohup) does not stop.
type hangup struct {
	reload chan<- struct{}
	gone   func() bool // nil: there was no terminal
}

// newHangup looks for the terminal. Call it before signals.
func newHangup(reload chan<- struct{}) *hangup {
	h := &hangup{reload: reload}
	if hasTerminal() && !signal.Ignored(syscall.SIGHUP) {
		h.gone = func() bool { return !hasTerminal() }
	}
	return h
}

// hasTerminal reports whether the process has a controlling terminal.
func hasTerminal() bool {
	f, err := os.OpenFile("/dev/tty", os.O_RDONLY|syscall.O_NOCTTY, 0)
	if err != nil {
		return false
	}
	_ = f.Close()
	return true
}

// signals ends ctx at the first signal and closes hurry at the second. It calls giveUp when the process still lives hurryLimit
// after the second signal, or for longer than patience after the first one; 0 is any time. Without h, SIGHUP is a signal like the others.
func signals(parent context.Context, patience time.Duration, h *hangup, giveUp func(error)) (ctx context.Context, hurry <-chan struct{}, release func()) {
	ctx, cancel := context.WithCancel(parent)
	second := make(chan struct{})
	got := make(chan os.Signal, 2)
	signal.Notify(got, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	done := make(chan struct{})
	w := &signalWatch{first: cancel, second: second, patience: patience, giveUp: giveUp, hangup: h}
	go w.run(got, done)
	return ctx, second, func() {
		signal.Stop(got)
		close(done)
		cancel()
	}
}

// survivePipes makes a write to a pipe without a reader fail as any other write. Otherwise one to stdout or stderr ends the process.
// Unlike signal.Ignore it is not inherited by a program that this one starts.
func survivePipes() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// A signalWatch tells of the first and the second signal, and of a process that does not end.
type signalWatch struct {
	first    func()
	second   chan<- struct{} // closed
	patience time.Duration
	giveUp   func(error)
	hangup   *hangup // nil: SIGHUP stops
}

// stops reports whether the terminal is gone. If not, it asks for the definitions to be read again, unless that is asked already.
func (h *hangup) stops() bool {
	if h.gone != nil && h.gone() {
		return true
	}
	select {
	case h.reload <- struct{}{}:
	default:
	}
	return false
}

// run ends with giveUp or with done.
func (w *signalWatch) run(got <-chan os.Signal, done <-chan struct{}) {
	var at time.Time
	var late <-chan time.Time
	var why error
	hurried := false
	var settled <-chan time.Time // of a hangup
	for {
		select {
		case sig := <-got:
			if sig == syscall.SIGHUP && w.hangup != nil {
				if settled == nil {
					settled = time.After(settleTime)
				}
				continue
			}
		case <-settled:
			if settled = nil; !w.hangup.stops() {
				continue
			}
		case <-late:
			w.giveUp(why)
			return
		case <-done:
			return
		}
		switch {
		case at.IsZero():
			at = time.Now()
			w.first()
			if w.patience > 0 {
				late, why = time.After(w.patience), fmt.Errorf("stopped at once: the run did not end within %v after the signal; perhaps nobody reads its output", w.patience)
			}
		case !hurried && time.Since(at) > samePress:
			hurried = true
			close(w.second)
			late, why = time.After(hurryLimit), fmt.Errorf("stopped at once: nothing ended within %v after the second signal", hurryLimit)
		}
	}
}
