package rules_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/robotd/robotd/behaviors/rules"
)

// Every mutation compiles, so that it is its test that finds it and not the compiler. Only the package of the mutation is checked, against
// the compiled ones that it imports: no signature that another package sees may change.
func TestMutationsCompile(t *testing.T) {
	c := newChecker(t)
	for list, all := range mutations(t) {
		for _, m := range all {
			if err := c.check(m); err != nil {
				t.Errorf("%s:%d: %v", list, m.Line, err)
			}
		}
	}
}

// The check of a mutation finds what a compiler would.
func TestUncompilableMutationIsFound(t *testing.T) {
	c := newChecker(t)
	m := rules.Mutation{File: "behaviors/stack/layer.go", Old: "\treturn ok\n", New: "\tx := ok\n\treturn ok\n"}
	if err := c.check(m); err == nil {
		t.Error("an unused variable is not found")
	}
	m.New = "\treturn ok.\n"
	if err := c.check(m); err == nil {
		t.Error("a syntax error is not found")
	}
	m.New = m.Old
	if err := c.check(m); err != nil {
		t.Error(err)
	}
}

// A goPackage is what go list says of a package.
type goPackage struct {
	Dir, ImportPath, Export string
	GoFiles                 []string
}

// A checker type-checks single packages of the module from source.
type checker struct {
	byDir map[string]goPackage
	std   types.Importer
	fset  *token.FileSet
}

func newChecker(t *testing.T) *checker {
	t.Helper()
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=Dir,ImportPath,Export,GoFiles", "./...")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	c := &checker{byDir: map[string]goPackage{}, fset: token.NewFileSet()}
	exports := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		c.byDir[p.Dir], exports[p.ImportPath] = p, p.Export
	}
	c.std = importer.ForCompiler(c.fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("%s is not compiled", path)
		}
		return os.Open(exports[path])
	})
	return c
}

// check type-checks the package of a mutation with the mistake in it.
func (c *checker) check(m rules.Mutation) error {
	name, err := filepath.Abs(filepath.Join(root, m.File))
	if err != nil {
		return err
	}
	p, ok := c.byDir[filepath.Dir(name)]
	if !ok || !slices.Contains(p.GoFiles, filepath.Base(name)) {
		return fmt.Errorf("%s is not compiled on this machine", m.File)
	}
	var files []*ast.File
	for _, f := range p.GoFiles {
		path := filepath.Join(p.Dir, f)
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if path == name {
			wrong, err := m.Apply(string(text))
			if err != nil {
				return err
			}
			text = []byte(wrong)
		}
		parsed, err := parser.ParseFile(c.fset, path, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, parsed)
	}
	conf := types.Config{Importer: c.std, Sizes: types.SizesFor("gc", runtime.GOARCH)}
	_, err = conf.Check(p.ImportPath, c.fset, files, nil)
	return err
}
