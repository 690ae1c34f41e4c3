package robotmain

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/cmd/robotd/internal/facts"
	"github.com/robotd/robotd/metrics/record"
)

// A table of numbers has no place for what was not recorded, so the program says it.
func TestExportNamesWhatWasNotRecorded(t *testing.T) {
	dir := t.TempDir()
	life := record.Life{ID: "a1", Begin: time.Unix(1e9, 0), Robot: "sim", PeriodNS: int64(60 * time.Millisecond), Schema: record.SchemaVersion}
	w, err := record.NewWriter(record.Options{Dir: dir, Life: life, Topics: facts.Recorded(), Part: 1, Wait: true}) // a file for each chunk
	if err != nil {
		t.Fatal(err)
	}
	for n := range uint64(100) {
		at := time.Duration(n+1) * 60 * time.Millisecond
		w.Tick(n+1, at, []record.Message{{Tick: n + 1, At: at, Topic: "/reading", Key: "battery", Data: fmt.Appendf(nil, `{"volts":%d}`, n)}})
	}
	if err := w.Close(0); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) < 5 {
		t.Fatalf("files %v, %v", files, err)
	}
	for gaps := range 2 {
		if gaps == 1 {
			if err := os.Remove(files[3]); err != nil {
				t.Fatal(err)
			}
		}
		for _, format := range exportFormats {
			code, stdout, stderr := command(t, "export", dir, "--format", format, "--series", "battery")
			said := strings.Count(stderr, "robotd: not recorded: ")
			if code != exitOK || stdout == "" || said != gaps || strings.Count(stderr, "1 files of this life before") != gaps {
				t.Errorf("%s, %d gaps: ends with %d, says %q", format, gaps, code, stderr)
			}
		}
	}
}
