package classgen

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/robotd/robotd/behaviors"
)

// behaviorsPath is the package of the type Class.
const behaviorsPath = "github.com/robotd/robotd/behaviors"

// A Class is a function that returns a class.
type Class struct {
	Name    string
	Dir     string // of its package, below the folder that was scanned, with slashes; "." for that folder
	Package string // name of the package
	At      token.Position
}

// A Fault is a broken convention.
type Fault struct {
	At     token.Position
	Reason string
}

func (f Fault) Error() string { return fmt.Sprintf("%s:%d: %s", f.At.Filename, f.At.Line, f.Reason) }

// Scan finds the classes of the package in a folder and of those below it, by name. Tests, testdata, vendored and hidden folders and modules
// of their own are left out. The error joins a [Fault] for each convention that is broken.
func Scan(dir string) ([]Class, error) {
	s := scan{dir: dir, files: token.NewFileSet()}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != dir && foreign(name, d.Name()):
			return fs.SkipDir
		case !d.Type().IsRegular() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || d.Name() == File:
			return nil
		}
		return s.file(name)
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(s.found, func(a, b Class) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Dir, b.Dir)) })
	for i := 1; i < len(s.found); i++ {
		if a, b := s.found[i-1], s.found[i]; a.Name == b.Name {
			s.fault(b.At, "a second class %s; the first is at %s:%d", b.Name, a.At.Filename, a.At.Line)
		}
	}
	slices.SortFunc(s.faults, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.At.Filename, b.At.Filename), cmp.Compare(a.At.Line, b.At.Line))
	})
	var all []error
	for _, f := range s.faults {
		all = append(all, f)
	}
	return s.found, errors.Join(all...)
}

// foreign reports whether a folder holds no packages of this one.
func foreign(dir, name string) bool {
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "vendor" {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

type scan struct {
	dir    string
	files  *token.FileSet
	found  []Class
	faults []Fault
}

func (s *scan) fault(at token.Position, format string, args ...any) {
	s.faults = append(s.faults, Fault{at, fmt.Sprintf(format, args...)})
}

// file reads one file, unless this machine does not build it.
func (s *scan) file(name string) error {
	if ok, err := build.Default.MatchFile(filepath.Dir(name), filepath.Base(name)); err != nil || !ok {
		return err
	}
	f, err := parser.ParseFile(s.files, name, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(s.dir, filepath.Dir(name))
	if err != nil {
		return err
	}
	local := nameOf(f, behaviorsPath)
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && returnsClass(fn, local) {
			s.function(f, fn, filepath.ToSlash(rel))
		}
	}
	return nil
}

// nameOf is the name under which a file imports a package; empty if it does not.
func nameOf(f *ast.File, imported string) string {
	for _, i := range f.Imports {
		if p, err := strconv.Unquote(i.Path.Value); err != nil || p != imported {
			continue
		}
		if i.Name != nil {
			return i.Name.Name
		}
		return path.Base(imported)
	}
	return ""
}

// returnsClass reports whether a function, and no method, takes nothing and returns one behaviors.Class.
func returnsClass(fn *ast.FuncDecl, local string) bool {
	if fn.Recv != nil || fn.Type.TypeParams != nil || fn.Type.Params.NumFields() > 0 || fn.Type.Results.NumFields() != 1 {
		return false
	}
	switch t := fn.Type.Results.List[0].Type.(type) {
	case *ast.SelectorExpr:
		x, ok := t.X.(*ast.Ident)
		return ok && local != "" && x.Name == local && t.Sel.Name == "Class"
	case *ast.Ident:
		return local == "." && t.Name == "Class"
	}
	return false
}

// function notes a class, or why it is none.
func (s *scan) function(f *ast.File, fn *ast.FuncDecl, dir string) {
	at := s.files.Position(fn.Name.Pos())
	class, ok := strings.CutSuffix(fn.Name.Name, suffix)
	switch {
	case !ok && !fn.Name.IsExported():
		return // a part of one
	case !ok:
		s.fault(at, "the function %s returns a class: call it %s%s", fn.Name.Name, fn.Name.Name, suffix)
	case class == "":
		s.fault(at, "the function %s says no name of a class: want one such as Nod%s, of the class Nod", fn.Name.Name, suffix)
	case !fn.Name.IsExported() && behaviors.ClassName(capital(class)):
		s.fault(at, "the function %s is not exported: call it %s", fn.Name.Name, capital(fn.Name.Name))
	case !behaviors.ClassName(class):
		s.fault(at, "%q is no name of a class: want letters and digits, with a capital first, such as %q", class, "DoDishes")
	case !Plain(class):
		s.fault(at, "the class %s would stand in %s, which go does not build on every machine; choose another name", class, FileOf(class))
	case filepath.Base(at.Filename) != FileOf(class):
		s.fault(at, "the class %s stands in %s: want it in %s", class, filepath.Base(at.Filename), FileOf(class))
	case dir != "." && f.Name.Name == "main":
		s.fault(at, "the class %s is in a package main of its own, which nothing can import: move it, or name the package otherwise", class)
	default:
		s.named(fn, class)
		s.found = append(s.found, Class{Name: class, Dir: dir, Package: f.Name.Name, At: at})
	}
}

// named compares the Name that the function writes with its own. What is no plain string is checked when the program starts.
func (s *scan) named(fn *ast.FuncDecl, class string) {
	ast.Inspect(fn, func(n ast.Node) bool {
		kv, ok := n.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		key, isKey := kv.Key.(*ast.Ident)
		value, isText := kv.Value.(*ast.BasicLit)
		if !isKey || key.Name != "Name" || !isText {
			return true
		}
		if said, err := strconv.Unquote(value.Value); err == nil && said != class {
			s.fault(s.files.Position(value.Pos()), "the class is named %q by %s, and %q here: want the same", class, fn.Name.Name, said)
		}
		return false
	})
}

// Declared finds the first of some names that the package in a folder, tests included, declares outside a file and its test.
func Declared(dir, except string, names ...string) (at token.Position, name string, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return at, "", err
	}
	set := token.NewFileSet()
	for _, file := range files {
		base := filepath.Base(file)
		if base == except || base == strings.TrimSuffix(except, ".go")+"_test.go" {
			continue
		}
		f, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return at, "", err
		}
		for _, id := range declares(f) {
			if slices.Contains(names, id.Name) {
				return set.Position(id.Pos()), id.Name, nil
			}
		}
	}
	return at, "", nil
}

// declares lists the names that a file declares for its package.
func declares(f *ast.File) (ids []*ast.Ident) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				ids = append(ids, d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					ids = append(ids, s.Name)
				case *ast.ValueSpec:
					ids = append(ids, s.Names...)
				}
			}
		}
	}
	return ids
}
