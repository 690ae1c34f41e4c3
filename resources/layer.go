package resources

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// LayerFile is a file that says of a resource folder that it lies over the built-in one.
const LayerFile = "layer.json"

// A Layered is a resource tree that lies over another one: a file of its own hides that of the same path below it, and a behavior file
// of its own hides the one of the same ID, wherever that stands. Of the tree below only what a robot lives with is seen. It is made
// once; what is added to the behaviors of its own tree later hides nothing by its ID.
type Layered struct {
	own, below fs.FS
	ids        map[string]bool // of its own behaviors, in lower case
}

// NewLayered puts own over below.
func NewLayered(own, below fs.FS) *Layered {
	l := &Layered{own: own, below: below, ids: map[string]bool{}}
	names, _ := list(own, BehaviorsDir) // what cannot be read is reported by whoever loads it
	for _, name := range names {
		l.ids[idOf(name)] = true
	}
	return l
}

// Trees returns the two trees.
func (l *Layered) Trees() (own, below fs.FS) { return l.own, l.below }

// idOf is the ID of the behavior in a file, in lower case: a file has the name of its behavior (B-3).
func idOf(name string) string { return strings.ToLower(strings.TrimSuffix(path.Base(name), ".json")) }

// Own reports whether a file is one of the upper tree.
func (l *Layered) Own(name string) bool {
	_, err := fs.Stat(l.own, name)
	return err == nil
}

// Replaces reports whether a behavior file of the upper tree hides one of the tree below.
func (l *Layered) Replaces(name string) bool {
	found := false
	_ = fs.WalkDir(l.below, BehaviorsDir, func(other string, d fs.DirEntry, err error) error {
		found = found || err == nil && !d.IsDir() && idOf(other) == idOf(name)
		return err
	})
	return found && l.Own(name)
}

// seen reports whether a file of the tree below is not hidden.
func (l *Layered) seen(name string) bool {
	return OfRobot(name) && !(strings.HasPrefix(name, BehaviorsDir+"/") && l.ids[idOf(name)])
}

// Open implements fs.FS.
func (l *Layered) Open(name string) (fs.File, error) {
	f, err := l.own.Open(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	info, below := fs.Stat(l.below, name)
	if below != nil || !info.IsDir() && !l.seen(name) {
		return nil, err
	}
	return l.below.Open(name)
}

// ReadDir implements fs.ReadDirFS: the entries of both trees, by name.
func (l *Layered) ReadDir(name string) ([]fs.DirEntry, error) {
	own, err := fs.ReadDir(l.own, name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return own, err
	}
	below, other := fs.ReadDir(l.below, name)
	if err != nil && other != nil {
		return nil, err
	}
	out := slices.Clone(own)
	for _, e := range below {
		same := slices.ContainsFunc(own, func(o fs.DirEntry) bool { return o.Name() == e.Name() })
		if !same && (e.IsDir() || l.seen(path.Join(name, e.Name()))) {
			out = append(out, e)
		}
	}
	slices.SortFunc(out, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return out, nil
}
