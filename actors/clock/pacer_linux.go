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

// fdWaiter waits on a timerfd inside the runtime's poller: no thread of its own, no privileges, and a wake-up tens of
// microseconds late instead of the half millisecond of a runtime timer.
type fdWaiter struct {
	file *os.File
	buf  [8]byte
}

func newWaiter() waiter {
	fd, _, errno := syscall.Syscall(syscall.SYS_TIMERFD_CREATE, clockMonotonic, tfdNonblock|tfdCloexec, 0)
	if errno != 0 {
		return newTimerWaiter()
	}
	return &fdWaiter{file: os.NewFile(fd, "timerfd")}
}

// until arms the timer with the time left, which the kernel counts on the monotonic clock, and reads its expiry.
func (w *fdWaiter) until(t time.Time, quit <-chan struct{}) {
	left := time.Until(t)
	if left <= 0 {
		return
	}
	spec := [2]syscall.Timespec{{}, syscall.NsecToTimespec(int64(left))}
	conn, err := w.file.SyscallConn()
	if err == nil {
		err = conn.Control(func(fd uintptr) {
			_, _, errno := syscall.Syscall6(syscall.SYS_TIMERFD_SETTIME, fd, 0, uintptr(unsafe.Pointer(&spec)), 0, 0, 0)
			if errno != 0 {
				left = 0
			}
		})
	}
	if err != nil || left == 0 {
		fallback := newTimerWaiter()
		fallback.until(t, quit)
		fallback.close()
		return
	}
	_, _ = w.file.Read(w.buf[:])
}

func (w *fdWaiter) wake() { _ = w.file.SetReadDeadline(time.Unix(1, 0)) } // long ago; a file that is closed waits for nothing

func (w *fdWaiter) close() { _ = w.file.Close() }
