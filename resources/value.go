package resources

import (
	"math"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
	"github.com/tidwall/gjson"
)

// Kind is the JSON type of a value.
type Kind uint8

// The kinds. The zero Kind belongs to the zero Value, which stands for "not there".
const (
	KindMissing Kind = iota
	KindNull
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
)

// String is the word used in messages.
func (k Kind) String() string {
	switch k {
	case KindMissing:
		return "nothing"
	case KindNull:
		return "null"
	case KindBool:
		return "boolean"
	case KindNumber:
		return "number"
	case KindString:
		return "string"
	case KindArray:
		return "array"
	case KindObject:
		return "object"
	default:
		return "kind(" + strconv.Itoa(int(k)) + ")"
	}
}

// article is the word with its article, for sentences.
func (k Kind) article() string {
	switch k {
	case KindMissing, KindNull:
		return k.String()
	case KindArray, KindObject:
		return "an " + k.String()
	default:
		return "a " + k.String()
	}
}

// kindOf converts the parser's kind.
func kindOf(k hujson.Kind) Kind {
	switch k {
	case 'n':
		return KindNull
	case 't', 'f':
		return KindBool
	case '0':
		return KindNumber
	case '"':
		return KindString
	case '[':
		return KindArray
	case '{':
		return KindObject
	default:
		return KindMissing
	}
}

// A Value is one JSON value with its place. Its typed methods convert without reporting: ok is false when the value
// has another type. For required types and reports use the readers of [Object].
type Value struct {
	doc *Document
	in  *Object // object that holds the value, directly or through arrays; nil for the root
	key string  // key in that object, with the indices of the arrays around an element but for the last: "states[2]"
	nth int     // of an element, from 1; 0 for none
	res token
}

// A token is a value as gjson found it, without what is never looked at.
type token struct {
	Type  gjson.Type
	Index int // of its first byte, in the file
	Raw   string
	Str   string
}

func tokenOf(r gjson.Result) token {
	return token{Type: r.Type, Index: r.Index, Raw: r.Raw, Str: r.Str}
}

// forEach calls f for each key of an object, or each element of an array.
func (t token) forEach(f func(key, val gjson.Result) bool) {
	gjson.Result{Type: t.Type, Raw: t.Raw, Index: t.Index}.ForEach(f)
}

// Kind is the JSON type; KindMissing for the zero Value.
func (v Value) Kind() Kind {
	switch {
	case v.doc == nil:
		return KindMissing
	case v.doc.probe != nil:
		return v.probeKind()
	case v.res.Type == gjson.Null:
		return KindNull
	case v.res.Type == gjson.True, v.res.Type == gjson.False:
		return KindBool
	case v.res.Type == gjson.Number:
		return KindNumber
	case v.res.Type == gjson.String:
		return KindString
	case strings.HasPrefix(v.res.Raw, "["):
		return KindArray
	default:
		return KindObject
	}
}

// Pos is the place of the value's first byte; no place for the zero Value.
func (v Value) Pos() Pos {
	if v.doc == nil {
		return Pos{}
	}
	return v.doc.lines.pos(v.res.Index)
}

// Raw is the value as standard JSON, with the blanks of the file (comments have become blanks).
func (v Value) Raw() string { return v.res.Raw }

// Path names the value inside its file, such as "params.states[2].speed_mmps"; the root is "".
func (v Value) Path() string {
	if v.in == nil || v.in.value.in == nil {
		return v.name()
	}
	return v.in.Path() + "." + v.name()
}

// name is the key with the index of an element: "states[2]".
func (v Value) name() string {
	if v.nth == 0 {
		return v.key
	}
	return v.key + "[" + strconv.Itoa(v.nth-1) + "]"
}

// Object returns the object that the value is. Every call returns the same one.
func (v Value) Object() (*Object, bool) {
	if v.doc != nil && v.doc.probe != nil {
		return v.probeObject(), true
	}
	if v.Kind() != KindObject {
		return nil, false
	}
	if o := v.doc.objectAt(v.res.Index); o != nil {
		return o, true
	}
	if v.doc.root != nil && v.doc.root.value.res.Index == v.res.Index {
		return v.doc.root, true
	}
	return v.doc.newObject(v), true
}

// Array returns the elements of an array in their order.
func (v Value) Array() ([]Value, bool) {
	if v.probed() != nil {
		return v.probeArray(), true
	}
	if v.Kind() != KindArray {
		return nil, false
	}
	var out []Value
	if len(v.res.Raw) > 0 && !strings.ContainsAny(v.res.Raw[1:], "[{") { // a plain list, of which some are long
		out = make([]Value, 0, strings.Count(v.res.Raw, ",")+1)
	}
	key := v.name()
	v.res.forEach(func(_, elem gjson.Result) bool {
		out = append(out, Value{doc: v.doc, in: v.in, key: key, nth: len(out) + 1, res: tokenOf(elem)})
		return true
	})
	return out, true
}

// Text returns the text of a string.
func (v Value) Text() (string, bool) {
	if k := v.probed(); k != nil {
		k.form(KindText)
		return probeText, true
	}
	return v.res.Str, v.Kind() == KindString
}

// Bool returns a boolean.
func (v Value) Bool() (value, ok bool) {
	if v.probed() != nil {
		return v.probeBool(false), true
	}
	return v.res.Type == gjson.True, v.Kind() == KindBool
}

// Float returns a number. A number too large for a float64 is not ok.
func (v Value) Float() (float64, bool) {
	if v.probed() != nil {
		return v.probeNumber(KindReal, math.Inf(-1), math.Inf(1)), true
	}
	if v.Kind() != KindNumber {
		return 0, false
	}
	f, err := strconv.ParseFloat(v.res.Raw, 64)
	if err != nil || math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}

// Int returns a number that is written without fraction and exponent and fits an int.
func (v Value) Int() (int, bool) {
	if v.probed() != nil {
		return int(v.probeNumber(KindWhole, math.Inf(-1), math.Inf(1))), true
	}
	if v.Kind() != KindNumber {
		return 0, false
	}
	n, err := strconv.Atoi(v.res.Raw)
	return n, err == nil
}

// isWhole reports whether a number is written as a whole one, whatever its size.
func (v Value) isWhole() bool {
	return v.Kind() == KindNumber && !strings.ContainsAny(v.res.Raw, ".eE")
}
