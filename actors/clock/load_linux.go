package clock

import (
	"os"
	"runtime/metrics"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// A census lists the threads of the process, to read their clocks without a look into /proc: that takes 0.1 ms if it was not done lately,
// which is the whole slice of a thread that wakes beside one that spins (ShortSlices). It holds no lock of ours meanwhile: whoever lost its
// processor to such a thread would keep others waiting.
type census struct{ list atomic.Pointer[threadList] }

type threadList struct {
	tids  []int
	count uint64 // of threads when the list was made
}

func newCensus() *census {
	c := &census{}
	c.list.Store(&threadList{})
	c.take()
	return c
}

func threadCount() uint64 {
	sample := []metrics.Sample{{Name: "/sched/threads/total:threads"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// take makes the list anew.
func (c *census) take() *threadList {
	count := threadCount()
	tids, err := threads()
	if err != nil { // too many open files, say: the old list is better than none
		return c.list.Load()
	}
	l := &threadList{tids, count}
	c.list.Store(l)
	return l
}

// read reads the clock of each thread of the list, and reports whether all are there still.
func (l *threadList) read() bool {
	all := true
	for _, tid := range l.tids {
		all = threadTime(tid) > 0 && all
	}
	return all
}

func threads() (tids []int, err error) {
	names, err := os.ReadDir("/proc/self/task")
	for _, name := range names {
		if tid, err := strconv.Atoi(name.Name()); err == nil {
			tids = append(tids, tid)
		}
	}
	return tids, err
}

// processorTime is the processor time of the process up to now. The kernel updates the account of a running thread at its own
// tick, 4 ms apart or more, so getrusage(2) alone is up to that old. Reading the clock of a thread updates its account at
// once: a system call for each. The list of threads is made again if one came or has ended.
func (c *census) processorTime() time.Duration {
	l := c.list.Load()
	// The runtime counts a thread before it is there, so the list may have fewer.
	if count := threadCount(); !l.read() || count != l.count || uint64(len(l.tids)) < count {
		c.take().read()
	}
	return processTime()
}

// threadTime is the processor time of one thread; 0 if the thread has ended.
func threadTime(tid int) time.Duration {
	const exact = 6 // CPUCLOCK_SCHED of one thread: the last bits of a clock ID made of a thread ID
	var t syscall.Timespec
	_, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, uintptr(int32(^tid)<<3|exact), uintptr(unsafe.Pointer(&t)), 0)
	if errno != 0 {
		return 0
	}
	return time.Duration(t.Nano())
}
