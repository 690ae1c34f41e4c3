package animation

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/robotd/robotd/resources"
)

// Directories of animations in a resource tree. What a file outside of BuiltInDir defines takes the place of what a file in it defines
// under the same name. A tree without BuiltInDir has the animations that are built into the binary in its place.
const (
	Dir        = "animations"
	BuiltInDir = Dir + "/builtin"
)

// Files are the animation files of a resource tree, parsed.
type Files struct {
	BuiltIn []*resources.Document // those of BuiltInDir; nil: the ones inside the binary
	Own     []*resources.Document
	// Unread says that a file could not be read. An unknown name is not reported then.
	Unread bool
}

// Load parses the animation files of a resource tree. A tree without any is in order; what cannot be read is reported.
func Load(tree fs.FS) (*Files, resources.Diagnostics) {
	var f Files
	if _, err := fs.Stat(tree, Dir); errors.Is(err, fs.ErrNotExist) {
		return &f, nil
	}
	docs, diags := resources.LoadDir(tree, Dir)
	f.Unread = diags.HasErrors()
	for _, d := range docs {
		if strings.HasPrefix(d.File(), BuiltInDir+"/") {
			f.BuiltIn = append(f.BuiltIn, d)
		} else {
			f.Own = append(f.Own, d)
		}
	}
	return &f, diags
}

// Documents lists all files.
func (f *Files) Documents() []*resources.Document { return slices.Concat(f.BuiltIn, f.Own) }
