package catalog_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/robotd/robotd/actions/animation"
	"github.com/robotd/robotd/behaviors"

	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/resources"
)

var rewrite = flag.Bool("rewrite", false, "write the findings in testdata anew; explain the difference when committing")

// walk is the author's value of the class Walk.
type walk struct {
	SpeedMMPS float64
	Loud      bool
	Next      []string
	Fallback  string
}

func (*walk) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.WhenOffTreads = true
}

// listener is the author's value of the class Listener, which misspells an event.
type listener struct{}

func (listener) Subscriptions() []string { return []string{behaviors.EventPoked, "tuched", "rain"} }

// classes are those that the files of testdata may name.
func classes() *behaviors.Registry {
	return behaviors.NewRegistry(
		behaviors.Class{Name: "Plain", New: func(*behaviors.Config) behaviors.Behavior { return struct{}{} }},
		behaviors.Class{Name: "Pass", New: func(cfg *behaviors.Config) behaviors.Behavior {
			return cfg.Delegate("delegate")
		}},
		behaviors.Class{Name: "Walk", New: func(cfg *behaviors.Config) behaviors.Behavior {
			return &walk{
				SpeedMMPS: cfg.FloatRange("speed_mmps", 1, 200),
				Loud:      cfg.BoolOr("loud", false),
				Next:      cfg.RefsOr("next", behaviors.RefBehavior),
				Fallback:  cfg.DelegateOr("otherwise", ""),
			}
		}},
		behaviors.Class{Name: "Leader", New: func(cfg *behaviors.Config) behaviors.Behavior {
			ids := cfg.DelegateList("behaviors")
			cfg.Link(ids...)
			return ids
		}},
		behaviors.Class{
			Name: "Waiter", Predicates: map[string]func(*condition.Intent) bool{"polite": func(*condition.Intent) bool { return true }},
			New: func(cfg *behaviors.Config) behaviors.Behavior {
				switch cfg.StringOr("do", "") {
				case "misname":
					cfg.WaitForIntent("helo")
				case "no tag":
					cfg.WaitForIntent("")
				case "no test":
					cfg.WaitForIntentIf("hello", nil)
				case "clear":
					cfg.ClearIntentWaits()
				}
				return struct{}{}
			},
		},
		behaviors.Class{Name: "Careless", New: func(cfg *behaviors.Config) behaviors.Behavior {
			if pattern := cfg.StringOr("pattern", ""); pattern != "" {
				regexp.MustCompile(pattern)
			}
			cfg.DelegateList("behaviors")
			_ = cfg.StringsOr("steps", nil)[0]
			return struct{}{}
		}},
		behaviors.Class{Name: "Listener", New: func(*behaviors.Config) behaviors.Behavior { return listener{} }},
		behaviors.Class{Name: "Fixed", New: func(cfg *behaviors.Config) behaviors.Behavior {
			cfg.MayDelegateTo("Pant")
			return struct{}{}
		}},
	)
}

const goodBoot = `{"normalBaseBehavior": "Base", "fallbackBehavior": "Base", "userIntents": ["hello", "bye"], "timers": ["nap"],
  "features": ["Exploring", "Chatting"], "enabledFeatures": ["Exploring"], "behaviorStats": ["Steps"]}`

// build makes the catalog of an archive. A file behavior_config.json in it takes the place of the usual one.
func build(t *testing.T, archive string) (*catalog.Catalog, resources.Diagnostics) {
	t.Helper()
	names, files := behaviortest.Split(archive)
	boot := goodBoot
	var docs []*resources.Document
	var broken resources.Diagnostics
	mood := &catalog.MoodFiles{}
	clips := &animation.Files{}
	for _, name := range names {
		switch {
		case name == "want":
		case name == catalog.BootFile:
			boot = files[name]
		case name == catalog.MoodFile, strings.HasPrefix(name, catalog.EmotionsDir):
			doc, diags := resources.Parse(name, []byte(files[name]))
			broken = append(broken, diags...)
			if name == catalog.MoodFile {
				mood.Config = doc
			} else {
				mood.Events = append(mood.Events, doc)
			}
		case strings.HasPrefix(name, animation.Dir):
			doc, diags := resources.Parse(name, []byte(files[name]))
			broken = append(broken, diags...)
			clips.Own = append(clips.Own, doc)
		default:
			doc, diags := resources.Parse(name, []byte(files[name]))
			if doc == nil {
				broken = append(broken, diags...)
				continue
			}
			docs = append(docs, doc)
		}
	}
	doc, diags := resources.Parse(catalog.BootFile, []byte(boot))
	if doc == nil {
		t.Fatal(diags)
	}
	cat, diags := catalog.Build(catalog.Sources{Behaviors: docs, Boot: doc, Mood: mood, Animations: clips}, classes())
	return cat, append(broken, diags...)
}

// TestWrongFilesGiveTheirFindings compares what is found in each archive of testdata with its last section.
// Rules: B-1, B-3, B-5, B-6, B-7, M-37, M-38, DT-F02, DT-F03, DT-F05, DT-F06, DT-F08, DT-F09, DT-F11, DT-F12, data/1.2b, data/1.2c.
// Rules: data/1.2d, data/1.2k, data/1.3j, data/1.4a, data/1.4b, data/1.4c, data/1.4d, data/1.4e, data/1.4f, data/1.4g, data/1.4h.
// Rules: data/1.4i, data/1.4j, data/1.4k, data/1.4l, data/1.4m, data/1.4n, data/1.5a, data/1.6c, data/1.6d, data/1.7c, data/1.7d, data/1.7g.
// Rules: data/1.8b, data/1.8c, data/1.8d, data/1.8e, data/1.8f, data/1.10a, data/1.10e, data/1.11b, data/1.11g, data/1.11h, data/2.1g.
// Rules: data/2.8b, data/2.8d, data/3.1a, data/3.3h, data/4.1, data/5.1a, data/5.1f, data/5.1g, data/5.1j, data/5.2b, data/5.4a, data/5.4b.
// Rules: data/5.4d, data/5.6a, data/5.7a.
func TestWrongFilesGiveTheirFindings(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d archives: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			archive := string(raw)
			cat, diags := build(t, archive)
			var got strings.Builder
			for _, d := range diags {
				fmt.Fprintf(&got, "%s [%s]\n", d, d.Code)
			}
			if (cat == nil) != diags.HasErrors() {
				t.Errorf("a catalog in spite of errors, or none without: %v", cat)
			}
			head, want, found := strings.Cut(archive, "-- want --\n")
			if *rewrite {
				if err := os.WriteFile(file, []byte(head+"-- want --\n"+got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if !found || got.String() != want {
				t.Errorf("findings differ\ngot:\n%swant:\n%s", got.String(), want)
			}
		})
	}
}

const goodTree = `
-- Base.json --
{"behaviorClass": "Leader", "behaviorID": "Base", "behaviors": ["Walk", "Pant"]}
-- Walk.json --
{
  "behaviorClass": "Walk", "behaviorID": "Walk", "speed_mmps": 50, "loud": true,
  "next": ["Pant"], "otherwise": "Pant",
  "behaviorModifiers": {"wantsToBeActivatedWhenOnCharger": false},
  "wantsToBeActivatedCondition": {"conditionType": "TimerInRange", "begin_s": 1},
  "wantsToCancelSelfCondition": {"conditionType": "TimerInRange", "begin_s": 3},
  "respondToUserIntents": [{"type": "hello"}, {"type": "bye"}],
  "resetTimers": ["nap"], "postBehaviorSuggestion": "Sleep",
  "tracksToLockWhileActivated": ["HEAD_TRACK", "BODY_TRACK"]
}
-- Pant.json --
{"behaviorClass": "Plain", "behaviorID": "Pant"}
`

// A catalog lists its entries by ID, with everything that others want to know of them.
// Rules: data/1.2h, data/1.9a, data/1.10a, data/1.10e, data/5.6a, data/5.7a.
func TestGoodTreeGivesSortedEntriesAndBoot(t *testing.T) {
	cat, diags := build(t, goodTree)
	if len(diags) > 0 {
		t.Fatal(diags.String())
	}
	if got := cat.IDs(); !slices.Equal(got, []string{"Base", "Pant", "Walk"}) {
		t.Errorf("IDs %v", got)
	}
	base, walk := cat.Find("Base"), cat.Find("Walk")
	if !slices.Equal(base.Delegates, []string{"Pant", "Walk"}) || !slices.Equal(base.Links, base.Delegates) {
		t.Errorf("Base: delegates %v, links %v", base.Delegates, base.Links)
	}
	if !slices.Equal(walk.Delegates, []string{"Pant"}) || !slices.Equal(walk.Intents, []string{"bye", "hello"}) || walk.File != "Walk.json" {
		t.Errorf("Walk: %+v", walk)
	}
	if cat.Find("walk") != nil || cat.Find("") != nil {
		t.Error("found what is not there")
	}
	want := catalog.Boot{Base: "Base", Fallback: "Base", Intents: []string{"bye", "hello"}, Timers: []string{"nap"}, Vocabulary: catalog.Vocabulary{
		Features: []string{"Chatting", "Exploring"}, Enabled: []string{"Exploring"}, Stats: []string{"Steps"},
	}}
	if !reflect.DeepEqual(cat.Boot, want) {
		t.Errorf("boot %+v", cat.Boot)
	}
}

// Each incarnation is like the first, shares nothing with it, and makes no findings of its own.
// Rules: data/1.2i, data/1.6b, data/2.8c.
func TestFreshIncarnationEqualsTheFirst(t *testing.T) {
	// Without intents: their condition holds functions, which nothing can compare.
	cat, _ := build(t, strings.Replace(goodTree, `"respondToUserIntents": [{"type": "hello"}, {"type": "bye"}],`, "", 1))
	entry := cat.Find("Walk")
	one, two := entry.New(), entry.New()
	if !reflect.DeepEqual(one, two) {
		t.Errorf("%+v\n%+v", one, two)
	}
	impl := one.Impl().(*walk)
	if want := (&walk{SpeedMMPS: 50, Loud: true, Next: []string{"Pant"}, Fallback: "Pant"}); !reflect.DeepEqual(impl, want) {
		t.Errorf("%+v", impl)
	}
	impl.SpeedMMPS, impl.Next[0] = 0, "changed"
	if !reflect.DeepEqual(entry.New(), two) {
		t.Error("an incarnation changed the definition")
	}
	if one.Modifiers() != (behaviors.Modifiers{AlwaysDelegates: true}) {
		t.Errorf("modifiers before the second pass %+v", one.Modifiers())
	}
	inv := behaviors.Invocation{Hook: stack.HookModify}
	one.Run(behaviors.NewControl(one, nil), &inv)
	if one.Modifiers() != (behaviors.Modifiers{AlwaysDelegates: true, WhenOffTreads: true}) {
		t.Errorf("modifiers after it %+v", one.Modifiers())
	}
	if got := *inv.Code; got != (behaviors.Modifiers{AlwaysDelegates: true, WhenOffTreads: true, WhenOnCharger: true}) {
		t.Errorf("modifiers of the code alone %+v", got)
	}
}

// The order of files changes nothing.
// Rules: DT-F03, data/1.2e.
func TestOrderOfFilesDoesNotMatter(t *testing.T) {
	names, files := behaviortest.Split(goodTree)
	for range 3 {
		names = append(names[1:], names[0])
		shuffled := ""
		for _, n := range names {
			shuffled += "-- " + n + " --\n" + files[n]
		}
		cat, diags := build(t, shuffled)
		if len(diags) > 0 || !slices.Equal(cat.IDs(), []string{"Base", "Pant", "Walk"}) {
			t.Errorf("%v: %v", names, diags)
		}
	}
}

// The number of behaviors has a limit.
// Rules: data/1.2j.
func TestBehaviorsBeyondLimitAreReported(t *testing.T) {
	var docs []*resources.Document
	for i := range 4097 {
		id := fmt.Sprintf("N%d", i)
		doc, _ := resources.Parse(id+".json", fmt.Appendf(nil, `{"behaviorClass":"Plain","behaviorID":%q}`, id))
		docs = append(docs, doc)
	}
	if _, diags := catalog.Build(catalog.Sources{Behaviors: docs[:4096]}, classes()); len(diags) > 0 {
		t.Errorf("at the limit: %s", diags[0])
	}
	_, diags := catalog.Build(catalog.Sources{Behaviors: docs}, classes())
	if len(diags) != 1 || diags[0].Code != "limit" || diags[0].File != "N4096.json" {
		t.Errorf("beyond the limit: %v", diags)
	}
}
