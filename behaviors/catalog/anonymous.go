package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/resources"
)

// Keys of anonymous behaviors (data/1.8a).
const (
	keyAnonymous = "anonymousBehaviors"
	keyName      = "behaviorName"
	keyLabel     = "debugLabel"
)

// anonymousMark stands between the ID of the owner and the name in the ID of an anonymous behavior, and before the name in
// its label. No behaviorID of a file may hold it.
const anonymousMark = "@"

// privates are the names of the anonymous behaviors of one owner, with their IDs. A name means the owner's own behavior
// first, and an ID only if it has none of that name (B-6).
type privates map[string]string

// resolve is the translation of names while the owner's keys are read.
func (p privates) resolve(kind, name string) string {
	if id, ok := p[name]; ok && kind == behaviors.RefBehavior {
		return id
	}
	return name
}

// An anonymous behavior is one element of the list of its owner.
type anonymous struct {
	*resources.Object
	owner *Entry
	name  string
}

func (a *anonymous) id() string { return a.owner.ID + anonymousMark + a.name }

// idKey is the key that names the instance in its object.
func (e *Entry) idKey() string {
	if e.Owner != "" {
		return keyName
	}
	return "behaviorID"
}

// listAnonymous reads the names of e's anonymous behaviors, before anything that may refer to them, and returns those that
// can be made.
func (b *builder) listAnonymous(e *Entry, o *resources.Object) []anonymous {
	var list []anonymous
	for _, elem := range o.ObjectsOr(keyAnonymous) {
		a := anonymous{Object: elem, owner: e}
		if e.private == nil {
			e.private = privates{}
		}
		if a.Has("behaviorID") {
			a.KeyErrorf("behaviorID", "anon-id", "an anonymous behavior has a %s, no ID of its own; remove it", keyName)
		}
		if a.Has(keyLabel) {
			a.KeyErrorf(keyLabel, "anon-label", "the label of an anonymous behavior is made from its %s; remove it", keyName)
		}
		a.name = a.String(keyName)
		switch _, dup := e.private[a.name]; {
		case a.name == "" && a.isText(keyName):
			a.KeyErrorf(keyName, "anon-create", "the name is empty")
		case a.name == "":
		case strings.Contains(a.name, anonymousMark):
			a.KeyErrorf(keyName, "anon-create", "%q: a name cannot hold %q", a.name, anonymousMark)
			a.name = ""
		case dup:
			a.KeyErrorf(keyName, "anon-dup", "%s has another anonymous behavior %q; the first one counts", e.ID, a.name)
			a.name = ""
		}
		if a.name == "" {
			b.hideMisspelt(&a)
			continue
		}
		e.private[a.name] = a.id()
		b.named = append(b.named, a)
		list = append(list, a)
	}
	return list
}

// hideMisspelt reports the key that was probably meant as the name, and lets references to that name be. Nothing is made of the behavior, so
// nothing is said about its other keys.
func (b *builder) hideMisspelt(a *anonymous) {
	for _, key := range a.Keys() {
		_, near := resources.Nearest(key, []string{keyName})
		if !near || a.has(keyName) {
			a.Declare(key)
			continue
		}
		v, _ := a.Peek(key)
		if name, ok := v.Text(); ok {
			a.owner.private[name] = a.owner.ID + anonymousMark + name
			b.broken[strings.ToLower(a.owner.private[name])] = true
		}
	}
	a.Finish()
}

func (a *anonymous) has(key string) bool {
	_, ok := a.Peek(key)
	return ok
}

func (a *anonymous) isText(key string) bool {
	v, ok := a.Optional(key)
	return ok && v.Kind() == resources.KindString
}

// defineAnonymous defines one anonymous behavior. If its class is unknown, references to it are not reported as well.
func (b *builder) defineAnonymous(a anonymous) {
	id, class := a.id(), b.classOf(&a)
	b.files[id] = a.owner.File
	if class == nil {
		b.broken[strings.ToLower(id)] = true
		a.Declare(a.Keys()...)
		return
	}
	b.define(&Entry{
		ID: id, Class: class, File: a.owner.File, Owner: a.owner.ID, json: a.Value().Raw(),
	}, a.Object)
}

// classOf finds the class of an anonymous behavior; nil, with the reason reported, if there is none.
func (b *builder) classOf(a *anonymous) *behaviors.Class {
	name := a.String("behaviorClass")
	if b.lenient != nil {
		return b.lenient.classOf(a.id(), name)
	}
	class := b.classes.Find(name)
	if class != nil || !a.isText("behaviorClass") {
		return class
	}
	at, hint := a.ValuePos("behaviorClass"), ""
	if !a.Document().Full() {
		hint = resources.DidYouMean(name, b.names)
	}
	a.Report(resources.Diagnostic{
		Line: at.Line, Col: at.Col, Severity: resources.Error, Code: "anon-create",
		Message: fmt.Sprintf("anonymous behavior %q of %s cannot be made: there is no class %q", a.name, a.owner.ID, name),
		Hint:    hint,
	})
	return nil
}

// checkAnonymous reports names that hide a behavior of the tree, now that all of them are known.
func (b *builder) checkAnonymous() {
	for _, a := range b.named {
		if file, taken := b.files[a.name]; taken {
			b.report(a.owner.File, a.ValuePos(keyName), "anon-shadows-id",
				fmt.Sprintf("the anonymous behavior %q of %s hides the behavior of that ID in %s; rename it", a.name, a.owner.ID, file), "", nil)
		}
	}
}

// span says that the references of a file from one index to before another are those of one behavior.
type span struct {
	owner    *Entry
	from, to int
}

// visible lists the names that reference i of a file could have meant: the IDs of all files, and the names of the anonymous behaviors
// that its own behavior has.
func (b *builder) visible(file string, i int) []string {
	if !b.hints() {
		return nil
	}
	names := slices.DeleteFunc(b.ids(), func(id string) bool { return strings.Contains(id, anonymousMark) })
	for _, s := range b.spans {
		if s.owner.File == file && i >= s.from && i < s.to {
			names = append(names, slices.Collect(maps.Keys(s.owner.private))...)
		}
	}
	slices.Sort(names)
	return names
}

// label gives each entry its label (B-4). Entries come by ID, so that equal trees have equal labels.
func label(entries []*Entry) {
	count := map[string]int{}
	for _, e := range entries {
		e.Label = e.ID
		if e.Owner == "" {
			continue
		}
		e.Label = anonymousMark + e.ID[len(e.Owner)+len(anonymousMark):]
		count[e.Label]++
		if n := count[e.Label]; n > 1 {
			e.Label = fmt.Sprintf("%s%d", e.Label, n)
		}
	}
}
