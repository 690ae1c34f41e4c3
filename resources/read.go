package resources

import (
	"cmp"
	"math"
	"strconv"
	"unicode/utf8"
)

// required reads a key that must be there; zero if it is absent or get refuses it. get reports why.
func required[T any](o *Object, key string, get func(Value) (T, bool)) T {
	if o.probe != nil {
		return probeRequired(o, key, get)
	}
	var zero T
	v := o.Required(key)
	if v.Kind() == KindMissing {
		return zero
	}
	if t, ok := get(v); ok {
		return t
	}
	return zero
}

// optional reads a key that may be absent; def if it is absent or get refuses it. get reports why.
func optional[T any](o *Object, key string, def T, get func(Value) (T, bool)) T {
	if o.probe != nil {
		return probeOptional(o, key, def, get)
	}
	v, ok := o.take(key)
	if !ok {
		return def
	}
	if t, ok := get(v); ok {
		return t
	}
	return def
}

// String reads a required string. It may be empty.
func (o *Object) String(key string) string { return required(o, key, getString) }

// StringOr reads an optional string.
func (o *Object) StringOr(key, def string) string { return optional(o, key, def, getString) }

// Bool reads a required boolean.
func (o *Object) Bool(key string) bool { return required(o, key, getBool) }

// BoolOr reads an optional boolean.
func (o *Object) BoolOr(key string, def bool) bool { return optional(o, key, def, getBool) }

// Float reads a required number.
func (o *Object) Float(key string) float64 { return required(o, key, getFloat) }

// FloatOr reads an optional number.
func (o *Object) FloatOr(key string, def float64) float64 { return optional(o, key, def, getFloat) }

// FloatRange reads a required number from low to high, both included.
func (o *Object) FloatRange(key string, low, high float64) float64 {
	return required(o, key, floatIn(low, high))
}

// FloatRangeOr reads an optional number from low to high, both included. def may lie outside.
func (o *Object) FloatRangeOr(key string, def, low, high float64) float64 {
	return optional(o, key, def, floatIn(low, high))
}

// Int reads a required whole number. 2.0 and 2e0 are errors: the file must say what is meant.
func (o *Object) Int(key string) int { return required(o, key, getInt) }

// IntOr reads an optional whole number.
func (o *Object) IntOr(key string, def int) int { return optional(o, key, def, getInt) }

// IntRange reads a required whole number from low to high, both included.
func (o *Object) IntRange(key string, low, high int) int { return required(o, key, intIn(low, high)) }

// IntRangeOr reads an optional whole number from low to high, both included. def may lie outside.
func (o *Object) IntRangeOr(key string, def, low, high int) int {
	return optional(o, key, def, intIn(low, high))
}

// Enum reads a required string that must be one of the allowed words, in their case; "" after an error.
func (o *Object) Enum(key string, allowed []string) string { return required(o, key, wordOf(allowed)) }

// EnumOr reads an optional string that must be one of the allowed words. def may be another one.
func (o *Object) EnumOr(key, def string, allowed []string) string {
	return optional(o, key, def, wordOf(allowed))
}

// Object reads a required object; nil if it is absent or something else.
func (o *Object) Object(key string) *Object { return required(o, key, getObject) }

// ObjectOr reads an optional object; nil and false if it is absent or something else.
func (o *Object) ObjectOr(key string) (*Object, bool) {
	sub := optional(o, key, nil, getObject)
	return sub, sub != nil
}

func getString(v Value) (string, bool) {
	s, ok := v.Text()
	if !ok {
		v.wrongKind("a string")
	}
	return s, ok
}

func getBool(v Value) (bool, bool) {
	b, ok := v.Bool()
	if !ok {
		v.wrongKind("true or false")
	}
	return b, ok
}

func getFloat(v Value) (float64, bool) {
	f, ok := v.Float()
	switch {
	case ok:
	case v.Kind() == KindNumber:
		v.fail(CodeKeyRange, clip(v.res.Raw)+" is too large", "")
	default:
		v.wrongKind("a number")
	}
	return f, ok
}

func getInt(v Value) (int, bool) {
	n, ok := v.Int()
	switch {
	case ok:
	case v.isWhole():
		v.fail(CodeKeyRange, clip(v.res.Raw)+" is too large", "")
	default:
		v.wrongKind("a whole number")
	}
	return n, ok
}

func getObject(v Value) (*Object, bool) {
	sub, ok := v.Object()
	if !ok {
		v.wrongKind(wantObject)
	}
	return sub, ok
}

func floatIn(low, high float64) func(Value) (float64, bool) {
	return func(v Value) (float64, bool) {
		if v.probed() != nil {
			return v.probeNumber(KindReal, low, high), true
		}
		f, ok := getFloat(v)
		return f, ok && inside(v, f, low, high, formatFloat)
	}
}

func intIn(low, high int) func(Value) (int, bool) {
	return func(v Value) (int, bool) {
		if v.probed() != nil {
			return int(v.probeNumber(KindWhole, float64(low), float64(high))), true
		}
		n, ok := getInt(v)
		return n, ok && inside(v, n, low, high, strconv.Itoa)
	}
}

// formatFloat writes a limit as people write it: without exponent unless it is very large or small.
func formatFloat(f float64) string {
	if a := math.Abs(f); a == 0 || 1e-6 <= a && a < 1e15 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// inside checks limits, both included.
func inside[T int | float64](v Value, n, low, high T, format func(T) string) bool {
	switch {
	case n < low:
		v.fail(CodeKeyRange, clip(v.res.Raw)+" is below the limit "+format(low), "")
	case n > high:
		v.fail(CodeKeyRange, clip(v.res.Raw)+" is above the limit "+format(high), "")
	default:
		return true
	}
	return false
}

func wordOf(allowed []string) func(Value) (string, bool) {
	return func(v Value) (string, bool) {
		if v.probed() != nil {
			return v.probeWord(allowed), true
		}
		s, ok := getString(v)
		if !ok {
			return "", false
		}
		for _, w := range allowed {
			if s == w {
				return s, true
			}
		}
		v.fail(CodeEnumUnknown, "unknown value "+quote(s), v.hintAmong(s, allowed))
		return "", false
	}
}

// hintAmong names the nearest of the allowed words, or all if they are few; empty if the finding will be dropped.
func (v Value) hintAmong(word string, allowed []string) string {
	if v.doc.sink.full() {
		return ""
	}
	return cmp.Or(DidYouMean(word, allowed), oneOf("known values are ", allowed))
}

// fail reports an error at the value, named by its path.
func (v Value) fail(code, text, hint string) {
	if v.doc.probe != nil {
		v.doc.probe.wrong = true
		return
	}
	at := v.Pos()
	v.doc.sink.spoil(at)
	v.doc.sink.add(Diagnostic{
		Line: at.Line, Col: at.Col, Severity: Error, Code: code, Message: v.Path() + ": " + text, Hint: hint,
	})
}

// Wanted types that hints depend on.
const (
	wantArray  = "an array"
	wantObject = "an object"
)

// wrongKind reports a value of another type than the wanted one.
func (v Value) wrongKind(want string) {
	hint := ""
	switch {
	case want == wantArray && v.Kind() != KindNull:
		hint = "put it in [ ]"
	case want != wantObject && v.Kind() == KindString && isBare(v.res.Str):
		hint = "remove the quotes"
	}
	v.fail(CodeKeyType, "want "+want+", found "+v.describe(), hint)
}

// isBare reports whether the text of a string would be a number or boolean without its quotes.
func isBare(s string) bool {
	if s == "true" || s == "false" {
		return true
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// describe says what a value is, with its text if it is short by nature.
func (v Value) describe() string {
	switch v.Kind() {
	case KindString:
		return "the string " + quote(v.res.Str)
	case KindNumber:
		return "the number " + clip(v.res.Raw)
	case KindBool:
		return v.res.Raw
	default:
		return v.Kind().article()
	}
}

// maxQuoted bounds foreign text in a message, in bytes.
const maxQuoted = 64

// clip cuts long text at a letter boundary.
func clip(s string) string {
	if len(s) <= maxQuoted {
		return s
	}
	n := maxQuoted
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// quote makes foreign text safe for one line of a message.
func quote(s string) string { return strconv.Quote(clip(s)) }
