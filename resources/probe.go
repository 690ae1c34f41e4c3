package resources

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"
)

// A KeyKind says what a key takes.
type KeyKind string

// The kinds of keys.
const (
	KindAnything  KeyKind = "any"
	KindFlag      KeyKind = "bool"
	KindWhole     KeyKind = "int"
	KindReal      KeyKind = "number"
	KindText      KeyKind = "text"
	KindWord      KeyKind = "enum"      // one of Words
	KindRef       KeyKind = "ref"       // the name of a thing of the kind Ref
	KindDuration  KeyKind = "duration"  // a number with the unit of the key
	KindKeys      KeyKind = "object"    // with Keys
	KindList      KeyKind = "list"      // of Elem
	KindCondition KeyKind = "condition" // an object that package condition reads
)

// AnyKey is the name of a [KeyInfo] that stands for all keys that an object does not name.
const AnyKey = "*"

// A KeyInfo is what the code that reads a key accepts.
type KeyInfo struct {
	Name     string  `json:"name,omitempty"`
	Kind     KeyKind `json:"kind"`
	Required bool    `json:"required,omitempty"`
	Default  any     `json:"default,omitempty"` // in the unit of the file; nil for none
	// Low and High are the limits of numbers, infinite where there is none; 0 and 0 for other kinds.
	Low, High float64   `json:"-"`
	Words     []string  `json:"words,omitempty"`
	Ref       string    `json:"ref,omitempty"`
	Unit      string    `json:"unit,omitempty"` // by the suffix of the name
	Doc       string    `json:"doc,omitempty"`
	Keys      []KeyInfo `json:"keys,omitempty"`    // of an object, and of the elements of a list of objects
	Elem      *KeyInfo  `json:"elem,omitempty"`    // of a list; its name is empty
	Or        []KeyInfo `json:"or,omitempty"`      // other forms that the value may have
	Refused   bool      `json:"refused,omitempty"` // the code knows the key, to refuse it
	Only      any       `json:"only,omitempty"`    // the only value that is accepted; nil if there are others
}

// MarshalJSON leaves out limits that are none.
func (k KeyInfo) MarshalJSON() ([]byte, error) {
	type plain KeyInfo
	limit := func(f float64) *float64 {
		if math.IsInf(f, 0) || k.Low == 0 && k.High == 0 {
			return nil
		}
		return &f
	}
	if k.Kind == KindList {
		k.Keys = nil // elem has them
	}
	return json.Marshal(struct {
		plain
		Low  *float64 `json:"low,omitempty"`
		High *float64 `json:"high,omitempty"`
	}{plain(k), limit(k.Low), limit(k.High)})
}

// maxRuns bounds how often [Explore] calls its function; no known one needs a quarter of it.
const maxRuns = 1000

// A Probe learns what some code accepts, by being read in place of a file. Its objects answer every reader with the
// default, or else with the first valid value, and report nothing.
type Probe struct{ root *shape }

// NewProbe returns a probe of which nothing was read yet.
func NewProbe() *Probe { return &Probe{root: newShape()} }

// Object returns an object without a file. Every key that may be absent is there, objects and conditions included; a list
// has one element. Every call returns a new one, of the same keys.
func (p *Probe) Object() *Object { return newProbeRun(p.root, false, nil).root() }

// Keys lists what was asked for, in the order of the first question.
func (p *Probe) Keys() []KeyInfo { return p.root.infos() }

// Explore calls read with one probing object after another, so that it takes every path that depends on one answer: a key
// there or not, a flag on or off, each of a few words, each JSON type. It returns what all of them asked for.
func Explore(read func(o *Object)) []KeyInfo {
	e := explorer{probe: NewProbe(), read: read, seen: map[turn]bool{}}
	e.todo = []plan{{bare: false}, {bare: true}}
	e.work()
	return e.probe.Keys()
}

// Probing reports whether the object belongs to a [Probe].
func (o *Object) Probing() bool { return o.probe != nil }

// Describe notes the doc of a key on a probe; it does nothing otherwise.
func (o *Object) Describe(key, doc string) {
	if o.probe != nil {
		o.probe.key(key).doc = doc
	}
}

// Refuses notes on a probe that the code accepts a key only with one value, or with nil not at all; it does nothing otherwise.
func (o *Object) Refuses(key string, but any) {
	if o.probe != nil {
		k := o.probe.key(key)
		k.refused, k.only = but == nil, but
	}
}

// ProbeAs notes on a probe that the whole object is of a kind that is described elsewhere, and reports whether it is a probe's: then
// there is nothing more to read.
func (o *Object) ProbeAs(kind KeyKind) bool {
	if o.probe == nil {
		return false
	}
	if v := o.value; v.in != nil {
		v.probed().form(kind)
	}
	return true
}

// shape is what was learned of one object, over all runs.
type shape struct {
	keys  []*keyShape
	clean map[*probeRun]bool // runs that read it, with whether they reported nothing
}

// keyShape is what was learned of a key, or of the elements of a list.
type keyShape struct {
	name    string
	doc     string
	def     any
	forms   []*form
	first   map[*probeRun]bool // run → whether it asked for the key as a required one first
	elem    bool
	only    any // the only value that is accepted
	refused bool
	asked   bool // whether it is there, before it was read: a default means nothing then
}

// form is one kind of value that a key takes.
type form struct {
	kind      KeyKind
	low, high float64
	words     []string
	ref       string
	unit      string    // of a duration
	shape     *shape    // of an object
	elem      *keyShape // of a list
}

func newShape() *shape { return &shape{clean: map[*probeRun]bool{}} }

func (s *shape) find(name string) *keyShape {
	for _, k := range s.keys {
		if k.name == name {
			return k
		}
	}
	k := &keyShape{name: name, first: map[*probeRun]bool{}}
	s.keys = append(s.keys, k)
	return k
}

// probeText is what a probe answers for a text.
const probeText = "name"

// kin are kinds that are one JSON type; a later one says more than an earlier.
var kin = [][]KeyKind{{KindText, KindWord, KindRef}, {KindReal, KindWhole, KindDuration}, {KindKeys, KindCondition}, {KindFlag}, {KindList}}

// form returns the form of the kind, which replaces one that says less of the same JSON type.
func (k *keyShape) form(kind KeyKind) *form {
	for _, family := range kin {
		rank := slices.Index(family, kind)
		if rank < 0 {
			continue
		}
		for _, f := range k.forms {
			if had := slices.Index(family, f.kind); had >= 0 {
				if rank > had {
					f.kind = kind
				}
				return f
			}
		}
	}
	f := &form{kind: kind, low: math.Inf(-1), high: math.Inf(1)}
	k.forms = append(k.forms, f)
	return f
}

// infos makes the public account of an object.
func (s *shape) infos() []KeyInfo {
	clean := false
	for _, is := range s.clean {
		clean = clean || is
	}
	out := make([]KeyInfo, 0, len(s.keys))
	for _, k := range s.keys {
		info := k.info()
		if info.Required = k.needed(s, clean); info.Required {
			info.Default = nil
		}
		out = append(out, info)
	}
	return out
}

// needed reports whether every run that found nothing wrong asked for the key as a required one; if each found something, whether every
// run did.
func (k *keyShape) needed(s *shape, onlyClean bool) bool {
	for run, clean := range s.clean {
		if (clean || !onlyClean) && !k.first[run] {
			return false
		}
	}
	return k.name != AnyKey
}

func (k *keyShape) info() KeyInfo {
	out := KeyInfo{Kind: KindAnything}
	if len(k.forms) > 0 {
		out = k.forms[0].info()
		for _, f := range k.forms[1:] {
			out.Or = append(out.Or, f.info())
		}
	}
	out.Refused, out.Only = k.refused, k.only
	out.Name, out.Doc, out.Unit = k.name, k.doc, cmp.Or(UnitOf(k.name), out.Unit)
	if !k.elem && !k.asked {
		out.Default = plain(k.def, out.Unit)
	}
	return out
}

func (f *form) info() KeyInfo {
	out := KeyInfo{Kind: f.kind, Words: slices.Clone(f.words), Ref: f.ref, Unit: f.unit}
	switch f.kind {
	case KindReal, KindWhole, KindDuration:
		out.Low, out.High = open(f.low), open(f.high)
	case KindKeys:
		out.Keys = f.shape.infos()
	case KindList:
		elem := f.elem.info()
		out.Elem, out.Keys = &elem, elem.Keys
	}
	return out
}

// beyond is where a limit is none: code writes the greatest number for it.
const beyond = 1e300

func open(limit float64) float64 {
	switch {
	case limit >= beyond:
		return math.Inf(1)
	case limit <= -beyond:
		return math.Inf(-1)
	}
	return limit
}

// units are the suffixes of keys with their units, longest first.
var units = []struct{ suffix, unit string }{
	{"_mmps2", "mm/s²"},
	{"_degps", "°/s"},
	{"_degPerSec", "°/s"},
	{"_radps", "rad/s"},
	{"_mmps", "mm/s"},
	{"_percent", "%"},
	{"_deg", "°"},
	{"_rad", "rad"},
	{"_sec", "s"},
	{"_min", "min"},
	{"_ms", "ms"},
	{"_mm", "mm"},
	{"_hz", "Hz"},
	{"_s", "s"},
}

// UnitOf is the unit that the suffix of a key names, such as "mm/s" for speed_mmps; empty if it names none.
func UnitOf(key string) string {
	for _, u := range units {
		if strings.HasSuffix(key, u.suffix) {
			return u.unit
		}
	}
	return ""
}
