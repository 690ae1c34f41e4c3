package catalog_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/resources"
)

// allocated is the memory that f takes, which shows work that is done again for each of many without a clock.
func allocated(f func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

// leader is a definition of a base that names n delegates, D0 to Dn-1, with extra keys.
func leader(t *testing.T, n int, extra string) *resources.Document {
	t.Helper()
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf(`"D%d"`, i)
	}
	doc, diags := resources.Parse("Base.json", []byte(`{"behaviorClass": "Leader", "behaviorID": "Base", "behaviors": [`+
		strings.Join(names, ",")+"]"+extra+"}"))
	if doc == nil {
		t.Fatal(diags)
	}
	return doc
}

// household is a base with n anonymous behaviors that it delegates to.
func household(t *testing.T, n int) *resources.Document {
	t.Helper()
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`{"behaviorClass": "Plain", "behaviorName": "D%d"}`, i)
	}
	return leader(t, n, `, "anonymousBehaviors": [`+strings.Join(list, ",")+"]")
}

// Twice the behaviors take about twice the memory; done again for each they took four times as much.
func TestAnonymousBehaviorsCostTheSameEach(t *testing.T) {
	cost := func(n int) (build, renew float64) {
		doc := household(t, n)
		var cat *catalog.Catalog
		build = allocated(func() {
			var diags resources.Diagnostics
			if cat, diags = catalog.Build(catalog.Sources{Behaviors: []*resources.Document{doc}}, classes()); cat == nil {
				t.Fatal(diags)
			}
		})
		return build, allocated(func() {
			for _, e := range cat.Entries {
				e.New()
			}
		})
	}
	cost(10) // what is made only once
	build1, renew1 := cost(500)
	build2, renew2 := cost(1000)
	if ratio := build2 / build1; ratio > 2.6 {
		t.Errorf("twice the behaviors take %.1f times the memory to build", ratio)
	}
	if ratio := renew2 / renew1; ratio > 2.6 {
		t.Errorf("twice the behaviors take %.1f times the memory to make", ratio)
	}
}

func TestManyDanglingDelegatesGiveAThousandFindings(t *testing.T) {
	cat, diags := catalog.Build(catalog.Sources{Behaviors: []*resources.Document{leader(t, 80_000, "")}}, classes())
	if cat != nil || len(diags) != resources.MaxDiagnostics+1 || diags.Count(resources.Error) != 80_000 {
		t.Fatalf("%d findings kept, %d errors", len(diags), diags.Count(resources.Error))
	}
	if want := "error: 79000 more errors are not shown; the limit is 1000 findings"; diags[0].String() != want {
		t.Errorf("got  %s\nwant %s", diags[0], want)
	}
}

// Looking for what was meant is the dear part: it is bounded for a full catalog, and done for each mistake in a small one.
func TestHintsForDanglingDelegatesAreBounded(t *testing.T) {
	hints := func(mistakes, known int) (n int) {
		docs := []*resources.Document{leader(t, mistakes, "")}
		for i := range known {
			id := fmt.Sprintf("E%d", i)
			doc, _ := resources.Parse(id+".json", fmt.Appendf(nil, `{"behaviorClass": "Plain", "behaviorID": %q}`, id))
			docs = append(docs, doc)
		}
		_, diags := catalog.Build(catalog.Sources{Behaviors: docs}, classes())
		for _, d := range diags {
			if d.Hint != "" {
				n++
			}
		}
		return n
	}
	if n := hints(2000, 4000); n < 64 || n > 66 {
		t.Errorf("%d hints in a large tree, want about 64", n)
	}
	if n := hints(200, 200); n != 200 {
		t.Errorf("%d hints in a small tree, want all 200", n)
	}
}
