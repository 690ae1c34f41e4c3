package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// maxKeptBytes limits a file that is kept from one life to the next.
const maxKeptBytes = 1 << 20

// readKept reads such a file: nothing if there is none. What is the kind of file for errors.
func readKept(file, what string) ([]byte, error) {
	info, err := os.Stat(file) // before it is opened, which would wait for the writer of a pipe
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: it is no regular file", file)
	case info.Size() > maxKeptBytes:
		return nil, fmt.Errorf("%s: %d bytes; %s is a file of at most %d", file, info.Size(), what, maxKeptBytes)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	text := make([]byte, info.Size())
	if _, err := f.ReadAt(text, 0); err != nil && len(text) > 0 {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return text, nil
}

// writeKept writes such a file, whole or not at all; when it returns it lasts.
func writeKept(file string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
		return err
	}
	next := file + ".new" // one name: a process that is killed leaves one such file, and the next writes over it
	f, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o640)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(next, file)
	}
	if err != nil {
		_ = os.Remove(next)
		return err
	}
	if dir, err := os.Open(filepath.Dir(file)); err == nil { // the name lasts, too
		_ = dir.Sync()
		_ = dir.Close()
	}
	return nil
}
