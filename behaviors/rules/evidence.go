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

// Evidence is one test that shows rules: a test function, or a case of a trace file, which some test function runs.
type Evidence struct {
	File  string
	Line  int
	Func  string // empty for a case of a trace file
	Title string // of the case
	Rules []string
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

const rulesLine = "// Rules: "

var isTest = regexp.MustCompile(`^(Test|Fuzz|Benchmark|Example)($|[^a-z])`)

// TestsOf reads the lines "// Rules: ID, ID." in the comments of the test functions of a Go file.
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
			ids, err := idList(c.Text)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, fset.Position(c.Pos()).Line, err)
			}
			e.Rules = append(e.Rules, ids...)
		}
		if len(e.Rules) > 0 {
			all = append(all, e)
		}
	}
	for _, group := range parsed.Comments {
		for _, c := range group.List {
			if !docs[group] && strings.HasPrefix(c.Text, rulesLine) {
				return nil, fmt.Errorf("%s:%d: a Rules line belongs into the comment of a test function", file, fset.Position(c.Pos()).Line)
			}
		}
	}
	return all, nil
}

// idList reads one line of a comment; it is empty for any other line.
func idList(line string) ([]string, error) {
	list, ok := strings.CutPrefix(line, rulesLine)
	if !ok {
		if strings.HasPrefix(line, "// Rules:") {
			return nil, fmt.Errorf("want %sID, ID.; found %q", rulesLine, line)
		}
		return nil, nil
	}
	ids := strings.Split(strings.TrimSuffix(list, "."), ", ")
	for _, id := range ids {
		if family, _ := Family(id); family == "" || !strings.HasSuffix(list, ".") {
			return nil, fmt.Errorf("want %sID, ID.; found %q", rulesLine, line)
		}
	}
	return ids, nil
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
