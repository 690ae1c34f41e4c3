package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
)

// counted is a counter of what the robot did.
func (p *liveProcess) counted(stat string) (n uint64) {
	p.t.Helper()
	var s control.State
	if _, err := p.client.Get(p.t.Context(), "/v1/state", &s); err != nil {
		p.t.Fatal(err)
	}
	for _, c := range s.Stats {
		if c.Name == stat {
			n = c.Count
		}
	}
	return n
}

func (p *liveProcess) tick() uint64 {
	var s control.State
	_, _ = p.client.Get(p.t.Context(), "/v1/state", &s)
	return s.Tick
}

// What a robot knows outlives kill -9 and an orderly stop, a damaged file is set aside, and each life is decided again to the bit.
func TestMemoryOutlivesKillAndDamageIsSetAside(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	file := setup.MemoryFile(state)
	if err := setup.WriteMemory(file, &engine.Memory{Stats: []engine.Count{{Name: "Petted", N: 41}}}, time.Now()); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		p := startLive(t, null(t), null(t), "--state", state, "--period", "20ms")
		if n := p.counted("Petted"); n < 41 {
			t.Errorf("life %d: petted %d times", i, n)
		}
		if i < 2 {
			_ = p.cmd.Process.Kill()
		} else {
			p.eventually("2 s of life", func() bool { return p.tick() > 100 })
			_ = p.cmd.Process.Signal(os.Interrupt)
		}
		<-p.ended
		if m, err := setup.ReadMemory(file, time.Now()); err != nil || m == nil {
			t.Errorf("life %d: %v, %v", i, m, err)
		}
		if i < 2 {
			continue // perhaps too short for a chunk of its recording
		}
		if out, err := exec.Command("robotd", "replay", setup.RecordingsDir(state), "--verify").CombinedOutput(); err != nil {
			t.Errorf("life %d: %v\n%s", i, err, out)
		}
	}
	whole, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, whole[:len(whole)/2], 0o600)
	}
	if err == nil {
		err = os.WriteFile(setup.StageFile(state), []byte("\x00"), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	p := startLive(t, null(t), log, "--state", state, "--period", "20ms")
	if n := p.counted("Petted"); n >= 41 {
		t.Errorf("a torn file counts: %d", n)
	}
	_ = p.cmd.Process.Signal(os.Interrupt)
	<-p.ended
	text, err := os.ReadFile(log.Name())
	for _, want := range []string{"the memory of the life before is not used", "it is torn", file + ".damaged", "the stage of the life before is not used"} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("the log does not say %q: %v\n%s", want, err, text)
		}
	}
	if aside, err := os.ReadFile(file + ".damaged"); err != nil || len(aside) != len(whole)/2 {
		t.Errorf("set aside: %d bytes, %v", len(aside), err)
	}
}
