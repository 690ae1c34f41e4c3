package engine_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/resources"
)

// gatedCatalog is one behavior, two features of which Songs is on, an intent that needs Songs, and a map of reactions.
func gatedCatalog(t *testing.T, enabled string) *catalog.Catalog {
	t.Helper()
	reg := behaviors.NewRegistry(behaviors.Class{Name: "Idle", New: func(*behaviors.Config) behaviors.Behavior { return struct{}{} }})
	parse := func(name, text string) *resources.Document {
		d, diags := resources.Parse(name, []byte(text))
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		return d
	}
	cat, diags := catalog.Build(catalog.Sources{
		Behaviors: []*resources.Document{parse("A.json", `{"behaviorClass": "Idle", "behaviorID": "A"}`), parse("B.json", `{"behaviorClass": "Idle", "behaviorID": "B"}`)},
		Boot: parse(catalog.BootFile, `{"normalBaseBehavior": "A", "fallbackBehavior": "A", "userIntents": ["show_clock", "unmatched_intent"],
			"features": ["Songs", "Tricks"], "enabledFeatures": [`+enabled+`]}`),
		Intents: parse(catalog.IntentFile, `{"is_test": true, "unmatched_intent": "unmatched_intent", "user_intent_map": [
			{"user_intent": "show_clock", "cloud_intent": "clock", "feature_gate": "Songs"}]}`),
		Reactions: parse(behaviors.ReactionsFile, `{"conditionToBehaviorMap": [{"conditionType": "OnCharger", "behaviorOptions": ["A", "B"]}]}`),
	}, reg)
	if cat == nil {
		t.Fatal(diags)
	}
	return cat
}

// A gatedLife is an engine over such a catalog.
type gatedLife struct {
	*engine.Engine
	t    *testing.T
	tick uint64
	rec  tape.Tape
}

func newGatedLife(t *testing.T, cat *catalog.Catalog, m *engine.Memory) *gatedLife {
	t.Helper()
	l := &gatedLife{t: t}
	e, err := engine.New(engine.Options{Catalog: cat, Memory: m, Recorder: tape.NewRecorder(l.rec.Add)})
	if err == nil {
		err = e.Start(epoch)
	}
	if err != nil {
		t.Fatal(err)
	}
	l.Engine = e
	return l
}

// order carries out a command in a tick of its own and returns its answer.
func (l *gatedLife) order(c engine.Command) string {
	l.tick++
	out := l.Step(engine.Input{Tick: l.tick, Now: epoch.Add(time.Duration(l.tick) * period), Commands: []engine.Command{c}, Seed: 1})
	return out.Replies[0].Text + out.Replies[0].Err
}

func (l *gatedLife) override(feature string, to engine.Override) string {
	return l.order(engine.Command{Kind: engine.SetFeature, ID: feature, Force: to})
}

// gates are the features as text.
func (l *gatedLife) gates() string { return fmt.Sprint(l.Gates()) }

// An override wins over the files in the tick of its command, for conditions and for what a cloud says, until it is taken back.
// Rules: data/5.7b, data/4.2.
func TestOverrideOfFeatureWinsOverFilesInItsTick(t *testing.T) {
	l := newGatedLife(t, gatedCatalog(t, `"Songs"`), nil)
	doc, _ := resources.Parse("c.json", []byte(`{"conditionType": "FeatureGate", "feature": "Songs"}`))
	songs := condition.Parse(doc.Root())
	songs.SetActive(l.View(), true)
	if got := l.override("Songs", engine.OverrideDisabled); got != "feature Songs is disabled, whatever the files say" || songs.Met(l.View()) {
		t.Errorf("%q, met %t", got, songs.Met(l.View()))
	}
	clock := engine.Command{Kind: engine.PostIntent, Intent: &condition.Intent{Tag: "show_clock", Source: "voice"}, Gate: "Songs"}
	if got := l.order(clock); got != "intent unmatched_intent is pending" {
		t.Errorf("while it is off: %q", got)
	}
	if got := l.override("Tricks", engine.OverrideEnabled); got != "feature Tricks is enabled, whatever the files say" {
		t.Errorf("%q", got)
	}
	if got, want := l.gates(), "[{Songs false true Disabled} {Tricks true false Enabled}]"; got != want {
		t.Errorf("gates %s, want %s", got, want)
	}
	if got := l.override("Songs", engine.OverrideDefault); got != "feature Songs is as the files say: enabled" || !songs.Met(l.View()) {
		t.Errorf("%q, met %t", got, songs.Met(l.View()))
	}
	if got := l.order(clock); got != "intent show_clock is pending" {
		t.Errorf("while it is on: %q", got)
	}
	if got := l.override("Song", engine.OverrideEnabled); got != `there is no feature "Song"; did you mean "Songs"?` {
		t.Errorf("%q", got)
	}
	if l.Settings() != 3 {
		t.Errorf("%d changes, want 3", l.Settings())
	}
}

// What was set lasts beyond the engine, also where the files of the next life say otherwise, and a replay decides as the life did.
// Rules: data/5.7b, DT-X02.
func TestOverridesAndReactionsOutliveTheEngineAndAreRecorded(t *testing.T) {
	cat := gatedCatalog(t, `"Songs"`)
	l := newGatedLife(t, cat, nil)
	l.override("Songs", engine.OverrideDisabled)
	l.override("Tricks", engine.OverrideEnabled)
	if got := l.order(engine.Command{Kind: engine.SetReaction, ID: "OnCharger", To: "B"}); got != "B is the reaction to OnCharger" {
		t.Errorf("%q", got)
	}
	m := l.Memory()
	if fmt.Sprint(m.Features, m.Reactions) != "[{Songs false} {Tricks true}] [{OnCharger B}]" {
		t.Errorf("kept %+v", m)
	}
	next := newGatedLife(t, gatedCatalog(t, ""), m.Older(time.Hour))
	if got, want := next.gates(), "[{Songs false false Disabled} {Tricks true false Enabled}]"; got != want || next.View().Reactions["OnCharger"] != "B" {
		t.Errorf("the next life: gates %s, want %s; reactions %v", got, want, next.View().Reactions)
	}
	next.override("Tricks", engine.OverrideDefault)
	next.order(engine.Command{Kind: engine.SetReaction, ID: "OnCharger"})
	if again := next.Memory(); fmt.Sprint(again.Features, again.Reactions) != "[{Songs false}] []" {
		t.Errorf("taken back: %v %v", again.Features, again.Reactions)
	}
	messages, err := next.rec.Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := tape.Decode(messages)
	if err != nil {
		t.Fatal(err)
	}
	if got := back.Entries[0].Memory; !reflect.DeepEqual(got.Features, m.Features) || !reflect.DeepEqual(got.Reactions, m.Reactions) {
		t.Errorf("recorded %+v", got)
	}
	p, err := tape.NewReplay(back.Entries[0], tape.ReplayOptions{Options: engine.Options{Catalog: gatedCatalog(t, "")}})
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range back.Entries[1:] {
		if _, err := p.Step(entry); err != nil {
			t.Error(err)
		}
	}
	if again := p.Engine(); fmt.Sprint(again.Gates()) != next.gates() || !reflect.DeepEqual(again.Memory(), next.Memory()) {
		t.Errorf("the replay knows %v, %+v", again.Gates(), again.Memory())
	}
}
