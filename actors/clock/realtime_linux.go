package clock

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// Scheduling of the kernel's interface (sched(7)). The lowest real-time priority is above everything that is not real-time. A thread or
// process that a thread with reset on fork begets has the normal policy.
const (
	schedOther       = 0
	schedFIFO        = 1
	schedResetOnFork = 0x40000000
	fifoPriority     = 1
)

// threadWaiter waits on a timerfd in a system call. For that time its goroutine is locked to its thread, and that is a real-time thread,
// which the kernel runs before all normal ones as soon as the deadline comes. The thread is a normal one again before it runs
// anything else, so no tick, hook or other goroutine ever runs on a real-time thread.
type threadWaiter struct {
	fd    uintptr
	woken atomic.Bool
}

// realtimeWaiter returns an error if real-time threads are not permitted. It has tried.
func realtimeWaiter() (waiter, error) {
	runtime.LockOSThread()
	err := schedule(schedFIFO, fifoPriority)
	if err == nil {
		err = schedule(schedOther, 0)
	}
	runtime.UnlockOSThread()
	if err != nil {
		return nil, err
	}
	fd, _, errno := syscall.Syscall(syscall.SYS_TIMERFD_CREATE, clockMonotonic, tfdCloexec, 0)
	if errno != 0 {
		return nil, fmt.Errorf("timerfd: %w", errno)
	}
	return &threadWaiter{fd: fd}, nil
}

// schedule is sched_setscheduler(2) for the calling thread. What that begets has the normal policy.
func schedule(policy uintptr, priority int32) error {
	_, _, errno := syscall.RawSyscall(syscall.SYS_SCHED_SETSCHEDULER, 0, policy|schedResetOnFork, uintptr(unsafe.Pointer(&priority)))
	switch errno {
	case 0:
		return nil
	case syscall.EPERM:
		return fmt.Errorf("SCHED_FIFO: %w; it needs CAP_SYS_NICE, or RLIMIT_RTPRIO of at least %d", errno, fifoPriority)
	}
	return fmt.Errorf("SCHED_FIFO: %w", errno)
}

// until arms the timer before it looks whether it was woken, and wake arms it afterwards: one of them sees the other.
func (w *threadWaiter) until(t time.Time) time.Time {
	left := time.Until(t)
	if left <= 0 {
		return time.Now()
	}
	armed := w.arm(left)
	if w.woken.Load() {
		return time.Now()
	}
	if armed {
		if now, ok := w.expire(); ok {
			return now
		}
	}
	fallback := newTimerWaiter()
	defer fallback.close()
	return fallback.until(t)
}

// expire waits for the timer and tells when it woke. The kernel never refuses to make a thread a normal one.
func (w *threadWaiter) expire() (now time.Time, ok bool) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	_ = schedule(schedFIFO, fifoPriority) // it was permitted before; a thread to which it is not waits as a normal one
	var times [8]byte
	_, _, errno := syscall.Syscall(syscall.SYS_READ, w.fd, uintptr(unsafe.Pointer(&times)), unsafe.Sizeof(times))
	now = time.Now()
	_ = schedule(schedOther, 0)
	return now, errno == 0 || errno == syscall.EINTR
}

func (w *threadWaiter) arm(d time.Duration) bool {
	spec := [2]syscall.Timespec{{}, syscall.NsecToTimespec(int64(d))}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_TIMERFD_SETTIME, w.fd, 0, uintptr(unsafe.Pointer(&spec)), 0, 0, 0)
	return errno == 0
}

func (w *threadWaiter) wake() {
	w.woken.Store(true)
	w.arm(1)
}

func (w *threadWaiter) again() { w.woken.Store(false) }
func (w *threadWaiter) close() { _ = syscall.Close(int(w.fd)) }
