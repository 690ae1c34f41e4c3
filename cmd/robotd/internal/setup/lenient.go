package setup

import (
	"fmt"
	"os"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/resources"
)

// OpenForeign opens a folder of another robot, in any layout that a lenient load knows; the embedded tree if dir is empty.
func OpenForeign(dir string) (Tree, error) {
	if dir == "" {
		return OpenTree(dir)
	}
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return Tree{}, fmt.Errorf("resources: directory %q does not exist", dir)
	case !info.IsDir():
		return Tree{}, fmt.Errorf("resources: %q is not a directory", dir)
	}
	return Tree{FS: os.DirFS(dir), Dir: dir}, nil
}

// placed puts the folder before the names of its files.
func (t Tree) placed(diags resources.Diagnostics) resources.Diagnostics {
	if t.Dir == "" {
		return diags
	}
	return diags.Prefix(t.Dir)
}

// Lenient reads a tree that was made for another robot. There are no errors: what this robot does not have is told by the notes. The catalog
// is nil if there is no behavior at all.
func (t Tree) Lenient(classes *behaviors.Registry) (*catalog.Catalog, *catalog.Lenience, resources.Diagnostics) {
	l := &catalog.Lenience{}
	cat, diags := catalog.Build(catalog.LoadForeign(t.FS, l), classes)
	if len(cat.Entries) == 0 {
		var found resources.Findings
		found.Add(t.placed(l.Skipped())...)
		found.Add(resources.Diagnostic{File: t.Dir, Severity: resources.Error, Code: resources.CodeDirEmpty, Message: "there is no behavior in this folder"})
		return nil, l, found.List()
	}
	return cat, l, t.placed(diags)
}
