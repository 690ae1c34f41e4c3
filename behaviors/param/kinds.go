package param

import (
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

// reader chooses how the field is read by its type.
func (g *tags) reader() reader {
	if g.inline {
		return g.inlined()
	}
	want := 1
	switch g.typ {
	case reflect.TypeFor[Times](), reflect.TypeFor[Span](), reflect.TypeFor[Counts]():
		want = 2
	}
	switch {
	case len(g.keys) == 0:
		g.fail("has no key: write key:\"name\", or make the field unexported if no file sets it")
	case len(g.keys) != want:
		g.fail("names %d keys; a %s is read from %d", len(g.keys), g.typ, want)
	}
	if r := g.plain(); r != nil {
		return r
	}
	if r := g.nested(); r != nil {
		return r
	}
	g.fail("a %s cannot be read; see param.Read for the types", g.typ)
	return nil
}

// plain are the types without objects inside; nil for any other.
func (g *tags) plain() reader {
	switch g.typ {
	case reflect.TypeFor[bool]():
		return into(g.bool())
	case reflect.TypeFor[int]():
		return into(g.int())
	case reflect.TypeFor[float64]():
		if g.unit == "deg" {
			g.fail("an angle is a param.Angle, which holds radians")
		}
		return into(g.float(g.keys[0], g.defaultNumber()))
	case reflect.TypeFor[Angle]():
		return into(g.angle())
	case reflect.TypeFor[time.Duration]():
		return into(g.duration(g.keys[0], g.defaultNumber()))
	case reflect.TypeFor[string]():
		return into(g.text())
	case reflect.TypeFor[[]string]():
		return g.measured(into(g.texts()))
	case reflect.TypeFor[[]float64]():
		return g.measured(into(g.floats()))
	case reflect.TypeFor[Times]():
		return into(g.times())
	case reflect.TypeFor[Span]():
		return into(g.span())
	case reflect.TypeFor[Counts]():
		return into(g.counts())
	case reflect.TypeFor[condition.Condition]():
		return g.condition()
	}
	return nil
}

// into makes a reader of a function that reads a value.
func into[T any](get func(in input) T) reader {
	return func(in input, v reflect.Value) { *v.Addr().Interface().(*T) = get(in) }
}

func (g *tags) bool() func(input) bool {
	key := g.keys[0]
	if !g.optional {
		return func(in input) bool { return in.o.Bool(key) }
	}
	def, err := strconv.ParseBool(g.def)
	if err != nil {
		g.fail("default %s: want true or false", strconv.Quote(g.def))
	}
	return func(in input) bool { return in.o.BoolOr(key, def) }
}

func (g *tags) int() func(input) int {
	def := 0
	if g.optional {
		def = g.whole(g.def)
	}
	return g.count(g.keys[0], def)
}

// count reads one whole number.
func (g *tags) count(key string, def int) func(input) int {
	low, high := g.wholeLimits()
	switch ranged := g.limits != ""; {
	case ranged && g.optional:
		return func(in input) int { return in.o.IntRangeOr(key, def, low, high) }
	case ranged:
		return func(in input) int { return in.o.IntRange(key, low, high) }
	case g.optional:
		return func(in input) int { return in.o.IntOr(key, def) }
	default:
		return func(in input) int { return in.o.Int(key) }
	}
}

func (g *tags) defaultNumber() float64 {
	if !g.optional {
		return 0
	}
	return g.number(g.def)
}

// float reads one number.
func (g *tags) float(key string, def float64) func(input) float64 {
	low, high := g.low, g.high
	switch ranged := g.limits != ""; {
	case ranged && g.optional:
		return func(in input) float64 { return in.o.FloatRangeOr(key, def, low, high) }
	case ranged:
		return func(in input) float64 { return in.o.FloatRange(key, low, high) }
	case g.optional:
		return func(in input) float64 { return in.o.FloatOr(key, def) }
	default:
		return func(in input) float64 { return in.o.Float(key) }
	}
}

func (g *tags) angle() func(input) Angle {
	if g.unit != "deg" {
		g.fail("an angle needs a unit: a key that ends in _deg, or unit:\"deg\"")
	}
	deg := g.float(g.keys[0], g.defaultNumber())
	return func(in input) Angle { return Angle(Rad(deg(in))) }
}

// duration reads one duration. Without a range it is not negative.
func (g *tags) duration(key string, def float64) func(input) time.Duration {
	unit := g.scale()
	length := func(n float64) time.Duration { return time.Duration(math.Round(n * float64(unit))) }
	switch {
	case g.limits != "":
		number := g.float(key, def)
		return func(in input) time.Duration { return length(number(in)) }
	case unit == time.Second && g.optional:
		return func(in input) time.Duration { return in.o.SecondsOr(key, length(def)) }
	case unit == time.Second:
		return func(in input) time.Duration { return in.o.Seconds(key) }
	case g.optional:
		return func(in input) time.Duration { return in.o.MillisOr(key, length(def)) }
	default:
		return func(in input) time.Duration { return in.o.Millis(key) }
	}
}

func (g *tags) text() func(input) string {
	key, def := g.keys[0], g.def
	switch {
	case g.words != nil && g.optional:
		return func(in input) string { return in.o.EnumOr(key, def, g.words()) }
	case g.words != nil:
		return func(in input) string { return in.o.Enum(key, g.words()) }
	case g.delegate:
		return g.delegated()
	case g.ref != "" && g.optional:
		return func(in input) string { return in.o.RefOr(key, g.ref, def) }
	case g.ref != "":
		return func(in input) string { return in.o.Ref(key, g.ref) }
	case g.optional:
		return func(in input) string { return in.o.StringOr(key, def) }
	default:
		return func(in input) string { return in.o.String(key) }
	}
}

// delegated reads the name of a behavior, and declares it.
func (g *tags) delegated() func(input) string {
	key, def := g.keys[0], g.def
	return func(in input) string {
		g.needConfig(in)
		var id string
		if g.optional {
			id = in.o.RefOr(key, kinds["behavior"], def)
		} else {
			id = in.o.Ref(key, kinds["behavior"])
		}
		in.cfg.MayDelegateTo(id)
		return id
	}
}

func (g *tags) needConfig(in input) {
	if in.cfg == nil {
		g.fail("a delegate is read by ReadConfig, not by Read")
	}
}

func (g *tags) texts() func(input) []string {
	key, def := g.keys[0], g.list()
	switch {
	case g.words != nil && g.optional:
		return func(in input) []string { return in.o.EnumsOr(key, def, g.words()) }
	case g.words != nil:
		return func(in input) []string { return in.o.Enums(key, g.words()) }
	case g.delegate:
		return g.delegatedAll()
	case g.ref != "":
		return g.refs(g.ref)
	case g.optional:
		return func(in input) []string { return in.o.StringsOr(key, def) }
	default:
		return func(in input) []string { return in.o.Strings(key) }
	}
}

func (g *tags) refs(kind string) func(input) []string {
	key := g.keys[0]
	if !g.optional {
		return func(in input) []string { return in.o.Refs(key, kind) }
	}
	if g.list() != nil {
		g.fail("a list of names has no default but an empty one (default:\"\")")
	}
	return func(in input) []string { return in.o.RefsOr(key, kind) }
}

func (g *tags) delegatedAll() func(input) []string {
	get := g.refs(kinds["behavior"])
	return func(in input) []string {
		g.needConfig(in)
		ids := get(in)
		in.cfg.MayDelegateTo(ids...)
		return ids
	}
}

func (g *tags) floats() func(input) []float64 {
	key := g.keys[0]
	if !g.optional {
		return func(in input) []float64 { return in.o.Floats(key) }
	}
	var def []float64
	for _, s := range g.list() {
		def = append(def, g.number(s))
	}
	return func(in input) []float64 { return in.o.FloatsOr(key, def) }
}

// measured checks the length of a list after it was read. A list with wrong entries has its length nevertheless.
func (g *tags) measured(r reader) reader {
	if g.least == 0 && g.most == math.MaxInt {
		return r
	}
	key := g.keys[0]
	return func(in input, v reflect.Value) {
		r(in, v)
		list, ok := in.o.Optional(key)
		entries, isList := list.Array()
		switch n := len(entries); {
		case !ok || !isList:
		case n == 0:
			in.o.KeyErrorf(key, resources.CodeKeyRange, "the list is empty; want at least %d", g.least)
		case n < g.least:
			in.o.KeyErrorf(key, resources.CodeKeyRange, "has %d entries; want at least %d", n, g.least)
		case n > g.most:
			in.o.KeyErrorf(key, resources.CodeKeyRange, "has %d entries; want at most %d", n, g.most)
		}
	}
}
