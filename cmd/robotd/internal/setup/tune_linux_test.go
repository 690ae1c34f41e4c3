package setup

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// recurse is an author's mistake.
func recurse(n int) int {
	if n < 0 {
		return 0
	}
	return recurse(n+1) + 1
}

// A recursion without end ends the process before it eats the machine. The last words name the reason and the function, and the
// process dies by a signal, which nobody takes for a wrong command line.
func TestRunawayRecursionDiesBeforeItEatsTheMachine(t *testing.T) {
	const victim = "ROBOTD_TEST_RECURSE"
	if os.Getenv(victim) != "" {
		Tune()
		t.Log(recurse(0))
	}
	c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	c.Env = append(os.Environ(), victim+"=1", "GOTRACEBACK=")
	words, err := c.CombinedOutput()
	var died *exec.ExitError
	if !errors.As(err, &died) {
		t.Fatalf("%v: %s", err, words)
	}
	if s := died.Sys().(syscall.WaitStatus); !s.Signaled() || s.Signal() != syscall.SIGABRT {
		t.Errorf("%v", died)
	}
	for _, want := range []string{"goroutine stack exceeds 33554432-byte limit", "fatal error: stack overflow", "setup.recurse("} {
		if !strings.Contains(string(words), want) {
			t.Errorf("its last words lack %q:\n%.2000s", want, words)
		}
	}
	const most = 200 << 10 // KiB; a goroutine of 1 GB copies its stack of 512 MB before it dies
	if used := died.SysUsage().(*syscall.Rusage).Maxrss; used > most {
		t.Errorf("%d KiB of memory, want at most %d", used, most)
	}
}
