package setup

import (
	"os"
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"
)

// A live robot has the kernel's shortest time slices where those can be chosen, in a process of its own because they stay.
func TestLiveRobotHasShortSlices(t *testing.T) {
	if os.Getenv("TUNE") == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestLiveRobotHasShortSlices$", "-test.v")
		cmd.Env = append(os.Environ(), "TUNE=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		return
	}
	before, err := unix.SchedGetAttr(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	Tune()
	after, err := unix.SchedGetAttr(0, 0)
	if fixed := before.Runtime == 0; err != nil || after.Runtime != 100_000 && !fixed {
		t.Errorf("slices of %d ns, %d before; %v", after.Runtime, before.Runtime, err)
	}
}
