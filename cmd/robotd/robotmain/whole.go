package robotmain

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// writeWhole puts a file in the place of one that may be there, and of what a link leads to: whoever reads it sees the old text or the whole new
// one. One that is there keeps its mode.
func writeWhole(name string, mode os.FileMode, write func(io.Writer) error) error {
	if to, err := filepath.EvalSymlinks(name); err == nil {
		name = to
	}
	if info, err := os.Stat(name); err == nil {
		mode = info.Mode().Perm()
	}
	next, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return err
	}
	err = errors.Join(write(next), next.Chmod(mode), next.Close())
	if err == nil {
		err = os.Rename(next.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(next.Name()))
	}
	return nil
}

// sameFile reports whether two names are of one file that is there.
func sameFile(a, b string) bool {
	is, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(is, other)
}
