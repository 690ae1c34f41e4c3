package rules_test

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/robotd/robotd/behaviors/rules"
)

// root is the module's folder, seen from here.
const root = "../.."

var loadOnce = sync.OnceValues(func() (*rules.Tree, error) { return rules.Load(os.DirFS(root)) })

func load(t *testing.T) *rules.Tree {
	t.Helper()
	tree, err := loadOnce()
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// isGoal reports whether a rule is a goal: those are measured by the benchmarks, and bench/RESULTS.md says what came out.
func isGoal(r rules.Rule) bool { return strings.HasPrefix(r.ID, "goal/") }

func TestEveryRuleHasATestOrAReason(t *testing.T) {
	tree := load(t)
	shown := tree.Shown()
	for _, r := range tree.Rules {
		switch tests := shown[r.ID]; {
		case isGoal(r):
		case len(tests) == 0 && r.NotTested == "":
			t.Errorf("%s:%d: %s has neither a test nor a reason", r.File, r.Line, r.ID)
		case len(tests) > 0 && r.NotTested != "":
			t.Errorf("%s:%d: %s is not tested, it says, but %s shows it", r.File, r.Line, r.ID, tests[0])
		}
	}
}

func TestEveryCaseIsRunByATest(t *testing.T) {
	for _, e := range load(t).Evidence {
		if e.Func == "" && len(e.By) == 0 {
			t.Errorf("%s:%d: no test says that it runs this case; want a line // Cases: with a pattern of the file in the comment of one that does", e.File, e.Line)
		}
	}
}

// A case shows its rules only if a test function runs its file.
func TestCaseWithoutHarnessShowsNothing(t *testing.T) {
	module := fstest.MapFS{
		"behaviors/RULES.md":         {Data: []byte("### L-1 One\n\nIt holds.\n\n### L-2 Two\n\nIt holds.\n")},
		"behaviors/testdata/run.txt": {Data: []byte("case L-1: run\n")},
		"behaviors/testdata/not.txt": {Data: []byte("case L-2: not run\n")},
		"behaviors/a/a_test.go":      {Data: []byte("package a\n\n// Cases: ../testdata/r*.txt.\nfunc TestTraces() {}\n")},
	}
	tree, err := rules.Load(module)
	if err != nil {
		t.Fatal(err)
	}
	shown := tree.Shown()
	if got := shown["L-1"]; len(got) != 1 || !slices.Equal(got[0].By, []rules.Test{{Dir: "behaviors/a", Name: "TestTraces"}}) || len(shown["L-2"]) > 0 {
		t.Errorf("%+v", shown)
	}
	delete(module, "behaviors/testdata/run.txt")
	const want = "behaviors/a/a_test.go:4: TestTraces runs behaviors/testdata/r*.txt, where no case shows a rule"
	if _, err := rules.Load(module); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestEveryCitedRuleIsStated(t *testing.T) {
	tree := load(t)
	for _, e := range tree.Evidence {
		for _, id := range e.Rules {
			if _, err := tree.Find(e.File, id); err != nil && (e.Func != "" || tree.Known(id)) {
				t.Errorf("%s:%d: %v", e.File, e.Line, err)
			}
		}
	}
	for _, f := range tree.Files {
		for _, c := range f.Cites {
			if _, err := tree.Find(f.Path, c.ID); err != nil && tree.Known(c.ID) && !tree.Unused[c.ID] {
				t.Errorf("%s:%d: %v", f.Path, c.Line, err)
			}
		}
	}
}

func TestFamiliesHaveNoGaps(t *testing.T) {
	tree := load(t)
	for _, id := range tree.Gaps() {
		t.Errorf("%s is neither stated nor said to be unused", id)
	}
	for _, r := range tree.Rules {
		if tree.Unused[r.ID] {
			t.Errorf("%s:%d: %s is said to be unused", r.File, r.Line, r.ID)
		}
	}
}

// elsewhere finds references to documents that are not in the tree, and to sections without the document's name.
var elsewhere = regexp.MustCompile(`\bDESIGN\b|\bSTYLE\.md|\b(guide|spec|seeds)/|\bspec [0-9]|§|[$A-Za-z0-9_/.-]+\.md\b`)

// vendored reports whether a file is a copy of another project's, whose documents stay there: those are in folders named vendor.
func vendored(name string) bool { return slices.Contains(strings.Split(path.Dir(name), "/"), "vendor") }

func TestNothingRefersToADocumentElsewhere(t *testing.T) {
	tree := load(t)
	here := map[string]bool{}
	for _, f := range tree.Files {
		here[f.Path] = true
	}
	for _, f := range tree.Files {
		if f.Path == "behaviors/rules/rules_test.go" || vendored(f.Path) {
			continue
		}
		for i, line := range strings.Split(f.Text, "\n") {
			for _, found := range elsewhere.FindAllString(line, -1) {
				isFile := here[found] || here[path.Join(path.Dir(f.Path), found)] || strings.HasPrefix(found, "$")
				if strings.HasSuffix(found, ".md") && (isFile || path.Ext(f.Path) == ".txtar") { // a script names files that it writes
					continue
				}
				t.Errorf("%s:%d: refers to %q, which is not in the tree", f.Path, i+1, found)
			}
		}
	}
}

// TestRuleTable prints every rule with its tests if -v is given; `make rules` shows it.
func TestRuleTable(t *testing.T) {
	tree := load(t)
	shown := tree.Shown()
	var table strings.Builder
	for _, r := range tree.Rules {
		fmt.Fprintf(&table, "%s %s\n", r.ID, r.Title)
		for _, e := range shown[r.ID] {
			fmt.Fprintf(&table, "    %s\n", e)
		}
		if r.NotTested != "" {
			fmt.Fprintf(&table, "    not tested: %s\n", r.NotTested)
		}
	}
	if testing.Verbose() {
		fmt.Print(table.String())
	}
	if !strings.Contains(table.String(), "L-13 ") {
		t.Error("the table has no L-13")
	}
}

// mutations reads all lists.
func mutations(t *testing.T) map[string][]rules.Mutation {
	t.Helper()
	files, err := filepath.Glob("mutations/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no mutations: %v", err)
	}
	all := map[string][]rules.Mutation{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if all[f], err = rules.ParseMutations(string(text)); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
	}
	return all
}

// The mutations fit the code, and the test of each shows its rule.
func TestMutationsFitTheCode(t *testing.T) {
	tree := load(t)
	shown := tree.Shown()
	for list, all := range mutations(t) {
		for _, m := range all {
			source, err := os.ReadFile(filepath.Join(root, m.File))
			if err == nil {
				_, err = m.Apply(string(source))
			}
			if err != nil {
				t.Errorf("%s:%d: %v", list, m.Line, err)
			}
			if !slices.ContainsFunc(shown[m.Rule], m.Test.Runs) {
				t.Errorf("%s:%d: %s does not say that it shows %s", list, m.Line, m.Test, m.Rule)
			}
		}
	}
}

// Every family and package that the mutations are about has enough of them.
func TestMutationsAreSpread(t *testing.T) {
	count, families, dirs := 0, map[string]int{}, map[string]int{}
	for _, all := range mutations(t) {
		for _, m := range all {
			family, _ := rules.Family(m.Rule)
			count++
			families[family]++
			dirs[filepath.Dir(m.File)]++
		}
	}
	if count < 80 {
		t.Errorf("%d mutations, want at least 80", count)
	}
	for _, f := range []string{"L-", "T-", "B-", "C-", "P-", "M-", "Q-"} {
		if families[f] < 3 {
			t.Errorf("%d mutations of the rules %sn", families[f], f)
		}
	}
	for _, d := range []string{"behaviors/stack", "behaviors/engine", "behaviors", "actors"} {
		if dirs[d] < 3 {
			t.Errorf("%d mutations in %s", dirs[d], d)
		}
	}
	t.Logf("%d mutations: %v in %v", count, families, dirs)
}

func TestFamilies(t *testing.T) {
	for id, want := range map[string]string{
		"L-13": "L- 13", "7/12": "7/ 12", "goal/M1b": "goal/M 1", "DT-C05": "DT-C 5", "actions/Q-3": "actions/Q- 3", "data/1.4": "data/0 0",
		"6.9/Sleep": "6.9/A 0", "5/Fast-forward": "5/A 0", "CMP-MSG": "CMP-A 0", "L-": " 0", "behaviors/L-7.txt": " 0", "data/x.json": " 0", "l-1": " 0", "x86": " 0",
	} {
		if family, n := rules.Family(id); fmt.Sprint(family, " ", n) != want {
			t.Errorf("%s: %s %d, want %s", id, family, n, want)
		}
	}
}

func TestCitationsAreWordsOfATextThatAreIDs(t *testing.T) {
	var got []string
	for _, c := range rules.CitationsIn("see L-1, T-4..T-6 and (data/1.4)\nB-12/B-13's, not xL-1, L-1x2, l-1; 7/9: goal/M8. TestTraces/a.txt/DX-3_L-9") {
		got = append(got, fmt.Sprint(c.Line, c.ID))
	}
	want := []string{"1L-1", "1T-4", "1T-6", "1data/1.4", "2B-12", "2B-13", "27/9", "2goal/M8"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestDocumentsAreChecked(t *testing.T) {
	d, err := rules.ParseDocument("d.md", "# A\n\nIntro L-9.\n\n### L-1 One\n\nIt\nholds.\n\nNot tested: no\nreason.\n\n## B\n\nNot used: L-2 to L-4, L-7.\n")
	if err != nil || len(d.Rules) != 1 || d.Rules[0] != (rules.Rule{ID: "L-1", Title: "One", Text: "It\nholds.", NotTested: "no reason.", File: "d.md", Line: 5}) {
		t.Errorf("%+v, %v", d.Rules, err)
	}
	if !slices.Equal(d.Unused, []string{"L-2", "L-3", "L-4", "L-7"}) {
		t.Errorf("unused %q", d.Unused)
	}
	for text, want := range map[string]string{
		"### L-1\n":                    "d.md:1: want ### ID TITLE",
		"### L(1) One\n":               "d.md:1: want ### ID TITLE",
		"Not tested: x\n":              "d.md:1: \"Not tested: x\" belongs to no rule",
		"\nNot used: L-2 to T-4.\n":    "d.md:2: want IDs or ranges",
		"### L-1 One\n### L-2 Two\nx.": "d.md:1: L-1 states nothing",
	} {
		if _, err := rules.ParseDocument("d.md", text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestRulesLinesAreChecked(t *testing.T) {
	const head = "package p\n\nimport \"testing\"\n\n"
	all, err := rules.TestsOf("a/b_test.go", head+"// It does.\n// Rules: L-1, T-2.\n// Rules: 6.1/Run.\nfunc TestX(t *testing.T) {}\n\nfunc TestY(t *testing.T) {}\n")
	if err != nil || len(all) != 1 || all[0].String() != "a TestX" || !slices.Equal(all[0].Rules, []string{"L-1", "T-2", "6.1/Run"}) {
		t.Errorf("%+v, %v", all, err)
	}
	for text, want := range map[string]string{
		"// Rules: L-1\nfunc TestX(t *testing.T) {}":      "f:5: want // Rules: ID, ID.",
		"// Rules: L-1 L-2.\nfunc TestX(t *testing.T) {}": "f:5: want // Rules: ID, ID.",
		"// Rules:\nfunc TestX(t *testing.T) {}":          "f:5: want // Rules: ID, ID.",
		"// Cases: x.txt\nfunc TestX(t *testing.T) {}":    "f:5: want // Cases: PATTERN, PATTERN.",
		"// Cases: [.\nfunc TestX(t *testing.T) {}":       "f:5: want // Cases: PATTERN, PATTERN.",
		"// Cases: x.txt.\nfunc helper() {}":              "f:5: a Cases line belongs into the comment of a test function",
		"// Rules: L-1.\nfunc helper() {}":                "f:5: a Rules line belongs into the comment of a test function",
		"func TestX(t *testing.T) {\n\t// Rules: L-1.\n}": "f:6: a Rules line belongs into the comment of a test function",
	} {
		if _, err := rules.TestsOf("f", head+text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestTitlesOfCasesNameRules(t *testing.T) {
	var got []string
	for _, e := range rules.CasesOf("t.txt", "case L-3 fault: L-4\n# L-5: a note\n\ncase no rule: L-6\ncase OA-1 RUN-1: Init\n== wrong (DT-C22)\n== nothing\n") {
		got = append(got, fmt.Sprint(e.Line, " ", e.Title, e.Rules))
	}
	want := []string{"1 L-3 fault[L-3]", "5 OA-1 RUN-1[OA-1 RUN-1]", "6 wrong (DT-C22)[DT-C22]"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A test runs a case by the file, and by its title if it names one.
func TestTestsRunTheirCases(t *testing.T) {
	trace := rules.Evidence{File: "a/testdata/x.txt", Title: "DX-3 7/9", By: []rules.Test{{Dir: "a", Name: "TestT"}, {Dir: "c", Name: "TestT"}}}
	function := rules.Evidence{File: "a/x_test.go", Func: "TestX"}
	for name, want := range map[string][2]bool{
		"a TestX": {false, true}, "a TestX/sub": {false, true}, "b TestX": {false, false}, "a TestT/x.txt": {true, false}, "c TestT/x.txt": {true, false},
		"d TestT/x.txt": {false, false}, "a TestX/x.txt": {false, true},
		"a TestT/x.txt/direct/DX-3_7/9": {true, false}, "a TestT/x.txt/direct/DX-4": {false, false}, "a TestT/y.txt": {false, false},
	} {
		test, err := rules.ParseTest(name)
		if got := [2]bool{test.Runs(trace), test.Runs(function)}; err != nil || got != want {
			t.Errorf("%s: %v, %v, want %v", name, got, err, want)
		}
	}
}

// The same family in two areas is distinguished by the area.
func TestAmbiguousCitationsAreRefused(t *testing.T) {
	tree := load(t)
	for _, c := range []struct{ file, id, want string }{
		{"behaviors/x.go", "Q-3", "Q-3"},
		{"actions/x.go", "stack/Q-3", "Q-3"},
		{"behaviors/x.go", "stack/L-13", "L-13"},
		{"behaviors/x.go", "L-999", ""},
	} {
		if r, err := tree.Find(c.file, c.id); cmp.Or(r.ID, "") != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s in %s: %q, %v, want %q", c.id, c.file, r.ID, err, c.want)
		}
	}
}

// Wrong lists are refused with their line.
func TestListsAreChecked(t *testing.T) {
	const good = "== L-1: what\nfile f.go\ntest d TestX\n<<<<\nold\n>>>>\nnew\n====\n"
	for text, want := range map[string]string{
		"L-1: what": "line 1: want == RULE: WHAT",
		"== L-1":    "line 1: want == RULE: WHAT",
		strings.Replace(good, "file f.go\n", "", 1):        "line 1: file, test, or a difference is missing",
		strings.Replace(good, "new", "old", 1):             "line 1: file, test, or a difference is missing",
		strings.Replace(good, "====", "", 1):               "line 1: the mutation has no end",
		strings.Replace(good, "test d TestX", "test d", 1): "line 3: want a directory and a test",
		strings.Replace(good, "file", "fyle", 1):           "line 2: want file, test",
	} {
		if _, err := rules.ParseMutations(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	all, err := rules.ParseMutations(good)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	if got, err := all[0].Apply("a\nold\nb\n"); err != nil || got != "a\nnew\nb\n" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := all[0].Apply("a // first\nold // a comment\n\told\nb\n"); err != nil || got != "a // first\nnew\n\told\nb\n" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := all[0].Apply("old\nold // twice\n"); err == nil {
		t.Error("applied to one of two places")
	}
}
