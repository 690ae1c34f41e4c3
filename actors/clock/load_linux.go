package clock

import (
	"os"
	"runtime/metrics"
	"strconv"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// A census lists the threads of the process, to read their clocks without a look into /proc: that takes 0.1 ms if it was not done lately,
// which is the whole slice of a thread that wakes beside one that spins (ShortSlices).
type census struct {
	mu    sync.Mutex
	tids  []int
	count uint64 // of threads when the list was made
}

func newCensus() *census {
	c := &census{}
	c.take()
	return c
}

func threadCount() uint64 {
	sample := []metrics.Sample{{Name: "/sched/threads/total:threads"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// take makes the list anew. Only whoever holds mu calls it, or makes c.
func (c *census) take() {
	count := threadCount()
	if tids, err := threads(); err == nil { // too many open files, say: the old list is better than none
		c.tids, c.count = tids, count
	}
}

// read reads the clock of each thread of the list, and reports whether all are there still.
func (c *census) read() bool {
	all := true
	for _, tid := range c.tids {
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
	c.mu.Lock()
	defer c.mu.Unlock()
	// The runtime counts a thread before it is there, so the list may have fewer.
	if count := threadCount(); !c.read() || count != c.count || uint64(len(c.tids)) < count {
		c.take()
		c.read()
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
