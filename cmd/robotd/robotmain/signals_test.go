package robotmain

import (
	"os"
	"syscall"
	"testing"
	"time"
)

// A shell may signal a process and its group: two signals within samePress are one request to stop.
func TestRepeatedSignalWithinAMomentCountsOnce(t *testing.T) {
	got, done, second := make(chan os.Signal), make(chan struct{}), make(chan struct{})
	polite := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		watchSignals(got, done, func() { close(polite) }, second)
	}()
	got <- os.Interrupt
	<-polite
	got <- os.Interrupt // at once: the same press
	select {
	case <-second:
		t.Fatal("a repeated signal counts as the second")
	case <-time.After(samePress + 20*time.Millisecond):
	}
	got <- os.Interrupt
	<-second
	<-ended
}

// SIGHUP stops the robot in order, as SIGTERM does.
func TestHangupStopsInOrder(t *testing.T) {
	ctx, hurry, release := signals(t.Context())
	defer release()
	if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ctx.Done():
	case <-time.After(5 * time.Second):
		t.Fatal("nobody heard it")
	}
	select {
	case <-hurry:
		t.Error("one signal counts as two")
	default:
	}
}
