package clock

import (
	"os"
	"strconv"
	"syscall"
	"time"
	"unsafe"
)

// processorTime is the processor time of the process up to now. The kernel updates the account of a running thread at its own
// tick, 4 ms apart or more, so getrusage(2) alone is up to that old. Reading the clock of a thread updates its account at
// once. It costs some microseconds, and happens only when a hook is late.
func processorTime() time.Duration {
	if dir, err := os.Open("/proc/self/task"); err == nil {
		names, _ := dir.Readdirnames(-1)
		_ = dir.Close()
		for _, name := range names {
			if tid, err := strconv.Atoi(name); err == nil {
				threadTime(tid)
			}
		}
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
