package setup

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/robotd/robotd/actions/animation"
	"github.com/robotd/robotd/resources"
)

// withBuiltIn returns the tree with all animations that the robot lives with: those inside the binary have no files in a folder of a user.
func withBuiltIn(tree fs.FS) fs.FS {
	if _, err := fs.Stat(tree, animation.BuiltInDir); !errors.Is(err, fs.ErrNotExist) {
		return tree
	}
	return builtIn{tree}
}

// builtIn is a tree with the built-in animations in their directory, which the tree itself does not have.
type builtIn struct{ fs.FS }

// within reports whether a name is that of the directory or below it.
func within(name string) bool {
	return name == animation.BuiltInDir || strings.HasPrefix(name, animation.BuiltInDir+"/")
}

// Open opens a file of either.
func (b builtIn) Open(name string) (fs.File, error) {
	if within(name) {
		return resources.Embedded().Open(name)
	}
	f, err := b.FS.Open(name)
	if name == animation.Dir && errors.Is(err, fs.ErrNotExist) {
		return resources.Embedded().Open(name)
	}
	return f, err
}

// ReadDir lists a directory, with the added one in its place.
func (b builtIn) ReadDir(name string) ([]fs.DirEntry, error) {
	if within(name) {
		return fs.ReadDir(resources.Embedded(), name)
	}
	list, err := fs.ReadDir(b.FS, name)
	if errors.Is(err, fs.ErrNotExist) && name == animation.Dir {
		err = nil
	}
	add := map[string]string{".": animation.Dir, animation.Dir: animation.BuiltInDir}[name]
	if err != nil || add == "" || slices.ContainsFunc(list, func(d fs.DirEntry) bool { return d.Name() == path.Base(add) }) {
		return list, err
	}
	info, err := fs.Stat(resources.Embedded(), add)
	if err != nil {
		return list, err
	}
	list = append(list, fs.FileInfoToDirEntry(info))
	slices.SortFunc(list, func(x, y fs.DirEntry) int { return cmp.Compare(x.Name(), y.Name()) })
	return list, nil
}
