package resources

import (
	"fmt"
	"strings"
)

// An Object is a JSON object being read. Reading a key declares it; [Object.Finish] reports the keys that stay
// undeclared. Readers never fail: they note a diagnostic in the list shared by the document and return a zero or
// default value.
//
// A required key that is absent is reported at the object's opening brace, any other mistake at the value.
type Object struct {
	doc     *Document
	value   Value
	members []member
	byName  map[string]int // index in members; only for objects of more than maxLinear keys
	absent  []string       // keys that were asked for and are not there
	missing []missing      // required ones among them, as reported

	probe  *probeObject       // of a [Probe]; nil for an object of a file
	nested map[string]*Object // of a probe
}

// member is one key with its value.
type member struct {
	name string
	off  int // of the key
	val  token
	read bool
	told bool // reported as unknown
}

// missing is a report of an absent required key.
type missing struct {
	key   string
	index int // in the sink
}

const (
	// maxLinear is the number of keys up to which looking through all of them beats a map.
	maxLinear = 16

	// maxHints bounds the keys or words that a hint lists, so that it stays on a line.
	maxHints = 12

	// maxCompared bounds the unread keys that are compared with a missing one. An object with more of them was
	// not typed by hand, and the work would grow with its size times the required keys.
	maxCompared = 256
)

// add appends a key. A duplicate is dropped: the first one wins, as its report says.
func (o *Object) add(m member) {
	if _, dup := o.find(m.name); dup {
		return
	}
	o.members = append(o.members, m)
	switch n := len(o.members); {
	case n > maxLinear+1:
		o.byName[m.name] = n - 1
	case n == maxLinear+1:
		o.byName = make(map[string]int, 2*n)
		for i := range o.members {
			o.byName[o.members[i].name] = i
		}
	}
}

// find looks a key up without declaring it.
func (o *Object) find(key string) (int, bool) {
	if o.byName != nil {
		i, ok := o.byName[key]
		return i, ok
	}
	for i := range o.members {
		if o.members[i].name == key {
			return i, true
		}
	}
	return 0, false
}

// skip declares a key without making it a candidate of hints.
func (o *Object) skip(key string) {
	if i, ok := o.find(key); ok {
		o.mark(i)
	}
}

// mark notes that a key was asked for.
func (o *Object) mark(i int) {
	if m := &o.members[i]; !m.read {
		m.read = true
		o.doc.unread--
	}
}

// take looks a key up and declares it.
func (o *Object) take(key string) (Value, bool) {
	if o.probe != nil {
		return Value{doc: o.doc, in: o, key: key}, o.probe.there(key)
	}
	if i, ok := o.find(key); ok {
		o.mark(i)
		return Value{doc: o.doc, in: o, key: key, res: o.members[i].val}, true
	}
	if o.doc.unread <= 0 {
		return Value{}, false // no key is left that a hint could be about
	}
	for _, k := range o.absent {
		if k == key {
			return Value{}, false
		}
	}
	if o.absent == nil && o.value.in == nil {
		o.absent = make([]string, 0, maxLinear/2) // of a root a reader asks for several keys that are not there
	}
	o.absent = append(o.absent, key)
	return Value{}, false
}

// Required reads a key of any type. If it is absent, that is reported and the zero Value returned, whose kind is
// [KindMissing].
func (o *Object) Required(key string) Value {
	if o.probe != nil {
		o.probe.touch(key, true)
		return Value{doc: o.doc, in: o, key: key}
	}
	v, ok := o.take(key)
	if !ok {
		o.reportMissing(key)
	}
	return v
}

// Optional reads a key of any type; ok is false if it is absent.
func (o *Object) Optional(key string) (v Value, ok bool) { return o.take(key) }

// Peek reads a key of any type without declaring it.
func (o *Object) Peek(key string) (v Value, ok bool) {
	if i, ok := o.find(key); ok {
		return Value{doc: o.doc, in: o, key: key, res: o.members[i].val}, true
	}
	return Value{}, false
}

// Has reports whether the key is there, and declares it.
func (o *Object) Has(key string) bool {
	_, ok := o.take(key)
	return ok
}

// Declare declares keys that are accepted and not read.
func (o *Object) Declare(keys ...string) {
	for _, k := range keys {
		if o.probe != nil {
			o.probe.touch(k, false)
			continue
		}
		o.take(k)
	}
}

// Keys returns the keys in the order of the file and declares none. On a probe it returns [AnyKey], which stands for all.
func (o *Object) Keys() []string {
	if o.probe != nil {
		return []string{AnyKey}
	}
	out := make([]string, len(o.members))
	for i := range o.members {
		out[i] = o.members[i].name
	}
	return out
}

// Pos is the place of the opening brace.
func (o *Object) Pos() Pos { return o.value.Pos() }

// KeyPos is the place of the key, or of the object's opening brace if the key is absent. It declares nothing.
func (o *Object) KeyPos(key string) Pos {
	if i, ok := o.find(key); ok {
		return o.doc.lines.pos(o.members[i].off)
	}
	return o.Pos()
}

// ValuePos is the place of the key's value, or of the object's opening brace if the key is absent.
func (o *Object) ValuePos(key string) Pos {
	if i, ok := o.find(key); ok {
		return o.doc.lines.pos(o.members[i].val.Index)
	}
	return o.Pos()
}

// Path names the object inside its file, such as "params.states[2]"; the root is "".
func (o *Object) Path() string { return o.value.Path() }

// Value is the object as a value.
func (o *Object) Value() Value { return o.value }

// File is the name of the file.
func (o *Object) File() string { return o.doc.File() }

// Document is the file that the object stands in.
func (o *Object) Document() *Document { return o.doc }

// Diagnostics is [Document.Diagnostics]: the list is shared by all objects of a file.
func (o *Object) Diagnostics() Diagnostics { return o.doc.Diagnostics() }

// Report notes a finding about the object's file. File is filled in; without a place it stands at the opening brace.
func (o *Object) Report(d Diagnostic) { o.report(d) }

// Errorf reports an error at a place of the file; the zero Pos means the object's opening brace.
func (o *Object) Errorf(at Pos, code, format string, args ...any) {
	o.report(Diagnostic{Line: at.Line, Col: at.Col, Severity: Error, Code: code, Message: fmt.Sprintf(format, args...)})
}

// Warnf reports a warning like [Object.Errorf].
func (o *Object) Warnf(at Pos, code, format string, args ...any) {
	o.report(Diagnostic{Line: at.Line, Col: at.Col, Severity: Warning, Code: code, Message: fmt.Sprintf(format, args...)})
}

// KeyErrorf reports an error at the value of a key, or at the opening brace if the key is absent. The message begins
// with the key's path. Nothing is reported of a value of which a reader refused a part: what was read of it is not what it says.
func (o *Object) KeyErrorf(key, code, format string, args ...any) {
	if o.Spoilt(key) {
		return
	}
	o.Errorf(o.ValuePos(key), code, "%s: %s", o.pathOf(key), fmt.Sprintf(format, args...))
}

// KeyWarnf reports a warning like [Object.KeyErrorf].
func (o *Object) KeyWarnf(key, code, format string, args ...any) {
	o.Warnf(o.ValuePos(key), code, "%s: %s", o.pathOf(key), fmt.Sprintf(format, args...))
}

// Spoilt reports whether a reader refused the value of a key, or a part of it.
func (o *Object) Spoilt(key string) bool {
	i, ok := o.find(key)
	if !ok || o.doc.again {
		return false
	}
	v := o.members[i].val
	return o.doc.sink.spoiltWithin(func() (Pos, Pos) { return o.doc.lines.pos(v.Index), o.doc.lines.pos(v.Index + len(v.Raw)) })
}

func (o *Object) pathOf(key string) string { return Value{in: o, key: key}.Path() }

func (o *Object) report(d Diagnostic) int {
	if o.probe != nil {
		o.probe.run.wrong = o.probe.run.wrong || d.Severity == Error
		return -1
	}
	if d.Line <= 0 {
		p := o.Pos()
		d.Line, d.Col = p.Line, p.Col
	}
	return o.doc.sink.add(d)
}

// reportMissing reports an absent required key. The hint is provisional: keys that are read later are no candidates,
// so Finish decides again.
func (o *Object) reportMissing(key string) {
	if o.probe != nil {
		o.probe.run.wrong = true
		return
	}
	at := o.Pos()
	i := o.doc.sink.addMissing(Diagnostic{
		Line: at.Line, Col: at.Col, Severity: Error, Code: CodeKeyRequired,
		Message: fmt.Sprintf("required key %s is missing", quote(key)) + o.where(), Hint: o.lookalike(key),
	})
	o.doc.sink.spoil(at)
	if i >= 0 {
		o.missing = append(o.missing, missing{key, i})
	}
}

// lookalike is a hint that names an unread key similar to an absent one, or equal but for its unit.
func (o *Object) lookalike(key string) string {
	var unread []string
	for i := range o.members {
		if m := &o.members[i]; !m.read {
			if len(unread) == maxCompared {
				return ""
			}
			unread = append(unread, m.name)
		}
	}
	near, ok := Nearest(key, unread)
	for i := 0; !ok && i < len(unread); i++ {
		near = unread[i]
		_, ok = withUnit(near, []string{key})
	}
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s at %s looks like it", quote(near), o.KeyPos(near))
}

// where names an object inside the file for the end of a sentence.
func (o *Object) where() string {
	if p := o.Path(); p != "" {
		return " in " + p
	}
	return ""
}

// oneOf lists words, or is empty when they are none or too many to help.
func oneOf(intro string, words []string) string {
	if len(words) == 0 || len(words) > maxHints {
		return ""
	}
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quote(w)
	}
	return intro + strings.Join(quoted, ", ")
}
