package library_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/behaviortest"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/library"
)

const (
	router       = `"behaviorClass": "UserDefinedBehaviorTreeRouter"`
	reactionFile = `-- conditionToBehaviorMap.json --
{"editModeTrigger": {"conditionType": "ConsoleVar", "variable": "edit", "value": 1}, "conditionToBehaviorMap": [
	{"conditionType": "CliffDetected", "behaviorOptions": ["Frustrated", "Amused"]},
	{"conditionType": "OnCharger", "behaviorOptions": ["Amused"]}]}
`
	selectorFiles = `-- UserDefinedBehaviorSelector.json --
{"behaviorClass": "UserDefinedBehaviorSelector", "behaviorID": "UserDefinedBehaviorSelector"}
-- UserDefinedBehaviorTreeTextToSpeech.json --
{"behaviorClass": "TextToSpeechLoop", "behaviorID": "UserDefinedBehaviorTreeTextToSpeech", "loopAnimation": "look_curious"}
-- UserDefinedBehaviorTreeConfirmNewBehavior.json --
{"behaviorClass": "PromptUserForVoiceCommand", "behaviorID": "UserDefinedBehaviorTreeConfirmNewBehavior", "streamType": "Normal",
	"textToSpeechBehaviorID": "UserDefinedBehaviorTreeTextToSpeech"}
`
)

// choosing is a scene with a router over two options.
func choosing(t *testing.T, features ...string) scene {
	t.Helper()
	o := behaviortest.Options{Features: features, Classes: cast(), Intents: []string{"imperative_affirmative", "imperative_negative", "show_clock"}, Seed: 3}
	o.Files = `
-- Base.json --
{"behaviorClass": "DispatcherStrictPriority", "behaviorID": "Base", "interruptActiveBehavior": true, "behaviors": ["S", "Rest"]}
-- Rest.json --
{"behaviorClass": "Wait", "behaviorID": "Rest"}
-- S.json --
{"behaviorID": "S", ` + router + "}\n" + react("Frustrated", "Amused") + selectorFiles + reactionFile
	s := scene{behaviortest.New(t, o), t}
	s.Step(1)
	return s
}

// answer carries out a command and returns its answer, "error: …" if it is refused.
func (s scene) answer(c engine.Command) string {
	s.t.Helper()
	s.Command(c)
	s.Step(1)
	r := s.Out.Replies[len(s.Out.Replies)-1]
	if r.Err != "" {
		return "error: " + r.Err
	}
	return r.Text
}

func (s scene) choose(condition, behavior string) string {
	s.t.Helper()
	return s.answer(engine.Command{Kind: engine.SetReaction, ID: condition, To: behavior})
}

// Rules: DT-X01, data/2.8k.
func TestChosenReactionRunsWhileItsConditionIsMet(t *testing.T) {
	s := choosing(t, "UserDefinedBehaviorTree")
	s.Body.Plugged = true
	s.Step(3)
	if s.Started("S") != 0 {
		t.Fatal("it reacts although nobody chose")
	}
	if got := s.choose("OnCharger", "Amused"); got != "Amused is the reaction to OnCharger" {
		t.Errorf("first: %q", got)
	}
	if got := s.Engine.View().Reactions["OnCharger"]; got != "Amused" {
		t.Errorf("lookup: %q", got)
	}
	if !s.Active("Amused") || s.State("S") != "OnCharger" {
		t.Errorf("not in the tick of the command: %v", s.Chain())
	}
	if got := s.choose("CliffDetected", "Frustrated"); got != "Frustrated is the reaction to CliffDetected" {
		t.Errorf("%q", got)
	}
	if got := s.choose("CliffDetected", "Amused"); got != "Amused is the reaction to CliffDetected, in place of Frustrated" {
		t.Errorf("again: %q", got)
	}
	if got := s.choose("OnCharger", ""); got != "nothing is the reaction to OnCharger, in place of Amused" {
		t.Errorf("taken back: %q", got)
	}
	s.For(3 * time.Second)
	if s.Active("S") {
		t.Errorf("still reacting: %v", s.Chain())
	}
	s.NoRefusals()
}

// Rules: DT-X01.
func TestUnknownConditionsAndReactionsAreRefusedWithTheNearest(t *testing.T) {
	s := choosing(t, "UserDefinedBehaviorTree")
	for _, c := range []struct{ condition, behavior, want string }{
		{"CliffDetectd", "Amused", `error: there is no condition with reactions "CliffDetectd"; did you mean "CliffDetected"?`},
		{"CliffDetected", "Frustratd", `error: there is no reaction to CliffDetected "Frustratd"; did you mean "Frustrated"?`},
		{"OnCharger", "Frustrated", `error: there is no reaction to OnCharger "Frustrated"`},
	} {
		if got := s.choose(c.condition, c.behavior); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s %s: %q, want %q", c.condition, c.behavior, got, c.want)
		}
	}
	if len(s.Engine.View().Reactions) != 0 {
		t.Errorf("chosen: %v", s.Engine.View().Reactions)
	}
	none := stage(t, `"behaviorClass": "StandStill", "duration_s": 1`)
	none.Step(1)
	if got := none.choose("OnCharger", "Rest"); got != "error: there is no conditionToBehaviorMap.json: nobody can choose reactions" {
		t.Errorf("without a map: %q", got)
	}
}

// Rules: data/2.8k, data/5.7b.
func TestReactionsNeedTheirFeatureAndFollowItsOverride(t *testing.T) {
	s := choosing(t, "UserDefinedBehaviorTree")
	s.choose("OnCharger", "Amused")
	off := engine.Command{Kind: engine.SetFeature, ID: "UserDefinedBehaviorTree", Force: engine.OverrideDisabled}
	if got := s.answer(off); got != "feature UserDefinedBehaviorTree is disabled, whatever the files say" {
		t.Errorf("%q", got)
	}
	s.Body.Plugged = true
	s.Step(2)
	if why := s.Engine.Cell("S").Why(); why != "the feature UserDefinedBehaviorTree is off" || s.Started("S") != 0 {
		t.Errorf("because %q, %v", why, s.Chain())
	}
	if got := s.answer(engine.Command{Kind: engine.SetFeature, ID: "UserDefinedBehaviorTree"}); got != "feature UserDefinedBehaviorTree is as the files say: enabled" || !s.Active("Amused") {
		t.Errorf("%q, %v", got, s.Chain())
	}
	if got := s.answer(engine.Command{Kind: engine.SetFeature, ID: "UserDefinedBehaviorTrees"}); !strings.HasPrefix(got, `error: there is no feature "UserDefinedBehaviorTrees"`) || !strings.Contains(got, `did you mean "UserDefinedBehaviorTree"?`) {
		t.Errorf("%q", got)
	}
	if got := s.answer(engine.Command{Kind: engine.SetFeature, ID: "UserDefinedBehaviorTree", Force: 9}); got != "error: there is no override 9" {
		t.Errorf("%q", got)
	}
}

// Rules: data/2.8j.
func TestPersonChoosesTheReactionByVoice(t *testing.T) {
	s := choosing(t, "UserDefinedBehaviorTree")
	s.answer(engine.Command{Kind: engine.SetVar, ID: "edit", Value: 1})
	s.Command(engine.Command{Kind: engine.SetVar, ID: "edit", Value: 0})
	s.Body.Plugged = false
	s.Step(1)
	if s.Started("UserDefinedBehaviorSelector") != 0 {
		t.Fatal("it asks before a condition is met")
	}
	s.Body.EdgeXMM = s.Body.XMM + 20
	const selector, prompt = "UserDefinedBehaviorSelector", "UserDefinedBehaviorTreeConfirmNewBehavior"
	s.Until(3*time.Second, "it offers", func() bool { return s.State(selector) == "offering Frustrated" })
	s.Until(20*time.Second, "it shows the first", func() bool { return s.Active("Frustrated") })
	s.Until(20*time.Second, "it listens", func() bool { return s.Active(prompt) && s.State(prompt) == "listening" })
	s.say("imperative_negative", nil)
	s.Until(20*time.Second, "it shows the second", func() bool { return s.Active("Amused") })
	s.Until(20*time.Second, "it listens again", func() bool { return s.Active(prompt) && s.State(prompt) == "listening" })
	s.say("imperative_affirmative", nil)
	s.Until(20*time.Second, "it ends", func() bool { return !s.Active(selector) })
	v := s.Engine.View()
	if v.Reactions["CliffDetected"] != "Amused" || len(v.Reactions) != 1 || v.Intent.Pending != nil {
		t.Errorf("chosen %v, pending %v", v.Reactions, v.Intent.Pending)
	}
	want := []string{"After cliff detected I could frustrated.", "Shall I do that?", "After cliff detected I could amused.", "Shall I do that?"}
	if got := s.Said(); !slices.Equal(got, want) {
		t.Errorf("said %q", got)
	}
	s.Until(3*time.Second, "the reaction runs, and nothing is asked", func() bool { return s.Active("Amused") && !s.Active(selector) })
	s.NoRefusals()
}

// Rules: data/2.8j.
func TestSilenceAndOtherIntentsLeaveTheReaction(t *testing.T) {
	for _, tag := range []string{"", "show_clock"} {
		s := choosing(t, "UserDefinedBehaviorTree")
		s.choose("OnCharger", "Amused")
		s.choose("CliffDetected", "Frustrated")
		s.Command(engine.Command{Kind: engine.RunBehavior, ID: "UserDefinedBehaviorSelector"})
		const prompt = "UserDefinedBehaviorTreeConfirmNewBehavior"
		s.Until(30*time.Second, "it listens", func() bool { return s.Active(prompt) && s.State(prompt) == "listening" })
		if tag != "" {
			s.say(tag, nil)
		}
		s.Until(60*time.Second, "it ends", func() bool { return !s.Active("UserDefinedBehaviorSelector") })
		if got := fmt.Sprint(s.Engine.View().Reactions); got != "map[CliffDetected:Frustrated OnCharger:Amused]" {
			t.Errorf("%q: %s", tag, got)
		}
	}
}

// Rules: data/1.1f.
func TestMistakesInTheMapOfReactionsAreToldAtTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		`{"conditionToBehaviorMap": []}`: "1:28: error: conditionToBehaviorMap: the list is empty; name at least one condition",
		`{"conditionToBehaviorMap": [{"conditionType": "OnCharger", "behaviorOptions": []}]}`:                                                                        "1:79: error: conditionToBehaviorMap[0].behaviorOptions: the list is empty; offer at least one behavior",
		`{"conditionToBehaviorMap": [{"conditionType": "OnChargr", "behaviorOptions": ["Amused"]}]}`:                                                                 `no condition type is named "OnChargr"; did you mean "OnCharger"?`,
		`{"conditionToBehaviorMap": [{"conditionType": "OnCharger", "behaviorOptions": ["Amusd"]}]}`:                                                                 `there is no behavior "Amusd"`,
		`{"conditionToBehaviorMap": [{"conditionType": "OnCharger", "behaviourOptions": ["Amused"]}]}`:                                                               `behaviorOptions`,
		`{"editModeTrigger": "Poked", "conditionToBehaviorMap": [{"conditionType": "OnCharger", "behaviorOptions": ["Amused"]}]}`:                                    `editModeTrigger: condition "Poked": `,
		`{"conditionToBehaviorMap": [{"conditionType": "OnCharger", "behaviorOptions": ["Amused"]}, {"conditionType": "OnCharger", "behaviorOptions": ["Amused"]}]}`: "conditionToBehaviorMap[1].conditionType: OnCharger has its options already",
		`{"editModetrigger": "OnCharger", "conditionToBehaviorMap": [{"conditionType": "OnCharger", "behaviorOptions": ["Amused"]}]}`:                                `did you mean "editModeTrigger"?`,
		`{"conditionToBehaviorMap": [{"behaviorOptions": ["Amused"]}]}`:                                                                                              "1:29: error: conditionToBehaviorMap[0]: needs conditionType",
		`{"conditionToBehaviorMap": [{"customCondition": "X", "behaviorOptions": ["Amused"]}]}`:                                                                      "1:49: error: conditionToBehaviorMap[0].customCondition: people choose by the type of a condition: give conditionType in place of customCondition",
	} {
		files := "-- Amused.json --\n" + `{"behaviorClass": "Wait", "behaviorID": "Amused"}` + "\n-- conditionToBehaviorMap.json --\n" + text + "\n"
		cat, diags := behaviortest.Catalog(t, files, library.Registry(), catalog.Boot{Base: "Amused", Fallback: "Amused"})
		if got := diags.String(); cat != nil || strings.Count(got, "error:") != 1 || !strings.Contains(got, want) || !strings.Contains(got, behaviors.ReactionsFile) {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

// Rules: data/1.1f.
func TestOptionThatStandsTwiceIsToldAndOfferedOnce(t *testing.T) {
	files := "-- Amused.json --\n" + `{"behaviorClass": "Wait", "behaviorID": "Amused"}` + "\n-- conditionToBehaviorMap.json --\n" +
		`{"conditionToBehaviorMap": [{"conditionType": "OnCharger", "behaviorOptions": ["Amused", "Amused"]}]}` + "\n"
	cat, diags := behaviortest.Catalog(t, files, library.Registry(), catalog.Boot{Base: "Amused", Fallback: "Amused"})
	if cat == nil {
		t.Fatal(diags)
	}
	const want = "1:90: warning: conditionToBehaviorMap[0].behaviorOptions[1]: Amused is offered already"
	if got := cat.Reactions.Find("OnCharger").Options; len(got) != 1 || !strings.Contains(diags.String(), want) {
		t.Errorf("%v\n got %s\nwant %s", got, diags, want)
	}
}

// Rules: data/4.4h.
func TestUnclaimedIntentIsReactedToOnce(t *testing.T) {
	s := stageAgain(t, `"behaviorClass": "ReactToUnclaimedIntent"`)
	s.Step(2)
	if why := s.Engine.Cell("S").Why(); why != "every intent was taken" {
		t.Errorf("because %q", why)
	}
	for n := range uint64(2) {
		s.say("show_clock", nil)
		s.Until(time.Second, "it reacts", func() bool { return s.Active("S") })
		if s.Started("S") != n+1 || s.State("S") != "cannot do that" {
			t.Errorf("started %d, %q", s.Started("S"), s.State("S"))
		}
		s.over(10 * time.Second)
		s.For(5 * time.Second)
		if s.Active("S") {
			t.Error("it reacts again")
		}
	}
	s.NoRefusals()
}

// react are behaviors that want control anywhere and end with their clip.
func react(ids ...string) string {
	all := ""
	for _, id := range ids {
		all += "-- " + id + ".json --\n" + `{"behaviorClass": "AnimSequence", "behaviorID": "` + id + `", "animNames": ["look_curious"]}` + "\n"
	}
	return all
}

// Rules: L-44.
func TestChangedMapOfReactionsRestartsTheRouterAlone(t *testing.T) {
	build := func(options string) *catalog.Catalog {
		files := react("Frustrated", "Amused") + selectorFiles + "-- S.json --\n" + `{"behaviorID": "S", ` + router + "}\n-- conditionToBehaviorMap.json --\n" +
			`{"conditionToBehaviorMap": [{"conditionType": "OnCharger", "behaviorOptions": [` + options + "]}]}\n"
		cat, diags := behaviortest.Catalog(t, files, library.Registry(), catalog.Boot{Base: "S", Fallback: "S", Vocabulary: catalog.Vocabulary{}})
		if cat == nil {
			t.Fatal(diags)
		}
		return cat
	}
	change, err := catalog.Compare(build(`"Amused"`), build(`"Amused", "Frustrated"`))
	if err != nil {
		t.Fatal(err)
	}
	p := &change.Plan
	if want := []string{"S", "UserDefinedBehaviorSelector"}; !p.Reactions || !slices.Equal(p.Restarted, want) || p.Reasons["S"] != "the map of reactions" || p.Empty() {
		t.Errorf("plan %s: restarted %q, because %q", p, p.Restarted, p.Reasons)
	}
	if same, err := catalog.Compare(build(`"Amused"`), build(`"Amused"`)); err != nil || !same.Plan.Empty() {
		t.Errorf("the same files: %v, %v", &same.Plan, err)
	}
}
