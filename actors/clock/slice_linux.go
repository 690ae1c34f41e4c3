package clock

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// shortSlice is the shortest time slice that the kernel grants, in nanoseconds (sched(7), EEVDF).
const shortSlice = 100_000

// ShortSlices asks the kernel for the shortest time slices for all threads of the process, and so for those that they make later. It
// needs no privilege. A thread that wakes then waits less for another one, of this process or not, to use up its slice, which is
// some milliseconds long by default; the process gets no more processor time for it. Kernels before 6.12 have no slices to choose,
// and what a thread makes that was a real-time thread has the kernel's own. It returns an error that wraps errors.ErrUnsupported
// if nothing changed.
func ShortSlices() error {
	for fresh := true; fresh; { // until no thread has come that one without short slices made
		names, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return fmt.Errorf("short slices: %w: %w", errors.ErrUnsupported, err)
		}
		fresh = false
		for _, name := range names {
			tid, _ := strconv.Atoi(name.Name())
			changed, err := shortenSlice(tid)
			if err != nil {
				return fmt.Errorf("short slices: %w: %w", errors.ErrUnsupported, err)
			}
			fresh = fresh || changed
		}
	}
	return nil
}

var errSlicesFixed = errors.New("the kernel has slices of one length; it needs Linux 6.12")

// shortenSlice reports whether the slices of a thread changed. It leaves real-time threads and those that have ended as they are.
func shortenSlice(tid int) (changed bool, err error) {
	a, err := unix.SchedGetAttr(tid, 0)
	switch {
	case errors.Is(err, unix.ESRCH):
		return false, nil
	case err != nil:
		return false, err
	case a.Policy != unix.SCHED_NORMAL && a.Policy != unix.SCHED_BATCH || a.Runtime == shortSlice:
		return false, nil
	case a.Runtime == 0: // older kernels report none
		return false, errSlicesFixed
	}
	a.Runtime = shortSlice
	if err = unix.SchedSetAttr(tid, a, 0); errors.Is(err, unix.ESRCH) {
		return false, nil
	}
	return err == nil, err
}
