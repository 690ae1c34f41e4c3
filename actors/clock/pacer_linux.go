package clock

import (
	"os"
	"syscall"
	"time"
	"unsafe"
)

// timerfd constants of the kernel's interface (timerfd_create(2)).
const (
	clockMonotonic = 1
	tfdNonblock    = 0x800
	tfdCloexec     = 0x80000
)

// fdWaiter waits on a timerfd inside the runtime's poller: no thread of its own, no privileges, and on a machine with little to do a
// wake-up tens of microseconds late instead of the half millisecond of a runtime timer.
type fdWaiter struct {
	file     *os.File
	conn     syscall.RawConn
	look     func(fd uintptr) bool // one for all waits
	deadline time.Time
	armed    bool
	failed   bool
}

func newWaiter() waiter {
	fd, _, errno := syscall.Syscall(syscall.SYS_TIMERFD_CREATE, clockMonotonic, tfdNonblock|tfdCloexec, 0)
	if errno != 0 {
		return newTimerWaiter()
	}
	w := &fdWaiter{file: os.NewFile(fd, "timerfd")}
	conn, err := w.file.SyscallConn()
	if err != nil {
		_ = w.file.Close()
		return newTimerWaiter()
	}
	w.conn, w.look = conn, w.arm
	return w
}

// until arms the timer with the time left, which the kernel counts on the monotonic clock, and waits until the poller reports it.
func (w *fdWaiter) until(t time.Time) time.Time {
	w.deadline, w.armed, w.failed = t, false, false
	_ = w.conn.Read(w.look) // an error says that it was woken
	if w.failed {
		fallback := newTimerWaiter()
		fallback.until(t)
		fallback.close()
	}
	return time.Now()
}

// arm sets the timer when the poller is ready to report it, and then says whether its time has come. The expiry need not be read: setting
// a timer forgets it.
func (w *fdWaiter) arm(fd uintptr) (done bool) {
	left := time.Until(w.deadline)
	if left <= 0 {
		return true
	}
	if w.armed { // an expiry of before, or a clock that is a little behind the kernel's
		return false
	}
	w.armed = true
	spec := [2]syscall.Timespec{{}, syscall.NsecToTimespec(int64(left))}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_TIMERFD_SETTIME, fd, 0, uintptr(unsafe.Pointer(&spec)), 0, 0, 0)
	w.failed = errno != 0
	return w.failed
}

func (w *fdWaiter) wake()  { _ = w.file.SetReadDeadline(time.Unix(1, 0)) } // long ago
func (w *fdWaiter) again() { _ = w.file.SetReadDeadline(time.Time{}) }
func (w *fdWaiter) close() { _ = w.file.Close() }
