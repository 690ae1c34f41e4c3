package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
)

// An archive writes cpio in the form "newc", which the kernel unpacks. The first error stays.
type archive struct {
	w   io.WriteCloser
	buf *bufio.Writer
	ino int
	err error
}

// Modes of inodes.
const (
	modeFolder = 0o040755
	modeFile   = 0o100755
	modeDevice = 0o020600
)

func (a *archive) folder(name string) { a.entry(name, modeFolder, 0, 0, nil) }

// console adds the device that the first process writes to: 5, 1.
func (a *archive) console(name string) { a.entry(name, modeDevice, 5, 1, nil) }

// file adds the content of path.
func (a *archive) file(name, path string) {
	data, err := os.ReadFile(path)
	a.err = errors.Join(a.err, err)
	a.entry(name, modeFile, 0, 0, data)
}

// entry writes one header with its name and data, each padded to four bytes.
func (a *archive) entry(name string, mode, major, minor int, data []byte) {
	if a.buf == nil {
		a.buf = bufio.NewWriter(a.w)
	}
	a.ino++
	links := 1
	head := fmt.Sprintf("070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%s\x00",
		a.ino, mode, 0, 0, links, 0, len(data), 0, 0, major, minor, len(name)+1, 0, name)
	a.padded([]byte(head))
	a.padded(data)
}

func (a *archive) padded(b []byte) {
	_, err := a.buf.Write(b)
	_, perr := a.buf.Write(make([]byte, -len(b)&3))
	a.err = errors.Join(a.err, err, perr)
}

// close ends the archive.
func (a *archive) close() error {
	a.entry("TRAILER!!!", 0, 0, 0, nil)
	return errors.Join(a.err, a.buf.Flush(), a.w.Close())
}
