package rules

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// A Place is where an operator of gremlins changes the code. It names the function and what is changed in it, and no line, so that it
// outlives a moved one.
type Place struct {
	Dir      string // of the package, relative to the module
	Func     string // "Name" or "(*Recv).Name"; what a declaration outside functions declares
	Operator string // such as CONDITIONALS_BOUNDARY
	Code     string // the expression or statement
}

func (p Place) String() string {
	return fmt.Sprintf("%s %s %s `%s`", p.Dir, p.Func, p.Operator, p.Code)
}

// A Survivor is a change that no test notices, and why that is all right.
type Survivor struct {
	Place
	Why  string
	Line int // where it stands in its list
}

// ParseSurvivors reads lines "dir func OPERATOR `code`: why". Lines that begin with # are comments.
func ParseSurvivors(text string) ([]Survivor, error) {
	var all []Survivor
	for i, line := range strings.Split(text, "\n") {
		if s := strings.TrimSpace(line); s == "" || s[0] == '#' {
			continue
		}
		head, rest, ok := strings.Cut(line, " `")
		code, why, closed := strings.Cut(rest, "`: ")
		words := strings.Fields(head)
		if !ok || !closed || len(words) != 3 || code == "" || strings.TrimSpace(why) == "" {
			return nil, fmt.Errorf("line %d: want DIR FUNC OPERATOR `CODE`: WHY; found %q", i+1, line)
		}
		s := Survivor{Place{words[0], words[1], words[2], code}, why, i + 1}
		if slices.ContainsFunc(all, func(o Survivor) bool { return o.Place == s.Place }) {
			return nil, fmt.Errorf("line %d: %s stands there already", i+1, s.Place)
		}
		all = append(all, s)
	}
	return all, nil
}

// A Mutant is one change that gremlins tried.
type Mutant struct {
	Place
	Status string // KILLED, LIVED, TIMED OUT, NOT COVERED …
	File   string
	Line   int
}

// Found reports whether a test noticed it. A test that does not end any more has noticed.
func (m Mutant) Found() bool { return m.Status == "KILLED" || m.Status == "TIMED OUT" }

// ReadGremlins reads the output of gremlins over the package in dir, and finds the places in the sources of the module.
func ReadGremlins(module fs.FS, dir string, output []byte) ([]Mutant, error) {
	var out struct {
		Files []struct {
			Name      string `json:"file_name"`
			Mutations []struct {
				Type, Status string
				Line, Column int
			}
		}
	}
	if err := json.Unmarshal(output, &out); err != nil {
		return nil, fmt.Errorf("output of gremlins over %s: %w", dir, err)
	}
	var all []Mutant
	for _, f := range out.Files {
		name := path.Join(dir, f.Name)
		text, err := fs.ReadFile(module, name)
		if err != nil {
			return nil, err
		}
		places, err := Places(name, text)
		if err != nil {
			return nil, err
		}
		for _, m := range f.Mutations {
			at, ok := places[[2]int{m.Line, m.Column}]
			if !ok {
				return nil, fmt.Errorf("%s:%d:%d: there is nothing that %s could change: the output is of another version", name, m.Line, m.Column, m.Type)
			}
			at.Operator = m.Type
			all = append(all, Mutant{Place: at, Status: m.Status, File: name, Line: m.Line})
		}
	}
	return all, nil
}

// Places are what operators may change in a Go file, by line and column of the token.
func Places(name string, text []byte) (map[[2]int]Place, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	places := map[[2]int]Place{}
	for _, decl := range file.Decls {
		in := Place{Dir: path.Dir(name), Func: declared(decl)}
		ast.Inspect(decl, func(n ast.Node) bool {
			if pos := tokenOf(n); pos.IsValid() {
				at := fset.Position(pos)
				in.Code = codeOf(fset, n)
				places[[2]int{at.Line, at.Column}] = in
			}
			return true
		})
	}
	return places, nil
}

// tokenOf is the position by which gremlins names a change of a node.
func tokenOf(n ast.Node) token.Pos {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return n.TokPos
	case *ast.BinaryExpr:
		return n.OpPos
	case *ast.BranchStmt:
		return n.TokPos
	case *ast.IncDecStmt:
		return n.TokPos
	case *ast.UnaryExpr:
		return n.OpPos
	}
	return token.NoPos
}

// codeOf is a node in one line.
func codeOf(fset *token.FileSet, n ast.Node) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, fset, n); err != nil {
		return err.Error()
	}
	return strings.ReplaceAll(strings.Join(strings.Fields(b.String()), " "), "`", "'")
}

// declared names what a declaration declares.
func declared(decl ast.Decl) string {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return d.Name.Name
		}
		recv := codeOf(token.NewFileSet(), d.Recv.List[0].Type)
		if strings.HasPrefix(recv, "*") {
			recv = "(" + recv + ")"
		}
		return recv + "." + d.Name.Name
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				return s.Names[0].Name
			case *ast.TypeSpec:
				return s.Name.Name
			}
		}
	}
	return "declaration"
}

// CompareSurvivors says which changes are neither noticed by a test nor explained, and which explanations are of no use any more: what
// they explain is found, or is not there. An explanation of a file that gremlins did not look at is left alone.
func CompareSurvivors(mutants []Mutant, explained []Survivor) []string {
	var wrong []string
	lived, tried := map[Place]bool{}, map[Place]bool{}
	functions := map[[2]string]bool{}
	for _, m := range mutants {
		tried[m.Place] = true
		functions[[2]string{m.Dir, m.Func}] = true
		lived[m.Place] = lived[m.Place] || !m.Found()
		if !m.Found() && !slices.ContainsFunc(explained, func(s Survivor) bool { return s.Place == m.Place }) {
			wrong = append(wrong, fmt.Sprintf("%s:%d: no test notices, and nobody explains: %s", m.File, m.Line, m.Place))
		}
	}
	for _, s := range explained {
		switch {
		case lived[s.Place], !functions[[2]string{s.Dir, s.Func}]:
		case tried[s.Place]:
			wrong = append(wrong, fmt.Sprintf("line %d: a test notices %s: delete the line", s.Line, s.Place))
		default:
			wrong = append(wrong, fmt.Sprintf("line %d: there is no %s", s.Line, s.Place))
		}
	}
	return wrong
}
