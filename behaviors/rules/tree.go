package rules

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A Citation is an ID in a text.
type Citation struct {
	ID   string
	Line int
}

var word = regexp.MustCompile(`[A-Za-z0-9_](?:[A-Za-z0-9_/-]|\.[A-Za-z0-9])*`)

// CitationsIn returns every word of a text that has the form of an ID.
func CitationsIn(text string) []Citation {
	var all []Citation
	for i, line := range strings.Split(text, "\n") {
		for _, w := range word.FindAllString(line, -1) {
			parts := []string{w}
			if family, _ := Family(w); family == "" {
				parts = strings.Split(w, "/")
			}
			for _, id := range parts {
				if family, _ := Family(id); family != "" {
					all = append(all, Citation{id, i + 1})
				}
			}
		}
	}
	return all
}

// A File is one text of the tree.
type File struct {
	Path, Text string
	Cites      []Citation // in Go files those in comments
}

// A Tree is everything that states, cites or shows rules.
type Tree struct {
	Files    []File
	Rules    []Rule
	Unused   map[string]bool
	Evidence []Evidence

	byID     map[string]Rule
	families map[string]bool
}

// texts are the kinds of files that are read; those without an extension are scripts, the Makefile and the like.
var texts = []string{"", ".go", ".md", ".txt", ".txtar", ".want", ".json", ".pml", ".yml", ".js", ".css", ".html", ".tmpl", ".mod"}

// Load reads a module.
func Load(module fs.FS) (*Tree, error) {
	t := &Tree{Unused: map[string]bool{}, byID: map[string]Rule{}, families: map[string]bool{}}
	err := fs.WalkDir(module, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "bin" || strings.HasPrefix(name, ".") && name != "." && name != ".ci"):
			return fs.SkipDir
		case d.IsDir() || !slices.Contains(texts, path.Ext(name)):
			return nil
		}
		text, err := fs.ReadFile(module, name)
		if err != nil {
			return err
		}
		return t.add(name, string(text))
	})
	return t, errors.Join(err, t.index())
}

func (t *Tree) add(name, text string) error {
	f := File{Path: name, Text: text}
	var evidence []Evidence
	var err error
	switch {
	case slices.Contains(Documents, name):
		var d Document
		d, err = ParseDocument(name, text)
		t.Rules = append(t.Rules, d.Rules...)
		for _, id := range d.Unused {
			t.Unused[id] = true
		}
		f.Cites = CitationsIn(text)
	case strings.HasSuffix(name, "_test.go"):
		evidence, err = TestsOf(name, text)
		f.Cites = commentsOf(text)
	case path.Ext(name) == ".go":
		f.Cites = commentsOf(text)
	case path.Ext(name) == ".txt" && strings.Contains(name, "/testdata/"):
		evidence = CasesOf(name, text)
		f.Cites = CitationsIn(text)
	case slices.Contains([]string{".js", ".css", ".html"}, path.Ext(name)): // what looks like an ID there is a path of a drawing
	default:
		f.Cites = CitationsIn(text)
	}
	t.Evidence = append(t.Evidence, evidence...)
	t.Files = append(t.Files, f)
	return err
}

// commentsOf returns what the comments of a Go file cite. A file that is no Go, as test data may be, cites nothing.
func commentsOf(text string) []Citation {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	var all []Citation
	for _, group := range f.Comments {
		for _, c := range group.List {
			from := fset.Position(c.Pos()).Line
			for _, cite := range CitationsIn(c.Text) {
				all = append(all, Citation{cite.ID, from + cite.Line - 1})
			}
		}
	}
	return all
}

func (t *Tree) index() error {
	var errs []error
	for _, r := range t.Rules {
		family, _ := Family(r.ID)
		if family == "" {
			errs = append(errs, fmt.Errorf("%s:%d: %s has not the form of an ID", r.File, r.Line, r.ID))
		}
		if old, ok := t.byID[r.ID]; ok {
			errs = append(errs, fmt.Errorf("%s:%d: %s stands in %s:%d already", r.File, r.Line, r.ID, old.File, old.Line))
		}
		t.byID[r.ID] = r
		t.families[family] = true
	}
	return errors.Join(append(errs, t.harnesses()...)...)
}

// harnesses gives each case the test functions that run its file.
func (t *Tree) harnesses() (errs []error) {
	for _, harness := range t.Evidence {
		for _, pattern := range harness.Cases {
			found := false
			for i := range t.Evidence {
				e := &t.Evidence[i]
				if match, _ := path.Match(pattern, e.File); match && e.Func == "" {
					e.By = append(e.By, Test{path.Dir(harness.File), harness.Func})
					found = true
				}
			}
			if !found {
				errs = append(errs, fmt.Errorf("%s:%d: %s runs %s, where no case shows a rule", harness.File, harness.Line, harness.Func, pattern))
			}
		}
	}
	return errs
}

// Find returns the rule that a file cites as id: by its own name, or with the area in front, as stack/L-13. In an area with a
// family of the same name as another's, such as Q- of actions, the ID must say which is meant.
func (t *Tree) Find(file, id string) (Rule, error) {
	area, _, _ := strings.Cut(file, "/")
	family, _ := Family(id)
	if t.families[area+"/"+family] {
		return Rule{}, fmt.Errorf("%s may be %s/%s or stack/%s: say which", id, area, id, id)
	}
	if r, ok := t.byID[id]; ok {
		return r, nil
	}
	for _, area := range []string{"stack/", "actions/", "data/"} {
		if rest, ok := strings.CutPrefix(id, area); ok && t.byID[rest].ID != "" {
			return t.byID[rest], nil
		}
	}
	return Rule{}, fmt.Errorf("no document states a rule %s", id)
}

// Known reports whether a document states rules of the family of an ID.
func (t *Tree) Known(id string) bool {
	family, _ := Family(id)
	for _, area := range []string{"stack/", "actions/", "data/"} {
		if rest, ok := strings.CutPrefix(family, area); ok && t.families[rest] {
			return true
		}
	}
	return t.families[family]
}

// Shown returns the tests of every rule. A case that no test function runs shows nothing.
func (t *Tree) Shown() map[string][]Evidence {
	shown := map[string][]Evidence{}
	for _, e := range t.Evidence {
		if e.Func == "" && len(e.By) == 0 {
			continue
		}
		for _, id := range e.Rules {
			if r, err := t.Find(e.File, id); err == nil && !slices.ContainsFunc(shown[r.ID], func(o Evidence) bool { return o.String() == e.String() }) {
				shown[r.ID] = append(shown[r.ID], e)
			}
		}
	}
	return shown
}

// Gaps returns the IDs that are missing in the families that count, from 1 to the highest number.
func (t *Tree) Gaps() []string {
	numbers := map[string]map[int]bool{}
	note := func(id string) {
		if family, n := Family(id); n > 0 {
			if numbers[family] == nil {
				numbers[family] = map[int]bool{}
			}
			numbers[family][n] = true
		}
	}
	for _, r := range t.Rules {
		note(r.ID)
	}
	for id := range t.Unused {
		note(id)
	}
	var gaps []string
	for family, have := range numbers {
		for n := range have {
			if n > 1 && !have[n-1] {
				gaps = append(gaps, fmt.Sprint(family, n-1))
			}
		}
	}
	slices.Sort(gaps)
	return gaps
}
