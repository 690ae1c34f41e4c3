package param

import (
	"reflect"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

func (g *tags) times() func(input) Times {
	low, high := g.numbers()
	first, second := g.duration(g.keys[0], low), g.duration(g.keys[1], high)
	return func(in input) Times {
		t := Times{Min: first(in), Max: second(in)}
		if t.Max < t.Min {
			g.reversed(in.o)
		}
		return t
	}
}

func (g *tags) span() func(input) Span {
	low, high := g.numbers()
	first, second := g.float(g.keys[0], low), g.float(g.keys[1], high)
	rad := g.unit == "deg"
	return func(in input) Span {
		s := Span{Min: first(in), Max: second(in)}
		if s.Max < s.Min {
			g.reversed(in.o)
		}
		if rad {
			s.Min, s.Max = Rad(s.Min), Rad(s.Max)
		}
		return s
	}
}

func (g *tags) counts() func(input) Counts {
	var low, high int
	if g.optional {
		a, b := g.two()
		low, high = g.whole(a), g.whole(b)
	}
	first, second := g.count(g.keys[0], low), g.count(g.keys[1], high)
	return func(in input) Counts {
		n := Counts{Min: first(in), Max: second(in)}
		if n.Max < n.Min {
			g.reversed(in.o)
		}
		return n
	}
}

// reversed reports limits in the wrong order, unless one of them is absent or no number, which was reported already.
func (g *tags) reversed(o *resources.Object) {
	low, high := g.keys[0], g.keys[1]
	if !g.given(o, low) || !g.given(o, high) {
		return
	}
	reversed(o, low, high)
}

// given reports whether the key has a number that it was read from, or its default.
func (g *tags) given(o *resources.Object, key string) bool {
	v, ok := o.Optional(key)
	if !ok {
		return g.optional
	}
	n, ok := v.Float()
	return ok && g.low <= n && n <= g.high
}

// nested are the types with objects inside; nil for any other.
func (g *tags) nested() reader {
	switch t := g.typ; {
	case t.Kind() == reflect.Struct:
		return g.object()
	case t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct:
		return g.optionalObject()
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		return g.measured(g.objects())
	}
	return nil
}

// inlined reads a struct from the same object.
func (g *tags) inlined() reader {
	if g.typ.Kind() != reflect.Struct || len(g.keys) > 0 {
		g.fail("inline is for a struct without a key of its own")
	}
	if g.embedded { // its Check, if it has one, is that of the outer struct
		return planOf(g.typ).each
	}
	return planOf(g.typ).fill
}

// object reads a required object.
func (g *tags) object() reader {
	if g.optional {
		g.fail("an optional object is a pointer: *%s", g.typ)
	}
	key, p := g.keys[0], planOf(g.typ)
	return func(in input, v reflect.Value) { p.finish(input{in.o.Object(key), in.cfg}, v) }
}

// optionalObject reads an object that may be absent: the pointer is nil then.
func (g *tags) optionalObject() reader {
	if !g.optional || g.def != "none" {
		g.fail("a pointer is for an optional object: default:\"none\"")
	}
	key, t := g.keys[0], g.typ.Elem()
	p := planOf(t)
	return func(in input, v reflect.Value) {
		if sub, ok := in.o.ObjectOr(key); ok {
			v.Set(reflect.New(t))
			p.finish(input{sub, in.cfg}, v.Elem())
		}
	}
}

func (g *tags) objects() reader {
	key, p := g.keys[0], planOf(g.typ.Elem())
	list := (*resources.Object).Objects
	if g.optional {
		if g.def != "" {
			g.fail("a list of objects has no default but an empty one (default:\"\")")
		}
		list = (*resources.Object).ObjectsOr
	}
	return func(in input, v reflect.Value) {
		subs := list(in.o, key)
		if len(subs) == 0 {
			return
		}
		v.Set(reflect.MakeSlice(g.typ, len(subs), len(subs)))
		for i, sub := range subs {
			p.finish(input{sub, in.cfg}, v.Index(i))
		}
	}
}

// finish reads an object inside, and reports the keys that no field names. Nil is an object that was reported already.
func (p *plan) finish(in input, v reflect.Value) {
	if in.o == nil {
		return
	}
	if p.own {
		v.Addr().Interface().(ObjectReader).ReadObject(in.o, in.cfg)
		return
	}
	p.fill(in, v)
	in.o.Finish()
}

// condition reads a condition object.
func (g *tags) condition() reader {
	if g.optional && g.def != "none" {
		g.fail("a condition has no default but none (default:\"none\")")
	}
	key := g.keys[0]
	return func(in input, v reflect.Value) {
		sub, ok := g.conditionAt(in.o, key)
		if !ok {
			return
		}
		var c condition.Condition
		if in.cfg != nil {
			c = in.cfg.ParseCondition(sub)
		} else {
			c = condition.Parse(sub)
		}
		if c != nil {
			v.Set(reflect.ValueOf(c))
		}
	}
}

func (g *tags) conditionAt(o *resources.Object, key string) (*resources.Object, bool) {
	if g.optional {
		return o.ObjectOr(key)
	}
	sub := o.Object(key)
	return sub, sub != nil
}
