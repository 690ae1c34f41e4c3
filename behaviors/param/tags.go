package param

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

// tags is what the tags of one field say.
type tags struct {
	of       reflect.Type // of the struct
	name     string
	typ      reflect.Type
	keys     []string
	doc      string
	unit     string
	limits   string
	low      float64 // of the range
	high     float64
	least    int // of the length
	most     int
	words    func() []string // nil: any string
	ref      string
	delegate bool
	inline   bool
	embedded bool
	optional bool
	def      string
}

// tagNames are the tags that a field may have. Another one is a slip.
var tagNames = []string{"key", "doc", "range", "length", "words", "ref", "delegate", "unit", "default", "why", "inline"}

// kinds are the words of the tag ref.
var kinds = map[string]string{
	"behavior": behaviors.RefBehavior, "clip": behaviors.RefClip, "intent": behaviors.RefIntent, "timer": behaviors.RefTimer,
	"feature": behaviors.RefFeature, "emotionEvent": behaviors.RefEmotionEvent, "stat": behaviors.RefStat, "trigger": behaviors.RefTrigger,
}

// limits are the names that a range may use for what the robot can do.
var limits = map[string]float64{
	"headMin": HeadMinDeg, "headMax": HeadMaxDeg, "cliffSafe": motion.CliffSafeMMPS,
}

func tagsOf(t reflect.Type, f reflect.StructField) *tags {
	g := &tags{of: t, name: f.Name, typ: f.Type, doc: f.Tag.Get("doc"), low: math.Inf(-1), high: math.Inf(1), most: math.MaxInt}
	g.checkNames(string(f.Tag))
	g.embedded = f.Anonymous && f.Tag.Get("key") == ""
	g.inline = g.flag(f.Tag, "inline") || g.embedded
	g.delegate = g.flag(f.Tag, "delegate")
	g.readKeys(f.Tag.Get("key"))
	g.readUnit(f.Tag.Get("unit"))
	g.limits = f.Tag.Get("range")
	if g.limits != "" {
		g.low, g.high = g.readLimits(g.limits)
	}
	if s := f.Tag.Get("length"); s != "" {
		low, high := g.readLimits(s)
		g.least = int(max(low, 0))
		if high < math.MaxInt32 {
			g.most = int(high)
		}
	}
	if s, ok := f.Tag.Lookup("words"); ok {
		g.readWords(s)
	}
	g.readRef(f.Tag.Get("ref"))
	g.def, g.optional = f.Tag.Lookup("default")
	if _, why := f.Tag.Lookup("why"); why && !g.optional {
		g.fail("has a reason (why) for a default that it does not have")
	}
	return g
}

// fail ends the program's start: the tags are part of it.
func (g *tags) fail(format string, args ...any) {
	panic(fmt.Sprintf("param: field %s of %s: %s", g.name, g.of, fmt.Sprintf(format, args...)))
}

// checkNames reads the names of all tags, because reflect says nothing of those that are malformed.
func (g *tags) checkNames(raw string) {
	for rest := strings.TrimLeft(raw, " "); rest != ""; rest = strings.TrimLeft(rest, " ") {
		name, after, ok := strings.Cut(rest, ":")
		quoted, err := strconv.QuotedPrefix(after)
		if !ok || err != nil || !strings.HasPrefix(after, `"`) {
			g.fail("the tags are malformed at %s: want name:\"value\" pairs", strconv.Quote(rest))
		}
		if !slices.Contains(tagNames, name) {
			g.fail("unknown tag %s; known are %s", strconv.Quote(name), strings.Join(tagNames, ", "))
		}
		rest = after[len(quoted):]
	}
}

func (g *tags) flag(t reflect.StructTag, name string) bool {
	s, ok := t.Lookup(name)
	if ok && s != "true" {
		g.fail("%s is %s; want %s:\"true\" or nothing", name, strconv.Quote(s), name)
	}
	return ok
}

func (g *tags) readKeys(s string) {
	if s == "" {
		return
	}
	g.keys = strings.Split(s, ",")
	for i, k := range g.keys {
		g.keys[i] = strings.TrimSpace(k)
		if g.keys[i] == "" {
			g.fail("key %s names an empty key", strconv.Quote(s))
		}
	}
}

// units of keys, by their ends.
var unitOf = map[string]string{"s": "s", "sec": "s", "ms": "ms", "deg": "deg"}

func (g *tags) readUnit(s string) {
	g.unit = s
	if s == "" && len(g.keys) > 0 {
		g.unit = unitOf[g.keys[0][strings.LastIndex(g.keys[0], "_")+1:]]
		if !strings.Contains(g.keys[0], "_") {
			g.unit = ""
		}
	}
}

func (g *tags) readLimits(s string) (low, high float64) {
	from, to, ok := strings.Cut(s, "..")
	if !ok {
		g.fail("limits %s: want low..high", strconv.Quote(s))
	}
	low, high = g.limit(from, math.Inf(-1)), g.limit(to, math.Inf(1))
	if high < low {
		g.fail("limits %s: the first is above the second", strconv.Quote(s))
	}
	return low, high
}

func (g *tags) limit(s string, open float64) float64 {
	if s == "" {
		return open
	}
	if n, ok := limits[s]; ok {
		return n
	}
	return g.number(s)
}

// wordLists are the lists of words that the tag words may name with an @.
var wordLists = map[string]func() []string{
	"@emotions": condition.EmotionNames, "@suggestions": condition.Suggestions, "@expressions": func() []string { return hardware.Expressions },
	"@tracks": behaviors.TrackWords,
}

func (g *tags) readWords(s string) {
	if !strings.HasPrefix(s, "@") {
		list := strings.Split(s, "|")
		g.words = func() []string { return list }
		return
	}
	list, ok := wordLists[s]
	if !ok {
		g.fail("words %s names no list of words", strconv.Quote(s))
	}
	g.words = list
}

func (g *tags) readRef(s string) {
	if s == "" {
		return
	}
	kind, ok := kinds[s]
	if !ok {
		g.fail("ref %s is no kind of reference", strconv.Quote(s))
	}
	g.ref = kind
}

// The values of defaults.

func (g *tags) number(s string) float64 {
	n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil {
		g.fail("%s is not a number", strconv.Quote(s))
	}
	return n
}

func (g *tags) whole(s string) int {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil {
		g.fail("%s is not a whole number", strconv.Quote(s))
	}
	return n
}

// numbers are the two defaults of a pair.
func (g *tags) numbers() (low, high float64) {
	if !g.optional {
		return 0, 0
	}
	a, b := g.two()
	return g.number(a), g.number(b)
}

func (g *tags) two() (a, b string) {
	a, b, ok := strings.Cut(g.def, ",")
	if !ok {
		g.fail("default %s: want two values with a comma between", strconv.Quote(g.def))
	}
	return a, b
}

// list is the default of a list.
func (g *tags) list() []string {
	if g.def == "" || g.def == "none" {
		return nil
	}
	return strings.Split(g.def, ",")
}

// wholeLimits are the range of a whole number.
func (g *tags) wholeLimits() (low, high int) {
	low, high = math.MinInt, math.MaxInt
	if !math.IsInf(g.low, -1) {
		low = int(g.low)
	}
	if !math.IsInf(g.high, 1) {
		high = int(g.high)
	}
	return low, high
}

// scale is the length of the unit of a duration.
func (g *tags) scale() time.Duration {
	switch g.unit {
	case "s":
		return time.Second
	case "ms":
		return time.Millisecond
	}
	g.fail("a duration needs a unit: a key that ends in _s, _sec or _ms, or unit:\"s\" or unit:\"ms\"")
	return 0
}
