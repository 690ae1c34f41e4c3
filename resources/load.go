package resources

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// BehaviorsDir is the directory of behavior instances in a resource tree.
const BehaviorsDir = "behaviors"

// Open returns the resource tree of a directory on disk, what --resources names. The directory must hold a behaviors
// directory.
func Open(dir string) (fs.FS, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("resources: directory %q does not exist", dir)
	case err != nil:
		return nil, fmt.Errorf("resources: directory %q: %w", dir, err)
	case !info.IsDir():
		return nil, notDir(dir)
	}
	tree := os.DirFS(dir)
	if sub, err := fs.Stat(tree, BehaviorsDir); err == nil && sub.IsDir() {
		return tree, nil
	}
	files, err := fs.Glob(tree, "*.json")
	if err == nil && len(files) > 0 {
		return nil, fmt.Errorf("resources: directory %q has no %s directory; it holds *.json files itself, did you mean its parent %q?",
			dir, BehaviorsDir, filepath.Join(dir, ".."))
	}
	return nil, fmt.Errorf("resources: directory %q has no %s directory", dir, BehaviorsDir)
}

// notDir says that a name is no directory, and which one a file belongs to.
func notDir(name string) error {
	for up := filepath.Dir(name); ; up = filepath.Dir(up) {
		if info, err := os.Stat(filepath.Join(up, BehaviorsDir)); err == nil && info.IsDir() {
			return fmt.Errorf("resources: %q is not a directory; a file is read with those that it names: did you mean its folder %q?", name, up)
		}
		if up == filepath.Dir(up) {
			return fmt.Errorf("resources: %q is not a directory", name)
		}
	}
}

// LoadBehaviors parses the instance files of a resource tree: [LoadDir] of behaviors/.
func LoadBehaviors(fsys fs.FS) ([]*Document, Diagnostics) { return LoadDir(fsys, BehaviorsDir) }

// LoadDir parses every *.json file below a directory, in the byte order of their paths, and returns the documents
// that could be parsed with all findings, sorted. Hidden files and directories (a leading dot: what editors and
// version control leave behind) are not looked at. What cannot be read is an error, never left out silently; a linked
// directory is not followed and reported, since it could lead in a circle.
func LoadDir(fsys fs.FS, dir string) ([]*Document, Diagnostics) {
	names, diags := list(fsys, dir)
	slices.Sort(names)
	if len(names) > MaxFiles {
		diags = append(diags, Diagnostic{
			File: names[MaxFiles], Severity: Error, Code: CodeFileLimit,
			Message: fmt.Sprintf("this and all files after it are not read: %d files, the limit is %d", len(names), MaxFiles),
		})
		names = names[:MaxFiles]
	}
	var docs []*Document
	var all Findings
	all.Add(diags...)
	for _, name := range names {
		doc, found := LoadFile(fsys, name)
		all.Add(found...)
		if doc != nil {
			docs = append(docs, doc)
		}
	}
	return docs, all.List()
}

// LoadFile reads and parses one file.
func LoadFile(fsys fs.FS, name string) (*Document, Diagnostics) {
	src, err := read(fsys, name)
	var large sizeError
	switch {
	case errors.As(err, &large):
		return nil, Diagnostics{tooLarge(name, int64(large))}
	case err != nil:
		return nil, Diagnostics{unreadable(name, err)}
	}
	return Parse(name, src)
}

// list finds the data files below dir.
func list(fsys fs.FS, dir string) (names []string, diags Diagnostics) {
	err := fs.WalkDir(fsys, dir, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil && name == dir && errors.Is(err, fs.ErrNotExist):
			diags = append(diags, Diagnostic{
				File: name, Severity: Error, Code: CodeDirMissing, Message: "there is no such directory",
			})
			return fs.SkipAll
		case err != nil:
			diags = append(diags, unreadable(name, err))
			return nil // go on with what is beside it
		case name == dir && !entry.IsDir():
			diags = append(diags, unreadable(name, errNotDir))
		case name != dir && strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
		case entry.IsDir():
		case entry.Type()&fs.ModeSymlink != 0 && leadsToDir(fsys, name):
			diags = append(diags, ignored(name, "a linked directory is not searched", "copy it, or link its files"))
		case strings.HasSuffix(name, ".json"):
			names = append(names, name)
		case strings.EqualFold(filepath.Ext(name), ".json"), strings.HasSuffix(name, ".jsonc"):
			diags = append(diags, ignored(name, "only files ending in .json are read", "rename it"))
		}
		return nil
	})
	if err != nil {
		diags = append(diags, unreadable(dir, err))
	}
	if len(names) == 0 && len(diags) == 0 {
		diags = append(diags, Diagnostic{
			File: dir, Severity: Warning, Code: CodeDirEmpty, Message: "no *.json file in this directory",
		})
	}
	return names, diags
}

// Files lists the files of a resource tree that a robot lives with ([OfRobot]), in the order of [fs.WalkDir]: those that are loaded. As when
// they are loaded, links to files are followed and hidden names are not looked at; of the linked directories only the folders of the
// tree itself are searched. A file that cannot be loaded because it is none is an error.
func Files(tree fs.FS) (names []string, err error) {
	var visit fs.WalkDirFunc
	visit = func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		case d.Type()&fs.ModeSymlink != 0 && leadsToDir(tree, name):
			if slices.Contains(folders, name) {
				return fs.WalkDir(tree, name, visit)
			}
			return nil
		case !OfRobot(name):
			return nil
		}
		names = append(names, name)
		info, err := fs.Stat(tree, name)
		if err == nil && !info.Mode().IsRegular() {
			err = &fs.PathError{Op: "read", Path: name, Err: errNotRegular}
		}
		return err
	}
	err = fs.WalkDir(tree, ".", visit)
	return names, err
}

func leadsToDir(fsys fs.FS, name string) bool {
	info, err := fs.Stat(fsys, name)
	return err == nil && info.IsDir()
}

func unreadable(name string, err error) Diagnostic {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err // the name is in front of the line already
	}
	return Diagnostic{File: name, Severity: Error, Code: CodeFileUnreadable, Message: "cannot be read: " + err.Error()}
}

func ignored(name, message, hint string) Diagnostic {
	return Diagnostic{File: name, Severity: Warning, Code: CodeFileIgnored, Message: message, Hint: hint}
}

// Reasons of our own, beside those of the file system.
var (
	errNotRegular = errors.New("not a regular file")
	errNotDir     = errors.New("not a directory")
)

// A sizeError is the size of a file that is too large to be read.
type sizeError int64

func (e sizeError) Error() string { return fmt.Sprintf("%d bytes", int64(e)) }

// read returns the bytes of a regular file, at most one more than Parse accepts. The type is looked at before the
// file is opened, because opening a named pipe would wait for a writer.
func read(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	if info.Size() > MaxFileBytes {
		return nil, sizeError(info.Size())
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b bytes.Buffer
	b.Grow(int(min(info.Size(), MaxFileBytes+1)) + bytes.MinRead) // which is how much room it wants to see the end
	_, err = b.ReadFrom(io.LimitReader(f, MaxFileBytes+1))
	return b.Bytes(), err
}
