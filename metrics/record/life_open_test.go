package record

import (
	"os"
	"path/filepath"
	"testing"
)

// A file that begins in mid-life is read together with those before it, if they are there, and without those after it.
func TestOpenLifeReadsTheFilesBeforeToo(t *testing.T) {
	dir, s := t.TempDir(), tell(2, 6000)
	o := testOptions(dir)
	o.Part = 64 << 10
	written(t, o, s)
	all := files(t, dir)
	if len(all) < 4 {
		t.Fatalf("only %d files: %v", len(all), all)
	}
	spanOf := func(path string, open func(string) (*Reader, error)) (first, last Instant) {
		t.Helper()
		r, err := open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = r.Close() }()
		return r.Span()
	}
	begin, end := spanOf(dir, Open)
	_, third := spanOf(all[2], Open)
	if first, last := spanOf(all[2], OpenLife); first != begin || last != third || last == end {
		t.Errorf("the third file with its predecessors has %v to %v, want %v to %v", first, last, begin, third)
	}
	if first, last := spanOf(dir, OpenLife); first != begin || last != end {
		t.Errorf("the folder has %v to %v", first, last)
	}
	alone := filepath.Join(t.TempDir(), "alone.mcap")
	text, err := os.ReadFile(all[2])
	if err == nil {
		err = os.WriteFile(alone, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if first, last := spanOf(alone, OpenLife); first == begin || last != third {
		t.Errorf("the third file alone has %v to %v", first, last)
	}
}
