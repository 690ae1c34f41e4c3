package barrier

import (
	"os"
	"strconv"
	"syscall"
	"time"
	"unsafe"
)

// processorTime is the processor time of the process to this moment. By itself the kernel adds up what a running thread burns at
// its own tick, 4 ms apart or more, so that getrusage(2) is as old; but asking for the clock of a thread brings that thread's
// account up to date. It costs some microseconds, and is asked for when a hook is late already.
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

// threadTime is the processor time of one thread; 0 if it has ended meanwhile.
func threadTime(tid int) time.Duration {
	const exact = 6 // CPUCLOCK_SCHED of one thread: the last bits of a clock ID made of a thread ID
	var t syscall.Timespec
	_, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, uintptr(int32(^tid)<<3|exact), uintptr(unsafe.Pointer(&t)), 0)
	if errno != 0 {
		return 0
	}
	return time.Duration(t.Nano())
}
