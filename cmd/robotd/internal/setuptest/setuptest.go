// Package setuptest gives tests the shipped robot: what `robotd run` makes of the built-in resources.
package setuptest

import (
	"log/slog"
	"testing"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/library"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/resources"
)

// Options are those of a run of the shipped robot whose log nobody reads.
func Options(tb testing.TB, seed uint64) setup.Options {
	tb.Helper()
	tree, err := setup.OpenTree("")
	if err != nil {
		tb.Fatal(err)
	}
	classes := library.Registry() // one: definitions of another registry are others
	build := func(t setup.Tree) (*catalog.Catalog, resources.Diagnostics) { return t.Catalog(classes) }
	cat, diags := build(tree)
	if cat == nil {
		tb.Fatalf("shipped resources:\n%v", diags)
	}
	s := setup.Options{Catalog: cat, Seed: seed, Log: slog.New(slog.DiscardHandler), Version: "test", Build: build}
	s.Read = func() (setup.Tree, error) { return setup.OpenTree("") }
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
