// Package sets keeps the sets of definitions that a robot lives with, one after the other. A [Store] reads a set from files, checks it,
// plans the change to it and has a tick carry it out, all or nothing; the set before stays in memory to go back to. A [Player] makes the
// same changes again from a recording.
package sets

import (
	"io/fs"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/metrics/record"
	"github.com/robotd/robotd/resources"
)

// A Set is one complete, checked set of definitions, with the files that it was made from.
type Set struct {
	Number  uint64 // 0 is the set of the start
	Catalog *catalog.Catalog
	Tree    *record.Tree
	Dir     string // of the files, as the user named it; empty for none
}

// files are the files of the set; none if it has no tree.
func (s *Set) files() fs.FS {
	if s.Tree == nil {
		return asTree{}
	}
	return s.Tree
}

// Texts are the files of the set by path.
func (s *Set) Texts() (map[string]string, error) { return contents(s.files()) }

// TreeOf is a tree of files in memory, by path.
func TreeOf(files map[string]string) fs.FS { return asTree(files) }

// A Builder reads and checks the files of a tree. The catalog is nil if anything is wrong.
type Builder func(setup.Tree) (*catalog.Catalog, resources.Diagnostics)

// diff lists what a recording needs to make the files of one tree from those of another: the files that differ, and those that are gone.
func diff(from, to fs.FS) (files map[string]string, gone []string, err error) {
	was, err := contents(from)
	if err != nil {
		return nil, nil, err
	}
	is, err := contents(to)
	if err != nil {
		return nil, nil, err
	}
	for name, text := range is {
		if old, ok := was[name]; !ok || old != text {
			if files == nil {
				files = map[string]string{}
			}
			files[name] = text
		}
	}
	for name := range was {
		if _, ok := is[name]; !ok {
			gone = append(gone, name)
		}
	}
	return files, gone, nil
}

// contents are the files of a tree that are read by robots.
func contents(tree fs.FS) (map[string]string, error) {
	names, err := resources.Files(tree)
	all := map[string]string{}
	for _, name := range names {
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return nil, err
		}
		all[name] = string(text)
	}
	return all, err
}
