// Package intents translates what a cloud or an app sends into user intents, by the map of a resource folder (user_intent_map.json). The
// translation happens where the message comes in, before the tick, so that a recording holds the intents themselves.
package intents

import (
	"maps"
	"slices"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

// File is the name of the map in a resource folder. It may be absent: then intents arrive under their tags.
const File = "user_intent_map.json"

// Codes of diagnostics about the map.
const (
	codeUnknown  = "intent-unknown"
	codeTwice    = "intent-twice"
	codeNameless = "intent-nameless"
	codeUnmapped = "intent-unmapped"
	codeField    = "intent-field"
)

// A Map says which intent each name on the wire stands for. It is immutable.
type Map struct {
	// Unmatched is the tag of utterances that nothing stands for.
	Unmatched string
	cloud     map[string]*side
	app       map[string]*side
	tags      []string
}

// A side is what the cloud, or the app, means by one name.
type side struct {
	tag     string
	gate    string // a feature; empty means none
	renames map[string]string
	numbers []string
	simple  map[string]string // the payload of a simple answer; nil for the others
}

// Tags lists the tags that the map leads to, sorted.
func (m *Map) Tags() []string { return slices.Clone(m.tags) }

// Empty is the map of a folder without one: a name is the tag.
func Empty(tags []string) *Map {
	m := &Map{Unmatched: condition.TagUnmatched, cloud: map[string]*side{}, app: map[string]*side{}, tags: slices.Clone(tags)}
	for _, tag := range tags {
		m.cloud[tag] = &side{tag: tag}
		m.app[tag] = m.cloud[tag]
	}
	return m
}

// Read reads the map of a file. Tags may be those of the product, those of tests, and the declared ones. What is wrong is reported to the
// document; with an error the map is incomplete.
func Read(d *resources.Document, declared []string) *Map {
	root := d.Root()
	r := reader{
		m:     &Map{cloud: map[string]*side{}, app: map[string]*side{}},
		known: slices.Concat(declared, condition.ProductTags(), condition.TestTags(), []string{condition.TagSimpleResponse}),
		seen:  map[string]bool{},
	}
	r.m.Unmatched = r.tag(root, "unmatched_intent")
	entries := root.Objects("user_intent_map")
	if len(entries) == 0 && root.Has("user_intent_map") {
		root.KeyErrorf("user_intent_map", resources.CodeKeyRange, "the list is empty; map at least one intent")
	}
	for _, o := range entries {
		r.entry(o)
	}
	for _, o := range root.ObjectsOr("simple_voice_responses") {
		r.simple(o)
	}
	if isTest := root.BoolOr("is_test", false); !isTest && d.Errors() == 0 {
		r.complete(root, declared)
	}
	d.Finish()
	r.m.tags = slices.Sorted(maps.Keys(r.seen))
	return r.m
}

type reader struct {
	m     *Map
	known []string
	seen  map[string]bool // tags that are mapped
}

// tag reads a required tag.
func (r *reader) tag(o *resources.Object, key string) string {
	tag := o.String(key)
	if _, there := o.Peek(key); !there || o.Spoilt(key) {
		return ""
	}
	if !slices.Contains(r.known, tag) {
		at := o.ValuePos(key)
		o.Report(resources.Diagnostic{
			Line: at.Line, Col: at.Col, Severity: resources.Error, Code: codeUnknown,
			Message: "there is no intent " + quote(tag), Hint: resources.DidYouMean(tag, r.known),
		})
	}
	r.seen[tag] = true
	return tag
}

// entry reads one element of user_intent_map.
func (r *reader) entry(o *resources.Object) {
	tag := r.tag(o, "user_intent")
	gate := o.RefOr("feature_gate", condition.RefFeature, "")
	o.BoolOr("test_parsing", true) // for tools of tests
	cloud, app := o.StringOr("cloud_intent", ""), o.StringOr("app_intent", "")
	of := func(prefix string) *side {
		return &side{tag: tag, gate: gate, renames: r.renames(o, prefix+"_substitutions", tag), numbers: o.StringsOr(prefix+"_numerics", nil)}
	}
	c, a := of("cloud"), of("app")
	if _, misspelt := o.Resembles("cloud_intent"); cloud == "" && app == "" && !misspelt {
		o.Warnf(o.Pos(), codeNameless, "%s: nobody can utter %q: it has neither a cloud_intent nor an app_intent", o.Path(), tag)
	}
	r.add(o, "cloud_intent", r.m.cloud, cloud, c)
	r.add(o, "app_intent", r.m.app, app, a)
}

// add maps a name once.
func (r *reader) add(o *resources.Object, key string, to map[string]*side, name string, s *side) {
	switch {
	case name == "":
	case to[name] != nil:
		o.KeyErrorf(key, codeTwice, "%q stands for %s already; the first one counts", name, to[name].tag)
	default:
		to[name] = s
	}
}

// renames reads an object of names: what the wire calls a parameter, and what the intent calls it.
func (r *reader) renames(o *resources.Object, key, tag string) map[string]string {
	sub, ok := o.ObjectOr(key)
	if !ok {
		return nil
	}
	out := map[string]string{}
	fields, known := condition.Payload(tag)
	for _, from := range sub.Keys() {
		to := sub.String(from)
		out[from] = to
		if !known || sub.Spoilt(from) || slices.ContainsFunc(fields, func(f condition.PayloadField) bool { return f.Name == to }) {
			continue
		}
		names := make([]string, len(fields))
		for i, f := range fields {
			names[i] = f.Name
		}
		at := sub.ValuePos(from)
		sub.Report(resources.Diagnostic{
			Line: at.Line, Col: at.Col, Severity: resources.Error, Code: codeField,
			Message: "intent " + quote(tag) + " has no field " + quote(to), Hint: resources.DidYouMean(to, names),
		})
	}
	return out
}

// simple reads one element of simple_voice_responses. A name that an entry has stays that of the entry.
func (r *reader) simple(o *resources.Object) {
	name := o.String("cloud_intent")
	s := &side{tag: condition.TagSimpleResponse, gate: o.RefOr("feature_gate", condition.RefFeature, "")}
	if res := o.Object("response"); res != nil {
		s.simple = map[string]string{
			"anim_group": res.Ref("anim_group", refAnimation), "emotion_event": "", "active_feature": "BasicVoiceCommand", "disable_wakeword_turn": "false",
		}
		if v, ok := res.Peek("emotion_event"); ok && v.Raw() == `""` {
			res.Declare("emotion_event")
		} else {
			s.simple["emotion_event"] = res.RefOr("emotion_event", refEmotionEvent, "")
		}
		if res.Has("active_feature") {
			s.simple["active_feature"] = res.Ref("active_feature", condition.RefFeature)
		}
		if res.BoolOr("disable_wakeword_turn", false) {
			s.simple["disable_wakeword_turn"] = "true"
		}
	}
	r.seen[condition.TagSimpleResponse] = true
	r.add(o, "cloud_intent", r.m.cloud, name, s)
}

// Kinds of references, as package behaviors names them.
const (
	refAnimation    = "animation trigger"
	refEmotionEvent = "emotion event"
)

// complete reports declared tags that nobody can utter, and those of the product if the tree declares none.
func (r *reader) complete(root *resources.Object, declared []string) {
	want := declared
	if len(want) == 0 {
		want = condition.ProductTags()
	}
	for _, tag := range want {
		if !r.seen[tag] {
			root.KeyErrorf("user_intent_map", codeUnmapped, "no entry leads to the intent %q; add one, or say is_test", tag)
		}
	}
}
