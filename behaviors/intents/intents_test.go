package intents_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/intents"
	"github.com/robotd/robotd/resources"
)

// testMap is the map of the cases below.
const testMap = `{
  "user_intent_map": [
    { "user_intent": "test_user_intent_1", "cloud_intent": "cloud_intent_1" },
    { "user_intent": "test_user_intent_2", "cloud_intent": "cloud_intent_2" },
    { "user_intent": "set_timer", "cloud_intent": "cloud_time_intent" },
    { "user_intent": "test_name", "cloud_intent": "cloud_name_intent" },
    {
      "user_intent": "test_timeWithUnits", "cloud_intent": "cloud_time_intent_substitution",
      "cloud_substitutions": { "timer_duration.time": "time", "timer_duration.units": "units" },
      "cloud_numerics": ["timer_duration.time"]
    },
    { "user_intent": "meet_victor", "app_intent": "intent_meet_victor", "app_substitutions": { "param": "username" } },
    { "user_intent": "play_fistbump", "cloud_intent": "fist_bump", "app_intent": "fist_bump", "feature_gate": "Play" },
    { "user_intent": "own", "cloud_intent": "own_cloud", "test_parsing": false }
  ],
  "simple_voice_responses": [
    { "cloud_intent": "cloud_joke", "response": { "anim_group": "laugh", "emotion_event": "Joke", "disable_wakeword_turn": true } },
    { "cloud_intent": "cloud_wink", "feature_gate": "Play", "response": { "anim_group": "wink", "active_feature": "Play", "emotion_event": "" } }
  ],
  "unmatched_intent": "unmatched_intent",
  "is_test": true // and nothing is complained of
}`

func read(t *testing.T, src string, declared ...string) (*intents.Map, resources.Diagnostics) {
	t.Helper()
	doc, diags := resources.Parse(intents.File, []byte(src))
	if doc == nil {
		t.Fatal(diags)
	}
	m := intents.Read(doc, declared)
	return m, append(diags, doc.Diagnostics()...)
}

func off(string) bool { return false }

// told is an intent in one line.
func told(h intents.Heard, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	text := h.Intent.Tag + " from " + h.Intent.Source
	for _, k := range slices.Sorted(maps.Keys(h.Intent.Data)) {
		text += fmt.Sprintf(" %s=%s", k, h.Intent.Data[k])
	}
	if len(h.Ignored) > 0 {
		text += " without " + strings.Join(h.Ignored, " ")
	}
	return text
}

// Rules: DT-U01, data/4.2, data/4.6.
func TestMapLeadsToItsTags(t *testing.T) {
	m, diags := read(t, testMap, "own")
	if len(diags) > 0 {
		t.Fatal(diags.String())
	}
	want := []string{"meet_victor", "own", "play_fistbump", "set_timer", "simple_voice_response", "test_name", "test_timeWithUnits", "test_user_intent_1", "test_user_intent_2", "unmatched_intent"}
	if got := m.Tags(); !slices.Equal(got, want) {
		t.Errorf("tags %v", got)
	}
	for _, tag := range []string{"test_user_intent_3", "cloud_intent_1"} {
		if slices.Contains(m.Tags(), tag) {
			t.Errorf("%s is valid", tag)
		}
		if _, known := condition.Payload(tag); known {
			t.Errorf("%s has a payload", tag)
		}
	}
	if n := len(condition.ProductTags()); n != 64 {
		t.Errorf("%d tags of the product", n)
	}
}

// Rules: DT-U04, DT-U05, DT-U07, data/4.1, data/4.2, data/4.3c.
func TestMessagesOfTheCloudBecomeIntents(t *testing.T) {
	m, _ := read(t, testMap, "own")
	for _, c := range []struct{ msg, want string }{
		{``, `error: the message is no JSON object of a cloud: unexpected end of JSON input`},
		{`{"intent"`, `error: the message is no JSON object of a cloud: unexpected end of JSON input`},
		{`{"wrong_key": "cloud_intent_1"}`, `error: the message has no "intent"`},
		{`{}`, `error: the message has no "intent"`},
		{`{"type": "result"}`, `error: the message has no "intent"`},
		{`{"type": "type_that_doesnt_exist"}`, `error: the message has no "intent"`},
		{`{"intent": "cloud_intent_1"}`, `test_user_intent_1 from voice`},
		{`{"intent": "cloud_intent_2"}`, `test_user_intent_2 from voice`},
		{`{"type": "result", "intent": "cloud_intent_1"}`, `test_user_intent_1 from voice`},
		{`{"intent": "cloud_intent_1", "params": {"unexpected": "x"}}`, `test_user_intent_1 from voice without unexpected`},
		{`{"intent": "cloud_time_intent", "params": {"time_s": 42}}`, `set_timer from voice time_s=42`},
		{`{"intent": "cloud_time_intent", "params": {"time_s": 9001}}`, `set_timer from voice time_s=9001`},
		{`{"intent": "cloud_time_intent", "params": {"time_s": "42"}}`, `error: intent set_timer: "time_s": want a number, found "42"`},
		{`{"intent": "cloud_time_intent", "params": {"time_s": -1}}`, `error: intent set_timer: "time_s": "-1" is no whole number that fits`},
		{`{"intent": "cloud_time_intent", "params": {"time_s": 4294967296}}`, `error: intent set_timer: "time_s": "4294967296" is no whole number that fits`},
		{`{"intent": "cloud_time_intent"}`, `error: intent set_timer needs "time_s"`},
		{`{"intent": "cloud_time_intent", "params": {"time_s": [1]}}`, `error: parameter "time_s": want a string, a number or a boolean`},
		{`{"intent": "cloud_name_intent", "params": {"name": "Victor"}}`, `test_name from voice name=Victor`},
		{`{"type": "result", "intent": "cloud_name_intent", "parameters": "{\"name\": \"Victor\"}\n"}`, `test_name from voice name=Victor`},
		{`{"intent": "cloud_name_intent", "parameters": "Victor"}`, `error: "parameters" is no JSON object in a text: invalid character 'V' looking for beginning of value`},
		{`{"intent": "cloud_time_intent_substitution", "params": {"timer_duration.time": "60", "timer_duration.units": "m"}}`, `test_timeWithUnits from voice time=60 units=m`},
		{`{"intent": "cloud_time_intent_substitution", "params": {"timer_duration.time": "an hour", "timer_duration.units": "m"}}`, `error: parameter "timer_duration.time": "an hour" is no number`},
		{`{"intent": "cloud_time_intent_substitution", "params": {"timer_duration.time": "6", "timer_duration.units": "h"}}`, `error: intent test_timeWithUnits: "units": "h" is none of s, m`},
		{`{"intent": "cloud_time_intent_substitution", "params": {"timer_duration.time": "6", "time": 5, "units": "s"}}`, `test_timeWithUnits from voice time=5 units=s without timer_duration.time`},
		{`{"intent": "nobody_knows", "params": {"a": 1}}`, `unmatched_intent from voice`},
		{`{"intent": "intent_meet_victor"}`, `unmatched_intent from voice`},
		{`{"intent": "fist_bump"}`, `unmatched_intent from voice`},
		{`{"intent": "own_cloud", "params": {"a": 1, "b": "x", "c": true}}`, `own from voice a=1 b=x c=true`},
		{`{"intent": "cloud_joke"}`, `simple_voice_response from voice active_feature=BasicVoiceCommand anim_group=laugh disable_wakeword_turn=true emotion_event=Joke`},
		{`{"intent": "cloud_wink"}`, `unmatched_intent from voice`},
	} {
		if got := told(m.Cloud([]byte(c.msg), off)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.msg, got, c.want)
		}
	}
	on := func(feature string) bool { return feature == "Play" }
	if got := told(m.Cloud([]byte(`{"intent": "fist_bump"}`), on)); got != "play_fistbump from voice" {
		t.Errorf("with its feature: %s", got)
	}
	if got := told(m.Cloud([]byte(`{"intent": "cloud_wink"}`), on)); got != "simple_voice_response from voice active_feature=Play anim_group=wink disable_wakeword_turn=false emotion_event=" {
		t.Errorf("with its feature: %s", got)
	}
}

// Rules: DT-U06, data/4.3c.
func TestMessagesOfTheAppBecomeIntents(t *testing.T) {
	m, _ := read(t, testMap, "own")
	for _, c := range []struct{ name, param, want string }{
		{"intent_meet_victor", "Cozmo", "meet_victor from app username=Cozmo"},
		{"intent_meet_victor", "", `error: intent meet_victor needs "username"`},
		{"cloud_intent_1", "", "unmatched_intent from app"},
		{"fist_bump", "", "unmatched_intent from app"},
		{"", "", `error: the message has no "intent"`},
	} {
		if got := told(m.App(c.name, c.param, off)); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.name, c.param, got, c.want)
		}
	}
}

// A translation changes neither the map nor an earlier intent.
func TestEachMessageHasItsOwnData(t *testing.T) {
	m, _ := read(t, testMap, "own")
	one, _ := m.Cloud([]byte(`{"intent": "cloud_joke"}`), off)
	one.Intent.Data["anim_group"] = "changed"
	if got := told(m.Cloud([]byte(`{"intent": "cloud_joke"}`), off)); !strings.Contains(got, "anim_group=laugh") {
		t.Error(got)
	}
}

// Without a map a name is the tag.
func TestNamesAreTagsWithoutAMap(t *testing.T) {
	m := intents.Empty([]string{"dance"})
	if got := told(m.Cloud([]byte(`{"intent": "dance", "params": {"bars": 2}}`), off)); got != "dance from voice bars=2" {
		t.Error(got)
	}
	if got := told(m.App("sing", "", off)); got != "unmatched_intent from app" {
		t.Error(got)
	}
}
