package condition_test

import (
	"slices"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

// Whatever stands in a condition object, reading it ends, and gives a condition exactly if there is no error. What it gives can be asked in
// every moment, tells its answer ahead, and says why.
// Rules: data/3.1a, data/3.5a, data/3.5e.
func FuzzParseAndAsk(f *testing.F) {
	all := samples()
	for _, name := range condition.Types() {
		f.Add([]byte(all[name]), byte(1))
	}
	for _, src := range lives() {
		f.Add([]byte(src), byte(2))
	}
	f.Fuzz(func(t *testing.T, src []byte, step byte) {
		doc, diags := resources.Parse("c.json", src)
		if doc == nil || diags.HasErrors() {
			return
		}
		c := condition.Parse(doc.Root())
		doc.Finish()
		found := doc.Diagnostics()
		if (c == nil) != slices.ContainsFunc(found, func(d resources.Diagnostic) bool {
			return d.Severity == resources.Error
		}) {
			t.Fatalf("%s: got %v with\n%s", src, c, found)
		}
		if c == nil {
			return
		}
		r := newRig(t)
		c.SetActive(r.view, true)
		for i, m := range moments() {
			r.at(time.Duration(i) * time.Duration(step) * 10 * time.Millisecond)
			m.set(r)
			ahead, ok := condition.Ahead(c, r.view)
			met := c.Met(r.view)
			if ok && ahead != met {
				t.Errorf("%s, %s: ahead %v, met %v", src, m.name, ahead, met)
			}
			notes := condition.Notes(nil, c)
			if text := condition.Tell(notes, nil).Text; text == "" {
				t.Errorf("%s, %s: no reason", src, m.name)
			}
			if needs := condition.Needs(notes, nil); met == (len(needs) > 0) {
				t.Errorf("%s, %s: met %v, needs %q", src, m.name, met, needs)
			}
		}
	})
}
