package resources

import (
	"cmp"
	"slices"
	"strings"
)

// This file keeps one slip to one finding. A misspelt key is also a key that is missing, and readers above that miss its value report that as
// well: all of it is said by the one finding at the misspelt key.

// maxObjectsCompared bounds the objects of a file that are looked through for the place of a key.
const maxObjectsCompared = 256

// An unknown is a key that no reader asked for, while its finding is worded.
type unknown struct {
	name  string
	meant string // the absent key that it stands for; empty if none is near
}

// Finish reports every key of this object that was never asked for, at the key. It does not descend; for that there
// is [Document.Finish]. Calling it again reports nothing twice.
func (o *Object) Finish() { o.FinishOf("") }

// FinishOf is [Object.Finish] for an object whose keys depend on what it is, such as "OnCharger"; not lists keys that were asked for
// and that no hint shall name.
func (o *Object) FinishOf(what string, not ...string) {
	o.absent = slices.DeleteFunc(o.absent, func(k string) bool { return slices.Contains(not, k) })
	o.reportStrange(what, not)
	for _, m := range o.missing {
		o.doc.sink.found[m.index].Hint = o.lookalike(m.key)
	}
}

// reportStrange reports the keys that nobody asked for; not are those that no hint shall name.
func (o *Object) reportStrange(what string, not []string) {
	var strange []unknown
	for i := range o.members {
		if m := &o.members[i]; !m.read && !m.told {
			m.told = true
			strange = append(strange, unknown{name: m.name})
		}
	}
	if len(strange) == 0 {
		return
	}
	var read []string
	for i := range o.members {
		if m := &o.members[i]; m.read && !m.told && !slices.Contains(not, m.name) {
			read = append(read, m.name)
		}
	}
	o.pair(strange)
	for _, u := range strange {
		o.reportUnknown(u, what, read, len(strange))
	}
}

// pair finds the absent keys that unknown keys stand for, each for one of them at most.
func (o *Object) pair(strange []unknown) {
	if len(strange) > maxCompared || o.doc.sink.full() {
		return
	}
	free := slices.Clone(o.absent)
	take := func(u *unknown, key string) {
		u.meant = key
		free = slices.DeleteFunc(free, func(k string) bool { return k == key })
	}
	for i := range strange {
		if near, ok := Nearest(strange[i].name, free); ok {
			take(&strange[i], near)
		}
	}
	for _, m := range o.missing { // a long key may be near a short one, but not the other way around
		for i := range strange {
			if strange[i].meant == "" && slices.Contains(free, m.key) && near(m.key, strange[i].name) {
				take(&strange[i], m.key)
			}
		}
	}
}

// Resembles returns a key that stands in the object and probably means one that does not.
func (o *Object) Resembles(key string) (written string, ok bool) {
	if o.has(key) {
		return "", false
	}
	for i := range o.members {
		if m := &o.members[i]; i < maxCompared && !m.read && near(m.name, key) {
			return m.name, true
		}
	}
	return "", false
}

func near(word, candidate string) bool {
	_, ok := Nearest(word, []string{candidate})
	return ok
}

// reportUnknown reports one of n unknown keys, and drops what it explains.
func (o *Object) reportUnknown(u unknown, what string, read []string, n int) {
	if what != "" {
		what = " of " + what
	}
	d := Diagnostic{Severity: Error, Code: CodeKeyUnknown, Message: "unknown key " + quote(u.name) + what + o.where()}
	o.doc.sink.spoil(o.KeyPos(u.name))
	d.Line, d.Col = o.KeyPos(u.name).Line, o.KeyPos(u.name).Col
	if o.doc.sink.full() { // beyond the limit the finding, and so its hint, is dropped
		o.report(d)
		return
	}
	place := o.doc.placeOf(u.name, o)
	switch {
	case place != "":
		d.Hint = "it belongs in " + place
		o.doc.foundElsewhere(u.name)
	case u.meant != "":
		d.Hint = "did you mean " + quote(u.meant) + "?"
		o.explained(u.meant)
	case n == 1 && len(o.missing) == 1:
		d.Hint = quote(o.missing[0].key) + " is required, and missing"
		o.explained(o.missing[0].key)
	default:
		d.Hint = cmp.Or(DidYouMean(u.name, read), oneOf("known keys are ", append(append([]string(nil), read...), o.absent...)))
	}
	o.report(d)
}

// explained drops the report that a key is missing, and everything else that was or will be said of what the object lacks.
func (o *Object) explained(key string) {
	for _, m := range o.missing {
		if m.key == key {
			o.doc.sink.drop(m.index)
		}
	}
	o.doc.sink.mute(o.Pos())
}

// placeOf names the place in this file where a key that o cannot have is known: other objects that a reader asked for it, or the object of
// [Document.Place]. It is empty if there is none.
func (d *Document) placeOf(key string, o *Object) string {
	for i, x := range d.objects {
		if i == maxObjectsCompared {
			break
		}
		if x != o && x.asked(key) && !x.has(key) {
			return placeName(x.Path())
		}
	}
	return d.places[key]
}

// placeName names an object for a hint; of the elements of an array it names all.
func placeName(path string) string {
	switch i := strings.LastIndexByte(path, '['); {
	case path == "":
		return "the object of the file"
	case i > 0 && strings.HasSuffix(path, "]"):
		return "the elements of " + path[:i]
	}
	return path
}

// foundElsewhere drops the reports that a key is missing: it stands in a wrong place.
func (d *Document) foundElsewhere(key string) {
	for i, x := range d.objects {
		if i == maxObjectsCompared {
			return
		}
		for _, m := range x.missing {
			if m.key == key {
				d.sink.drop(m.index)
			}
		}
	}
}

// Guessed drops the reports that keys are missing, but for some keys, and what was said of their lack: the file was read for what it probably
// means to be.
func (d *Document) Guessed(but ...string) {
	for _, x := range d.objects {
		for _, m := range x.missing {
			if !slices.Contains(but, m.key) {
				d.sink.drop(m.index)
				d.sink.mute(x.Pos())
			}
		}
	}
}

// Places says where keys belong that stand in an object which has no use for them, for the hint: a key, and the words for its place. A key
// that a reader of this file asked another object for is placed without it.
func (d *Document) Places(places map[string]string) { d.places = places }

// asked reports whether a reader looked for the key, and has whether it is there.
func (o *Object) asked(key string) bool {
	i, ok := o.find(key)
	return ok && o.members[i].read || slices.Contains(o.absent, key)
}

func (o *Object) has(key string) bool {
	_, ok := o.find(key)
	return ok
}
