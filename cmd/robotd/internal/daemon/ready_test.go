package daemon

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A start without a first tick ends with the reason, if anything told one.
func TestStartWithoutATickTellsWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		never := make(chan struct{})
		d := &daemon{log: slog.New(slog.DiscardHandler), failed: make(chan error, 1), begin: time.Now()}
		if err := d.ready(t.Context(), never); err == nil || !strings.Contains(err.Error(), "no tick was completed within 10s") {
			t.Errorf("%v", err)
		}
		broken := errors.New("the tick panicked")
		d.failed <- broken
		if err := d.ready(t.Context(), never); !errors.Is(err, broken) {
			t.Errorf("%v", err)
		}
	})
}

// What a stop keeps waits for one disk side by side: one that answers nobody holds the stop once, not once for each file.
func TestStopWaitsOnceForADiskThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := slog.New(slog.DiscardHandler)
		d := &daemon{log: log, keeper: &keeper{queue: make(chan kept), done: make(chan struct{}), log: log}, learner: &learner{end: make(chan struct{}), done: make(chan struct{}), log: log}}
		begin := time.Now()
		d.keep()
		if took := time.Since(begin); took != recordLimit {
			t.Errorf("it took %v, want %v", took, recordLimit)
		}
	})
}
