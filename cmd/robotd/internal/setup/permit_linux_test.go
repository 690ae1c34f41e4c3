package setup

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// TestMemoryIsLockedOnlyWithoutALimit runs itself with a limit of locked memory and without privileges, and then as it is.
func TestMemoryIsLockedOnlyWithoutALimit(t *testing.T) {
	const role = "ROBOTD_TEST_LOCK"
	switch os.Getenv(role) {
	case "lock":
		err := LockMemory()
		status, _ := os.ReadFile("/proc/self/status")
		t.Logf("locked: %v; missing: %v\n%s", err, NotPermitted(), regexp.MustCompile(`VmLck:.*`).Find(status))
		return
	case "limited":
		for _, r := range []int{rlimitMemlock, rlimitRTPrio} {
			if err := syscall.Setrlimit(r, &syscall.Rlimit{}); err != nil {
				t.Fatal(err)
			}
		}
		c := exec.Command(os.Args[0], "-test.run=^TestMemoryIsLocked", "-test.v")
		c.Env = append(os.Environ(), role+"=lock")
		if os.Getuid() == 0 { // without the capabilities of root
			c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		c.Dir = "/"
		out, err := c.CombinedOutput()
		t.Logf("%v\n%s", err, out)
		return
	}
	run := func(as string) string {
		t.Helper()
		c := exec.Command("/proc/self/exe", "-test.run=^TestMemoryIsLocked", "-test.v")
		c.Env = append(os.Environ(), role+"="+as)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	got := run("lock")
	if permitted := mayLock() == nil; permitted != regexp.MustCompile(`locked: <nil>.*\n.*VmLck:\s+[1-9]\d* kB`).MatchString(got) {
		t.Errorf("permitted %t:\n%s", permitted, got)
	}
	got = run("limited")
	for _, want := range []string{"locked: memory is not locked: RLIMIT_MEMLOCK is 0 bytes", "no real-time thread: RLIMIT_RTPRIO is 0", "LimitMEMLOCK=infinity", "VmLck:\t       0 kB"} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
}
