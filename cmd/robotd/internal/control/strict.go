package control

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/robotd/robotd/resources"
)

// maxNesting bounds how deep a body nests; the deepest sensible one, an image's detections, has three levels.
const maxNesting = 16

// maxKeys bounds the keys of one object; an intent has a handful.
const maxKeys = 256

var (
	rawType      = reflect.TypeFor[json.RawMessage]()
	errNull      = errors.New("body: null where a value is expected")
	errMalformed = errors.New("body: no valid JSON")
)

// strict checks what encoding/json accepts silently: keys must be known and spelled exactly, no key may come twice, no value may be
// null, and nothing may follow the value. It goes through the text once, so that a long body costs no more than its decoding. It does not
// look into numbers and strings, which the decoder checks.
func strict(raw []byte, t reflect.Type) error {
	s := scanner{text: raw}
	err := s.value(t, 0)
	if err == nil && s.space() != end {
		raw, err = raw[:s.at], errors.New("body: more than one JSON value")
	} else if !errors.Is(err, errMalformed) {
		return err
	}
	var v json.RawMessage
	return cmp.Or(json.Unmarshal(raw, &v), err) // the decoder knows better what is malformed
}

// A scanner goes through JSON text. What the decoder would refuse is errMalformed at the latest where it ends the text.
type scanner struct {
	text []byte
	at   int
}

// end is the byte behind the text, which no JSON contains outside of strings.
const end = 0

// space skips white space and returns the byte that follows, without taking it.
func (s *scanner) space() byte {
	for ; s.at < len(s.text); s.at++ {
		switch b := s.text[s.at]; b {
		case ' ', '\t', '\r', '\n':
		case end:
			return '?' // a real zero byte
		default:
			return b
		}
	}
	return end
}

// take skips white space and then the given byte, and reports whether it was there.
func (s *scanner) take(b byte) bool {
	if s.space() != b {
		return false
	}
	s.at++
	return true
}

// value goes through one value. A nil type accepts every value.
func (s *scanner) value(t reflect.Type, depth int) error {
	if t == rawType {
		t = nil
	}
	b := s.space()
	switch {
	case b == end:
		return errMalformed
	case depth > maxNesting:
		return fmt.Errorf("body: nested deeper than %d levels", maxNesting)
	case b == '{':
		return s.object(t, depth)
	case b == '[':
		return s.array(t, depth)
	case b == '"':
		_, err := s.quoted()
		return err
	}
	begin := s.at
	for s.at < len(s.text) && !strings.ContainsRune(" \t\r\n,:{}[]\"", rune(s.text[s.at])) {
		s.at++
	}
	switch {
	case s.at == begin:
		return errMalformed
	case t != nil && string(s.text[begin:s.at]) == "null": // without a type the decoder of the value reports what it wants instead
		return errNull
	}
	return nil
}

// array goes through an array.
func (s *scanner) array(t reflect.Type, depth int) error {
	var elem reflect.Type
	if t != nil && t.Kind() == reflect.Slice {
		elem = t.Elem()
	}
	s.at++
	if s.take(']') {
		return nil
	}
	for {
		if err := s.value(elem, depth+1); err != nil {
			return err
		}
		if s.take(']') {
			return nil
		}
		if !s.take(',') {
			return errMalformed
		}
	}
}

// object goes through an object.
func (s *scanner) object(t reflect.Type, depth int) error {
	known, elem := insideOf(t)
	s.at++
	if s.take('}') {
		return nil
	}
	for seen := (map[string]struct{}{}); ; {
		key, err := s.key()
		if err != nil {
			return err
		}
		if _, twice := seen[key]; twice {
			return fmt.Errorf("body: key %s comes twice", quote(key))
		}
		if seen[key] = struct{}{}; len(seen) > maxKeys {
			return fmt.Errorf("body: more than %d keys in one object", maxKeys)
		}
		if known != nil {
			var ok bool
			if elem, ok = known[key]; !ok {
				return unknownKey(key, sortedKeys(known))
			}
		}
		if err := s.value(elem, depth+1); err != nil {
			return err
		}
		if s.take('}') {
			return nil
		}
		if !s.take(',') {
			return errMalformed
		}
	}
}

// key takes a key and the colon behind it.
func (s *scanner) key() (string, error) {
	if s.space() != '"' {
		return "", errMalformed
	}
	raw, err := s.quoted()
	if err != nil {
		return "", err
	}
	key, ok := plainText(raw)
	if !ok && json.Unmarshal(raw, &key) != nil || !s.take(':') {
		return "", errMalformed
	}
	return key, nil
}

// plainText is the text between the quotes if the decoder has nothing to change in it.
func plainText(quoted []byte) (string, bool) {
	inside := quoted[1 : len(quoted)-1]
	for _, b := range inside {
		if b < ' ' || b == '\\' || b >= utf8.RuneSelf {
			return "", false
		}
	}
	return string(inside), true
}

// quoted takes a string, with its quotes.
func (s *scanner) quoted() ([]byte, error) {
	begin := s.at
	for s.at++; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case '\\':
			s.at++
		case '"':
			s.at++
			return s.text[begin:s.at], nil
		}
	}
	return nil, errMalformed
}

// insideOf is what stands in an object of that type: the types of its keys, or, where any key may stand, that of every value.
func insideOf(t reflect.Type) (known map[string]reflect.Type, elem reflect.Type) {
	if t == nil {
		return nil, nil
	}
	switch t.Kind() {
	case reflect.Struct:
		return fieldsOf(t), nil
	case reflect.Map:
		return nil, t.Elem()
	}
	return nil, nil
}

// structs has what fieldsOf found, by type. There are a few types.
var structs sync.Map

// fieldsOf maps the JSON keys of a struct to their types. The map is shared.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	if known, ok := structs.Load(t); ok {
		return known.(map[string]reflect.Type)
	}
	fields := make(map[string]reflect.Type, t.NumField())
	for i := range t.NumField() {
		f := t.Field(i)
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields[key] = f.Type
	}
	structs.Store(t, fields)
	return fields
}

func unknownKey(key string, keys []string) error {
	hint := resources.DidYouMean(key, keys)
	if hint == "" && len(keys) > 0 { // no body has more than a handful
		hint = "valid: " + strings.Join(keys, " ")
	}
	if hint != "" {
		hint = "; " + hint
	}
	return fmt.Errorf("body: unknown key %s%s", quote(key), hint)
}
