package sets

import (
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
)

// asTree is a tree of files in memory, by path.
type asTree map[string]string

// Open implements fs.FS.
func (t asTree) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if text, ok := t[name]; ok {
		return &file{entry{path.Base(name), int64(len(text)), false}, strings.NewReader(text)}, nil
	}
	if list := t.list(name); len(list) > 0 || name == "." {
		return &folder{entry{path.Base(name), 0, true}, list}, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// list lists a folder, sorted.
func (t asTree) list(dir string) []fs.DirEntry {
	found := map[string]fs.DirEntry{}
	for name, text := range t {
		rest, below := strings.CutPrefix(name, dir+"/")
		if dir == "." {
			rest, below = name, true
		}
		if !below {
			continue
		}
		first, _, deep := strings.Cut(rest, "/")
		if deep {
			text = ""
		}
		found[first] = entry{first, int64(len(text)), deep}
	}
	var list []fs.DirEntry
	for _, name := range slices.Sorted(maps.Keys(found)) {
		list = append(list, found[name])
	}
	return list
}

// An entry is a file or a folder; it is its own description.
type entry struct {
	name string
	size int64
	dir  bool
}

func (e entry) Name() string               { return e.name }
func (e entry) Size() int64                { return e.size }
func (e entry) IsDir() bool                { return e.dir }
func (e entry) Type() fs.FileMode          { return e.Mode().Type() }
func (e entry) Info() (fs.FileInfo, error) { return e, nil }
func (e entry) ModTime() time.Time         { return time.Time{} }
func (e entry) Sys() any                   { return nil }
func (e entry) Mode() fs.FileMode {
	if e.dir {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

type file struct {
	entry
	*strings.Reader
}

func (f *file) Stat() (fs.FileInfo, error) { return f.entry, nil }
func (f *file) Size() int64                { return f.entry.size }
func (f *file) Close() error               { return nil }

type folder struct {
	entry
	left []fs.DirEntry
}

func (d *folder) Stat() (fs.FileInfo, error) { return d.entry, nil }
func (d *folder) Close() error               { return nil }
func (d *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.name, Err: fs.ErrInvalid}
}

// ReadDir implements fs.ReadDirFile.
func (d *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n > 0 && len(d.left) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(d.left) {
		n = len(d.left)
	}
	list := d.left[:n]
	d.left = d.left[n:]
	return list, nil
}
