package condition

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/robotd/robotd/resources"
)

// A reader reads one condition object. The typed readers of package resources report a mistake and go on with a default. A condition must
// not be built from such a default, so this reader also remembers that there was a mistake.
type reader struct {
	*resources.Object
	parser Parser
	bad    bool // an error was reported
}

// noLimit is the upper bound of a duration that has none.
const noLimit = time.Duration(math.MaxInt64)

// maxCount bounds whole numbers; no known file has a greater one.
const maxCount = math.MaxInt32

// invalid reports an error about the whole object and returns no condition.
func (r *reader) invalid(hint, format string, args ...any) Condition {
	r.bad = true
	r.Report(resources.Diagnostic{
		Severity: resources.Error, Code: CodeInvalid, Message: r.prefix() + fmt.Sprintf(format, args...), Hint: hint,
	})
	return nil
}

// prefix names the object at the start of a message.
func (r *reader) prefix() string {
	if p := r.Path(); p != "" {
		return p + ": "
	}
	return "condition: "
}

// fail reports an error at the value of a key.
func (r *reader) fail(key, format string, args ...any) {
	r.bad = true
	r.KeyErrorf(key, CodeInvalid, format, args...)
}

// unknown reports the keys that the type does not have; a misspelt one explains what the object lacks. It declares the known keys, because
// after a mistake some of them were not read.
func (r *reader) unknown(what string, known []string, not ...string) {
	if r.Probing() {
		return
	}
	r.Declare(known...)
	for _, key := range r.Keys() {
		r.bad = r.bad || !slices.Contains(known, key) && !slices.Contains(r.parser.Besides, key)
	}
	r.FinishOf(what, not...)
}

// present reports whether the object has a required key, and records a mistake if not.
func (r *reader) present(key string) bool {
	if r.Required(key).Kind() == resources.KindMissing {
		r.bad = true
		return false
	}
	return true
}

func (r *reader) number(key string, low, high float64) float64 {
	if !r.present(key) {
		return 0
	}
	return r.numberOr(key, 0, low, high)
}

// numberOr reads an optional number. It tells a mistake by a default that no file can hold.
func (r *reader) numberOr(key string, def, low, high float64) float64 {
	if r.Probing() {
		return r.FloatRangeOr(key, def, low, high)
	}
	if !r.Has(key) {
		return def
	}
	f := r.FloatRangeOr(key, math.NaN(), low, high)
	if math.IsNaN(f) {
		r.bad = true
		return def
	}
	return f
}

func (r *reader) count(key string, low, high int) int {
	if !r.present(key) {
		return 0
	}
	return r.countOr(key, 0, low, high)
}

func (r *reader) countOr(key string, def, low, high int) int {
	if r.Probing() {
		return r.IntRangeOr(key, def, low, high)
	}
	if !r.Has(key) {
		return def
	}
	n := r.IntRangeOr(key, math.MinInt, low, high)
	if n == math.MinInt {
		r.bad = true
		return def
	}
	return n
}

func (r *reader) flag(key string) bool {
	return r.present(key) && r.flagOr(key, false)
}

func (r *reader) flagOr(key string, def bool) bool {
	if r.Probing() {
		return r.BoolOr(key, def)
	}
	if v, ok := r.Optional(key); ok && v.Kind() != resources.KindBool {
		r.bad = true
	}
	return r.BoolOr(key, def)
}

func (r *reader) seconds(key string) time.Duration {
	if !r.present(key) {
		return 0
	}
	return r.secondsOr(key, 0)
}

func (r *reader) secondsOr(key string, def time.Duration) time.Duration {
	return r.elapse(key, def, r.SecondsOr)
}

func (r *reader) millis(key string) time.Duration {
	if !r.present(key) {
		return 0
	}
	return r.millisOr(key, 0)
}

func (r *reader) millisOr(key string, def time.Duration) time.Duration {
	return r.elapse(key, def, r.MillisOr)
}

// elapse reads an optional duration; the readers of package resources accept none below zero.
func (r *reader) elapse(key string, def time.Duration, read func(string, time.Duration) time.Duration) time.Duration {
	if r.Probing() {
		return read(key, def)
	}
	if !r.Has(key) {
		return def
	}
	d := read(key, -1)
	if d < 0 {
		r.bad = true
		return def
	}
	return d
}

// signed reads an optional duration in the given unit that may be negative; def if it is absent or negative.
func (r *reader) signed(key string, unit, def time.Duration) time.Duration {
	limit := float64(resources.MaxDuration / unit)
	f := r.numberOr(key, -1, -limit, limit)
	if f < 0 {
		return def
	}
	return time.Duration(math.Round(f * float64(unit)))
}

func (r *reader) word(key string, allowed []string) string {
	if !r.present(key) {
		return ""
	}
	w := r.EnumOr(key, "", allowed)
	r.bad = r.bad || w == ""
	return w
}

// wordOr reads an optional word.
func (r *reader) wordOr(key, def string, allowed []string) string {
	if !r.Has(key) {
		return def
	}
	return r.word(key, allowed)
}

// text reads a required text that is not empty.
func (r *reader) text(key string) string {
	if !r.present(key) {
		return ""
	}
	s, ok := r.Required(key).Text()
	if !ok {
		r.bad = true
		r.StringOr(key, "") // reports the type
		return ""
	}
	if s == "" {
		r.fail(key, "the text is empty")
	}
	return s
}

// wordsOr reads an optional list of words, which may be empty.
func (r *reader) wordsOr(key string, allowed []string) []string {
	if !r.Has(key) {
		return nil
	}
	list := r.EnumsOr(key, nil, allowed)
	if elems, ok := r.Required(key).Array(); !ok || len(elems) != len(list) {
		r.bad = true
	}
	return list
}

// wordIndex reads a required word and returns its index; 0 after an error.
func (r *reader) wordIndex(key string, allowed []string) int {
	return max(0, slices.Index(allowed, r.word(key, allowed)))
}

// words reads a required, non-empty list of words.
func (r *reader) words(key string, allowed []string) []string {
	if !r.present(key) {
		return nil
	}
	list := r.EnumsOr(key, nil, allowed)
	r.whole(key, len(list))
	return list
}

// objects reads a required, non-empty list of objects.
func (r *reader) objects(key string) []*resources.Object {
	if !r.present(key) {
		return nil
	}
	list := r.ObjectsOr(key)
	r.whole(key, len(list))
	return list
}

// whole checks that a list is an array that lost no element while it was read, and is not empty. The loss was reported.
func (r *reader) whole(key string, read int) {
	elems, ok := r.Required(key).Array()
	switch {
	case !ok || len(elems) != read:
		r.bad = true
	case read == 0:
		r.fail(key, "the list is empty")
	}
}

// name reads a required name of something outside the file, to be resolved by the catalog.
func (r *reader) name(key, kind string) string {
	if !r.present(key) {
		return ""
	}
	n := r.RefOr(key, kind, "")
	r.bad = r.bad || n == ""
	return n
}

// sub reads a required condition.
func (r *reader) sub(key string) Condition {
	if !r.present(key) {
		return nil
	}
	o, ok := r.ObjectOr(key)
	if !ok {
		r.bad = true
		return nil
	}
	c := r.parser.Parse(o)
	r.bad = r.bad || c == nil
	return c
}

// ordered warns of a range in which nothing can lie.
func (r *reader) ordered(key string, never bool) {
	if never && !r.bad {
		r.KeyWarnf(key, CodeInvalid, "the limits leave no value between them: the condition is never met")
	}
}
