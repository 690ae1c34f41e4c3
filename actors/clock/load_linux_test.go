package clock

import (
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// burn spins for some rounds without asking the kernel for anything.
func burn(rounds int, stop *atomic.Bool) {
	for range rounds {
		if stop.Load() {
			return
		}
	}
}

// The processor time includes what another thread burns up to now, and not up to the last tick of the kernel. The watchdog
// needs it for a hook that spins.
func TestProcessorTimeIncludesRunningThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	const enough = time.Millisecond
	begin, burned, halted := make(chan struct{}), make(chan struct{}, 1), make(chan struct{})
	var stop atomic.Bool
	go func() {
		defer close(halted)
		runtime.LockOSThread() // and ends the thread with the goroutine
		me := syscall.Gettid()
		rounds := 1 << 16
		for from := threadTime(me); threadTime(me)-from < 2*enough; rounds *= 2 { // half of the rounds take enough
			from = threadTime(me)
			burn(rounds, &stop)
		}
		for range begin {
			burn(rounds, &stop)
			burned <- struct{}{}
			burn(1<<62, &stop)
			stop.Store(false)
			halted <- struct{}{}
		}
	}()
	for range 10 {
		before := processorTime()
		begin <- struct{}{}
		<-burned
		if got := processorTime() - before; got < enough {
			t.Errorf("%v, while a thread burned more than %v", got, enough)
		}
		stop.Store(true)
		<-halted
	}
	close(begin)
	<-halted
}
