package record

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"
)

const (
	extension = ".mcap"
	nameTime  = "20060102T150405.000Z"
)

// fileName matches the names of recordings: when the file was begun, the life, the part.
var fileName = regexp.MustCompile(`^(\d{8}T\d{6}\.\d{3}Z)-([0-9a-zA-Z]+)-(\d{4,})\.mcap$`)

// NewLifeID returns a fresh ID of a life.
func NewLifeID() string {
	var b [5]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// beginNS is when a life began, as MCAP has it: in nanoseconds of calendar time.
func (l *Life) beginNS() uint64 { return uint64(l.Begin.UnixNano()) }

// partName is the name of a new file. Names sort in the order in which the files were begun, also after the calendar was set back.
func partName(dir string, now time.Time, life string, part int) string {
	now = now.UTC()
	if all, err := recordings(dir); err == nil && len(all) > 0 {
		if newest := all[len(all)-1].begun; !now.After(newest) {
			now = newest.Add(time.Millisecond)
		}
	}
	return fmt.Sprintf("%s-%s-%04d%s", now.Format(nameTime), life, part, extension)
}

// A named file is a recording in a folder, as its name tells.
type named struct {
	path  string
	begun time.Time
	life  string
	part  int
	size  int64
}

// recordings lists the files of a folder that are named like recordings, in the order of their names.
func recordings(dir string) ([]named, error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var all []named
	for _, e := range list {
		m := fileName.FindStringSubmatch(e.Name())
		if m == nil || !e.Type().IsRegular() {
			continue
		}
		begun, err := time.Parse(nameTime, m[1])
		part, err2 := strconv.Atoi(m[3])
		info, err3 := e.Info() // an error: deleted meanwhile
		if err == nil && err2 == nil && err3 == nil {
			all = append(all, named{filepath.Join(dir, e.Name()), begun, m[2], part, info.Size()})
		}
	}
	slices.SortFunc(all, func(a, b named) int { return cmp.Compare(filepath.Base(a.path), filepath.Base(b.path)) })
	return all, nil
}

// prune deletes the oldest recordings of a folder until there is room for a file of a size within a limit. A file that is being written,
// by whatever process, stays.
func prune(dir string, limit, room int64) error {
	all, err := recordings(dir)
	if err != nil {
		return err
	}
	for _, f := range all {
		room += f.size
	}
	for i, f := range all {
		if room <= limit && len(all)-i <= maxFiles {
			return nil
		}
		if inUse(f.path) {
			continue
		}
		if err := os.Remove(f.path); err != nil && !os.IsNotExist(err) {
			return err
		}
		room -= f.size
	}
	return nil
}

// createPart creates a file that prune leaves alone until it is closed.
func createPart(dir, name string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o640)
	if err != nil {
		return nil, err
	}
	lock(f)
	return f, nil
}

// syncDir makes the names of new files durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }()
	return d.Sync()
}

// there reports whether a path still names an open file.
func there(path string, open fs.FileInfo) bool {
	now, err := os.Stat(path)
	return err == nil && os.SameFile(now, open)
}
