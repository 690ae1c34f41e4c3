package condition

import (
	"slices"
	"strings"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// Kinds of the references that only a document for another robot records, see [resources.Document.SetLenient].
const (
	// RefForeign names a condition that this robot cannot build: it is never met.
	RefForeign = "foreign condition"
	// RefMappedKind names a kind of object by the word of the other robot, and RefForeignKind one that this robot does not know.
	RefMappedKind  = "mapped object kind"
	RefForeignKind = "foreign object kind"
)

// lenient builds a condition of a document for another robot. One that cannot be built is never met.
func (p Parser) lenient(o *resources.Object) Condition {
	mark := o.Document().Mark()
	c := p.build(o)
	if c != nil {
		o.Document().Relax(mark, resources.Warning)
		return c
	}
	name, _ := o.Required(keyType).Text()
	if name == "" {
		name = "condition"
	}
	o.Document().Relax(mark, resources.Info)      // the reference tells it
	r := &reader{Object: o, parser: p, bad: true} // so that it is told once
	r.Mention(RefForeign, name)
	return r.unsupported(name)
}

// objectTypes reads kinds of objects. Of a document for another robot the words are those of that robot.
func (r *reader) objectTypes() []string {
	const key = "objectTypes"
	if !r.Lenient() || !r.present(key) {
		return r.words(key, objectKinds())
	}
	var list []string
	for _, word := range r.StringsOr(key, nil) {
		kind := kindOf(word)
		switch {
		case kind == "":
			r.Mention(RefForeignKind, word)
			continue
		case kind != word:
			r.Mention(RefMappedKind, word+" as "+kind)
		}
		if !slices.Contains(list, kind) {
			list = append(list, kind)
		}
	}
	r.bad = r.bad || len(list) == 0
	return list
}

// kindOf is the kind of object that a word of another robot names; empty if this robot knows none.
func kindOf(word string) string {
	lower := strings.ToLower(word)
	switch {
	case slices.Contains(objectKinds(), word):
		return word
	case strings.Contains(lower, "cube"):
		return hardware.KindCube
	case strings.Contains(lower, "charger"):
		return hardware.KindCharger
	}
	return ""
}

// Foreign returns a condition that is never met, in place of one that a document for another robot describes and nobody can build.
func Foreign(name string) Condition { return (&reader{bad: true}).unsupported(name) }
