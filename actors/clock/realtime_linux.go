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

// threadWaiter waits on a timerfd in a system call, on a real-time thread of its own, which the kernel runs before all normal ones as
// soon as the deadline comes. All that the thread does is to note the instant and to wake the pacer's goroutine, so no tick, hook or
// other goroutine ever runs on it. It stays what it is until the end: a real-time thread that becomes a normal one goes to the end of the
// kernel's queue, and work that it had would wait there.
type threadWaiter struct {
	fd    uintptr
	woken atomic.Bool
	over  atomic.Bool
	rang  chan time.Time // when the timer expired; holds one
	ended chan struct{}
}

// realtimeWaiter returns an error if real-time threads are not permitted. It has tried.
func realtimeWaiter() (waiter, error) {
	fd, _, errno := syscall.Syscall(syscall.SYS_TIMERFD_CREATE, clockMonotonic, tfdCloexec, 0)
	if errno != 0 {
		return nil, fmt.Errorf("timerfd: %w", errno)
	}
	w := &threadWaiter{fd: fd, rang: make(chan time.Time, 1), ended: make(chan struct{})}
	began := make(chan error)
	go w.run(began)
	if err := <-began; err != nil {
		w.close()
		return nil, err
	}
	return w, nil
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

// run is the thread: it tells of each expiry until it is over. Then the thread is what it was.
func (w *threadWaiter) run(began chan<- error) {
	defer close(w.ended)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	calm, err := urgently()
	if err != nil {
		began <- err
		return
	}
	defer calm()
	began <- nil
	var times [8]byte
	for {
		_, _, errno := syscall.Syscall(syscall.SYS_READ, w.fd, uintptr(unsafe.Pointer(&times)), unsafe.Sizeof(times))
		now := time.Now()
		switch {
		case w.over.Load():
			return
		case errno == syscall.EINTR:
			continue
		case errno != 0:
			panic("clock: timerfd: " + errno.Error()) // it cannot fail; a robot without ticks would only seem to live
		}
		select {
		case w.rang <- now:
		default: // the one of before was not taken yet, and serves as well
		}
	}
}

// until arms the timer before it looks whether it was woken, and wake arms it afterwards: one of them sees the other. What is left of an
// expiry before may end the wait early.
func (w *threadWaiter) until(t time.Time) time.Time {
	left := time.Until(t)
	if left <= 0 {
		return time.Now()
	}
	select {
	case <-w.rang:
	default:
	}
	w.arm(left)
	if w.woken.Load() {
		return time.Now()
	}
	return <-w.rang
}

// arm cannot fail: the descriptor is a timerfd and the time is in range.
func (w *threadWaiter) arm(d time.Duration) {
	spec := [2]syscall.Timespec{{}, syscall.NsecToTimespec(int64(d))}
	_, _, _ = syscall.RawSyscall6(syscall.SYS_TIMERFD_SETTIME, w.fd, 0, uintptr(unsafe.Pointer(&spec)), 0, 0, 0)
}

func (w *threadWaiter) wake() {
	w.woken.Store(true)
	w.arm(1)
}

func (w *threadWaiter) again() { w.woken.Store(false) }

func (w *threadWaiter) close() {
	w.over.Store(true)
	w.arm(1)
	<-w.ended
	_ = syscall.Close(int(w.fd))
}
