//go:build e2e

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/robotd/robotd/metrics/record"
)

// mcapFound is what the reference reader prints.
type mcapFound struct {
	Streamed, Indexed, First, Tape int
	Whole                          bool
	Schemas, Attachments           []string
}

// TestReferenceReaderReadsRecordings installs Foxglove's reader and has it read a recording, also one that ends in the middle.
func TestReferenceReaderReadsRecordings(t *testing.T) {
	t.Parallel()
	dir, work := t.TempDir(), t.TempDir()
	if err := os.CopyFS(work, os.DirFS("testdata/foxglove")); err != nil {
		t.Fatal(err)
	}
	command(t, work, "npm", "ci", "--prefer-offline", "--silent", "--no-audit", "--no-fund")
	command(t, dir, "robotd", "run", "--headless", "--for", "2m", "--seed", "3", "--record", "recording")
	h, err := record.Open(filepath.Join(dir, "recording"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = h.Close() }()
	read := func(file string) (found mcapFound) {
		if err := json.Unmarshal(command(t, work, "node", "read.mjs", file), &found); err != nil {
			t.Fatal(err)
		}
		return found
	}
	file := h.Files()[0]
	got := read(file)
	if all, tape := messages(t, h); got.First != all || got.Tape != tape {
		t.Errorf("the reference reader finds %d messages, %d of /tape; ours %d and %d", got.First, got.Tape, all, tape)
	}
	if !got.Whole || got.Indexed != got.Streamed || got.Streamed <= got.First {
		t.Errorf("by index and from the begin: %+v", got)
	}
	if !slices.Contains(got.Schemas, "foxglove.SceneUpdate") || !slices.Contains(got.Attachments, "resources.zip") {
		t.Errorf("schemas %v, attachments %v", got.Schemas, got.Attachments)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(file, info.Size()*2/3); err != nil {
		t.Fatal(err)
	}
	if cut := read(file); cut.Whole || cut.Streamed < got.Streamed/3 || cut.Streamed >= got.Streamed {
		t.Errorf("of the file that was cut: %+v", cut)
	}
}

// messages counts what changed and happened.
func messages(t *testing.T, h record.History) (all, tape int) {
	_, last := h.Span()
	count := func(n *int) func(record.Message) bool { return func(record.Message) bool { *n++; return true } }
	if err := h.Scan(nil, 0, last.Tick+10, count(&all)); err != nil {
		t.Fatal(err)
	}
	if err := h.Scan([]string{record.Tape}, 0, last.Tick+10, count(&tape)); err != nil {
		t.Fatal(err)
	}
	return all + tape, tape
}

// command runs a program and returns what it prints.
func command(t *testing.T, dir, name string, args ...string) []byte {
	t.Helper()
	c := exec.CommandContext(t.Context(), name, args...)
	c.Dir, c.Stderr = dir, os.Stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s %v: %v", name, args, err)
	}
	return out
}
