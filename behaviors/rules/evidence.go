package rules

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Evidence is one test that shows rules: a test function, or a case of a trace file, which shows them if a test function runs it.
type Evidence struct {
	File  string
	Line  int
	Func  string // empty for a case of a trace file
	Title string // of the case
	Rules []string
	Cases []string // patterns of the trace files that the function runs, relative to the module
	By    []Test   // the functions that run the case
}

func (e Evidence) String() string {
	if e.Func == "" {
		return e.File + ": " + e.Title
	}
	return path.Dir(e.File) + " " + e.Func
}

// A Test names one test: the directory of its package, relative to the module, and its name with subtests.
type Test struct{ Dir, Name string }

func (t Test) String() string { return t.Dir + " " + t.Name }

// Top is the name of the test function.
func (t Test) Top() string {
	top, _, _ := strings.Cut(t.Name, "/")
	return top
}

// Runs reports whether the test is, or contains, the evidence. The subtests of a trace are the file and the title of the case.
func (t Test) Runs(e Evidence) bool {
	if e.Func != "" {
		return path.Dir(e.File) == t.Dir && e.Func == t.Top()
	}
	if !slices.Contains(e.By, Test{t.Dir, t.Top()}) {
		return false
	}
	parts := strings.Split(t.Name, "/")
	file := slices.Index(parts, path.Base(e.File))
	if file < 0 {
		return false
	}
	title := strings.ReplaceAll(e.Title, " ", "_")
	return file == len(parts)-1 || strings.HasSuffix(t.Name, "/"+title)
}

// ParseTest reads "dir TestName/sub".
func ParseTest(text string) (Test, error) {
	dir, name, ok := strings.Cut(strings.TrimSpace(text), " ")
	if !ok || !strings.HasPrefix(name, "Test") && !strings.HasPrefix(name, "Fuzz") {
		return Test{}, fmt.Errorf("want a directory and a test, found %q", text)
	}
	return Test{dir, name}, nil
}

// The lines in the comment of a test function that are read.
const (
	rulesLine = "// Rules: "
	casesLine = "// Cases: "
)

var isTest = regexp.MustCompile(`^(Test|Fuzz|Benchmark|Example)($|[^a-z])`)

// TestsOf reads the lines "// Rules: ID, ID." and "// Cases: PATTERN, PATTERN." in the comments of the test functions of a Go file.
func TestsOf(file, text string) ([]Evidence, error) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var all []Evidence
	docs := map[*ast.CommentGroup]bool{}
	for _, decl := range parsed.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Doc == nil || f.Recv != nil || !isTest.MatchString(f.Name.Name) {
			continue
		}
		docs[f.Doc] = true
		e := Evidence{File: file, Line: fset.Position(f.Pos()).Line, Func: f.Name.Name}
		for _, c := range f.Doc.List {
			if err := e.read(c.Text); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, fset.Position(c.Pos()).Line, err)
			}
		}
		if len(e.Rules)+len(e.Cases) > 0 {
			all = append(all, e)
		}
	}
	for _, group := range parsed.Comments {
		for _, c := range group.List {
			if rule := strings.HasPrefix(c.Text, rulesLine); !docs[group] && (rule || strings.HasPrefix(c.Text, casesLine)) {
				line := fset.Position(c.Pos()).Line
				return nil, fmt.Errorf("%s:%d: a %s line belongs into the comment of a test function", file, line, c.Text[len("// "):len("// Rules")])
			}
		}
	}
	return all, nil
}

// read takes what one line of the comment says.
func (e *Evidence) read(line string) error {
	ids, err := list(line, rulesLine, "ID", func(id string) bool { family, _ := Family(id); return family != "" })
	if err != nil {
		return err
	}
	patterns, err := list(line, casesLine, "PATTERN", func(p string) bool { _, err := path.Match(p, ""); return err == nil && p != "" })
	for _, p := range patterns {
		e.Cases = append(e.Cases, path.Join(path.Dir(e.File), p))
	}
	e.Rules = append(e.Rules, ids...)
	return err
}

// list reads a line "HEAD item, item."; it is empty for any other line.
func list(line, head, item string, is func(string) bool) ([]string, error) {
	if !strings.HasPrefix(line, strings.TrimSuffix(head, " ")) {
		return nil, nil
	}
	text, ended := strings.CutSuffix(strings.TrimPrefix(line, head), ".")
	items := strings.Split(text, ", ")
	for _, i := range items {
		if !is(i) || !ended {
			return nil, fmt.Errorf("want %s%s, %s.; found %q", head, item, item, line)
		}
	}
	return items, nil
}

// CasesOf reads the titles of the cases of a trace file, "case ID …: text", and of a file of findings, "== text with IDs".
func CasesOf(file, text string) []Evidence {
	var all []Evidence
	for i, line := range strings.Split(text, "\n") {
		title, isCase := strings.CutPrefix(line, "case ")
		if isCase {
			title, _, _ = strings.Cut(title, ":")
		} else {
			title, isCase = strings.CutPrefix(line, "== ")
		}
		if !isCase {
			continue
		}
		e := Evidence{File: file, Line: i + 1, Title: title}
		for _, c := range CitationsIn(title) {
			e.Rules = append(e.Rules, c.ID)
		}
		if len(e.Rules) > 0 {
			all = append(all, e)
		}
	}
	return all
}
