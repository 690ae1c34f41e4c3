package rules_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/robotd/robotd/behaviors/rules"
)

// survivors reads the list of explained ones.
func survivors(t *testing.T) []rules.Survivor {
	t.Helper()
	text, err := os.ReadFile("survivors.txt")
	if err != nil {
		t.Fatal(err)
	}
	all, err := rules.ParseSurvivors(string(text))
	if err != nil {
		t.Fatalf("survivors.txt: %v", err)
	}
	return all
}

// What is explained is in the code.
func TestSurvivorsFitTheCode(t *testing.T) {
	there := map[string]map[rules.Place]bool{}
	for _, s := range survivors(t) {
		if there[s.Dir] == nil {
			there[s.Dir] = placesOf(t, s.Dir)
		}
		at := s.Place
		at.Operator = ""
		if !there[s.Dir][at] {
			t.Errorf("survivors.txt:%d: there is no %s", s.Line, s.Place)
		}
	}
}

// placesOf lists what operators may change in a package, without the operators.
func placesOf(t *testing.T, dir string) map[rules.Place]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no files, %v", dir, err)
	}
	all := map[rules.Place]bool{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		places, err := rules.Places(dir+"/"+filepath.Base(f), text)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range places {
			all[p] = true
		}
	}
	return all
}

const survivorCode = `package p

var limit = 3 - 1

func plain(a int) bool {
	for a > limit && a != 7 {
		a--
	}
	return a >= 0
}

func (s *set) add() { s.n++ }
`

// The output of gremlins names lines; the list names functions and code, so that a moved line changes nothing.
func TestSurvivorsAreComparedByFunctionAndCode(t *testing.T) {
	report := func(shift int, statuses ...string) []rules.Mutant {
		t.Helper()
		module := fstest.MapFS{"a/p/x.go": {Data: []byte(strings.Replace(survivorCode, "\n", strings.Repeat("\n", shift+1), 1))}}
		places := []string{`"ARITHMETIC_BASE","line":3,"column":15`, `"CONDITIONALS_BOUNDARY","line":6,"column":8`, `"INVERT_LOGICAL","line":6,"column":16`, `"INCREMENT_DECREMENT","line":12,"column":26`}
		if shift == 1 {
			places = []string{`"ARITHMETIC_BASE","line":4,"column":15`, `"CONDITIONALS_BOUNDARY","line":7,"column":8`, `"INVERT_LOGICAL","line":7,"column":16`, `"INCREMENT_DECREMENT","line":13,"column":26`}
		}
		var all []string
		for i, p := range places {
			all = append(all, `{"type":`+p+`,"status":"`+statuses[i]+`"}`)
		}
		mutants, err := rules.ReadGremlins(module, "a/p", []byte(`{"files":[{"file_name":"x.go","mutations":[`+strings.Join(all, ",")+`]}]}`))
		if err != nil {
			t.Fatal(err)
		}
		return mutants
	}
	const list = "# a comment\n\na/p limit ARITHMETIC_BASE `3 - 1`: only a number\na/p plain CONDITIONALS_BOUNDARY `a > limit`: the same\na/p (*set).add INCREMENT_DECREMENT `s.n++`: not read\na/p other INVERT_LOGICAL `a && b`: in a file that was left out\n"
	explained, err := rules.ParseSurvivors(list)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		mutants []rules.Mutant
		want    []string
	}{
		"all explained":        {report(0, "LIVED", "LIVED", "KILLED", "NOT COVERED"), nil},
		"a moved line":         {report(1, "LIVED", "LIVED", "TIMED OUT", "LIVED"), nil},
		"one too many":         {report(0, "LIVED", "LIVED", "LIVED", "LIVED"), []string{"a/p/x.go:6: no test notices, and nobody explains: a/p plain INVERT_LOGICAL `a > limit && a != 7`"}},
		"one is found":         {report(0, "LIVED", "LIVED", "KILLED", "KILLED"), []string{"line 5: a test notices a/p (*set).add INCREMENT_DECREMENT `s.n++`: delete the line"}},
		"the others not tried": {report(0, "LIVED", "LIVED", "KILLED", "LIVED")[1:2], nil},
		"one is gone there":    {report(0, "LIVED", "LIVED", "KILLED", "LIVED")[2:3], []string{"line 4: there is no a/p plain CONDITIONALS_BOUNDARY `a > limit`"}},
	} {
		if got := rules.CompareSurvivors(c.mutants, explained); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A list with a line that explains nothing is refused, and so is the output for another version of the code.
func TestSurvivorListsAreChecked(t *testing.T) {
	const good = "a/p plain CONDITIONALS_BOUNDARY `a > b`: why"
	for text, want := range map[string]string{
		good + "\n" + good:                           "line 2: a/p plain CONDITIONALS_BOUNDARY `a > b` stands there already",
		"\na/p plain CONDITIONALS_BOUNDARY `a > b`:": "line 2: want DIR FUNC OPERATOR `CODE`: WHY",
		"a/p CONDITIONALS_BOUNDARY `a > b`: why":     "line 1: want DIR FUNC",
		"a/p plain CONDITIONALS_BOUNDARY: why":       "line 1: want DIR FUNC",
	} {
		if _, err := rules.ParseSurvivors(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	module := fstest.MapFS{"a/p/x.go": {Data: []byte(survivorCode)}}
	for output, want := range map[string]string{
		`{"files":[{"file_name":"x.go","mutations":[{"type":"T","status":"LIVED","line":5,"column":1}]}]}`: "a/p/x.go:5:1: there is nothing that T could change",
		`{"files":[{"file_name":"y.go"}]}`: "a/p/y.go",
		`{`:                                "output of gremlins over a/p",
	} {
		if _, err := rules.ReadGremlins(module, "a/p", []byte(output)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", output, err, want)
		}
	}
}
