//go:build unix

package setup

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// Lock holds a file against other processes until release is called, or this process ends. It does not wait: an error that is [ErrLocked] says
// that another process holds it.
func Lock(file string) (release func(), err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(file+".lock", os.O_RDWR|os.O_CREATE, 0o640)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = ErrLocked
		}
		return nil, err
	}
	return func() { _ = f.Close() }, nil
}
