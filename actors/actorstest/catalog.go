// Package actorstest builds the catalogs that the tests of the actors and of the tick barrier share.
package actorstest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/resources"
)

// Epoch is the instant at which the lives of the tests begin.
var Epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Catalog builds a catalog of behavior files, given as JSON, with a boot configuration that names base and fallback.
func Catalog(t testing.TB, reg *behaviors.Registry, base, fallback string, files ...string) *catalog.Catalog {
	t.Helper()
	parse := func(name, text string) *resources.Document {
		doc, diags := resources.Parse(name, []byte(text))
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		return doc
	}
	docs := make([]*resources.Document, len(files))
	for i, text := range files {
		var head struct{ BehaviorID string }
		if err := json.Unmarshal([]byte(text), &head); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		docs[i] = parse(head.BehaviorID+".json", text)
	}
	boot := parse(catalog.BootFile, fmt.Sprintf(`{"normalBaseBehavior":%q,"fallbackBehavior":%q,"userIntents":[]}`, base, fallback))
	cat, diags := catalog.Build(catalog.Sources{Behaviors: docs, Boot: boot}, reg)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	for _, e := range cat.Entries {
		e.First() // the constructors of a test count from its start on, and cross the barrier
	}
	return cat
}

// File is a behavior file with nothing but class and ID.
func File(class, id string) string {
	return fmt.Sprintf(`{"behaviorClass":%q,"behaviorID":%q}`, class, id)
}

// Listing is a behavior file whose key "next" lists other behaviors.
func Listing(class, id string, next ...string) string {
	return fmt.Sprintf(`{"behaviorClass":%q,"behaviorID":%q,"next":%s}`, class, id, list(next))
}

// list is a JSON array of IDs.
func list(ids []string) string {
	if len(ids) == 0 {
		return "[]"
	}
	return `["` + strings.Join(ids, `","`) + `"]`
}
