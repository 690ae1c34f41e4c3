package clock

import (
	"runtime"
	"slices"
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
	c := newCensus()
	for range 10 {
		before := c.processorTime()
		begin <- struct{}{}
		<-burned
		if got := c.processorTime() - before; got < enough {
			t.Errorf("%v, while a thread burned more than %v", got, enough)
		}
		stop.Store(true)
		<-halted
	}
	close(begin)
	<-halted
}

// A thread that the list lacks is on it when the clocks have been read: if there are more than there were, if one of the list has ended and as
// many are there as before, and if not all that the runtime counted were there.
func TestThreadsAreListedAgain(t *testing.T) {
	made, end := make(chan int), make(chan struct{})
	go func() {
		runtime.LockOSThread() // and ends the thread with the goroutine
		made <- syscall.Gettid()
		<-end
	}()
	defer close(end)
	tid := <-made
	without := func(tids []int) []int {
		return slices.DeleteFunc(tids, func(t int) bool { return t == tid })
	}
	for name, outdate := range map[string]func(l *threadList){
		"more": func(l *threadList) { // of the kernel's number, which is higher than the runtime's, there are enough
			l.tids, l.count = slices.Repeat(without(l.tids), 2), l.count-1
		},
		"ended": func(l *threadList) { l.tids = append(without(l.tids), 1<<22) }, // beyond the kernel's highest
		"fewer": func(l *threadList) { l.tids = l.tids[:1] },
	} {
		t.Run(name, func(t *testing.T) {
			c := newCensus()
			outdate(c.list.Load())
			if c.processorTime(); !slices.Contains(c.list.Load().tids, tid) {
				t.Errorf("%v lack %d", c.list.Load().tids, tid)
			}
		})
	}
}

// Without a descriptor to read the list with, the old one stays, and the next reading tries again.
func TestListOfThreadsStaysWithoutDescriptors(t *testing.T) {
	c := newCensus()
	old := &threadList{tids: []int{syscall.Getpid()}} // the first thread
	c.list.Store(old)
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 0, Max: limit.Max}); err != nil {
		t.Fatal(err)
	}
	c.processorTime()
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if l := c.list.Load(); l != old {
		t.Errorf("threads %v, %d", l.tids, l.count)
	}
	if c.processorTime(); c.list.Load() == old {
		t.Error("no new list with descriptors")
	}
}
