package clock

import (
	"os"
	"syscall"
	"time"
	"unsafe"
)

// fdAlarm rings tens of microseconds late: a timerfd in the runtime's poller. In a virtual machine it costs microseconds to
// set, too much for every tick.
type fdAlarm struct {
	file *os.File
	fd   uintptr // of file; valid until close
	done chan struct{}
}

// NewAlarm makes the most exact alarm of the system.
func NewAlarm(ring func()) Alarm {
	fd, _, errno := syscall.Syscall(syscall.SYS_TIMERFD_CREATE, clockMonotonic, tfdNonblock|tfdCloexec, 0)
	if errno != 0 {
		return NewTimerAlarm(ring)
	}
	a := &fdAlarm{file: os.NewFile(fd, "timerfd"), fd: fd, done: make(chan struct{})}
	go func() {
		defer close(a.done)
		var expired [8]byte
		for {
			if _, err := a.file.Read(expired[:]); err != nil {
				return // closed
			}
			ring()
		}
	}()
	return a
}

// Set cannot fail: the descriptor is a timerfd and the time is in range.
func (a *fdAlarm) Set(d time.Duration) {
	spec := [2]syscall.Timespec{{}, syscall.NsecToTimespec(max(int64(d), 1))}
	_, _, _ = syscall.RawSyscall6(syscall.SYS_TIMERFD_SETTIME, a.fd, 0, uintptr(unsafe.Pointer(&spec)), 0, 0, 0)
}

func (a *fdAlarm) Stop() {
	var never [2]syscall.Timespec
	_, _, _ = syscall.RawSyscall6(syscall.SYS_TIMERFD_SETTIME, a.fd, 0, uintptr(unsafe.Pointer(&never)), 0, 0, 0)
}

func (a *fdAlarm) Close() {
	_ = a.file.Close()
	<-a.done
}
