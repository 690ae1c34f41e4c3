package main_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// root is the repository, seen from this package.
const root = "../.."

// blocks returns the fenced blocks of one language in a Markdown file.
func blocks(t *testing.T, file, language string) []string {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for i, part := range strings.Split(string(src), "```") {
		if body, ok := strings.CutPrefix(part, language+"\n"); ok && i%2 == 1 {
			found = append(found, body)
		}
	}
	if len(found) == 0 {
		t.Fatalf("%s has no %s block", file, language)
	}
	return found
}

// documents are the Markdown files of the repository.
func documents(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && name != root && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if err == nil && filepath.Ext(name) == ".md" {
			files = append(files, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 5 {
		t.Fatalf("only %v", files)
	}
	return files
}

// goCode is the text of all Go files of the repository.
func goCode(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" {
			return err
		}
		src, err := os.ReadFile(name)
		all.Write(src)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// place matches what looks like a path of ours: in back quotes, or as the target of a link.
var place = regexp.MustCompile("(?:`|\\]\\()((?:actions|actors|behaviors|cmd|hardware|metrics|resources|\\.ci)/[A-Za-z0-9_./*-]+|[A-Za-z0-9_-]+\\.(?:go|md|json))(?:`|\\))")

// Every file that a document names exists.
func TestDocumentsNameFilesThatExist(t *testing.T) {
	seen := 0
	for _, doc := range documents(t) {
		src, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range place.FindAllStringSubmatch(string(src), -1) {
			name := m[1]
			if strings.Contains(name, "**") || filepath.Ext(name) == ".png" { // a pattern, or an image
				continue
			}
			seen++
			if !exists(filepath.Join(root, name)) && !exists(filepath.Join(filepath.Dir(doc), name)) && !tutorialMakes(name) {
				t.Errorf("%s names %s, which does not exist", doc, name)
			}
		}
	}
	if seen < 50 {
		t.Errorf("only %d names were checked", seen)
	}
}

var (
	testName = regexp.MustCompile(`(?:^|[^/\w])(Test[A-Z]\w*)`) // a name behind a slash is that of a rule
	testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
)

// Every test that a document names exists.
func TestDocumentsNameTestsThatExist(t *testing.T) {
	tests := map[string]bool{}
	for _, m := range testFunc.FindAllStringSubmatch(goCode(t), -1) {
		tests[m[1]] = true
	}
	seen := 0
	for _, doc := range documents(t) {
		src, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range testName.FindAllStringSubmatch(string(src), -1) {
			if seen++; !tests[m[1]] {
				t.Errorf("%s names the test %s, which does not exist", doc, m[1])
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d names were checked", seen)
	}
}

func exists(pattern string) bool {
	found, err := filepath.Glob(pattern)
	return err == nil && len(found) > 0
}

// tutorialMakes reports files that the reader of the tutorial writes.
func tutorialMakes(name string) bool {
	return slices.Contains([]string{"behaviors/library/nod/nod.go", "robotd.json"}, name)
}

// Every Go block of a document is an excerpt of a compiled file.
func TestDocumentsShowCodeThatIsCompiled(t *testing.T) {
	all := goCode(t)
	for _, doc := range []string{"../../resources/README.md", "../../hardware/README.md"} {
		for _, code := range blocks(t, doc, "go") {
			if !strings.Contains(all, code) {
				t.Errorf("%s shows code that no file holds:\n%s", doc, code)
			}
		}
	}
}
