//go:build unix

package replay_test

import (
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/headless"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/resources"
)

// Environment variables of the test of killed recordings: the folder of the process that is killed, and how many there are.
const (
	killedDir = "ROBOTD_TEST_KILLED"
	kills     = "ROBOTD_TEST_KILLS"
)

// A process that is killed at any moment while it records leaves a recording that opens, and of which every tick is decided again to the
// bit. By default a few are killed; ROBOTD_TEST_KILLS=100 kills a hundred.
// Rules: goal/M8, goal/M11.
func TestKilledRecordingIsDecidedAgain(t *testing.T) {
	if dir := os.Getenv(killedDir); dir != "" {
		recordForEver(t, dir)
		return
	}
	n := 3
	if text := os.Getenv(kills); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	for range n {
		dir := t.TempDir()
		c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		c.Env = append(os.Environ(), killedDir+"="+dir)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		for tick := time.Tick(5 * time.Millisecond); !recorded(dir); {
			<-tick
		}
		<-time.After(time.Duration(rand.IntN(int(300 * time.Millisecond))))
		_ = c.Process.Kill()
		_ = c.Wait() // killed
		v := verified(t, dir)
		if v.Parted != nil || v.Unreadable != nil || v.Ticks == 0 {
			t.Errorf("%+v", v)
		}
		t.Logf("killed after %d ticks", v.Ticks)
	}
}

// recorded reports whether a recording in a folder has a few chunks.
func recorded(dir string) bool {
	all, _ := filepath.Glob(filepath.Join(dir, "*.mcap"))
	if len(all) == 0 {
		return false
	}
	info, err := os.Stat(all[0])
	return err == nil && info.Size() > 200<<10
}

// recordForEver records a life that does not end by itself.
func recordForEver(t *testing.T, dir string) {
	tree := setup.Tree{FS: resources.Embedded()}
	o := setup.Options{
		Catalog: catalogOf(t, tree.FS), Seed: rand.Uint64(), Log: slog.New(slog.DiscardHandler), Version: "test",
		Recording: setup.Recording{Dir: dir, Limit: 1 << 30},
	}
	var err error
	if o.Tree, err = tree.Recorded(); err == nil {
		err = o.Validate()
	}
	if err == nil {
		_, err = headless.Run(t.Context(), o, headless.Options{For: 1000 * time.Hour})
	}
	t.Fatal(err)
}
