package tape

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"time"
)

// A Decoder turns the messages of an [Encoder] into entries again. It has one owner.
type Decoder struct {
	prev   Entry
	number uint64
	epoch  time.Time
	ring   ring
	left   []byte
	err    error
}

// Next returns the entry of the next message. The error wraps [ErrVersion], [ErrDamaged] or [ErrGap], and stays.
func (r *Decoder) Next(message []byte) (*Entry, error) {
	if r.err != nil {
		return nil, r.err
	}
	r.left = message
	if r.begin(); r.err != nil {
		return nil, r.err
	}
	e := new(Entry)
	*e = r.prev
	r.value(reflect.ValueOf(e).Elem())
	if r.err == nil && len(r.left) > 0 {
		r.damaged("%d bytes too many", len(r.left))
	}
	if r.err != nil {
		return nil, r.err
	}
	r.prev = *e
	r.number++
	return e, nil
}

// begin reads the number of the entry, and what stands before the first.
func (r *Decoder) begin() {
	switch n := r.uint(); {
	case r.err != nil:
	case n == gapMark:
		r.err = fmt.Errorf("engine: tape: after tick %d: %w: %s", r.prev.Input.Tick, ErrGap, r.left)
	case n != r.number && r.number == 0:
		r.err = fmt.Errorf("engine: tape: %w: it begins with entry %d, and not with the start of an engine", ErrGap, n+1)
	case n != r.number:
		r.err = fmt.Errorf("engine: tape: after tick %d: %w: entry %d follows entry %d", r.prev.Input.Tick, ErrGap, n+1, r.number)
	case n == 0:
		r.header()
	}
}

func (r *Decoder) header() {
	if got := [8]byte(r.take(len(fingerprint))); r.err == nil && got != fingerprint {
		r.err = fmt.Errorf("engine: tape: %w: %x, and this program reads %x; the program that recorded it can decide it again", ErrVersion, got, fingerprint)
		return
	}
	text := string(r.take(r.length(maxText)))
	epoch, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		r.damaged("%v", err)
	}
	r.epoch = epoch
}

func (r *Decoder) damaged(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("engine: tape: after tick %d: %w: %s", r.prev.Input.Tick, ErrDamaged, fmt.Sprintf(format, args...))
	}
	r.left = nil
}

// take reads n bytes. They are zero if there are not as many.
func (r *Decoder) take(n int) []byte {
	if n > len(r.left) {
		r.damaged("it is cut off")
		return make([]byte, min(n, 8))
	}
	b := r.left[:n]
	r.left = r.left[n:]
	return b
}

func (r *Decoder) uint() uint64 {
	x, n := binary.Uvarint(r.left)
	if n <= 0 {
		r.damaged("it is cut off")
		return 0
	}
	r.left = r.left[n:]
	return x
}

func (r *Decoder) int() int64 {
	x, n := binary.Varint(r.left)
	if n <= 0 {
		r.damaged("it is cut off")
		return 0
	}
	r.left = r.left[n:]
	return x
}

// length reads a length.
func (r *Decoder) length(most int) int {
	n := r.uint()
	if n > uint64(most) {
		r.damaged("%d is too long", n)
		return 0
	}
	return int(n)
}

// value reads the difference to what v holds. It changes nothing that v refers to: an entry that was read before has it, too.
func (r *Decoder) value(v reflect.Value) {
	if r.err != nil {
		return
	}
	if v.Type() == timeType {
		r.instant(v.Addr().Interface().(*time.Time))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.take(1)[0] != 0)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(math.Float64frombits(binary.LittleEndian.Uint64(r.take(8))))
	case reflect.String:
		v.SetString(r.text())
	case reflect.Struct:
		for i := range r.mask(v.NumField()) {
			if f := v.Field(i); f.CanSet() {
				r.value(f)
			} else {
				r.damaged("%s has no such field", v.Type())
			}
		}
	case reflect.Slice, reflect.Array:
		r.list(v)
	case reflect.Map, reflect.Pointer, reflect.Interface:
		r.boxed(v)
	default:
		r.number64(v)
	}
}

func (r *Decoder) number64(v reflect.Value) {
	d := r.int()
	if v.CanInt() {
		if d += v.Int(); v.OverflowInt(d) {
			r.damaged("%d is no %s", d, v.Type())
		}
		v.SetInt(d)
		return
	}
	u := v.Uint() + uint64(d)
	if v.OverflowUint(u) {
		r.damaged("%d is no %s", u, v.Type())
	}
	v.SetUint(u)
}

func (r *Decoder) instant(t *time.Time) {
	was := int64(noTime)
	if !t.IsZero() {
		was = int64(t.Sub(r.epoch))
	}
	if d := was + r.int(); d == noTime {
		*t = time.Time{}
	} else {
		*t = r.epoch.Add(time.Duration(d))
	}
}

func (r *Decoder) text() string {
	at := r.uint()
	if at > 0 {
		if at > uint64(len(r.ring.texts)) {
			r.damaged("there is no text %d", at)
			return ""
		}
		return r.ring.texts[at-1]
	}
	s := string(r.take(r.length(maxText)))
	r.ring.put(s)
	return s
}

// mask reads which parts follow, and yields them.
func (r *Decoder) mask(parts int) func(yield func(int) bool) {
	bits := r.take((parts + 7) / 8)
	return func(yield func(int) bool) {
		for at, b := range bits {
			for i := at * 8; b != 0; b, i = b>>1, i+1 {
				if b&1 == 0 {
					continue
				}
				if i >= parts {
					r.damaged("there is no part %d of %d", i+1, parts)
				}
				if r.err != nil || !yield(i) {
					return
				}
			}
		}
	}
}

func (r *Decoder) list(v reflect.Value) {
	if v.Kind() == reflect.Slice {
		n := r.length(maxList + 1)
		if n == 0 || r.err != nil {
			v.SetZero()
			return
		}
		if (n+6)/8 > len(r.left) {
			r.damaged("it is cut off")
			return
		}
		list := reflect.MakeSlice(v.Type(), n-1, n-1)
		reflect.Copy(list, v)
		v.Set(list)
	}
	for i := range r.mask(v.Len()) {
		r.value(v.Index(i))
	}
}

func (r *Decoder) boxed(v reflect.Value) {
	n := r.length(maxList + 1)
	if n == 0 || r.err != nil {
		v.SetZero()
		return
	}
	switch v.Kind() {
	case reflect.Map:
		m := map[string]string{}
		for range n - 1 {
			k := r.text()
			m[k] = r.text()
			if r.err != nil {
				return
			}
		}
		v.Set(reflect.ValueOf(m))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		r.content(v.Elem())
	default:
		if n > len(valueTypes) || !valueTypes[n-1].AssignableTo(v.Type()) {
			r.damaged("there is no value of type %d here", n)
			return
		}
		c := reflect.New(valueTypes[n-1]).Elem()
		r.content(c)
		v.Set(c)
	}
}

// content reads what a pointer leads to, or what an interface holds.
func (r *Decoder) content(v reflect.Value) {
	if r.take(1)[0] != 0 {
		r.value(v)
	}
}
