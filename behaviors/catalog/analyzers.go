package catalog

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/resources"
)

// addAnalyzers adds an entry for each analyzer that a behavior of the catalog needs. The behaviors link to it (L-20), so that it is in
// scope while one of them is. It has no file.
func (b *builder) addAnalyzers() {
	seen := map[behaviors.Analyzer]bool{}
	for _, e := range b.cat.Entries {
		for _, a := range e.Class.Analyzers {
			if !seen[a] {
				seen[a] = true
				b.addAnalyzer(a)
			}
		}
	}
	if len(seen) > 0 {
		slices.SortFunc(b.cat.Entries, func(x, y *Entry) int { return cmp.Compare(x.ID, y.ID) })
	}
}

func (b *builder) addAnalyzer(a behaviors.Analyzer) {
	if len(b.cat.Entries) >= maxBehaviors {
		b.diags.Add(resources.Diagnostic{Severity: resources.Error, Code: "limit", Message: fmt.Sprintf("more than %d behaviors and analyzers", maxBehaviors)})
		return
	}
	id := behaviors.AnalyzerID(a)
	b.files[id] = ""
	b.cat.Entries = append(b.cat.Entries, &Entry{
		ID: id, Class: behaviors.AnalyzerClass(a), Analyzer: a.Name(), Doing: "Analyzing: " + a.Name(),
		json: fmt.Sprintf(`{"behaviorClass": %q, "behaviorID": %q}`, id, id),
	})
}
