package condition_test

import (
	"slices"
	"testing"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

func intent(tag string, data ...string) *condition.Intent {
	in := &condition.Intent{Tag: tag}
	for i := 0; i+1 < len(data); i += 2 {
		if in.Data == nil {
			in.Data = map[string]string{}
		}
		in.Data[data[i]] = data[i+1]
	}
	return in
}

// Rules: DT-U12, data/1.7a, data/3.3j.
func TestUserIntentPendingMatchesAnyTag(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "UserIntentPending", "list": [{"type": "greet"}, {"type": "go_home"}]}`)
	r.want(c, false)
	for tag, want := range map[string]bool{"greet": true, "go_home": true, "dance": false} {
		r.view.Intent.Pending = intent(tag, "some", "payload")
		r.want(c, want)
	}
	r.view.Intent = condition.Intents{Active: intent("greet")}
	r.want(c, false)
}

// Rules: data/3.3j.
func TestUserIntentActiveIgnoresPendingIntent(t *testing.T) {
	r := newRig(t)
	c, fromCode := r.parse(`{"conditionType": "UserIntentActive", "list": [{"type": "greet"}]}`), r.active(condition.NewUserIntentActive("greet"))
	r.view.Intent.Pending = intent("greet")
	r.want(c, false)
	r.view.Intent = condition.Intents{Active: intent("greet")}
	r.want(c, true)
	r.want(fromCode, true)
	if got := c.(*condition.UserIntentActive).Matched(); got != "greet" {
		t.Errorf("matched %q", got)
	}
}

// Rules: data/3.1e, data/3.3j.
func TestMatchedTagLastsUntilAnySetActive(t *testing.T) {
	r := newRig(t)
	c := condition.NewUserIntentPending("go_home", "greet", "go_home")
	r.active(c)
	wantMatched := func(want string) {
		t.Helper()
		if got := c.Matched(); got != want {
			t.Errorf("matched %q, want %q", got, want)
		}
	}
	wantMatched("")
	for _, active := range []bool{true, false} {
		c.SetActive(r.view, true)
		r.view.Intent.Pending = intent("greet")
		r.want(c, true)
		wantMatched("greet")
		r.view.Intent.Pending = intent("go_home")
		r.want(c, true)
		wantMatched("go_home")
		r.view.Intent.Pending = nil
		r.want(c, false)
		wantMatched("go_home")
		c.SetActive(r.view, active)
		wantMatched("")
	}
	if got, want := c.Tags(), []string{"go_home", "greet"}; !slices.Equal(got, want) {
		t.Errorf("tags %v, want %v", got, want)
	}
}

// Rules: data/1.7b.
func TestPatternWithPayloadNeedsEveryField(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "UserIntentPending", "list": [{"type": "timer", "time_s": 20, "name": "egg", "loud": true}]}`)
	for _, s := range []struct {
		data []string
		want bool
	}{
		{[]string{"time_s", "20", "name", "egg", "loud", "true"}, true},
		{[]string{"time_s", "20.0", "name", "egg", "loud", "true"}, true}, // the same number
		{[]string{"time_s", "21", "name", "egg", "loud", "true"}, false},
		{[]string{"time_s", "twenty", "name", "egg", "loud", "true"}, false},
		{[]string{"time_s", "20", "name", "Egg", "loud", "true"}, false},
		{[]string{"time_s", "20", "name", "egg", "loud", "false"}, false},
		{[]string{"time_s", "20", "name", "egg"}, false},
		{[]string{"time_s", "20", "name", "egg", "loud", "true", "more", ""}, false},
		{[]string{"time_s", "20", "name", "egg", "quiet", "true"}, false},
		{nil, false},
	} {
		r.view.Intent.Pending = intent("timer", s.data...)
		if got := c.Met(r.view); got != s.want {
			t.Errorf("payload %v: got %v, want %v", s.data, got, s.want)
		}
	}
}

// Rules: data/1.7c.
func TestPatternMatchesByItsPredicate(t *testing.T) {
	r := newRig(t)
	p := condition.Parser{Predicates: map[string]func(*condition.Intent) bool{
		"long": func(in *condition.Intent) bool { return len(in.Data["text"]) > 3 },
	}}
	c := r.active(parse(t, p, `{"conditionType": "UserIntentPending", "list": [{"type": "say", "_lambda": "long"}]}`))
	r.view.Intent.Pending = intent("say", "text", "hello")
	r.want(c, true)
	r.view.Intent.Pending = intent("say", "text", "hi")
	r.want(c, false)
	r.view.Intent.Pending = intent("sing", "text", "hello")
	r.want(c, false)
}

// Rules: data/1.7d.
func TestOnePayloadAndOneBarePatternPerTag(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "UserIntentPending", "list": [{"type": "timer", "time_s": 20}, {"type": "timer"}]}`)
	r.view.Intent.Pending = intent("timer", "time_s", "1")
	r.want(c, true)
}

// One tag may have several patterns, as long as their data differ: the text "20" is another one than the number, which is also "20.0".
// Rules: data/1.7d.
func TestPatternsOfOneTagWithDifferentData(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "UserIntentPending", "list": [{"type": "timer", "time_s": 20}, {"type": "timer", "time_s": 30},
		{"type": "timer", "name": "20"}, {"type": "timer", "name": 20}]}`)
	for _, s := range []struct {
		key, data string
		want      bool
	}{{"time_s", "20", true}, {"time_s", "30", true}, {"time_s", "40", false}, {"name", "20.0", true}, {"name", "30", false}} {
		r.view.Intent.Pending = intent("timer", s.key, s.data)
		r.want(c, s.want)
	}
}

// Rules: data/3.3j.
func TestAnyUserIntentPendingOrActive(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "AnyUserIntent"}`)
	r.want(c, false)
	r.view.Intent.Pending = intent("x")
	r.want(c, true)
	r.view.Intent = condition.Intents{Active: intent("x")}
	r.want(c, true)
	r.view.Intent = condition.Intents{Unclaimed: 3}
	r.want(c, false)
}

// Rules: 6.5/TriggerWordPending, DT-C14, data/3.3j.
func TestTriggerWordPendingFollowsView(t *testing.T) {
	r := newRig(t)
	c := r.parse(`{"conditionType": "TriggerWordPending"}`)
	r.want(c, false)
	r.view.TriggerWord = true
	r.want(c, true, true)
	r.want(c, true)
	r.view.TriggerWord = false
	r.want(c, false, false)
}

// Rules: data/1.3k.
func TestNamesAreRecordedForTheCatalog(t *testing.T) {
	doc, diags := resources.Parse("c.json", []byte(`{"conditionType": "Compound", "and": [
		{"conditionType": "UserIntentPending", "list": [{"type": "greet"}, {"type": "dance"}]},
		{"conditionType": "BehaviorTimer", "timerName": "FistBump", "cooldown_s": 1}]}`))
	if len(diags) > 0 || condition.Parse(doc.Root()) == nil {
		t.Fatal(diags, doc.Diagnostics())
	}
	var got []string
	for _, ref := range doc.References() {
		got = append(got, ref.Kind+" "+ref.Name+" "+ref.Pos.String())
	}
	if want := []string{"intent greet 2:60", "intent dance 2:79", "timer FistBump 3:51"}; !slices.Equal(got, want) {
		t.Errorf("references %q, want %q", got, want)
	}
}

// Rules: data/1.7d.
func TestIntentPatternsOfRespondToUserIntents(t *testing.T) { // respondToUserIntents
	patterns := func(src string) (*condition.UserIntentPending, resources.Diagnostics) {
		doc, _ := resources.Parse("c.json", []byte(src))
		c := condition.ParseIntentPatterns(doc.Root().ObjectsOr("respondToUserIntents"))
		doc.Finish()
		return c, doc.Diagnostics()
	}
	c, diags := patterns(`{"respondToUserIntents": [{"type": "greet"}, {"type": "dance"}]}`)
	if c == nil || len(diags) > 0 || !slices.Equal(c.Tags(), []string{"dance", "greet"}) {
		t.Fatalf("got %v with %s", c, diags)
	}
	for _, src := range []string{`{"respondToUserIntents": [{"typ": "greet"}]}`, `{"respondToUserIntents": [{"type": "a"}, {"type": "a"}]}`} {
		if c, diags := patterns(src); c != nil || !diags.HasErrors() {
			t.Errorf("%s: got %v with %q", src, c, diags)
		}
	}
	if c, diags := patterns(`{"respondToUserIntents": []}`); c != nil || len(diags) > 0 {
		t.Errorf("empty: got %v with %q", c, diags)
	}
}
