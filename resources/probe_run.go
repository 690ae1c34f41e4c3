package resources

import (
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
)

// A choice is a question to a probe that may be answered in more than one way.
type choice struct {
	path string
	what string // "there", "flag", "word", "type"
}

// asking is a choice that came up, with the answers that were not given.
type asking struct {
	choice
	others []any
}

// probeRun answers one reading.
type probeRun struct {
	doc     *Document
	top     *shape
	bare    bool // what may be absent is
	with    map[choice]any
	asked   []asking
	wrong   bool // something was reported
	visited []*shape
}

// probeObject is an object of a run.
type probeObject struct {
	run   *probeRun
	shape *shape
	path  string
	elems map[string]*keyShape // by the key with its index
}

func newProbeRun(top *shape, bare bool, with map[choice]any) *probeRun {
	r := &probeRun{top: top, bare: bare, with: with, doc: &Document{json: "{}"}}
	r.doc.lines.text, r.doc.probe = r.doc.json, r
	return r
}

func (r *probeRun) root() *Object {
	if r.doc.root == nil {
		r.doc.root = r.object(Value{doc: r.doc}, r.top, "")
		r.doc.root.probe.key(schemaKey)
		r.top.keys = slices.DeleteFunc(r.top.keys, func(k *keyShape) bool { return k.name == schemaKey })
	}
	return r.doc.root
}

func (r *probeRun) object(v Value, s *shape, path string) *Object {
	if !slices.Contains(r.visited, s) {
		r.visited = append(r.visited, s)
		s.clean[r] = true
	}
	return &Object{doc: r.doc, value: v, probe: &probeObject{run: r, shape: s, path: path}}
}

// done notes for every object that was read whether the run was a right one.
func (r *probeRun) done() {
	for _, s := range r.visited {
		s.clean[r] = !r.wrong
	}
}

// choose answers a question with its first answer, or with the one that the run is made for.
func (r *probeRun) choose(path, what string, answers ...any) any {
	c := choice{path, what}
	if given, ok := r.with[c]; ok {
		return given
	}
	if !slices.ContainsFunc(r.asked, func(a asking) bool { return a.choice == c }) {
		r.asked = append(r.asked, asking{c, answers[1:]})
	}
	return answers[0]
}

// A plan is what a run shall answer: whether what may be absent is, and answers for some questions.
type plan struct {
	bare bool
	with map[choice]any
}

// A turn is an answer other than the first one.
type turn struct {
	bare bool
	choice
	answer any
}

// An explorer reads with one plan after another, and makes plans of the questions that come up.
type explorer struct {
	probe *Probe
	read  func(o *Object)
	todo  []plan
	n     int // plans done
	seen  map[turn]bool
}

func (e *explorer) work() {
	for ; e.n < len(e.todo) && e.n < maxRuns; e.n++ {
		p := e.todo[e.n]
		r := newProbeRun(e.probe.root, p.bare, p.with)
		e.read(r.root())
		r.done()
		e.learn(p, r)
	}
}

// learn makes a plan of each answer that was not given.
func (e *explorer) learn(p plan, r *probeRun) {
	for _, c := range r.asked {
		for _, answer := range c.others {
			t := turn{p.bare, c.choice, answer}
			if e.seen[t] {
				continue
			}
			e.seen[t] = true
			with := maps.Clone(p.with)
			if with == nil {
				with = map[choice]any{}
			}
			with[c.choice] = answer
			e.todo = append(e.todo, plan{p.bare, with})
		}
	}
}

// key is what was learned of a key of the object.
func (p *probeObject) key(name string) *keyShape {
	if k := p.elems[name]; k != nil {
		return k
	}
	return p.shape.find(name)
}

func (p *probeObject) pathOf(name string) string { return joinPath(p.path, name) }

func joinPath(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

// touch notes the first question of this run after a key.
func (p *probeObject) touch(name string, required bool) {
	k := p.key(name)
	if _, again := k.first[p.run]; !again {
		k.first[p.run] = required
	}
}

// there answers whether an optional key is there.
func (p *probeObject) there(name string) bool {
	if p.key(name).first[p.run] {
		return true // it was required before
	}
	p.touch(name, false)
	p.key(name).asked = true
	return p.run.choose(p.pathOf(name), "there", !p.run.bare, p.run.bare).(bool)
}

// probed is what was learned of the value's key; nil unless the value belongs to a probe.
func (v Value) probed() *keyShape {
	if v.doc == nil || v.doc.probe == nil || v.in == nil {
		return nil
	}
	return v.in.probe.key(v.key)
}

func (v Value) probePath() string { return v.in.probe.pathOf(v.key) }

// probeKinds are the JSON types that code may tell apart, in the order in which they are tried.
var probeKinds = []any{KindString, KindArray, KindObject, KindNumber, KindBool}

// probeKind answers which JSON type the value has.
func (v Value) probeKind() Kind {
	if v.in == nil {
		return KindObject
	}
	return v.doc.probe.choose(v.probePath(), "type", probeKinds...).(Kind)
}

// probeObject answers the object that the value is.
func (v Value) probeObject() *Object {
	if v.in == nil {
		return v.doc.root
	}
	f := v.probed().form(KindKeys)
	if f.shape == nil {
		f.shape = newShape()
	}
	if o := v.in.nested[v.key]; o != nil {
		return o
	}
	o := v.doc.probe.object(v, f.shape, v.probePath())
	if v.in.nested == nil {
		v.in.nested = map[string]*Object{}
	}
	v.in.nested[v.key] = o
	return o
}

// probeArray answers a list of one element.
func (v Value) probeArray() []Value {
	f := v.probed().form(KindList)
	if f.elem == nil {
		f.elem = &keyShape{first: map[*probeRun]bool{}, elem: true}
	}
	key := v.key + "[0]"
	p := v.in.probe
	if p.elems == nil {
		p.elems = map[string]*keyShape{}
	}
	p.elems[key] = f.elem
	return []Value{{doc: v.doc, in: v.in, key: key}}
}

// probeBool answers a flag, which is def unless the run is made for the other.
func (v Value) probeBool(def bool) bool {
	v.probed().form(KindFlag)
	return v.doc.probe.choose(v.probePath(), "flag", def, !def).(bool)
}

// fewWords is the number of words up to which each is tried.
const fewWords = 12

// probeWord answers one of the allowed words.
func (v Value) probeWord(allowed []string) string {
	f := v.probed().form(KindWord)
	for _, w := range allowed {
		if !slices.Contains(f.words, w) {
			f.words = append(f.words, w)
		}
	}
	if len(allowed) == 0 {
		return ""
	}
	answers := []any{allowed[0]}
	for i := 0; i < len(allowed) && len(allowed) <= fewWords; i++ {
		answers = append(answers, allowed[i]) // the first one too: a default may be asked for in its place
	}
	return v.doc.probe.choose(v.probePath(), "word", answers...).(string)
}

// probeNumber answers the number next to zero within the limits, which it notes.
func (v Value) probeNumber(kind KeyKind, low, high float64) float64 {
	f := v.probed().form(kind)
	f.low, f.high = max(f.low, low), min(f.high, high)
	return max(low, min(high, 0))
}

// probeOptional answers a reader of an optional key with its default. A flag or word for which the run is made is another.
func probeOptional[T any](o *Object, key string, def T, get func(Value) (T, bool)) T {
	o.probe.touch(key, false)
	v := Value{doc: o.doc, in: o, key: key}
	k := v.probed()
	if k.def == nil {
		k.def = def
	}
	path := v.probePath()
	switch d := any(def).(type) {
	case bool:
		k.form(KindFlag)
		return o.probe.run.choose(path, "flag", d, !d).(T)
	case string:
		get(v)
		if w, made := o.probe.run.with[choice{path, "word"}]; made {
			return w.(T)
		}
		return def
	case *Object, []*Object:
		if !o.probe.there(key) {
			return def
		}
		t, _ := get(v)
		return t
	}
	get(v)
	return def
}

func probeRequired[T any](o *Object, key string, get func(Value) (T, bool)) T {
	o.probe.touch(key, true)
	t, _ := get(Value{doc: o.doc, in: o, key: key})
	return t
}

// plain is a default as a file would write it; nil if no file could, or it is nothing.
func plain(def any, unit string) any {
	switch d := def.(type) {
	case nil:
		return nil
	case time.Duration:
		in := time.Second
		if unit == "ms" {
			in = time.Millisecond
		}
		if d < 0 || d > MaxDuration {
			return nil
		}
		return d.Seconds() / in.Seconds()
	case float64:
		if math.IsNaN(d) || math.Abs(d) >= beyond {
			return nil
		}
	case string:
		if d == "" {
			return nil
		}
	case *Object, []*Object:
		return nil
	}
	if v := reflect.ValueOf(def); v.Kind() == reflect.Slice && v.Len() == 0 {
		return nil
	}
	return def
}
