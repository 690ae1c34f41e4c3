package rates

import (
	"flag"
	"os"
	"testing"
)

var (
	seeds = flag.Int("seeds", 3, "seeds of each measure")
	only  = flag.String("only", "", "measure only what has this in its name")
	write = flag.String("write", "", "file for the table")
)

// A few seeds each time; `make rates` takes 200 and writes the table.
func TestRates(t *testing.T) {
	rows, err := Measure(*seeds, 2, *only)
	if err != nil {
		t.Fatal(err)
	}
	text := Table(rows)
	t.Log("\n" + text)
	for _, r := range rows {
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
