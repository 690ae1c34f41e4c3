package daemon

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/sets"
	"github.com/robotd/robotd/cmd/robotd/internal/setup"
	"github.com/robotd/robotd/resources"
)

var _ control.Author = (*robot)(nil)

// Where a file comes from.
const (
	fromBuiltIn = "built-in"
	fromFolder  = "folder"
	fromEdit    = "edited"
)

// Files implements control.Author.
func (r *robot) Files() (*control.FilesState, error) {
	tree, where, err := r.sets.Files()
	if err != nil {
		return nil, err
	}
	s := &control.FilesState{Files: []control.FileState{}, Folder: where.Dir, Back: r.sets.Before()}
	runs, err := r.sets.Now().Texts()
	if err != nil {
		return nil, err
	}
	defines := map[string]*catalog.Entry{}
	for _, e := range r.sets.Now().Catalog.Entries {
		if e.Owner == "" {
			defines[strings.TrimPrefix(e.File, tree.Dir+"/")] = e
		}
	}
	names, err := resources.Files(tree.FS)
	for _, name := range names {
		f := control.FileState{Path: name, From: origin(tree, where, name)}
		text, err := fs.ReadFile(tree.FS, name)
		if err != nil {
			return nil, err
		}
		f.Bytes, f.Differs = len(text), differs(runs, name, text)
		if e := defines[name]; e != nil {
			f.ID, f.Class = e.ID, e.Class.Name
		}
		s.Files = append(s.Files, f)
	}
	slices.SortFunc(s.Files, func(a, b control.FileState) int { return strings.Compare(a.Path, b.Path) })
	return s, err
}

// differs reports whether a file on disk is another than the one that runs.
func differs(runs map[string]string, name string, text []byte) bool {
	is, ok := runs[name]
	return len(runs) > 0 && (!ok || is != string(text))
}

// Definitions implements control.Author.
func (r *robot) Definitions() (*control.SetState, error) {
	now := r.sets.Now()
	files, err := now.Texts()
	return &control.SetState{Number: now.Number, Files: files}, err
}

// origin says where a file comes from.
func origin(tree setup.Tree, where sets.Where, name string) string {
	layer, over := tree.FS.(*resources.Layered)
	switch {
	case over && !layer.Own(name):
		return fromBuiltIn
	case where.Overlay && where.Has(name):
		return fromEdit
	case where.Overlay || where.Dir == "":
		return fromBuiltIn
	}
	return fromFolder
}

// File implements control.Author.
func (r *robot) File(path string) (*control.FileState, error) {
	if err := sets.CheckPath(path); err != nil {
		return nil, control.Refuse(err)
	}
	tree, where, err := r.sets.Files()
	if err != nil {
		return nil, err
	}
	text, err := fs.ReadFile(tree.FS, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, control.Refuse(errors.New("there is no file " + path))
	}
	runs, wrong := r.sets.Now().Texts()
	if wrong != nil {
		return nil, wrong
	}
	f := &control.FileState{Path: path, From: origin(tree, where, path), Bytes: len(text), Text: string(text), Sum: sets.Sum(string(text)), Differs: differs(runs, path, text)}
	for _, e := range r.sets.Now().Catalog.Entries {
		if e.Owner == "" && strings.TrimPrefix(e.File, tree.Dir+"/") == path {
			f.ID, f.Class = e.ID, e.Class.Name
		}
	}
	return f, err
}

func editOf(e control.Edit) sets.Edit {
	if e.Remove {
		return sets.Edit{Path: e.Path, Was: e.Was}
	}
	return sets.Edit{Path: e.Path, Text: &e.Text, Was: e.Was}
}

// planned is the answer to a candidate that is not taken.
func (r *robot) planned(c *sets.Candidate, err error) control.Change {
	change := control.Change{Result: "planned", Back: r.sets.Before()}
	switch {
	case err != nil:
		change.Result, change.Error = sets.Failed, err.Error()
		return change
	case c.Catalog == nil:
		change.Result, change.Error = sets.Invalid, "the files have errors"
	default:
		change.OK, change.Plan, change.Text = true, (*control.Plan)(&c.Change.Plan), c.Change.Plan.String()
	}
	change.Findings = c.Findings
	return change
}

// done is the answer to a change that was asked for.
func (r *robot) done(o sets.Outcome) control.Change {
	c := control.Change{OK: o.Result == sets.Applied || o.Result == sets.Unchanged, Result: o.Result, Plan: (*control.Plan)(o.Plan), Findings: o.Findings, Back: r.sets.Before()}
	if c.OK {
		c.Text = o.Text
	} else {
		c.Error = o.Text
	}
	return c
}

// TryEdit implements control.Author.
func (r *robot) TryEdit(e control.Edit) control.Change { return r.planned(r.sets.TryEdit(editOf(e))) }

// PlanFiles implements control.Author.
func (r *robot) PlanFiles() control.Change { return r.planned(r.sets.Read()) }

// ApplyEdit implements control.Author.
func (r *robot) ApplyEdit(ctx context.Context, e control.Edit) control.Change {
	c := r.done(r.sets.Edit(ctx, editOf(e)))
	if c.OK && !e.Remove {
		c.Sum = sets.Sum(e.Text)
	}
	return c
}

// ReloadFiles implements control.Author.
func (r *robot) ReloadFiles(ctx context.Context) control.Change {
	return r.done(r.sets.Reload(ctx, sets.CauseOperator))
}

// Rollback implements control.Author.
func (r *robot) Rollback(ctx context.Context) control.Change { return r.done(r.sets.Rollback(ctx)) }
