package robotmain

import (
	"errors"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// A shell may signal a process and its group: two signals within samePress are one request to stop.
func TestRepeatedSignalWithinAMomentCountsOnce(t *testing.T) {
	synctest.Test(t, repeatedSignal) // in virtual time: a busy machine would make two presses of one
}

func repeatedSignal(t *testing.T) {
	got, done, second := make(chan os.Signal), make(chan struct{}), make(chan struct{})
	polite := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		(&signalWatch{first: func() { close(polite) }, second: second}).run(got, done)
	}()
	got <- os.Interrupt
	<-polite
	got <- os.Interrupt // at once: the same press
	select {
	case <-second:
		t.Fatal("a repeated signal counts as the second")
	case <-time.After(samePress + time.Millisecond):
	}
	got <- os.Interrupt
	<-second
	close(done)
	<-ended
}

// A stop that hangs ends the process: soon after the second signal, and a run that needs no order also some time after the first.
func TestProcessThatDoesNotEndAfterSignalsIsGivenUp(t *testing.T) {
	for name, c := range map[string]struct {
		signals  int
		patience time.Duration
		want     string
	}{
		"second signal": {signals: 2, want: "after the second signal"},
		"patience":      {signals: 1, patience: time.Millisecond, want: "within 1ms after the signal"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got, ended := make(chan os.Signal), make(chan error, 1)
				w := &signalWatch{first: func() {}, second: make(chan struct{}), patience: c.patience, giveUp: func(err error) { ended <- err }}
				go w.run(got, nil)
				for i := range c.signals {
					if i > 0 {
						<-time.After(samePress + time.Millisecond) // a signal within this time is no second one
					}
					got <- os.Interrupt
				}
				if err := <-ended; !strings.Contains(err.Error(), c.want) {
					t.Errorf("given up with %q, want %q", err, c.want)
				}
			})
		})
	}
}

// SIGHUP reads the definitions again. It stops the robot if its terminal is gone.
func TestHangupReloadsWhileTheTerminalIsThere(t *testing.T) {
	var gone atomic.Bool // a signal orders no memory
	reload := make(chan struct{}, 1)
	ctx, _, release := signals(t.Context(), 0, &hangup{reload: reload, gone: gone.Load}, nil)
	defer release()
	hup := func() {
		t.Helper()
		if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	hup()
	select {
	case <-reload:
	case <-ctx.Done():
		t.Fatal("it stopped")
	case <-time.After(time.Minute):
		t.Fatal("nobody heard it")
	}
	gone.Store(true)
	hup()
	select {
	case <-reload:
		t.Error("it reloads without a terminal")
	case <-ctx.Done():
	case <-time.After(time.Minute):
		t.Fatal("nobody heard it")
	}
}

// SIGHUP stops a headless run in order, as SIGTERM does.
func TestHangupStopsInOrder(t *testing.T) {
	ctx, hurry, release := signals(t.Context(), 0, nil, nil)
	defer release()
	if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ctx.Done():
	case <-time.After(time.Minute):
		t.Fatal("nobody heard it")
	}
	select {
	case <-hurry:
		t.Error("one signal counts as two")
	default:
	}
}

// The last words need no reader.
func TestProcessThatIsGivenUpEndsWithoutReader(t *testing.T) {
	r, w := io.Pipe() // unread, it holds every writer
	code := -1
	p := &program{exit: func(c int) { code = c }}
	p.giveUp(w, errors.New("too long"))
	if code != exitFailure {
		t.Errorf("exit code %d, want %d", code, exitFailure)
	}
	line := make([]byte, 100)
	if n, err := r.Read(line); err != nil || string(line[:n]) != "robotd: too long\n" {
		t.Errorf("%v, last words %q", err, line[:n])
	}
}
