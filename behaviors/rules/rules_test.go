package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/rules"
)

// root is the module's folder, seen from here.
const root = "../.."

// numbered are the families of rules of the specification and how far they count.
var numbered = []struct {
	prefix   string
	from, to int
}{
	{"L-", 1, 42},
	{"T-", 1, 20},
	{"B-", 1, 27},
	{"C-", 7, 14},
	{"P-", 1, 9},
	{"M-", 1, 40},
	{"Q-", 1, 13},
	{"DX-", 1, 8},
	{"7/", 1, 32},
}

// cases are the reference's own tests by section of the specification (6.10 is DX).
var cases = map[string]string{
	"6.1": "Create Init InitWithInterface Run OutsideAction DelegateIfInControlSimple DelegateIfInControlCallbacks",
	"6.2": "TestDelegationVariants",
	"6.3": "DesignedControlTest DumpBehaviorTransitionsToFile DumpBehaviorTreeBranchesToFile CreateBehaviorTreeHTML PrepareToBeForceActivated",
	"6.4": "UserIntentsHandled CreateAndDestroyBehaviors",
	"6.5": "TestUnitTestCondition CreateLambda True Emotion Timer NegateTimerInRange CompoundNot CompoundNotJson CompoundAndJson " +
		"CompoundOrJson OnCharger RobotInHabitat TriggerWordPending ConsoleVar FeatureGate",
	"6.6": "TestSnake.Uncontrolled TestSnake.Controlled BehaviorWallTime.FormatTTSSpecific BehaviorWallTime.FormatTTSAllRoundTrip " +
		"Weather.ConvertCToF PuzzleMazeBehavior.DISABLED_BalanceTool",
	"6.7": "BasicUseCase OverwriteUseCase BehaviorNotYetUserDefined",
	"6.8": "CreateComponent UserIntentsValid TriggerWord UserIntent JsonIntent CompletedInCloudList CloudSampleFileParses",
	"6.9": "FistBump RollCube ComeHere LookAtMe WhatsMyName MeetVictor BeQuiet GoHome ShutUp Sleep CompletedHaveTests",
}

// wanted lists the ID of every rule.
func wanted() map[string]bool {
	ids := map[string]bool{}
	for _, f := range numbered {
		for k := f.from; k <= f.to; k++ {
			ids[fmt.Sprint(f.prefix, k)] = true
		}
	}
	for section, names := range cases {
		for name := range strings.FieldsSeq(names) {
			ids[section+"/"+name] = true
		}
	}
	return ids
}

func read(t *testing.T) []rules.Rule {
	t.Helper()
	text, err := os.ReadFile("rules.txt")
	if err != nil {
		t.Fatal(err)
	}
	all, err := rules.ParseRules(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Every rule of the specification is listed once, with tests that exist or the reason why there are none.
func TestEveryRuleHasATest(t *testing.T) {
	missing := wanted()
	seen := map[string]int{}
	shown := 0
	tests := testNames{}
	for _, r := range read(t) {
		if seen[r.ID] > 0 {
			t.Errorf("rules.txt:%d: %s is listed in line %d already", r.Line, r.ID, seen[r.ID])
		}
		seen[r.ID] = r.Line
		if !missing[r.ID] && seen[r.ID] == r.Line && !wanted()[r.ID] {
			t.Errorf("rules.txt:%d: there is no rule %s", r.Line, r.ID)
		}
		delete(missing, r.ID)
		for _, test := range r.Tests {
			if err := tests.check(test); err != nil {
				t.Errorf("rules.txt:%d: %s: %v", r.Line, r.ID, err)
			}
		}
		if len(r.Tests) > 0 {
			shown++
		}
	}
	for id := range missing {
		t.Errorf("%s is not listed", id)
	}
	t.Logf("%d rules, %d shown by tests, %d with a reason why not", len(seen), shown, len(seen)-shown)
}

// testNames knows the test functions of each directory.
type testNames map[string]map[string]bool

var testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)

func (n testNames) check(test rules.Test) error {
	if n[test.Dir] == nil {
		n[test.Dir] = map[string]bool{}
		files, err := filepath.Glob(filepath.Join(root, test.Dir, "*_test.go"))
		if err != nil || len(files) == 0 {
			return fmt.Errorf("no tests in %s: %v", test.Dir, err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				return err
			}
			for _, m := range testFunc.FindAllStringSubmatch(string(text), -1) {
				n[test.Dir][m[1]] = true
			}
		}
	}
	if !n[test.Dir][test.Top()] {
		return fmt.Errorf("there is no %s in %s", test.Top(), test.Dir)
	}
	return nil
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

// The mutations fit the code, name rules and their tests, and are many enough and spread over families and packages.
func TestMutationsFitTheCode(t *testing.T) {
	shows := map[string][]rules.Test{}
	for _, r := range read(t) {
		shows[r.ID] = r.Tests
	}
	count, families, dirs := 0, map[string]int{}, map[string]int{}
	for list, all := range mutations(t) {
		for _, m := range all {
			count++
			families[strings.TrimRight(m.Rule, "0123456789")]++
			dirs[filepath.Dir(m.File)]++
			source, err := os.ReadFile(filepath.Join(root, m.File))
			if err != nil {
				t.Errorf("%s:%d: %v", list, m.Line, err)
				continue
			}
			if _, err := m.Apply(string(source)); err != nil {
				t.Errorf("%s: %v", list, err)
			}
			named := false
			for _, test := range shows[m.Rule] {
				named = named || test.Dir == m.Test.Dir && test.Top() == m.Test.Top()
			}
			if !named {
				t.Errorf("%s:%d: %s is not among the tests of %s", list, m.Line, m.Test, m.Rule)
			}
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

// Wrong lists are refused with their line.
func TestListsAreChecked(t *testing.T) {
	for text, want := range map[string]string{
		"L-1":                       "line 1: want RULE: DIR TEST",
		"# note\nL-1: behaviors":    "line 2: L-1: want a directory and a test",
		"L-1: behaviors BenchmarkX": "line 1: L-1: want a directory and a test",
	} {
		if _, err := rules.ParseRules(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
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
	if _, err := all[0].Apply("old\nold\n"); err == nil {
		t.Error("applied to one of two places")
	}
}
