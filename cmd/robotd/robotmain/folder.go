package robotmain

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// writeFolder puts files into dir, which it makes if need be: all of them, or none. A name that ends in a slash is a folder. Each file is written
// beside its place first, so that a disk that is full changes nothing. Nothing is written outside, wherever links in dir lead; a link that has the
// name of a file gives its place to it. A file that is there keeps its mode.
func writeFolder(dir string, files map[string]string) (err error) {
	made := missing(dir)
	defer func() {
		if err != nil {
			removeAll(os.Remove, made)
		}
	}()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	s := staged{root: root}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := s.add(name, files[name]); err != nil {
			s.drop()
			return fmt.Errorf("%s cannot be written, so nothing was: %w", filepath.Join(dir, filepath.FromSlash(name)), err)
		}
	}
	return s.commit()
}

// missing are the folders that have to be made for dir, the outer ones first.
func missing(dir string) []string {
	var out []string
	for {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			slices.Reverse(out)
			return out
		}
		out = append(out, dir)
		dir = filepath.Dir(dir)
	}
}

// removeAll removes the last first. What somebody else has put into a folder keeps it there.
func removeAll(remove func(string) error, names []string) {
	for _, name := range slices.Backward(names) {
		_ = remove(name)
	}
}

// staged are files that stand beside their places.
type staged struct {
	root *os.Root
	made []string    // folders
	next [][2]string // a file beside its place, and its place
}

// add writes a file beside its place, or makes a folder.
func (s *staged) add(name, text string) error {
	in, base := path.Split(name)
	if err := s.mkdir(in); err != nil || base == "" {
		return err
	}
	mode := fs.FileMode(0o644)
	if is, err := s.root.Lstat(name); err == nil && is.IsDir() {
		return errors.New("a directory has its name")
	} else if err == nil && is.Mode().IsRegular() {
		mode = is.Mode().Perm()
	}
	next := in + "." + base + ".new"
	f, err := s.root.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	s.next = append(s.next, [2]string{next, name})
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// mkdir makes a folder, whose name ends in a slash, and those above it; empty for the root.
func (s *staged) mkdir(name string) error {
	for i := range len(name) {
		if name[i] != '/' {
			continue
		}
		err := s.root.Mkdir(name[:i], 0o755)
		if err == nil {
			s.made = append(s.made, name[:i])
		} else if !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	if name == "" {
		return nil
	}
	is, err := s.root.Stat(strings.TrimSuffix(name, "/"))
	if err == nil && !is.IsDir() {
		err = fmt.Errorf("%s is not a directory", name)
	}
	return err
}

// commit puts the files in their places.
func (s *staged) commit() error {
	for _, n := range s.next {
		if err := s.root.Rename(n[0], n[1]); err != nil {
			return err
		}
	}
	return nil
}

// drop removes what was written.
func (s *staged) drop() {
	for _, n := range s.next {
		_ = s.root.Remove(n[0])
	}
	removeAll(s.root.Remove, s.made)
}
