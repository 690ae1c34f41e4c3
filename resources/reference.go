package resources

import (
	"fmt"
	"slices"
	"strings"
)

// A Reference is a name in a file that must be the name of something elsewhere. This package only collects
// references; package behaviors/catalog resolves them.
type Reference struct {
	Kind string // what is named, in the words of the reader: "behavior", "timer"
	Name string
	File string
	Pos  Pos // of the name; of the object's opening brace for a default
	// Written is the name as it stands in the file, if [Document.Translate] put another in its place; else empty.
	Written string
}

// Unresolved words the error for a reference whose name is none of those known, with the nearest as hint.
func (r Reference) Unresolved(code string, known []string) Diagnostic {
	return Diagnostic{
		File: r.File, Line: r.Pos.Line, Col: r.Pos.Col, Severity: Error, Code: code,
		Message: fmt.Sprintf("no %s is named %s", r.Kind, quote(r.Name)), Hint: DidYouMean(r.Name, known),
	}
}

// Translate makes Ref and its relatives hand each name that they read in d to f, and record and return what f makes of it;
// nil ends that. It is for objects in which a name means something else than in other files. Defaults are not
// translated.
func (d *Document) Translate(f func(kind, name string) string) { d.sink.translate = f }

// Ref reads a required name of something of a kind and records it for [Document.References]. The empty name is an
// error at once.
func (o *Object) Ref(key, kind string) string { return required(o, key, nameOf(kind)) }

// RefOr reads an optional name. A default that is used is recorded too, unless it is empty: that it exists is as much
// a promise as a name in the file.
func (o *Object) RefOr(key, kind, def string) string {
	if o.probe == nil && !o.Has(key) {
		if def != "" {
			o.doc.sink.refs = append(o.doc.sink.refs, Reference{Kind: kind, Name: def, File: o.File(), Pos: o.Pos()})
		}
		return def
	}
	return optional(o, key, def, nameOf(kind))
}

// Mention records a name that stands in no key of its own, such as that of a type, at the place of the object.
func (o *Object) Mention(kind, name string) {
	o.doc.sink.refs = append(o.doc.sink.refs, Reference{Kind: kind, Name: name, File: o.File(), Pos: o.Pos()})
}

// Promise records names that code uses without a key: that they exist is as much a promise as a default. They stand at the opening brace.
func (o *Object) Promise(kind string, names ...string) {
	for _, name := range names {
		o.doc.sink.refs = append(o.doc.sink.refs, Reference{Kind: kind, Name: name, File: o.File(), Pos: o.Pos()})
	}
}

// Refs reads a required array of names and records each.
func (o *Object) Refs(key, kind string) []string {
	o.expectRefs(key)
	return required(o, key, each(nameOf(kind)))
}

// RefsOr reads an optional array of names and records each; nil if it is absent.
func (o *Object) RefsOr(key, kind string) []string {
	o.expectRefs(key)
	return optional(o, key, nil, each(nameOf(kind)))
}

// expectRefs makes room for the names of a list, of which there may be thousands.
func (o *Object) expectRefs(key string) {
	if i, ok := o.find(key); ok {
		o.doc.sink.refs = slices.Grow(o.doc.sink.refs, strings.Count(o.members[i].val.Raw, ",")+1)
	}
}

func nameOf(kind string) func(Value) (string, bool) {
	return func(v Value) (string, bool) {
		if k := v.probed(); k != nil {
			k.form(KindRef).ref = kind
			return kind, true
		}
		s, ok := getString(v)
		if !ok {
			return "", false
		}
		if s == "" {
			v.fail(CodeKeyRange, "the name of a "+kind+" cannot be empty", "")
			return "", false
		}
		r := Reference{Kind: kind, Name: s, File: v.doc.File(), Pos: v.Pos()}
		if f := v.doc.sink.translate; f != nil {
			if r.Name = f(kind, s); r.Name != s {
				r.Written = s
			}
		}
		v.doc.sink.refs = append(v.doc.sink.refs, r)
		return r.Name, true
	}
}
