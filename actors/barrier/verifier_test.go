package barrier

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// verifier is the verifier of model/trace.pml, which spin generates.
var verifier = sync.OnceValues(func() (string, error) {
	if err := haveTools(exec.LookPath); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "barrier-model-")
	if err != nil {
		return "", err
	}
	verifierDir = dir
	sources, err := filepath.Glob("model/*.pml")
	if err != nil {
		return "", err
	}
	for _, from := range sources {
		text, err := os.ReadFile(from)
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(from)), text, 0o600); err != nil {
			return "", err
		}
	}
	for _, line := range []string{"spin -a trace.pml", "gcc -O0 -w -DSAFETY -DNOREDUCE -DVECTORSZ=4096 -DMEMLIM=1000 -o pan pan.c"} {
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w\n%s", line, err, out)
		}
	}
	return filepath.Join(dir, "pan"), nil
})

// haveTools says what to do if a tool is missing.
func haveTools(look func(string) (string, error)) error {
	for _, tool := range []string{"spin", "gcc"} {
		if _, err := look(tool); err != nil {
			return fmt.Errorf("%s is missing, which checks the traces of the barrier: install the Debian packages spin and gcc, or run .ci/spin as root", tool)
		}
	}
	return nil
}

// verifierDir is where it stands; TestMain removes it.
var verifierDir string

// misfit returns the number of the first step of a trace that the model cannot make, 0 if it accepts the trace.
func misfit(t testing.TB, trace string) int {
	t.Helper()
	pan, err := verifier()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "trace")
	if err := os.WriteFile(file, []byte(trace), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(pan, "-m100000", "-w18", "-E")
	cmd.Dir, cmd.Env = filepath.Dir(file), append(os.Environ(), "TRACE="+file)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	text, n := string(out), 0
	if strings.Contains(text, "max search depth too small") || strings.Contains(text, "errors: 1") {
		t.Fatalf("the search is not complete:\n%s\n%s", text, trace)
	}
	for line := range strings.Lines(text) {
		if _, err := fmt.Sscanf(line, "refused %d", &n); err == nil {
			return n
		}
		if strings.HasPrefix(line, "accepted ") {
			return 0
		}
	}
	t.Fatalf("no verdict:\n%s", text)
	return 0
}

// wantFit fails the test with the first step of the trace that the model cannot make, and those before it.
func wantFit(t testing.TB, trace string) {
	t.Helper()
	if n := misfit(t, trace); n > 0 {
		t.Errorf("the model does not accept step %d of %d:\n%s", n, strings.Count(trace, "\n"), around(trace, n))
	}
}

// around shows a step of a trace with those before it.
func around(trace string, n int) string {
	lines := strings.Split(trace, "\n")
	var s strings.Builder
	for i := max(0, n-25); i < min(len(lines), n+3); i++ {
		mark := "  "
		if i == n-1 {
			mark = "> "
		}
		fmt.Fprintf(&s, "%s%4d %s\n", mark, i+1, lines[i])
	}
	return s.String()
}
