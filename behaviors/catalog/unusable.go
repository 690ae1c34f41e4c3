package catalog

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/resources"
)

// ValidID reports whether a behavior of a file can have this ID: ASCII letters, digits and _, with a letter first, so that it is the
// name of a file everywhere.
func ValidID(id string) bool {
	for i, r := range id {
		letter := r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
		if !letter && (i == 0 || r != '_' && (r < '0' || r > '9')) {
			return false
		}
	}
	return id != ""
}

// checkID reports an ID that is none, or that begins with a small letter, as no class and no other ID does.
func checkID(o *resources.Object, id string) {
	switch {
	case strings.Contains(id, anonymousMark):
		o.Errorf(o.ValuePos("behaviorID"), "id-invalid", "behaviorID %.64q: %q is for anonymous behaviors", id, anonymousMark)
	case !ValidID(id):
		o.Errorf(o.ValuePos("behaviorID"), "id-invalid", "behaviorID %.64q: want letters, digits and _, with a letter first", id)
	case id[0] >= 'a' && id[0] <= 'z':
		at := o.ValuePos("behaviorID")
		o.Report(resources.Diagnostic{
			Line: at.Line, Col: at.Col, Severity: resources.Warning, Code: "id-case", Message: fmt.Sprintf("behaviorID %.64q begins with a small letter", id),
			Hint: fmt.Sprintf("call it %.64q", string(id[0]-'a'+'A')+id[1:]),
		})
	}
}

// class reads the name of the class and finds it; nil, with the reason reported, if there is none.
func (b *builder) class(o *resources.Object) *behaviors.Class {
	name := o.String("behaviorClass")
	class := b.classes.Find(name)
	if v, ok := o.Peek("behaviorClass"); class == nil && ok && v.Kind() == resources.KindString {
		at := v.Pos()
		o.Report(resources.Diagnostic{
			Line: at.Line, Col: at.Col, Severity: resources.Error, Code: "class-unknown",
			Message: fmt.Sprintf("behaviorClass: unknown value %.64q", name), Hint: cmp.Or(resources.DidYouMean(name, b.names), "robotd check --classes lists the classes"),
		})
	}
	return class
}

// readWithoutClass reads a file that defines nothing, because its class or its ID is missing or wrong. A misspelt key of the two is told at the
// key. The other keys are read for a class that was probably meant, so that their mistakes show at once.
func (b *builder) readWithoutClass(o *resources.Object, class *behaviors.Class, id string) {
	guessed := class == nil
	if guessed {
		class = b.probablyMeant(o)
	}
	if class == nil {
		o.Declare(commonOnly(o)...)
		o.Finish()
		return
	}
	e := &Entry{ID: id, Class: class, File: o.File()}
	for _, a := range b.listAnonymous(e, o) {
		a.Declare(a.Keys()...)
	}
	e.readDoing(o)
	e.references(o)
	o.Finish()
	if guessed {
		o.Document().Guessed("behaviorClass", "behaviorID")
	}
}

// probablyMeant is the class whose name is near the one that the file gives, under the right key or a misspelt one.
func (b *builder) probablyMeant(o *resources.Object) *behaviors.Class {
	name := ""
	for _, key := range o.Keys() {
		if _, ok := resources.Nearest(key, []string{"behaviorClass"}); ok {
			v, _ := o.Peek(key)
			name, _ = v.Text()
		}
	}
	near, _ := resources.Nearest(name, b.names)
	return b.classes.Find(near)
}

// commonOnly lists the keys that cannot be judged without the class: all but those that look like one of the two that every file needs, if
// that is missing.
func commonOnly(o *resources.Object) []string {
	var lacking, out []string
	for _, key := range []string{"behaviorClass", "behaviorID"} {
		if _, there := o.Peek(key); !there {
			lacking = append(lacking, key)
		}
	}
	for _, key := range o.Keys() {
		if _, near := resources.Nearest(key, lacking); !near {
			out = append(out, key)
		}
	}
	return out
}
