package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/resources"
)

// BuiltIn is what a layer file names as the tree below: the one inside the binary.
const BuiltIn = "built-in"

// Where the behaviors of a layered folder come from.
const (
	OriginOwn      = "own"
	OriginReplaces = "own, in place of a built-in one"
)

// openLayer returns the tree of a folder that lies over the built-in one; nil if the folder does not say that it does.
func openLayer(dir string) (fs.FS, error) {
	own := os.DirFS(dir)
	if _, err := fs.Stat(own, resources.LayerFile); errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	doc, diags := resources.LoadFile(own, resources.LayerFile)
	if doc != nil {
		doc.Root().Enum("over", []string{BuiltIn})
		doc.Finish()
		diags = append(diags, doc.Diagnostics()...)
	}
	if diags.HasErrors() || doc == nil {
		return nil, fmt.Errorf("%v", diags.Prefix(dir))
	}
	return resources.NewLayered(own, resources.Embedded()), nil
}

// Layered is the tree, or what it was copied from, if that lies over another one; else nil.
func (t Tree) Layered() *resources.Layered {
	if t.Layer != nil {
		return t.Layer
	}
	l, _ := t.FS.(*resources.Layered)
	return l
}

// named gives findings the names of their files as the user sees them. Those of the built-in tree below a layered folder have none there.
func (t Tree) named(diags resources.Diagnostics) resources.Diagnostics {
	l := t.Layered()
	if l == nil {
		return diags.Prefix(t.Dir)
	}
	out := make(resources.Diagnostics, 0, len(diags))
	for _, d := range diags {
		dir := t.Dir
		if !l.Own(d.File) {
			dir = BuiltIn
		}
		out = append(out, resources.Diagnostics{d}.Prefix(dir)...)
	}
	return out
}

// origins notes where each behavior of a layered tree comes from.
func (t Tree) origins(cat *catalog.Catalog) {
	l := t.Layered()
	if l == nil || cat == nil {
		return
	}
	for _, e := range cat.Entries {
		switch {
		case !l.Own(e.File):
			e.Origin = BuiltIn
		case l.Replaces(e.File):
			e.Origin = OriginReplaces
		default:
			e.Origin = OriginOwn
		}
	}
}
