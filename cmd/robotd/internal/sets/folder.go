package sets

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/robotd/robotd/resources"
)

// maxPath bounds the name of a file that is edited.
const maxPath = 200

// CheckPath says what is wrong with the path of a file that somebody wants to edit. It is a path below the folder, with slashes, of a file
// that robots read; no part of it begins with a dot.
func CheckPath(name string) error {
	switch {
	case name == "":
		return errors.New("path: missing; want one such as behaviors/reactions/ReactToTouch.json")
	case len(name) > maxPath:
		return fmt.Errorf("path: %d bytes, more than the limit %d", len(name), maxPath)
	case !fs.ValidPath(name) || strings.ContainsAny(name, "\\:\x00") || strings.HasPrefix(name, ".") || strings.Contains(name, "/."):
		return fmt.Errorf("path %q: want one below the folder, such as behaviors/reactions/ReactToTouch.json", name)
	case !resources.OfRobot(name):
		return fmt.Errorf("path %q: robots read no such file; want a .json file, such as behaviors/reactions/ReactToTouch.json", name)
	}
	return nil
}

// write puts a text into a file below dir, whole or not at all, and returns how to undo it. Links that lead out of the folder are not
// followed.
func write(dir, name string, text *string) (undo func(), err error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	old, err := root.ReadFile(name)
	was := &[]string{string(old)}[0]
	switch {
	case errors.Is(err, fs.ErrNotExist):
		was = nil
	case err != nil:
		return nil, err
	}
	if err := put(root, name, text); err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", path.Join(dir, name), err)
	}
	return func() {
		if root, err := os.OpenRoot(dir); err == nil {
			_ = put(root, name, was) // what was there could be written before
			_ = root.Close()
		}
	}, nil
}

// put replaces a file by a text, or removes it.
func put(root *os.Root, name string, text *string) error {
	if text == nil {
		if err := root.Remove(name); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	if err := root.MkdirAll(path.Dir(name), 0o750); err != nil {
		return err
	}
	next := path.Join(path.Dir(name), "."+path.Base(name)+".new")
	f, err := root.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o640)
	if err != nil {
		return err
	}
	_, err = f.WriteString(*text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = root.Rename(next, name)
	}
	if err != nil {
		_ = root.Remove(next)
		return err
	}
	if dir, err := root.Open(path.Dir(name)); err == nil { // the name lasts, too
		_ = dir.Sync()
		_ = dir.Close()
	}
	return nil
}

// Over is a tree with the files of a folder in place of those of the same name, and beside them. A folder that is not there has none.
func Over(base fs.FS, dir string) (fs.FS, error) {
	own := os.DirFS(dir)
	if _, err := fs.Stat(own, "."); errors.Is(err, fs.ErrNotExist) {
		return base, nil
	}
	files, err := contents(base)
	if err != nil {
		return nil, err
	}
	more, err := contents(own)
	for name, text := range more {
		files[name] = text
	}
	return asTree(files), err
}
