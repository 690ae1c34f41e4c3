package main_test

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/robotd/robotd/resources"
)

// startBehaviors is how many definitions the daemon of BenchmarkStart reads.
const startBehaviors = 350

// BenchmarkStart is a whole process from exec to its first completed tick, with the simulated robot and 350 behaviors, and the
// size of its binary (goal/M16). The first tick is due as soon as everything is started, whatever the period: two periods show
// it.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	bin := filepath.Join(dir, "robotd")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", bin, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	info, err := os.Stat(bin)
	if err != nil {
		b.Fatal(err)
	}
	tree := filepath.Join(dir, "tree")
	grownTree(b, tree)
	for _, period := range []string{"60ms", "1ms"} {
		b.Run("period="+period, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				took = append(took, timeToReady(b, bin, "run", "--resources", tree, "--period", period,
					"--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0"))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1e3, "start-p50-ms")
			b.ReportMetric(float64(took[len(took)-1].Microseconds())/1e3, "start-max-ms")
			b.ReportMetric(float64(info.Size())/1e6, "binary-MB")
		})
	}
}

// grownTree writes the built-in resources with copies of their behaviors under other names, until there are enough.
func grownTree(b *testing.B, dir string) {
	b.Helper()
	if err := os.CopyFS(dir, resources.Embedded()); err != nil {
		b.Fatal(err)
	}
	behaviors := filepath.Join(dir, resources.BehaviorsDir)
	var files []string
	if err := filepath.WalkDir(behaviors, func(name string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(name) == ".json" {
			files = append(files, name)
		}
		return err
	}); err != nil {
		b.Fatal(err)
	}
	for n := len(files); n < startBehaviors; n++ {
		src, err := os.ReadFile(files[n%len(files)])
		if err != nil {
			b.Fatal(err)
		}
		id := strings.TrimSuffix(filepath.Base(files[n%len(files)]), ".json")
		copied := fmt.Sprintf("%s%d", id, n)
		text := strings.Replace(string(src), fmt.Sprintf(`"behaviorID": %q`, id), fmt.Sprintf(`"behaviorID": %q`, copied), 1)
		if err := os.WriteFile(filepath.Join(behaviors, copied+".json"), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
}

// timeToReady runs the daemon until it says that its first tick is complete, and stops it.
func timeToReady(b *testing.B, bin string, args ...string) time.Duration {
	b.Helper()
	c := exec.Command(bin, args...)
	log, err := c.StderrPipe()
	if err != nil {
		b.Fatal(err)
	}
	begin := time.Now()
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	var took time.Duration
	var said []string
	loaded := false
	for lines := bufio.NewScanner(log); lines.Scan(); {
		said = append(said, lines.Text())
		loaded = loaded || strings.Contains(lines.Text(), fmt.Sprintf("behaviors=%d ", startBehaviors))
		if took == 0 && strings.Contains(lines.Text(), "msg=ready") {
			took = time.Since(begin)
			_ = c.Process.Signal(syscall.SIGTERM)
		}
	}
	if err := c.Wait(); err != nil || took == 0 || !loaded {
		b.Fatalf("not ready with %d behaviors: %v\n%s", startBehaviors, err, strings.Join(said, "\n"))
	}
	return took
}
