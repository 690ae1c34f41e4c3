package classgen

import (
	"bytes"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// File is the name of the generated file.
const File = "classes_gen.go"

// Write writes the list of the classes in a folder and below it, for the package in that folder, and returns them. A list that is right already
// is not touched. If a convention is broken nothing is written.
func Write(dir string) ([]Class, error) {
	found, err := Scan(dir)
	if err != nil {
		return nil, err
	}
	text, err := list(dir, found)
	if err != nil {
		return nil, err
	}
	name := filepath.Join(dir, File)
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, text) {
		return found, nil
	}
	return found, os.WriteFile(name, text, 0o644)
}

// list is the text of the file.
func list(dir string, found []Class) ([]byte, error) {
	pkg, err := packageOf(dir)
	if err != nil {
		return nil, err
	}
	at, err := ImportPath(dir)
	if err != nil {
		return nil, err
	}
	names := importNames(found)
	var out bytes.Buffer
	fmt.Fprintf(&out, "// Code generated from the functions that return a behaviors.Class; DO NOT EDIT. go generate writes it anew.\n\npackage %s\n\nimport (\n\t%q\n", pkg, behaviorsPath)
	for _, dir := range slices.Sorted(maps.Keys(names)) {
		name := ""
		if names[dir] != path.Base(dir) {
			name = names[dir] + " "
		}
		fmt.Fprintf(&out, "\t%s%s\n", name, strconv.Quote(path.Join(at, dir)))
	}
	fmt.Fprintf(&out, ")\n\n// classes lists the classes of this package and of those below it, by name.\nfunc classes() []behaviors.Class {\n\treturn []behaviors.Class{\n")
	for _, c := range found {
		of := ""
		if c.Dir != "." {
			of = names[c.Dir] + "."
		}
		fmt.Fprintf(&out, "\t\t%s%s%s(),\n", of, c.Name, suffix)
	}
	out.WriteString("\t}\n}\n")
	return format.Source(out.Bytes())
}

// importNames are the names of the packages below, by folder, each different.
func importNames(found []Class) map[string]string {
	names, taken := map[string]string{}, map[string]int{"behaviors": 1, "classes": 1}
	for _, c := range found {
		if c.Dir == "." || names[c.Dir] != "" {
			continue
		}
		name := c.Package
		if taken[c.Package]++; taken[c.Package] > 1 {
			name += strconv.Itoa(taken[c.Package])
		}
		names[c.Dir] = name
	}
	return names
}

// packageOf is the name of the package in a folder.
func packageOf(dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return "", err
	}
	for _, name := range files {
		if base := filepath.Base(name); base == File || strings.HasSuffix(base, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly)
		if err != nil {
			return "", err
		}
		return f.Name.Name, nil
	}
	return "", fmt.Errorf("%q holds no Go package: it has no *.go file beside tests and %s", dir, File)
}

var moduleClause = regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)"?`)

// ImportPath is the path by which Go code imports the package in a folder.
func ImportPath(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for root := abs; ; root = filepath.Dir(root) {
		if text, err := os.ReadFile(filepath.Join(root, "go.mod")); err == nil {
			m := moduleClause.FindSubmatch(text)
			if m == nil {
				return "", fmt.Errorf("%s names no module", filepath.Join(root, "go.mod"))
			}
			rel, err := filepath.Rel(root, abs)
			return path.Join(string(m[1]), filepath.ToSlash(rel)), err
		}
		if root == filepath.Dir(root) {
			return "", fmt.Errorf("%q is in no Go module: there is no go.mod in it or above it", dir)
		}
	}
}
