package setup

import (
	"errors"
	"io/fs"
	"path"
	"slices"

	"github.com/robotd/robotd/behaviors"

	"github.com/robotd/robotd/actions/animation"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/intents"
	"github.com/robotd/robotd/hardware/profile"
	"github.com/robotd/robotd/resources"
)

// A Tree is a resource tree and where it came from.
type Tree struct {
	FS  fs.FS
	Dir string // as the user named it; empty for the one inside the binary
	// Foreign says that it was made for another robot, and is loaded leniently.
	Foreign bool
	// Layer is what FS was copied from, if that lies over another tree: it tells whose the files are.
	Layer *resources.Layered
	// Words are those of drivers that are not built in, by part.
	Words profile.Words
}

// OpenTree opens the resource tree of a directory, or the embedded one if dir is empty.
func OpenTree(dir string) (Tree, error) {
	if dir == "" {
		return Tree{FS: resources.Embedded()}, nil
	}
	if tree, err := openLayer(dir); tree != nil || err != nil {
		return Tree{FS: tree, Dir: dir}, err
	}
	tree, err := resources.Open(dir)
	return Tree{FS: tree, Dir: dir}, err
}

// Catalog reads the whole tree, whose files may name these classes, and reports everything that is wrong with it, with file names
// as the user sees them. The catalog is nil if anything is an error.
func (t Tree) Catalog(classes *behaviors.Registry) (*catalog.Catalog, resources.Diagnostics) {
	if t.Foreign {
		cat, _, diags := t.Lenient(classes)
		return cat, diags
	}
	var all resources.Findings
	docs, found := resources.LoadBehaviors(t.FS)
	all.Add(found...)
	src := catalog.Sources{Behaviors: docs, Lint: true}
	src.Unread, src.Empty = without(docs, found)
	src.Boot, found = loadBoot(t.FS)
	all.Add(found...)
	src.Intents, found = loadOptional(t.FS, intents.File)
	src.IntentsUnread = found.HasErrors()
	all.Add(found...)
	src.Reactions, found = loadOptional(t.FS, behaviors.ReactionsFile)
	all.Add(found...)
	src.Mood, found = catalog.LoadMood(t.FS)
	all.Add(found...)
	src.Animations, found = animation.Load(t.FS)
	all.Add(found...)
	cat, found := catalog.Build(src, classes)
	all.Add(found...)
	if cat != nil && src.Boot != nil && !all.HasErrors() {
		all.Add(unreachable(cat)...)
	}
	if all.HasErrors() {
		cat = nil
	}
	t.origins(cat)
	diags := all.List()
	if t.Dir != "" {
		diags = t.named(diags)
	}
	return cat, slices.Compact(diags)
}

// loadBoot parses the boot configuration. One without content is an error: it names no base behavior.
func loadBoot(tree fs.FS) (*resources.Document, resources.Diagnostics) {
	doc, diags := resources.LoadFile(tree, catalog.BootFile)
	if doc == nil && !diags.HasErrors() {
		return nil, resources.Diagnostics{{
			File: catalog.BootFile, Line: 1, Col: 1, Code: resources.CodeKeyRequired, Message: "the file is empty",
			Hint: `"normalBaseBehavior", "fallbackBehavior" and "userIntents" are required`,
		}}
	}
	return doc, diags
}

// loadOptional parses a file that may be absent.
func loadOptional(tree fs.FS, name string) (*resources.Document, resources.Diagnostics) {
	if _, err := fs.Stat(tree, name); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return resources.LoadFile(tree, name)
}

// without lists the behavior files that gave no document: those that could not be read, and those that hold nothing.
func without(docs []*resources.Document, diags resources.Diagnostics) (unread, empty []string) {
	done := make(map[string]bool, len(docs))
	for _, d := range docs {
		done[d.File()] = true
	}
	for _, d := range diags {
		switch {
		case done[d.File] || path.Ext(d.File) != ".json":
			continue
		case d.Severity == resources.Error:
			unread = append(unread, d.File)
		case d.Code == resources.CodeEmpty:
			empty = append(empty, d.File)
		}
		done[d.File] = true
	}
	return unread, empty
}
