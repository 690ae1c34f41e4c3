// Package setuptest gives tests the shipped robot: what `robotd run` makes of the built-in resources.
package setuptest

import (
	"log/slog"
	"testing"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
)

// Options are those of a run of the shipped robot whose log nobody reads.
func Options(tb testing.TB, seed uint64) setup.Options {
	tb.Helper()
	tree, err := setup.OpenTree("")
	if err != nil {
		tb.Fatal(err)
	}
	cat, diags := tree.Catalog(library.Registry())
	if cat == nil {
		tb.Fatalf("shipped resources:\n%v", diags)
	}
	s := setup.Options{Catalog: cat, Seed: seed, Log: slog.New(slog.DiscardHandler), Version: "test"}
	if s.Tree, err = tree.Recorded(); err != nil {
		tb.Fatal(err)
	}
	if err := s.Validate(); err != nil {
		tb.Fatal(err)
	}
	return s
}

// Catalog is the shipped catalog.
func Catalog(tb testing.TB) *catalog.Catalog {
	tb.Helper()
	return Options(tb, 1).Catalog
}
