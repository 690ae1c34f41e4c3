package examples_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors/behaviortest"
)

// oldLayer lists the names of the first generation that need a counterpart.
var oldLayer = []string{
	"BehaviorManager", "Activities", "Selection / Freeplay", "ActivityStrategy", "BehaviorChooser", "BehaviorFactory", "Constructor",
	"IsRunnableInternal", "InitInternal", "Fast-forward", "ResumeInternal", "StartActing", "StopActing", "UpdateInternal",
	"SmartDisableReactionsWithLock", "BehaviorHelper", "Reaction triggers", "Stop clean-up", "DEBUG_SET_STATE", "Mood scoring", "Checklist hazards",
}

// README.md has a row for each name of the old layer; the examples, traces and tests that it names exist, and it leaves none of the
// traces and classes out.
func TestTableOfTheOldLayer(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) != 7 || strings.HasPrefix(cells[1], "---") || strings.TrimSpace(cells[1]) == "seed name" {
			continue
		}
		name := strings.TrimSpace(cells[1])
		names = append(names, name)
		for column, check := range map[int]func(t *testing.T, what string){3: isExample, 4: isTrace, 5: isTest} {
			for what := range strings.SplitSeq(cells[column], ",") {
				t.Run(name, func(t *testing.T) { check(t, strings.TrimSpace(what)) })
			}
		}
	}
	if !slices.Equal(names, oldLayer) {
		t.Errorf("the rows are %q, want %q", names, oldLayer)
	}
	traces, _ := filepath.Glob("testdata/*.txt")
	classes, _ := filepath.Glob("*.go")
	for _, file := range slices.Concat(traces, classes) {
		if name := filepath.Base(file); !strings.HasSuffix(name, "_test.go") && name != "cube.go" && !strings.Contains(string(text), " "+name) {
			t.Errorf("%s is in no row", file)
		}
	}
}

func isExample(t *testing.T, what string) {
	file := what
	if strings.HasSuffix(what, ".json") {
		file = "testdata/behaviors/" + what
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}

func isTrace(t *testing.T, what string) {
	if strings.HasPrefix(what, "none: ") {
		return
	}
	file, name, _ := strings.Cut(what, ": ")
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	if name == "" || !strings.Contains("\n"+string(text), "\ncase "+name+": ") {
		t.Errorf("%s has no case %q", file, name)
	}
}

func isTest(t *testing.T, what string) {
	dir, name, elsewhere := strings.Cut(what, " ")
	if !elsewhere {
		dir, name = "behaviors/examples", what
	}
	files, _ := filepath.Glob(filepath.Join("../..", dir, "*_test.go"))
	head := regexp.MustCompile(`(?m)^func ` + regexp.QuoteMeta(name) + `\(t \*testing\.T\)`)
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && head.Match(text) {
			return
		}
	}
	t.Errorf("%s has no %q", dir, name)
}

// A reaction high in the list interrupts any behavior below it, wherever in the tree that is, and the interrupted behavior comes back.
// No file and no code of the interrupted behavior mentions the reaction.
// Rules: P-4, 5/Reaction.
func TestReactionsInterruptWhateverRuns(t *testing.T) {
	alone := func(*behaviortest.Env) {}
	visited := func(e *behaviortest.Env) { e.Body.People = []behaviortest.Person{{ID: 1, XMM: 500}} }
	selected := func(id string) func(e *behaviortest.Env) {
		return func(e *behaviortest.Env) {
			e.Intent("take_control")
			e.Step(1)
			if id != "" {
				tell(e, id)
			}
		}
	}
	for chain, before := range map[string]func(e *behaviortest.Env){
		"Robot Freeplay Housework Sweep": alone,
		"Robot Freeplay Company Recital": visited,
		"Robot Selection":                selected(""),
		"Robot Selection Patrol":         selected("Patrol"),
		"Robot Selection Recital":        selected("Recital"),
		"Robot Selection Sweep":          selected("Sweep"),
	} {
		for reaction, cause := range map[string]func(e *behaviortest.Env){
			"Startle":         func(e *behaviortest.Env) { e.Body.Touched = true },
			"ComeHereCommand": func(e *behaviortest.Env) { e.Intent("come_here") },
		} {
			t.Run(chain+"/"+reaction, func(t *testing.T) {
				e := begin(t, "")
				e.Step(1)
				before(e)
				here := func() bool { return strings.Join(e.Chain(), " ") == chain }
				e.Until(time.Minute, chain, here)
				cause(e)
				e.Step(2) // a touch is one in the tick after it began
				if got := strings.Join(e.Chain(), " "); got != "Robot "+reaction {
					t.Fatalf("two ticks later: %s", got)
				}
				e.Body.Touched = false
				e.Until(time.Minute, "its end", func() bool { return !e.Active(reaction) })
				e.Step(1)
				if got := e.Chain(); len(got) < 2 || got[1] != "Freeplay" && got[1] != "Selection" {
					t.Errorf("afterwards: %v", got)
				}
				e.NoRefusals()
			})
		}
	}
}
