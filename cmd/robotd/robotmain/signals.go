package robotmain

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// samePress is how long a second signal counts as part of the first: a shell's timeout and make signal a process and then
// its group.
const samePress = 300 * time.Millisecond

// signals ends ctx at the first signal and closes hurry at the second.
func signals(parent context.Context) (ctx context.Context, hurry <-chan struct{}, release func()) {
	ctx, cancel := context.WithCancel(parent)
	second := make(chan struct{})
	got := make(chan os.Signal, 2)
	signal.Notify(got, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) // the last: the terminal was closed
	done := make(chan struct{})
	go watchSignals(got, done, cancel, second)
	return ctx, second, func() {
		signal.Stop(got)
		close(done)
		cancel()
	}
}

// watchSignals ends with the second signal, or with done.
func watchSignals(got <-chan os.Signal, done <-chan struct{}, first func(), second chan<- struct{}) {
	var at time.Time
	for {
		select {
		case <-got:
		case <-done:
			return
		}
		switch {
		case at.IsZero():
			at = time.Now()
			first()
		case time.Since(at) > samePress:
			close(second)
			return
		}
	}
}
