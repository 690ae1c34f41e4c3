package sets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/resources"
)

// An Edit is the new text of one file; nil removes it.
type Edit struct {
	Path string
	Text *string
	Was  string // the Sum of the text that was edited; empty: any
}

// Sum tells texts apart.
func Sum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:12])
}

var errChanged = errors.New("the file has changed since it was read: load it again")

// Where says where edits are written.
type Where struct {
	Dir     string // the folder; empty: nowhere
	Overlay bool   // its files stand over built-in ones
	Base    fs.FS  // those, if it is one
}

// Has reports whether the folder has a file.
func (w *Where) Has(name string) bool {
	_, err := fs.Stat(os.DirFS(w.Dir), name)
	return err == nil
}

// edited are the files as they are now, with an edit.
func (s *Store) edited(e Edit) (*Candidate, error) {
	if err := CheckPath(e.Path); err != nil {
		return nil, err
	}
	tree, err := s.opts.Read()
	if err != nil {
		return nil, err
	}
	files, err := contents(tree.FS)
	if err != nil {
		return nil, err
	}
	if is, ok := files[e.Path]; e.Was != "" && (!ok || Sum(is) != e.Was) {
		return nil, errChanged
	}
	if l := tree.Layered(); l != nil {
		over, err := relayered(l, e)
		if err != nil {
			return nil, err
		}
		return s.Check(setup.Tree{FS: over, Foreign: tree.Foreign})
	}
	switch {
	case e.Text != nil:
		files[e.Path] = *e.Text
	case s.opts.Where.Overlay:
		if err := s.revert(files, e.Path); err != nil {
			return nil, err
		}
	default:
		if _, ok := files[e.Path]; !ok {
			return nil, fmt.Errorf("there is no file %s", e.Path)
		}
		delete(files, e.Path)
	}
	return s.Check(setup.Tree{FS: asTree(files), Foreign: tree.Foreign})
}

// relayered is a layered tree with an edit of its own files. What they no longer hide of the tree below is seen again.
func relayered(l *resources.Layered, e Edit) (*resources.Layered, error) {
	own, below := l.Trees()
	files, err := contents(own)
	if err != nil {
		return nil, err
	}
	_, has := files[e.Path]
	switch {
	case e.Path == resources.LayerFile:
		return nil, fmt.Errorf("%s says what the folder is: edit it there, while the robot is off", e.Path)
	case e.Text != nil:
		files[e.Path] = *e.Text
	case !has:
		return nil, fmt.Errorf(noOwn, e.Path)
	default:
		delete(files, e.Path)
	}
	return resources.NewLayered(asTree(files), below), nil
}

// noOwn refuses to remove what the user did not write.
const noOwn = "%s has no own version that could be removed"

// revert puts the built-in file in place of its own version.
func (s *Store) revert(files map[string]string, name string) error {
	if !s.opts.Where.Has(name) {
		return fmt.Errorf(noOwn, name)
	}
	delete(files, name)
	if text, err := fs.ReadFile(s.opts.Where.Base, name); err == nil {
		files[name] = string(text)
	}
	return nil
}

// TryEdit checks all files with an edit and plans the change to them. Nothing changes.
func (s *Store) TryEdit(e Edit) (*Candidate, error) {
	if s.opts.Read == nil {
		return nil, errNoFiles
	}
	return s.edited(e)
}

// Edit writes a file and changes to the definitions with it, both or neither.
func (s *Store) Edit(ctx context.Context, e Edit) Outcome {
	return s.Change(ctx, CauseEdit, func() (*Candidate, error) {
		if s.opts.Read == nil || s.opts.Where.Dir == "" {
			return nil, errNoFolder
		}
		return s.edited(e)
	}, func() (func(), error) { return write(s.opts.Where.Dir, e.Path, e.Text) })
}
