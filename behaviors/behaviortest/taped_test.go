package behaviortest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/robotd/robotd/behaviors"

	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
)

// fickle delegates to Next in the first of its lives only: what it decides depends on more than the recording.
type fickle struct{ lives *int }

func (f fickle) OnActivated(c *behaviors.Control) {
	if *f.lives++; *f.lives == 1 && c.Wants("Next") {
		c.DelegateTo("Next", nil)
	}
}

func (fickle) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

// caught remembers how a test ended instead of ending it.
type caught struct {
	testing.TB
	text string
}

func (c *caught) Fatal(args ...any)                 { c.end(args[0].(error).Error()) }
func (c *caught) Fatalf(format string, args ...any) { c.end(fmt.Sprintf(format, args...)) }

func (c *caught) end(text string) {
	c.text = text
	panic(c)
}

// catches runs f and reports what it ended the test with.
func catches(t *testing.T, f func(t testing.TB)) (text string) {
	c := &caught{TB: t}
	defer func() {
		if r := recover(); r != nil && r != any(c) {
			panic(r)
		}
		text = c.text
	}()
	f(c)
	return
}

func TestTapedScenarioRunsInReplay(t *testing.T) {
	j, rests := &counting{Direct: &engine.Direct{}}, 0
	e := behaviortest.New(t, behaviortest.Options{
		Classes: behaviors.NewRegistry(behaviortest.ProbeClass()), Hooks: j, Rest: func() { rests++ }, Taped: true,
		Files: "-- Base.json --\n" + `{"behaviorClass": "Probe", "behaviorID": "Base", "act_s": 0.5}`,
	})
	before := j.hooks
	e.Step(2)
	if j.hooks == before || rests != 3 {
		t.Errorf("%d hooks ran, %d rests", j.hooks-before, rests)
	}
	if log := e.Log(); !slices.Contains(log, "Base.activated") || len(e.Actions()) != 1 {
		t.Errorf("%v, %v", log, e.Actions())
	}
	if p := e.Impl("Base").(*behaviortest.Probe); p.Activated != 1 { // that of the replay; the other one has its own
		t.Errorf("activated %d times", p.Activated)
	}
}

func TestTapedScenarioThatDiffersFailsTest(t *testing.T) {
	lives := 0
	classes := behaviors.NewRegistry(behaviortest.ProbeClass(), behaviors.Class{
		Name: "Fickle", New: func(cfg *behaviors.Config) behaviors.Behavior {
			cfg.MayDelegateTo("Next")
			return fickle{&lives}
		},
	})
	got := catches(t, func(t testing.TB) {
		behaviortest.New(t, behaviortest.Options{Classes: classes, Taped: true, Files: `
-- Base.json --
{"behaviorClass": "Fickle", "behaviorID": "Base"}
-- Next.json --
{"behaviorClass": "Probe", "behaviorID": "Next"}
`}).Step(1)
	})
	if !strings.Contains(got, "tick") {
		t.Errorf("the test ended with %q", got)
	}
}

func TestLoadRefusesUnknownEventAndMissingConfig(t *testing.T) {
	tree := fstest.MapFS{
		"behavior_config.json":   {Data: []byte(`{"normalBaseBehavior": "Base", "fallbackBehavior": "Base", "userIntents": ["hello"]}`)},
		"behaviors/x/Base.json":  {Data: []byte(`{"behaviorClass": "Probe", "behaviorID": "Base", "emotionEventOnActivated": "glad"}`)},
		"emotionevents/all.json": {Data: []byte(`{"name": "glad", "emotionAffectors": [{"emotionType": "Happy", "value": 0.5}]}`)},
	}
	classes := behaviors.NewRegistry(behaviortest.ProbeClass())
	if cat := behaviortest.Load(t, tree, classes); cat.Boot.Base != "Base" || cat.Mood.Events["glad"] == nil {
		t.Errorf("%+v", cat.Boot)
	}
	tree["emotionevents/all.json"].Data = []byte(`{"name": "sad", "emotionAffectors": []}`)
	if got := catches(t, func(t testing.TB) { behaviortest.Load(t, tree, classes) }); !strings.Contains(got, "definitions") {
		t.Errorf("an unknown emotion event passes: %q", got)
	}
	delete(tree, "behavior_config.json")
	if got := catches(t, func(t testing.TB) { behaviortest.Load(t, tree, classes) }); !strings.Contains(got, "read") {
		t.Errorf("a tree without a configuration passes: %q", got)
	}
}

func TestArchiveMoodNamesUnknownEvents(t *testing.T) {
	files := `
-- Base.json --
{"behaviorClass": "Probe", "behaviorID": "Base", "emotionEventOnActivated": "glad"}
-- mood_config.json --
{"eventMapper": {"emotionEvents": [{"name": "gladd", "emotionAffectors": []}]}}
`
	classes := behaviors.NewRegistry(behaviortest.ProbeClass())
	boot := catalog.Boot{Base: "Base", Fallback: "Base"}
	if _, diags := behaviortest.Catalog(t, files, classes, boot); !strings.Contains(diags.String(), `did you mean "gladd"?`) {
		t.Errorf("%s", diags.String())
	}
	files += "-- emotionevents/one.json --\n" + `{"name": "glad", "emotionAffectors": []}`
	if _, diags := behaviortest.Catalog(t, files, classes, boot); len(diags) > 0 {
		t.Errorf("%s", diags.String())
	}
}
