package rates

import (
	"flag"
	"os"
	"regexp"
	"testing"
)

var (
	seeds = flag.Int("seeds", 3, "seeds of each measure")
	only  = flag.String("only", "", "measure only what has a name that this regular expression matches")
	write = flag.String("write", "", "file for the table")
)

// A few seeds each time; `make rates` takes 200 and writes the table.
func TestRates(t *testing.T) {
	names, err := regexp.Compile(*only)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := Measure(*seeds, 2, names)
	if err != nil {
		t.Fatal(err)
	}
	text := Table(rows)
	t.Log("\n" + text)
	for _, r := range rows {
		if len(r.Failed) > 0 {
			t.Logf("%s: failed with the seeds %v", r.What, r.Failed)
		}
		if !r.Met() {
			t.Errorf("%s: %d trials, %d falls: missed", r.What, r.N, r.Falls)
		}
	}
	if *write != "" {
		if err := os.WriteFile(*write, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
