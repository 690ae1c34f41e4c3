package clock

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// fifoPriority is the lowest real-time priority, which is above everything that is not real-time (sched(7)).
const fifoPriority = 1

// threadWaiter waits on a timerfd in a system call. For that time its goroutine is locked to its thread, and that is a real-time thread,
// which the kernel runs before all normal ones as soon as the deadline comes. The thread is again what it was before it runs
// anything else, so no tick, hook or other goroutine ever runs on a real-time thread.
type threadWaiter struct {
	fd    uintptr
	woken atomic.Bool
}

// realtimeWaiter returns an error if real-time threads are not permitted. It has tried.
func realtimeWaiter() (waiter, error) {
	runtime.LockOSThread()
	calm, err := urgently()
	if err == nil {
		calm()
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

// urgently makes the calling thread a real-time thread. What that begets is normal. calm makes the thread again what it was, with its nice
// value and the length of its slices.
func urgently() (calm func(), err error) {
	was, err := unix.SchedGetAttr(0, 0)
	if err == nil {
		err = unix.SchedSetAttr(0, &unix.SchedAttr{Policy: unix.SCHED_FIFO, Priority: fifoPriority, Flags: unix.SCHED_FLAG_RESET_ON_FORK}, 0)
	}
	switch {
	case errors.Is(err, unix.EPERM):
		return nil, fmt.Errorf("SCHED_FIFO: %w; it needs CAP_SYS_NICE, or RLIMIT_RTPRIO of at least %d", err, fifoPriority)
	case err != nil:
		return nil, fmt.Errorf("SCHED_FIFO: %w", err)
	}
	return func() {
		was.Flags |= unix.SCHED_FLAG_RESET_ON_FORK // taking it back needs a privilege
		_ = unix.SchedSetAttr(0, was, 0)           // the kernel never refuses to make a thread a normal one
	}, nil
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

// expire waits for the timer and tells when it woke.
func (w *threadWaiter) expire() (now time.Time, ok bool) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	calm, err := urgently()
	if err == nil { // it was permitted before; a thread to which it is not waits as a normal one
		defer calm()
	}
	var times [8]byte
	_, _, errno := syscall.Syscall(syscall.SYS_READ, w.fd, uintptr(unsafe.Pointer(&times)), unsafe.Sizeof(times))
	now = time.Now()
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
