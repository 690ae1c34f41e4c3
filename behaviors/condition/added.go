package condition

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// A Type is a condition type that a program adds to the built-in ones. A file names it as it names those.
type Type struct {
	// Name is what conditionType says.
	Name string
	// Doc is a sentence that says when the condition is met.
	Doc string
	// New reads the keys beside conditionType and makes the condition, with its texts. It reads everything once; a key that it does not
	// read is unknown. It reports mistakes at the object, and then what it returns is not used. It may be called on a probe.
	New func(o *resources.Object) (Condition, Texts)
}

// Texts say what a condition answered, and what would change the answer. They are made with the condition, so that whoever asks later runs
// no code of its author. {value} stands for the number of the answer, see [Valuer]. An empty text leaves the words to robotd.
type Texts struct {
	// Met and Unmet name the fact that decided: "the head is raised by {value}°".
	Met, Unmet string
	// Need and Avoid say what has to change for it to be met, and not to be met any more: "the head must be raised to 20°".
	Need, Avoid string
}

// A Valuer is a condition of an author whose answer rests on one number. Value is called after each Met, by the same goroutine.
type Valuer interface {
	Condition
	Value() float64
}

// Measured returns a condition of an author on one number of the view, which must be quick to read and changes nothing. The number is its
// value.
func Measured(name string, read func(v *View) float64, test func(value float64) bool) Condition {
	if read == nil || test == nil {
		panic("condition: " + name + " has no function")
	}
	return &measured{name: name, read: read, test: test}
}

type measured struct {
	name  string
	read  func(v *View) float64
	test  func(value float64) bool
	value float64
}

// SetActive implements [Condition].
func (m *measured) SetActive(*View, bool) {}

// Met implements [Condition].
func (m *measured) Met(v *View) bool {
	m.value = m.read(v)
	return m.test(m.value)
}

// String implements [Condition].
func (m *measured) String() string { return m.name }

// Value implements [Valuer].
func (m *measured) Value() float64 { return m.value }

// A Set holds the condition types that a program adds. Nil holds none. It is immutable.
type Set struct{ byName map[string]*addedType }

type addedType struct {
	Type
	accepts []resources.KeyInfo
	keys    []string // with conditionType
}

// NewSet returns a set of types. Each needs a name of its own, which hides no built-in type.
func NewSet(types ...Type) (*Set, error) {
	s := &Set{byName: make(map[string]*addedType, len(types))}
	for i, t := range types {
		if err := s.add(t); err != nil {
			//lint:ignore ST1005 it is the name of a field
			return nil, fmt.Errorf("Conditions[%d]: %w", i, err)
		}
	}
	return s, nil
}

func (s *Set) add(t Type) error {
	switch {
	case t.Name == "":
		return errors.New("it has no Name")
	case !TypeName(t.Name):
		return fmt.Errorf("%q is no name of a condition type: want letters and digits, with a capital first, such as %q", t.Name, "HeadRaised")
	case kindNamed(t.Name) != nil || t.Name == typeLambda || t.Name == typeInvalid:
		return fmt.Errorf("the name %q is taken by a built-in type; choose another", t.Name)
	case s.byName[t.Name] != nil:
		return fmt.Errorf("the name %q is taken by a type before it; choose another", t.Name)
	case t.Doc == "":
		return fmt.Errorf("%s has no Doc: a sentence that says when it is met", t.Name)
	case t.New == nil:
		return fmt.Errorf("%s has no New", t.Name)
	}
	a := &addedType{Type: t, keys: []string{keyType}}
	var err error
	a.accepts = resources.Explore(func(o *resources.Object) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("%s: New panics when it reads keys that are all valid: %v", t.Name, r)
			}
		}()
		t.New(o)
	})
	for _, k := range a.accepts {
		a.keys = append(a.keys, k.Name)
	}
	s.byName[t.Name] = a
	return err
}

// TypeName reports whether a condition type, or a class of behaviors, can have this name: ASCII letters and digits, with a capital letter
// first, like a Go type.
func TypeName(name string) bool {
	for i, r := range name {
		switch {
		case r >= 'A' && r <= 'Z':
		case i > 0 && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9'):
		default:
			return false
		}
	}
	return name != ""
}

// Types lists the names, sorted.
func (s *Set) Types() []string {
	if s == nil {
		return nil
	}
	return sortedKeys(s.byName)
}

// DocOf is the sentence of a type; empty if the set does not have it.
func (s *Set) DocOf(name string) string {
	if t := s.find(name); t != nil {
		return t.Doc
	}
	return ""
}

// Accepts lists what a condition of a type accepts beside conditionType; nil if the set does not have it.
func (s *Set) Accepts(name string) []resources.KeyInfo {
	if t := s.find(name); t != nil {
		return slices.Clone(t.accepts)
	}
	return nil
}

func (s *Set) find(name string) *addedType {
	if s == nil {
		return nil
	}
	return s.byName[name]
}

// added builds a condition of an added type.
func (r *reader) added(t *addedType) Condition {
	before := r.Document().Errors()
	c, texts := r.make(t)
	r.unknown(t.Name, t.keys, keyCustom)
	r.bad = r.bad || r.Document().Errors() > before
	switch {
	case r.bad:
		return nil
	case c == nil:
		return r.invalid("", "the code of %s makes no condition of it and says no reason", t.Name)
	}
	return worded(c, texts)
}

// make runs the code of an author. A panic is a mistake of the file until its author knows better.
func (r *reader) make(t *addedType) (c Condition, texts Texts) {
	defer func() {
		if why := recover(); why != nil {
			r.invalid("", "the code of %s panics when it reads this: %v", t.Name, why)
		}
	}()
	return t.New(r.Object)
}

// A told is a condition of an added type, with the texts of its author.
type told struct {
	core
	sub   part
	value func() float64 // nil if it has none
	x     float64        // at the newest answer
	texts Texts
}

func worded(c Condition, texts Texts) Condition {
	t := &told{core: core{name: c.String(), authored: authored(c)}, sub: newPart(c), texts: texts}
	if v, ok := c.(Valuer); ok {
		t.value = v.Value
	}
	return t
}

// SetActive implements [Condition].
func (t *told) SetActive(v *View, active bool) {
	t.core.SetActive(v, active)
	t.sub.SetActive(v, active)
	t.authored = authored(t.sub.Condition)
}

// Met implements [Condition].
func (t *told) Met(v *View) bool {
	t.check()
	met := t.sub.ask(v)
	if t.value != nil {
		t.x = t.value()
	}
	return t.answer(v, met)
}

// Looks implements [VisionUser].
func (t *told) Looks() hardware.Look { return Looks(t.sub.Condition) }

func (t *told) ahead(v *View) (met, ok bool) {
	if t.closed() {
		return false, false
	}
	return Ahead(t.sub.Condition, v)
}

func (t *told) note(n *Note) { n.facts.x = t.x }

// part is what the condition is made of, if that can tell something itself.
func (t *told) part(i int) *part {
	if t.sub.base == nil {
		return nil
	}
	return only(&t.sub, i)
}

func (t *told) tell(f *Finding, n *Note) {
	if t.value != nil {
		f.Values = one("value", n.facts.x)
	}
	f.Text = t.fill(yesNo(f.Met, t.texts.Met, t.texts.Unmet), n)
	switch {
	case f.Text != "":
	case len(f.Parts) > 0:
		f.Text = f.Parts[0].Text
	default:
		f.Text = unexplained
	}
}

func (t *told) need(n *Note, want bool) string {
	return t.fill(yesNo(want, t.texts.Need, t.texts.Avoid), n)
}

// fill writes the number of an answer into a text.
func (t *told) fill(text string, n *Note) string {
	return strings.ReplaceAll(text, "{value}", fixed(n.facts.x))
}
