package format

import (
	"strings"
	"unicode"
)

// A Type is what a key holds.
type Type uint8

// The types.
const (
	Any       Type = iota // accepted and not read
	Bool                  // true or false
	Int                   // a whole number
	Float                 // a number
	Text                  // text
	Enum                  // one of Words
	Behavior              // name of a delegate
	Behaviors             // list of those
	Known                 // name of a behavior that is no delegate
	KnownOnes             // list of those
	Trigger               // animation trigger
	Triggers              // list of those
	Condition             // condition object
	Intents               // list of intent patterns
	Intent                // tag of a user intent
	Timer                 // named behavior timer
	Emotion               // emotion event
	Object                // object with Keys
	Objects               // list of those
	Numbers               // list of numbers
	Texts                 // list of texts
	Map                   // object from names to Of
)

// TypeNames are the names of the types, by type.
var TypeNames = []string{
	"any", "bool", "whole number", "number", "text", "word", "behavior", "behaviors", "name of a behavior", "names of behaviors", "animation trigger",
	"animation triggers", "condition", "intent patterns", "intent", "timer", "emotion event", "object", "objects", "numbers", "texts", "map",
}

func (t Type) String() string { return TypeNames[t] }

// A Key is one key of a class, or of an object inside its file.
type Key struct {
	Name, Doc string
	Type      Type
	Required  bool
	// RequiredIf names another key of the same object: this one is required if that says true.
	RequiredIf string
	// Default is what a missing key means; nil if the type's zero does.
	Default any
	// Words are those of Enum; nil elsewhere.
	Words []string
	// Keys are those of Object and Objects.
	Keys []Key
	// Unit is that of a number, from the suffix of the name. The number lies from Low to High unless both are zero.
	Unit      string
	Low, High float64
	// NamesAnonymous says that a Behavior may be an anonymous one of the file.
	NamesAnonymous bool
	// Open says that other keys may stand in the Objects too.
	Open bool
	// Ends says that a stand-in ends when this Condition is met.
	Ends bool
}

func key(t Type, name string) Key { return Key{Name: name, Type: t} }

func flag(name string) Key  { return key(Bool, name) }
func count(name string) Key { return Key{Name: name, Type: Int} }
func num(name string) Key   { return key(Float, name) }
func text(name string) Key  { return key(Text, name) }
func id(name string) Key    { return key(Behavior, name) }
func ids(name string) Key   { return key(Behaviors, name) }
func trig(name string) Key  { return key(Trigger, name) }
func trigs(name string) Key { return key(Triggers, name) }
func cond(name string) Key  { return key(Condition, name) }
func texts(name string) Key { return key(Texts, name) }
func open(name string) Key  { return key(Any, name) }

func word(name string, words ...string) Key { return Key{Name: name, Type: Enum, Words: words} }
func obj(name string, keys ...Key) Key      { return Key{Name: name, Type: Object, Keys: keys} }
func objs(name string, keys ...Key) Key     { return Key{Name: name, Type: Objects, Keys: keys} }

// must makes a key required.
func (k Key) must() Key {
	k.Required = true
	return k
}

// mustIf makes it required if another key says true.
func (k Key) mustIf(other string) Key {
	k.RequiredIf = other
	return k
}

func (k Key) or(def any) Key {
	k.Default = def
	return k
}

func (k Key) in(low, high float64) Key {
	k.Low, k.High = low, high
	return k
}

func (k Key) of(words ...string) Key {
	k.Words = words
	return k
}

func (k Key) says(doc string) Key {
	k.Doc = doc
	return k
}

// more lets other keys stand in the objects.
func (k Key) more() Key {
	k.Open = true
	return k
}

// anon lets it name an anonymous behavior.
func (k Key) anon() Key {
	k.NamesAnonymous = true
	return k
}

// all makes keys required.
func all(keys ...Key) []Key {
	for i := range keys {
		keys[i].Required = true
	}
	return keys
}

// each makes keys of one kind from names that stand in one text.
func each(kind func(string) Key, names string) []Key {
	var out []Key
	for _, n := range strings.Fields(names) {
		out = append(out, kind(n))
	}
	return out
}

func units() map[string]string {
	return map[string]string{
		"s": "s", "sec": "s", "Sec": "s", "ms": "ms", "deg": "°", "mm": "mm", "m": "m", "mmps": "mm/s", "hours": "h", "pixels": "px", "degPerSec": "°/s",
	}
}

// document fills in units and sentences that follow from names.
func document(keys []Key) {
	for i := range keys {
		k := &keys[i]
		words := k.Name
		if n := strings.LastIndexByte(k.Name, '_'); n > 0 && (k.Type == Float || k.Type == Int) {
			if unit, known := units()[k.Name[n+1:]]; known {
				k.Unit, words = unit, k.Name[:n]
			}
		}
		if k.Doc == "" {
			k.Doc = spoken(words)
		}
		document(k.Keys)
	}
}

// spoken writes the name of a key as words: maxFaceAge is "max face age".
func spoken(name string) string {
	var b strings.Builder
	rs := []rune(name)
	for i, r := range rs {
		switch {
		case r == '_':
			r = ' '
		case i > 0 && unicode.IsUpper(r) && (!unicode.IsUpper(rs[i-1]) || i+1 < len(rs) && unicode.IsLower(rs[i+1])) && rs[i-1] != '_':
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
