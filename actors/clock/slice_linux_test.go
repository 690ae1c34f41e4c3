package clock

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// threadSlices are the lengths of the slices that the kernel gives the threads of this process, in nanoseconds.
func threadSlices(t *testing.T) map[uint64]int {
	t.Helper()
	names, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	all := map[uint64]int{}
	for _, name := range names {
		tid, _ := strconv.Atoi(name.Name())
		if a, err := unix.SchedGetAttr(tid, 0); err == nil {
			all[a.Runtime]++
		}
	}
	return all
}

// All threads get short slices, and those that they make afterwards. Where the kernel cannot, it says so. The test has a process of its
// own: what a thread makes that was a real-time thread has the kernel's slices.
func TestAllThreadsHaveShortSlices(t *testing.T) {
	const own = "OWN_PROCESS"
	if os.Getenv(own) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), own+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		return
	}
	if err := ShortSlices(); err != nil {
		if had := threadSlices(t); !errors.Is(err, errors.ErrUnsupported) || len(had) != 1 || had[0] == 0 {
			t.Errorf("%v, with slices %v", err, had)
		}
		return
	}
	before := threadSlices(t)[shortSlice]
	var all sync.WaitGroup
	ready, over := make(chan struct{}), make(chan struct{})
	for range before + 4 {
		all.Go(func() {
			runtime.LockOSThread() // a thread each, that ends with the goroutine
			ready <- struct{}{}
			<-over
		})
	}
	for range before + 4 {
		<-ready
	}
	if got := threadSlices(t); len(got) != 1 || got[shortSlice] < before+4 {
		t.Errorf("slices %v, want only %d", got, shortSlice)
	}
	close(over)
	all.Wait()
}

// A thread that has ended meanwhile is no error.
func TestThreadThatHasEndedHasNoSlice(t *testing.T) {
	const none = 1 << 22 // above the most threads that the kernel has
	if changed, err := shortenSlice(none); changed || err != nil {
		t.Errorf("changed %t, %v", changed, err)
	}
}

// A thread that was a real-time thread has short slices again for what it runs afterwards.
func TestRealTimeThreadGetsShortSlicesBack(t *testing.T) {
	if err := ShortSlices(); err != nil {
		if !errors.Is(err, errors.ErrUnsupported) {
			t.Error(err)
		}
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	calm, err := urgently()
	if err != nil { // not permitted here
		if !errors.Is(err, unix.EPERM) {
			t.Error(err)
		}
		return
	}
	calm()
	if a, err := unix.SchedGetAttr(0, 0); err != nil || a.Policy != unix.SCHED_NORMAL || a.Runtime != shortSlice {
		t.Errorf("%+v, %v", a, err)
	}
}
