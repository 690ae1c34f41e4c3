package control

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/robotd/robotd/resources"
)

// maxNesting bounds how deep a body nests; the deepest sensible one, an image's detections, has three levels.
const maxNesting = 16

var (
	rawType = reflect.TypeFor[json.RawMessage]()
	errNull = errors.New("body: null where a value is expected")
)

// strict checks what encoding/json accepts silently: keys must be known and spelled exactly, no key may come twice, and no value
// may be null. The decoder checks the values and reports malformed JSON.
func strict(raw []byte, t reflect.Type) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return strictValue(d, t, 0)
}

// strictValue reads one value. A nil type accepts every value.
func strictValue(d *json.Decoder, t reflect.Type, depth int) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	if depth > maxNesting {
		return fmt.Errorf("body: nested deeper than %d levels", maxNesting)
	}
	if t == rawType {
		t = nil
	}
	switch token {
	case nil:
		if t == nil {
			return nil // the decoder of the value reports what it wants instead
		}
		return errNull
	case json.Delim('{'):
		return strictObject(d, t, depth)
	case json.Delim('['):
		var elem reflect.Type
		if t != nil && t.Kind() == reflect.Slice {
			elem = t.Elem()
		}
		for d.More() {
			if err := strictValue(d, elem, depth+1); err != nil {
				return err
			}
		}
		_, err = d.Token()
	}
	return err
}

// strictObject reads the rest of an object.
func strictObject(d *json.Decoder, t reflect.Type, depth int) error {
	var seen []string
	var known map[string]reflect.Type
	var elem reflect.Type
	if t != nil {
		switch t.Kind() {
		case reflect.Struct:
			known = fieldsOf(t)
		case reflect.Map:
			elem = t.Elem()
		}
	}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return err
		}
		key, _ := token.(string) // keys of objects are strings, or Token fails
		if slices.Contains(seen, key) {
			return fmt.Errorf("body: key %s comes twice", quote(key))
		}
		seen = append(seen, key)
		inside := elem
		if known != nil {
			var ok bool
			if inside, ok = known[key]; !ok {
				return unknownKey(key, sortedKeys(known))
			}
		}
		if err := strictValue(d, inside, depth+1); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

// fieldsOf maps the JSON keys of a struct to their types.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	fields := make(map[string]reflect.Type, t.NumField())
	for i := range t.NumField() {
		f := t.Field(i)
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields[key] = f.Type
	}
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
