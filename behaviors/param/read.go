package param

import (
	"fmt"
	"reflect"
	"sync"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/resources"
)

// Read reads the parameters of an object into the struct that p points to. Each exported field has tags that say which key it
// is read from and what values it takes:
//
//	key:"name"            the key; "minKey,maxKey" for Times, Span and Counts
//	doc:"…"               one line for whoever writes the file
//	range:"1..100"        the limits of a number, both included; either may be left out, or be a name such as cliffSafe
//	length:"1..8"         the limits of the number of entries of a list
//	words:"left|right"    the strings allowed; "@emotions", "@suggestions" and "@expressions" are lists of words
//	ref:"intent"          the string names something: behavior, clip, intent, timer, trigger, feature, emotionEvent, stat
//	delegate:"true"       the string names a behavior, or the list behaviors, that this one may delegate to
//	unit:"s"              the unit, where the key does not end in it (_s, _sec, _ms, _deg)
//	default:"…"           the key is optional; the value as the file would say it ("none" for a pointer or a condition)
//	why:"…"               the reason for the default; every default has one
//	inline:"true"         the field is a struct whose keys stand in the same object; an embedded struct needs no tag for that
//
// A key without default is required. The types are bool, int, float64, string, []string, []float64, [time.Duration] (unit s or ms),
// [Angle] (unit deg), [Times], [Span] (in radians if the unit is deg), [Counts], [condition.Condition], a struct for an object,
// a pointer to a struct for an optional object, and a slice of structs for a list of objects. Objects inside are finished: a key that
// no field names is unknown. A struct that is an [ObjectReader] reads itself.
//
// Mistakes in the file are reported at their place. A mistake in the tags is one of the program, and panics.
//
// Unexported fields are left alone. If *T is a [Checker], it checks what was read.
func Read(o *resources.Object, p any) { read(input{o: o}, p) }

// ReadConfig reads the parameters of a behavior like [Read], and declares the delegates among them.
func ReadConfig(cfg *behaviors.Config, p any) { read(input{o: cfg.Object, cfg: cfg}, p) }

// A Checker finds mistakes that lie in more than one key, and computes unexported fields. Check runs after the fields of its own object
// were read, whether or not all were right. cfg is nil if the struct is read by [Read].
type Checker interface {
	Check(o *resources.Object, cfg *behaviors.Config)
}

// An ObjectReader is a type of object that reads itself, where tags cannot say how: its keys are names, or its reading depends on what
// is read later. It calls Finish on the object itself. cfg is nil if the struct is read by [Read].
type ObjectReader interface {
	ReadObject(o *resources.Object, cfg *behaviors.Config)
}

// input is an object with the configuration of the behavior that it belongs to.
type input struct {
	o   *resources.Object
	cfg *behaviors.Config
}

func read(in input, p any) {
	v := reflect.ValueOf(p)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		panic(fmt.Sprintf("param: want a pointer to a struct, got %T", p))
	}
	planOf(v.Type().Elem()).fill(in, v.Elem())
}

// A plan is how the fields of one struct type are read.
type plan struct {
	fields []field
	checks bool // the pointer to the struct is a Checker
	own    bool // it is an ObjectReader
}

type field struct {
	index int
	read  reader
	keys  []string
	doc   string
}

// A reader reads one field. v is addressable.
type reader func(in input, v reflect.Value)

// plans holds the plan of each type that was read.
var plans sync.Map // reflect.Type to *plan

func planOf(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	p := newPlan(t)
	plans.Store(t, p)
	return p
}

var (
	checkerType = reflect.TypeFor[Checker]()
	readerType  = reflect.TypeFor[ObjectReader]()
)

func newPlan(t reflect.Type) *plan {
	if reflect.PointerTo(t).Implements(readerType) {
		return &plan{own: true}
	}
	p := &plan{checks: reflect.PointerTo(t).Implements(checkerType)}
	for i := range t.NumField() {
		f := t.Field(i)
		tags := tagsOf(t, f)
		switch {
		case f.IsExported(), tags.inline && f.Anonymous:
			p.fields = append(p.fields, field{index: i, read: tags.reader(), keys: tags.keys, doc: tags.doc})
		case len(f.Tag) > 0:
			tags.fail("has tags and is not exported, so it cannot be read")
		}
	}
	return p
}

// fill reads all fields, then checks them.
func (p *plan) fill(in input, v reflect.Value) {
	p.each(in, v)
	if p.checks {
		v.Addr().Interface().(Checker).Check(in.o, in.cfg)
	}
}

func (p *plan) each(in input, v reflect.Value) {
	for i := range p.fields {
		f := &p.fields[i]
		f.read(in, v.Field(f.index))
		if !in.o.Probing() {
			continue
		}
		for _, k := range f.keys {
			in.o.Describe(k, f.doc)
		}
	}
}
