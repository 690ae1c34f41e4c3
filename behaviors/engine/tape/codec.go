package tape

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"time"

	"github.com/robotd/robotd/behaviors/engine"
)

// Errors of messages that are read.
var (
	// ErrVersion is for a tape whose entries have another shape than those of this program.
	ErrVersion = errors.New("its format is another one")
	// ErrDamaged is for a message that is not what was written.
	ErrDamaged = errors.New("damaged")
	// ErrGap is for entries that were not recorded. What follows them cannot be decided again.
	ErrGap = errors.New("a gap in the recording")
)

// limits of what a reader believes.
const (
	maxList = 1 << 16
	maxText = 1 << 24
)

// gapMark stands in place of the number of an entry before the reason of a gap.
const gapMark = math.MaxUint64

// An Encoder turns the entries of one life into messages. A message holds what differs from the entry before it, so a [Decoder] needs
// all of them, from the start of the engine on, and their order. What is equal costs nothing. It has one owner.
//
// A message is the number of the entry, and a value. A struct is a bit for each field, and those fields that differ; a list is its length, a
// bit for each element, and those elements that differ from the one at their place before. Numbers and instants are differences, text is
// the place of an equal text that came before. The first message has the fingerprint of the format and the epoch of the instants, too.
type Encoder struct {
	prev   *Entry
	number uint64
	epoch  time.Time
	words  map[string]uint64
	ring   ring
	err    error
}

// Append appends the message of the next entry to b. The encoder keeps the entry until the next call. After an error it is of no use.
func (w *Encoder) Append(b []byte, e *Entry) ([]byte, error) {
	if w.err != nil {
		return b, w.err
	}
	e.Seal()
	b = binary.AppendUvarint(b, w.number)
	if w.number == 0 {
		if e.Kind != engine.CallStart {
			return b, errors.New("engine: tape: the first entry must be the start of an engine")
		}
		w.epoch, w.prev, w.words = e.Now, &Entry{}, map[string]uint64{}
		b = append(b, fingerprint[:]...)
		text := e.Now.Format(time.RFC3339Nano)
		b = append(binary.AppendUvarint(b, uint64(len(text))), text...)
	}
	b, _ = w.value(b, reflect.ValueOf(e).Elem(), reflect.ValueOf(w.prev).Elem())
	w.number++
	w.prev = e
	if w.err != nil {
		w.err = fmt.Errorf("engine: tape: tick %d: %w", e.Input.Tick, w.err)
	}
	return b, w.err
}

// AppendGap appends the message which says that entries are missing from here on, and why.
func AppendGap(b []byte, why string) []byte {
	return append(binary.AppendUvarint(b, gapMark), why...)
}

// value appends v, and reports whether it differs from p. If it does not, nothing is appended, unless it is no field or element.
func (w *Encoder) value(b []byte, v, p reflect.Value) ([]byte, bool) {
	if v.Type() == timeType {
		now, was := w.nanos(v), w.nanos(p)
		return differing(b, now, was)
	}
	switch v.Kind() {
	case reflect.Bool:
		return append(b, byte(number(v))), v.Bool() != p.Bool()
	case reflect.Float32, reflect.Float64:
		bits, was := math.Float64bits(v.Float()), math.Float64bits(p.Float())
		if bits == was {
			return b, false
		}
		return binary.LittleEndian.AppendUint64(b, bits), true
	case reflect.String:
		if v.String() == p.String() {
			return b, false
		}
		return w.text(b, v.String()), true
	case reflect.Struct:
		return w.fields(b, v, p)
	case reflect.Slice, reflect.Array:
		return w.list(b, v, p)
	case reflect.Map, reflect.Pointer, reflect.Interface:
		return w.boxed(b, v, p)
	}
	return differing(b, number(v), number(p))
}

// differing appends the difference of two numbers.
func differing(b []byte, now, was int64) ([]byte, bool) {
	return binary.AppendVarint(b, now-was), now != was
}

// number is a number of any kind, or a truth.
func number(v reflect.Value) int64 {
	switch {
	case v.CanInt():
		return v.Int()
	case v.CanUint():
		return int64(v.Uint())
	case v.Bool():
		return 1
	}
	return 0
}

// noTime is the zero time.
const noTime = math.MinInt64

// nanos is an instant as time since the epoch, by the monotonic clock if both have it.
func (w *Encoder) nanos(v reflect.Value) int64 {
	t := v.Addr().Interface().(*time.Time)
	if t.IsZero() {
		return noTime
	}
	d := t.Sub(w.epoch)
	if d == math.MaxInt64 || d == math.MinInt64 {
		w.fail("the instant %v is too far from %v", *t, w.epoch)
	}
	return int64(d)
}

func (w *Encoder) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

// text appends a text, or the place of an equal one.
func (w *Encoder) text(b []byte, s string) []byte {
	if at, ok := w.words[s]; ok {
		return binary.AppendUvarint(b, at+1)
	}
	if at, old, ok := w.ring.put(s); ok {
		delete(w.words, old)
		w.words[s] = at
	}
	b = append(b, 0)
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// fields appends the fields of a struct that differ. What is not exported stays out of an entry; elsewhere it must be zero.
func (w *Encoder) fields(b []byte, v, p reflect.Value) ([]byte, bool) {
	b, m := openMask(b, v.NumField())
	for i := range v.NumField() {
		f := v.Field(i)
		if !f.CanInterface() {
			if v.Type() != entryType && !f.IsZero() {
				w.fail("a tape cannot hold %s.%s", v.Type(), v.Type().Field(i).Name)
			}
			continue
		}
		b = w.part(b, &m, i, f, p.Field(i))
	}
	return m.close(b)
}

func (w *Encoder) part(b []byte, m *mask, i int, v, p reflect.Value) []byte {
	at := len(b)
	b, differs := w.value(b, v, p)
	if !differs {
		return b[:at]
	}
	m.set(b, i)
	return b
}

// list appends a slice or an array.
func (w *Encoder) list(b []byte, v, p reflect.Value) ([]byte, bool) {
	begin, resized := len(b), v.Len() != p.Len()
	if v.Kind() == reflect.Slice {
		resized = resized || v.IsNil() != p.IsNil()
		b = appendLength(b, v.IsNil(), v.Len())
	}
	if v.Len() > maxList {
		w.fail("a tape cannot hold a list of %d", v.Len())
		return b, true
	}
	b, m := openMask(b, v.Len())
	none := reflect.New(v.Type().Elem()).Elem()
	for i := range v.Len() {
		was := none
		if i < p.Len() {
			was = p.Index(i)
		}
		b = w.part(b, &m, i, v.Index(i), was)
	}
	if !m.any && !resized {
		return b[:begin], false
	}
	return b, true
}

func appendLength(b []byte, isNil bool, n int) []byte {
	if isNil {
		return append(b, 0)
	}
	return binary.AppendUvarint(b, uint64(n)+1)
}

// boxed appends a map of text, what a pointer leads to, or what an interface holds, whole.
func (w *Encoder) boxed(b []byte, v, p reflect.Value) ([]byte, bool) {
	if v.IsNil() {
		return append(b, 0), !p.IsNil()
	}
	if v.Kind() == reflect.Map {
		m := v.Interface().(map[string]string)
		b = appendLength(b, false, len(m))
		for _, k := range sortedKeys(m) {
			b = w.text(w.text(b, k), m[k])
		}
		return b, true
	}
	kind := uint64(1)
	if v.Kind() == reflect.Interface {
		if kind = valueNumbers[v.Elem().Type()]; kind == 0 {
			w.fail("a tape cannot hold a value of type %s", v.Elem().Type())
			return b, true
		}
	}
	c := reflect.New(v.Elem().Type()).Elem()
	none := reflect.New(c.Type()).Elem()
	c.Set(v.Elem())
	b = binary.AppendUvarint(b, kind)
	at := len(b)
	b, differs := w.value(append(b, 1), c, none)
	if !differs {
		b = append(b[:at], 0)
	}
	return b, true
}

// A mask has a bit for each part, in front of those parts whose bit is set.
type mask struct {
	at  int
	any bool
}

func openMask(b []byte, parts int) ([]byte, mask) {
	m := mask{at: len(b)}
	for range (parts + 7) / 8 {
		b = append(b, 0)
	}
	return b, m
}

func (m *mask) set(b []byte, i int) {
	b[m.at+i/8] |= 1 << (i % 8)
	m.any = true
}

// close drops a mask without a bit.
func (m *mask) close(b []byte) ([]byte, bool) {
	if !m.any {
		return b[:m.at], false
	}
	return b, true
}

// A ring keeps the newest texts at numbered places.
type ring struct {
	texts []string
	next  int
}

// What a ring holds.
const (
	ringSize = 1024
	ringText = 512 // longest text
)

// put takes the place of the oldest text; !ok if the new one is too long to be kept.
func (r *ring) put(s string) (at uint64, old string, ok bool) {
	if len(s) > ringText {
		return 0, "", false
	}
	if len(r.texts) < ringSize {
		r.texts = append(r.texts, s)
		return uint64(len(r.texts) - 1), "", true
	}
	at = uint64(r.next)
	old, r.texts[r.next] = r.texts[r.next], s
	r.next = (r.next + 1) % ringSize
	return at, old, true
}
