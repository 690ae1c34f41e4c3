package actors

import (
	"syscall"
	"unsafe"
)

// foreign gives a process the slices of one that we did not start: what we beget has ours.
func foreign(pid int) error {
	const schedOther = 0
	var priority int32
	if _, _, errno := syscall.RawSyscall(syscall.SYS_SCHED_SETSCHEDULER, uintptr(pid), schedOther, uintptr(unsafe.Pointer(&priority))); errno != 0 {
		return errno
	}
	return nil
}
