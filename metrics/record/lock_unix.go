//go:build unix && !solaris && !aix

package record

import (
	"os"
	"syscall"
)

// lock marks a file as being written, until it is closed or the process ends. Where files have no locks it does nothing.
func lock(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

// inUse reports whether a file is being written.
func inUse(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	return syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) == syscall.EWOULDBLOCK
}
