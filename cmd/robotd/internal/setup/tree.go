package setup

import (
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/resources"
)

// A Tree is a resource tree and where it came from.
type Tree struct {
	FS  fs.FS
	Dir string // as the user named it; empty for the one inside the binary
}

// OpenTree opens the resource tree of a directory, or the embedded one if dir is empty.
func OpenTree(dir string) (Tree, error) {
	if dir == "" {
		return Tree{FS: resources.Embedded()}, nil
	}
	tree, err := resources.Open(dir)
	return Tree{FS: tree, Dir: dir}, err
}

// Catalog reads the whole tree, whose files may name these classes, and reports everything that is wrong with it, with file names
// as the user sees them. The catalog is nil if anything is an error.
func (t Tree) Catalog(classes *behaviors.Registry) (*behaviors.Catalog, resources.Diagnostics) {
	docs, diags := resources.LoadBehaviors(t.FS)
	boot, found := resources.LoadFile(t.FS, behaviors.BootFile)
	diags = append(diags, found...)
	lost := unread(docs, diags)
	mood, found := behaviors.LoadMood(t.FS)
	diags = append(diags, found...)
	cat, found := behaviors.BuildCatalog(behaviors.Sources{Behaviors: docs, Boot: boot, Mood: mood, Unread: lost}, classes)
	diags = append(diags, found...)
	if cat != nil && boot != nil {
		diags = append(diags, unreachable(cat)...)
	}
	if diags.HasErrors() {
		cat = nil
	}
	if t.Dir != "" {
		diags = diags.Prefix(t.Dir)
	}
	diags.Sort()
	return cat, slices.Compact(diags)
}

// unreachable warns of behaviors that no path of delegates leads to from the base or the fallback behavior.
func unreachable(cat *behaviors.Catalog) (diags resources.Diagnostics) {
	seen := map[string]bool{}
	var visit func(id string)
	visit = func(id string) {
		e := cat.Find(id)
		if e == nil || seen[id] {
			return
		}
		seen[id] = true
		for _, next := range slices.Concat(e.Delegates, e.Links) {
			visit(next)
		}
	}
	for _, root := range cat.Boot.Roots() {
		visit(root)
	}
	for _, e := range cat.Entries {
		if !seen[e.ID] {
			diags = append(diags, resources.Diagnostic{
				File: e.File, Severity: resources.Warning, Code: "behavior-unreachable",
				Message: fmt.Sprintf("no behavior leads from %s to %s", cat.Boot.Base, e.ID),
				Hint:    "name it as a delegate, or delete it; it can still be run by hand",
			})
		}
	}
	return diags
}

// unread lists the behavior files that could not be read as a document.
func unread(docs []*resources.Document, diags resources.Diagnostics) []string {
	var files []string
	for _, d := range diags {
		read := slices.ContainsFunc(docs, func(doc *resources.Document) bool { return doc.File() == d.File })
		if !read && path.Ext(d.File) == ".json" && path.Base(d.File) != behaviors.BootFile {
			files = append(files, d.File)
		}
	}
	return slices.Compact(files)
}
