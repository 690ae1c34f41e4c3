package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/format"
	"github.com/robotd/robotd/resources"
)

// maxMends bounds how often one file is read until nothing of it is in the way.
const maxMends = 64

// prepare mends every file, so that what is left of it can be read without a mistake that matters.
func (l *Lenience) prepare(src Sources, classes *behaviors.Registry) Sources {
	l.classes, l.ids = classes, map[string]bool{}
	l.instead, l.inert = map[string]*behaviors.Class{}, map[string]*behaviors.Class{}
	for _, d := range src.Behaviors {
		if v, ok := d.Root().Optional("behaviorID"); ok {
			if id, _ := v.Text(); id != "" {
				l.ids[id] = true
			}
		}
	}
	src.Behaviors = slices.Clone(src.Behaviors)
	l.steps = make(map[string][]step, len(src.Behaviors))
	for i, d := range src.Behaviors {
		src.Behaviors[i] = l.mend(d)
	}
	l.breakCircles(src.Behaviors, src.roots())
	return src
}

// roots are the behaviors that a foreign folder begins with, as far as its files say so.
func (s *Sources) roots() []string {
	if s.Assumed != nil {
		return s.Assumed.Roots()
	}
	if s.Boot != nil {
		if id, _ := textOf(s.Boot.Root(), "normalBaseBehavior"); id != "" {
			return []string{id}
		}
	}
	return nil
}

// mend leaves out of a file what cannot be read, until everything that is left can be.
func (l *Lenience) mend(d *resources.Document) *resources.Document {
	for range maxMends {
		d = resources.Reread(d.File(), d.JSON())
		d.SetLenient(true)
		m := mending{Lenience: l, doc: d, cuts: map[resources.Pos]bool{}}
		id, _ := textOf(d.Root(), "behaviorID")
		m.instance(d.Root(), id)
		next, n := d.Without(m.cuts)
		if n > 0 {
			l.Notes = append(l.Notes, m.notes...)
			d = next
		} else if !m.changed {
			break
		}
	}
	fresh := resources.Reread(d.File(), d.JSON())
	fresh.SetLenient(true)
	return fresh
}

// A mending is one reading of a file.
type mending struct {
	*Lenience
	doc     *resources.Document
	cuts    map[resources.Pos]bool
	notes   []Note
	changed bool // another class was chosen
}

func textOf(o *resources.Object, key string) (string, bool) {
	v, ok := o.Optional(key)
	if !ok {
		return "", false
	}
	return v.Text()
}

// classOf is the class that a behavior has here.
func (l *Lenience) classOf(id, name string) *behaviors.Class {
	if c := l.instead[id]; c != nil {
		return c
	}
	if c := l.classes.Find(name); c != nil {
		return c
	}
	if l.inert[name] == nil {
		l.inert[name] = inertClass(name)
	}
	return l.inert[name]
}

// inertClass is a class of which nothing is known.
func inertClass(name string) *behaviors.Class {
	if name == "" {
		name = "Unknown"
	}
	return &behaviors.Class{
		Name: name, Doc: "Is not known on this robot.", State: behaviors.Inert,
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			cfg.Declare(cfg.Keys()...)
			return inert{}
		},
	}
}

// inert is a behavior that never wants control.
type inert struct{}

// WantsToBeActivated is false.
func (inert) WantsToBeActivated(c *behaviors.Control) bool {
	c.Because("its class is not known on this robot")
	return false
}

// instance reads a behavior and those inside it.
func (m *mending) instance(o *resources.Object, id string) {
	name, _ := textOf(o, "behaviorClass")
	class := m.classOf(id, name)
	private := privates{}
	var inside []*resources.Object
	if v, ok := o.Optional(keyAnonymous); ok {
		elems, _ := v.Array()
		for _, e := range elems {
			if sub, ok := e.Object(); ok {
				inside = append(inside, sub)
				if n, _ := textOf(sub, keyName); n != "" {
					private[n] = id + anonymousMark + n
				}
			}
		}
	}
	from, mark := m.doc.ReferenceCount(), m.doc.Mark()
	refs, panicked := m.read(o, id, class, private)
	m.steps[id] = stepsOf(m.doc.ReferencesSince(from), refs.Delegates)
	own := m.cut(o, from, private)
	broken := panicked || class.State == behaviors.Real && m.repair(o, mark) // nothing is in the way of a stand-in
	for _, to := range slices.Concat(refs.Delegates, refs.Links) {
		broken = broken || !own && !m.exists(to, private)
	}
	if broken && len(m.cuts) == 0 && class.State == behaviors.Real {
		m.replace(o, id, class, panicked)
	}
	for _, sub := range inside {
		if n, _ := textOf(sub, keyName); n != "" {
			m.instance(sub, id+anonymousMark+n)
		}
	}
}

// read runs the constructor. One that panics counts as one that cannot be satisfied.
func (m *mending) read(o *resources.Object, id string, class *behaviors.Class, private privates) (refs behaviors.References, panicked bool) {
	m.doc.Translate(private.resolve)
	defer m.doc.Translate(nil)
	defer func() {
		if recover() != nil {
			panicked = true
		}
	}()
	refs, _ = behaviors.ReadReferences(id, class, o)
	return refs, false
}

func (m *mending) exists(id string, private privates) bool {
	if m.ids[id] {
		return true
	}
	for _, own := range private {
		if own == id {
			return true
		}
	}
	return false
}

// cut leaves out names of behaviors that do not exist, and reports whether there are any.
func (m *mending) cut(o *resources.Object, from int, private privates) (found bool) {
	for _, ref := range m.doc.ReferencesSince(from) {
		if ref.Kind != behaviors.RefBehavior || ref.Name == "" || m.exists(ref.Name, private) || ref.Pos == o.Pos() {
			continue
		}
		m.cuts[ref.Pos], found = true, true
		m.notes = append(m.notes, Note{NoteDropped, ref.Name, m.doc.File(), ref.Pos.Line, ref.Pos.Col, fmt.Sprintf("there is no behavior %q: the name is left out", ref.Name)})
	}
	return found
}

// repair leaves out values that cannot be read, and reports whether something is wrong that this does not help.
func (m *mending) repair(o *resources.Object, mark int) (broken bool) {
	for _, f := range m.doc.FoundSince(mark) {
		if f.Severity != resources.Error {
			continue
		}
		switch f.Code {
		case resources.CodeKeyUnknown, condition.CodeInvalid, "modifier-illegal", "intent-unknown":
			continue // what is not read is in nobody's way
		case resources.CodeKeyType, resources.CodeKeyRange, resources.CodeEnumUnknown, resources.CodeKeyRequired:
			if f.Pos() != o.Pos() {
				m.cuts[f.Pos()] = true
				m.notes = append(m.notes, Note{NoteIgnored, f.Code, m.doc.File(), f.Line, f.Col, f.Message + ": left out"})
				continue
			}
		}
		broken = true
	}
	return broken
}

// replace gives the behavior the stand-in of its class, because the class cannot live with what is left of the file.
func (m *mending) replace(o *resources.Object, id string, class *behaviors.Class, panicked bool) {
	reason := "its file cannot be read here as it is meant"
	for _, f := range m.doc.FoundSince(0) {
		if f.Severity == resources.Error && f.Pos() == o.Pos() {
			reason = f.Message
		}
	}
	if panicked {
		reason = "it panics when it is made"
	}
	m.changed = true
	if row := format.Find(class.Name); row != nil {
		c := row.Class()
		m.instead[id] = &c
		m.note(NoteStandIn, class.Name, m.doc.File(), o.Pos(), fmt.Sprintf("%s stands in for its class %s: %s", id, class.Name, reason))
		return
	}
	m.instead[id] = inertClass(class.Name)
	m.note(NoteInert, class.Name, m.doc.File(), o.Pos(), fmt.Sprintf("%s never wants control: %s", id, reason))
}

// describe notes a behavior whose class has no code.
func (l *Lenience) describe(e *Entry) {
	at := resources.Pos{Line: e.Line, Col: 1}
	switch {
	case l.instead[e.ID] != nil || e.Class.State == behaviors.Real:
	case e.Class.State == behaviors.StandIn:
		l.note(NoteStandIn, e.Class.Name, e.File, at, fmt.Sprintf("%s stands in for its class %s", e.ID, e.Class.Name))
	case l.inert[e.Class.Name] == e.Class:
		l.note(NoteInert, e.Class.Name, e.File, at, fmt.Sprintf("%s never wants control: there is no class %s", e.ID, e.Class.Name))
	default:
		l.note(NoteInert, e.Class.Name, e.File, at, fmt.Sprintf("%s never wants control: %s is inert here", e.ID, e.Class.Name))
	}
}

// settle drops the delegates of an entry that do not exist: those that code names.
func (l *Lenience) settle(e *Entry) {
	gone := func(id string) bool {
		if id != e.ID && l.ids[id] || strings.HasPrefix(id, e.ID+anonymousMark) && slices.Contains(e.ownIDs(), id) {
			return false
		}
		l.note(NoteDropped, id, e.File, resources.Pos{Line: e.Line, Col: 1}, fmt.Sprintf("class %s of %s names behavior %q: %s", e.Class.Name, e.ID, id, why(id == e.ID)))
		return true
	}
	e.Delegates = slices.DeleteFunc(e.Delegates, gone)
	e.Links = slices.DeleteFunc(e.Links, gone)
}

func why(itself bool) string {
	if itself {
		return "a behavior cannot delegate to itself"
	}
	return "no file defines it"
}

// ownIDs are the IDs of its anonymous behaviors.
func (e *Entry) ownIDs() []string {
	var ids []string
	for _, id := range e.private {
		ids = append(ids, id)
	}
	return ids
}
