package clock

import (
	"testing"
	"time"

	"github.com/robotd/robotd/hardware"
)

func TestLiveExecutorRunsPostedWorkInOrder(t *testing.T) {
	const n = 1000
	e := Live{}.Open("e", 1)
	defer e.Close()
	order, gate := make(chan int, n), make(chan struct{})
	e.Post(func() { <-gate })
	for i := range n {
		e.Post(func() { order <- i })
	}
	close(gate)
	for i := range n {
		if got := <-order; got != i {
			t.Fatalf("piece %d runs as number %d", got, i)
		}
	}
}

// within runs f and reports whether that took less than d.
func within(d time.Duration, f func()) bool {
	begin := time.Now()
	f()
	return time.Since(begin) < d
}

func TestLiveExecutorRunsTimedWorkWhenDueUnlessStopped(t *testing.T) {
	const soon = 20 * time.Millisecond
	e := Live{}.Open("e", 1)
	defer e.Close()
	for inTime := false; !inTime; { // on a busy machine the stop may come too late: then again
		ran := make(chan string, 4)
		from := time.Now()
		inTime = within(soon, func() {
			stopped := e.Timer(func() { ran <- "stopped" })
			stopped.Set(soon)
			stopped.Stop()
			e.Watch(soon, func(Verdict) { ran <- "watch that ended" })()
		})
		due := e.Timer(func() { ran <- "due" })
		due.Set(time.Hour)
		due.Set(2 * soon)
		got := <-ran
		for !inTime && got != "due" {
			got = <-ran
		}
		if took := time.Since(from); got != "due" || took < 2*soon {
			t.Errorf("%q runs after %v", got, took)
		}
	}
}

// A closed executor drops what it is given, so that its goroutine ends; TestMain sees one that does not.
func TestLiveExecutorDropsWorkOnceClosed(t *testing.T) {
	e := Live{}.Open("e", 1)
	began, gate := make(chan struct{}), make(chan struct{})
	e.Post(func() { close(began); <-gate })
	<-began
	e.Post(func() { t.Error("work that waited runs after the close") })
	e.Close()
	e.Post(func() { t.Error("work that was posted after the close runs") })
	close(gate)
}

// A live executor is ahead of the clock by what it spent, but not by much, and a sleep comes after it.
func TestLiveSpentTimePassesForItsExecutor(t *testing.T) {
	e := Live{}.Open("e", 1)
	defer e.Close()
	spend, from := e.(hardware.Spender).Spend, time.Now()
	spend(ms)
	if ahead := e.Now().Sub(from); ahead < ms {
		t.Errorf("%v after spending 1 ms", ahead)
	}
	for range 9 {
		spend(ms)
	}
	if passed := time.Since(from); passed < 10*ms-maxAhead {
		t.Errorf("10 ms were spent in %v", passed)
	}
	e.Sleep(2 * ms)
	if passed := time.Since(from); passed < 12*ms {
		t.Errorf("10 ms were spent and 2 ms slept in %v", passed)
	}
}

// A timer is set for a time from the executor's own present, which may be ahead: it is never early by what was spent.
func TestLiveTimerOfAnExecutorThatIsAheadIsNotEarly(t *testing.T) {
	e := Live{}.Open("e", 1)
	defer e.Close()
	early := make(chan time.Duration)
	e.Post(func() {
		e.(hardware.Spender).Spend(2 * ms)
		due := e.Now().Add(ms)
		e.Timer(func() { early <- due.Sub(e.Now()) }).Set(ms)
	})
	if d := <-early; d > 0 {
		t.Errorf("the timer runs %v before it is due", d)
	}
}
