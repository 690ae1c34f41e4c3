package robotmain

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotd/robotd/cmd/robotd/internal/facts"
	"github.com/robotd/robotd/metrics/record"
)

// A cut that can be replayed is decided again from the start of the life, and answers nothing about the time before the cut.
func TestReplayableCutRefusesTimeBeforeIt(t *testing.T) {
	dir, cut := filepath.Join(t.TempDir(), "recording"), filepath.Join(t.TempDir(), "cut.mcap")
	for _, args := range [][]string{
		{"run", "--headless", "--for", "12s", "--seed", "1", "--record", dir},
		{"record", "cut", dir, "--replayable", "--from", "6s", "-o", cut},
	} {
		if code, _, stderr := command(t, args...); code != exitOK {
			t.Fatalf("%q ends with %d: %s", args, code, stderr)
		}
	}
	const reason = "is not recorded: cut out: only what a replay needs from 0.1 to "
	for _, when := range [][]string{{"--at", "3s"}, {"--tick", "1"}, {"--tick", "99"}} {
		args := append([]string{"why", "ModeSelector", "--file", cut}, when...)
		if code, stdout, stderr := command(t, args...); code != exitUsage || stdout != "" || !strings.Contains(stderr, reason) {
			t.Errorf("%q ends with %d: %s%s; want %q", when, code, stdout, stderr, reason)
		}
	}
	if code, stdout, stderr := command(t, "why", "ModeSelector", "--file", cut, "--tick", "101"); code != exitOK {
		t.Errorf("within the cut why ends with %d: %s%s", code, stdout, stderr)
	}
	if code, stdout, stderr := command(t, "replay", cut, "--verify"); code != exitOK {
		t.Errorf("its replay ends with %d: %s%s", code, stdout, stderr)
	}
	h, err := record.Open(cut)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = h.Close() }()
	p := &facts.Past{Source: h}
	if _, err := p.State(50); err == nil || !strings.Contains(err.Error(), reason) {
		t.Errorf("the state of tick 50: %v", err)
	}
	if s, err := p.State(150); err != nil || len(s.Stack) == 0 {
		t.Errorf("the state of tick 150: %+v, %v", s, err)
	}
}
