package main

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/metrics/record"
)

var kills = flag.Int("kills", 2, "how many robots are killed")

// TestKilledRobotLeavesRecordingThatVerifies kills robots at any time. Each recording opens, lacks less than a second, has no damaged
// chunk, and is decided again as it was. make kills does it a hundred times.
func TestKilledRobotLeavesRecordingThatVerifies(t *testing.T) {
	t.Parallel()
	for i := range *kills {
		dir := filepath.Join(t.TempDir(), "recording")
		p := startLive(t, null(t), null(t), "--record", dir, "--period", "20ms")
		alive := time.NewTimer(time.Duration(1000+i*377%2000) * time.Millisecond)
		<-alive.C
		ctx, cancel := context.WithTimeout(t.Context(), late)
		var seen control.State
		_, err := p.client.Get(ctx, "/v1/state", &seen)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		_ = p.cmd.Process.Kill()
		<-p.ended
		h, err := record.Open(dir)
		if err != nil {
			t.Fatalf("kill %d: %v", i, err)
		}
		_, last := h.Span()
		if lost := (int64(seen.Tick) - int64(last.Tick)) * h.Life().PeriodNS; lost > int64(time.Second) {
			t.Errorf("kill %d: the robot was at tick %d, the recording ends at %d", i, seen.Tick, last.Tick)
		}
		if err := h.Verify(); err != nil || len(h.Gaps()) > 0 {
			t.Errorf("kill %d: %v, gaps %v", i, err, h.Gaps())
		}
		_ = h.Close()
		if out, err := exec.Command("robotd", "replay", dir, "--verify").CombinedOutput(); err != nil {
			t.Errorf("kill %d: %v\n%s", i, err, out)
		}
	}
}

// null opens the device that swallows everything.
func null(t *testing.T) *os.File {
	t.Helper()
	f, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
