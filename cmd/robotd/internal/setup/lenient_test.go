package setup

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/library"
)

const engineDir = "config/engine/behaviorComponent/"

// foreignTree is a small folder of another robot with something foreign of every kind.
func foreignTree(prefix string) fstest.MapFS {
	files := map[string]string{
		"behaviors/tree/modeSelector.json": `/* block
 comment */ { "behaviorClass": "DispatcherStrictPriority", "behaviorID": "ModeSelector", // here
 "behaviors": ["QuietMode", "Missing", "Foo", "Draw", "Wait"], "interruptActiveBehavior": true } // end
}`,
		"behaviors/tree/QuietMode.json": `{"behaviorClass": "WallTimeCoordinator", "behaviorID": "QuietMode", "oddKey": 3, "associatedActiveFeature": "Quiet",
 "emotionEventOnActivated": "BeQuiet", "resetTimers": ["Socializing"], "behaviorStatToIncrement": "Quiet", "respondToUserIntents": [{"type": "imperative_quiet"}]}`,
		"behaviors/tree/Foo.json": `{"behaviorClass": "NotKnown", "behaviorID": "Foo", "x": 1}`,
		"behaviors/tree/Draw.json": `{"behaviorClass": "DispatcherRandom", "behaviorID": "Draw", "behaviors": [
 {"behavior": "Own", "weight": 1, "cooldown_s": 1}, {"behavior": "Wait", "weight": "x", "cooldown_s": 1}, {"behavior": "Nope", "weight": 1, "cooldown_s": 1}],
 "anonymousBehaviors": [{"behaviorName": "Own", "behaviorClass": "ProceduralClock", "getInAnimTrigger": "A", "wantsToBeActivatedCondition": {"conditionType": "Weird"}}]}`,
		"behaviors/dev/Wait.json": `{"behaviorClass": "Wait", "behaviorID": "Wait",
 "wantsToBeActivatedCondition": {"conditionType": "ObjectKnown", "objectTypes": ["Block_LIGHTCUBE1", "Ball"]}}`,
		"behaviors/dev/Bad.json":      `{ "a": `,
		"victor_behavior_config.json": `{"normalBaseBehavior": "ModeSelector", "onboardingBehavior": "Onboarding", "devBaseBehavior": "Wait", "postOnboardingBehavior": "ModeSelector"}`,
		"user_intent_map.json":        `{"user_intent_map": [{"user_intent": "imperative_quiet"}], "unmatched_intent": "unmatched_intent"}`,
	}
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[prefix+name] = &fstest.MapFile{Data: []byte(text)}
	}
	return tree
}

// Rules: data/1.1e, data/1.11l, data/2.8e.
func TestLenientLoadTellsEverythingThatIsForeign(t *testing.T) {
	tree := foreignTree(engineDir)
	tree["config/features.json"] = &fstest.MapFile{Data: []byte(`[{"feature": "Quiet", "enabled": true}, {"feature": "Loud", "enabled": false}] // list`)}
	tree["config/engine/mood_config.json"] = &fstest.MapFile{Data: []byte(`{"decayGraphs": []}`)}
	tree["config/engine/userDefinedBehaviorTree/conditionToBehaviorMap.json"] = &fstest.MapFile{Data: []byte(`{"map": [{"conditionType": "CliffDetected", "behaviorOptions": ["Foo"]}]}`)}
	cat, l, diags := Tree{FS: tree}.Lenient(library.Registry())
	if cat == nil || len(diags) > 0 {
		t.Fatal(diags)
	}
	told := map[catalog.NoteKind][]string{}
	for _, n := range l.Notes {
		told[n.Kind] = append(told[n.Kind], fmt.Sprintf("%s:%d:%d: %s", strings.TrimPrefix(n.File, engineDir), n.Line, n.Col, n.Text))
	}
	for kind, want := range map[catalog.NoteKind][]string{
		catalog.NoteMapped: {
			"behaviors:0:0: the behaviors of the engine's folders", "victor_behavior_config.json:0:0: names the base behaviors", "user_intent_map.json:0:0: names the user intents",
			"config/features.json:0:0: says which features are on", "behaviors/dev/Wait.json:2:33: kind of object: Block_LIGHTCUBE1 as cube",
			"config/engine/mood_config.json:0:0: mood data", "config/engine/userDefinedBehaviorTree/conditionToBehaviorMap.json:0:0: names the reactions that people choose from",
		},
		catalog.NoteInert:       {"behaviors/tree/Foo.json:1:1: Foo never wants control: there is no class NotKnown"},
		catalog.NoteUnsupported: {"behaviors/tree/Draw.json:3:141: condition Weird is not supported on this robot: it is never met"},
		catalog.NoteKept: {
			`behaviors/tree/QuietMode.json:2:29: nothing declares the emotion event "BeQuiet"`, `behaviors/tree/QuietMode.json:2:56: nothing declares the timer "Socializing"`,
			`behaviors/tree/QuietMode.json:2:99: nothing declares the behavior stat "Quiet"`,
			"behaviors/tree/modeSelector.json:4:1: nothing but comments may follow the closing brace of the file",
		},
		catalog.NoteIgnored: {
			`behaviors/tree/QuietMode.json:1:69: unknown key "oddKey"`, `behaviors/dev/Wait.json:2:33: this robot knows no kind of object "Ball"`,
			`behaviors/tree/Draw.json:2:84: behaviors[1].weight: want a number, found the string "x": left out`,
		},
		catalog.NoteDropped: {
			`behaviors/tree/modeSelector.json:3:29: there is no behavior "Missing": the name is left out`, `behaviors/tree/Draw.json:2:120: there is no behavior "Nope": the name is left out`,
			`behavior_config.json:0:0: there is no behavior "Onboarding": the role has none`,
			`behaviors/tree/QuietMode.json:1:1: class WallTimeCoordinator of QuietMode names behavior "ShowWallTime": no file defines it`,
		},
		catalog.NoteSkipped: {"behaviors/dev/Bad.json:1:7: the file ends too early"},
	} {
		for _, line := range want {
			if !strings.Contains(strings.Join(told[kind], "\n")+"\n", line+"\n") {
				t.Errorf("%s lacks %q of\n%s", kind, line, strings.Join(told[kind], "\n"))
			}
		}
	}
	if got := cat.Find("ModeSelector").Priority(); strings.Join(got, " ") != "QuietMode Foo Draw Wait" {
		t.Errorf("ModeSelector leads to %q", got)
	}
	if got := cat.Find("Draw").Delegates; strings.Join(got, " ") != "Draw@Own" {
		t.Errorf("Draw leads to %q", got)
	}
	if b := cat.Boot; b.Base != "ModeSelector" || b.Fallback != "Wait" || strings.Join(b.Enabled, " ") != "Quiet" || strings.Join(b.Timers, " ") != "Socializing" ||
		strings.Join(b.Intents, " ") != "imperative_quiet unmatched_intent" {
		t.Errorf("%+v", b)
	}
}

// Rules: data/1.11l.
func TestStrictLoadRefusesWhatLenientLoadAccepts(t *testing.T) {
	tree := foreignTree("")
	tree["behavior_config.json"] = &fstest.MapFile{Data: []byte(`{"normalBaseBehavior": "ModeSelector", "fallbackBehavior": "Wait", "userIntents": []}`)}
	if cat, _, diags := (Tree{FS: tree}).Lenient(library.Registry()); cat == nil {
		t.Fatal(diags)
	}
	cat, diags := Tree{FS: tree}.Catalog(library.Registry())
	if cat != nil {
		t.Fatal("a strict load accepts it")
	}
	for _, file := range []string{"modeSelector", "QuietMode", "Foo", "Draw", "Wait", "Bad"} {
		if !strings.Contains(diags.String(), file+".json") {
			t.Errorf("nothing is said about %s", file)
		}
	}
}

func TestFolderOfNothingButBehaviorsLoadsFromItsWidestOne(t *testing.T) {
	tree := fstest.MapFS{}
	for name, f := range foreignTree("") {
		if rest, ok := strings.CutPrefix(name, "behaviors/"); ok {
			tree[rest] = f
		}
	}
	tree["notes.json"] = &fstest.MapFile{Data: []byte(`{"a": 1}`)}
	cat, l, diags := Tree{FS: tree}.Lenient(library.Registry())
	if cat == nil || cat.Boot.Base != "ModeSelector" || cat.Boot.Fallback != "Wait" || l.Counts()[catalog.NoteSkipped] != 2 {
		t.Errorf("%v, %+v", diags, l.Notes)
	}
	if cat, _, diags := (Tree{FS: fstest.MapFS{}, Dir: "empty"}).Lenient(library.Registry()); cat != nil || !strings.Contains(diags.String(), "there is no behavior in this folder") {
		t.Errorf("an empty folder: %v", diags)
	}
}

// A class with code never gets a file that it cannot read: the stand-in of its row takes its place.
func TestClassWithCodeIsStoodInForIfItsFileLacksWhatItNeeds(t *testing.T) {
	tree := fstest.MapFS{"A.json": {Data: []byte(`{"behaviorClass": "DispatcherPassThrough", "behaviorID": "A", "delegateID": "Missing"}`)}}
	cat, l, _ := Tree{FS: tree}.Lenient(library.Registry())
	if c := cat.Find("A").Class; c.State != behaviors.StandIn || c.Name != "DispatcherPassThrough" || len(cat.Find("A").Delegates) > 0 {
		t.Errorf("%+v", l.Notes)
	}
}

// What a stand-in cannot read is in nobody's way: it keeps its delegates.
func TestStandInKeepsTheDelegatesOfEntriesThatLackSomething(t *testing.T) {
	tree := fstest.MapFS{
		"A.json": {Data: []byte(`{"behaviorClass": "DanceToTheBeatCoordinator", "behaviorID": "A", "listeningBehavior": "W", "longListeningBehavior": 3}`)},
		"B.json": {Data: []byte(`{"behaviorClass": "OnboardingCoordinator", "behaviorID": "B", "phases": [{"phaseBehaviorID": "W"}]}`)},
		"W.json": {Data: []byte(`{"behaviorClass": "Wait", "behaviorID": "W"}`)},
	}
	cat, l, _ := Tree{FS: tree}.Lenient(library.Registry())
	for _, id := range []string{"A", "B"} {
		if got := cat.Find(id).Delegates; strings.Join(got, " ") != "W" {
			t.Errorf("%s leads to %q\n%+v", id, got, l.Notes)
		}
	}
}

// A file of a class that nobody knows may hold anything: long lists, and lists in lists. A strict load tells the class and nothing else of it,
// a lenient one lets it stand still, and both lose nothing else.
func TestDeepListsInAnUnknownClassAreOneFinding(t *testing.T) {
	deep := strings.Repeat(`[{"behaviors": `, 25) + `["Still"]` + strings.Repeat(`}]`, 25)
	long := "[" + strings.Repeat(`{"behavior": "Nowhere", "weight": -1}, `, 20_000) + `1]`
	tree := fstest.MapFS{}
	for name, text := range map[string]string{
		"behavior_config.json": `{"normalBaseBehavior": "Still", "fallbackBehavior": "Still", "userIntents": []}`,
		"behaviors/Still.json": `{"behaviorClass": "DispatcherQueue", "behaviorID": "Still", "behaviors": ["Odd", "Rest"]}`,
		"behaviors/Rest.json":  `{"behaviorClass": "Wait", "behaviorID": "Rest"}`,
		"behaviors/Odd.json":   `{"behaviorClass": "Qqqqqqqq", "behaviorID": "Odd", "deep": ` + deep + `, "long": ` + long + `}`,
	} {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	cat, diags := Tree{FS: tree}.Catalog(library.Registry())
	if cat != nil || len(diags) != 1 || diags[0].Code != "class-unknown" {
		t.Errorf("strict: %.2000s", diags)
	}
	cat, l, diags := Tree{FS: tree}.Lenient(library.Registry())
	if cat == nil || len(diags) > 0 || cat.Find("Odd").Class.State != behaviors.Inert || len(cat.Find("Still").Delegates) != 2 {
		t.Fatalf("lenient: %.2000s", diags)
	}
	if counts := l.Counts(); counts[catalog.NoteInert] != 1 || counts[catalog.NoteDropped]+counts[catalog.NoteSkipped]+counts[catalog.NoteIgnored] > 0 {
		t.Errorf("%v", counts)
	}
}
