package control

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// tokens is the strict reader in terms of the library's tokens, slow and easy to see through. It reads one value.
func tokens(d *json.Decoder, t reflect.Type, depth int) error {
	token, err := d.Token()
	switch {
	case err != nil:
		return err
	case depth > maxNesting:
		return fmt.Errorf("body: nested deeper than %d levels", maxNesting)
	case token == nil && t != nil && t != rawType:
		return errNull
	case token != json.Delim('{') && token != json.Delim('['):
		return nil
	}
	known, elem := insideOf(t)
	if t != nil && t != rawType && t.Kind() == reflect.Slice && token == json.Delim('[') {
		elem = t.Elem()
	}
	var seen []string
	for d.More() {
		if token == json.Delim('{') {
			word, err := d.Token()
			if err != nil {
				return err
			}
			key := word.(string)
			if slices.Contains(seen, key) {
				return fmt.Errorf("body: key %s comes twice", quote(key))
			}
			if seen = append(seen, key); len(seen) > maxKeys {
				return fmt.Errorf("body: more than %d keys in one object", maxKeys)
			}
			var ok bool
			if elem, ok = known[key]; known != nil && !ok {
				return unknownKey(key, sortedKeys(known))
			} else if known == nil {
				_, elem = insideOf(t)
			}
		}
		if err := tokens(d, elem, depth+1); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}

// expected decodes a body by tokens and the library's decoder.
func expected(text string, into any) error {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := tokens(d, reflect.TypeOf(into).Elem(), 0); err != nil {
		return err
	}
	d = json.NewDecoder(strings.NewReader(text))
	if err := d.Decode(into); err != nil {
		return wordOf(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("body: more than one JSON value")
	}
	return nil
}

// The strict reader accepts and refuses the bodies that the library's tokens accept and refuse, valid JSON with the same words, and
// decodes to the same values.
func FuzzStrictAgreesWithTokens(f *testing.F) {
	for _, text := range []string{
		``, ` `, `{}`, `[]`, `null`, `{"name":"x"}`, `{"name":"x"} `, `{"name":"x"} {}`, `{"name":"x"}}`, `{"nam":"x"}`, `{"name":null}`, `{"name":"a","name":"b"}`,
		`{"n\u0061me":"a","name":"b"}`, `{"name":"x","data":{"k":null,"l":[1,{"a":{}}]}}`, `{"data":[]}`, `{"data":{"\ud800":1,"\ufffd":2}}`, "{\"data\":{\"\xff\":1,\"\xfe\":2}}",
		`{"faces":[null]}`, `{"faces":[{"id":1,"name":"A"},{"ID":2}]}`, `{"faces":{"a":null}}`, `{"name":"x",}`, `{"name" "x"}`, `{"name":}`, `{,}`, `{"name":tru}`, `{"name":nullx}`,
		`{"name":"a\"}`, `{"name":"a\\"}`, `{"age_ms":1e999}`, `{"age_ms":01}`, "{\"name\":\"x\"\x00}", "\x00", "\v\"\"", `{"name":"` + "\x01" + `"}`, `{"stop":-1}`, `{"stop":18446744073709551615}`,
		`{"data":` + strings.Repeat("[", 16) + strings.Repeat("]", 16) + `}`, `{"data":` + strings.Repeat("[", 15) + `1` + strings.Repeat("]", 15) + `}`, `{"data":{"k":` + strings.Repeat(`{"a":`, 14) + `1` + strings.Repeat("}", 16),
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, kind := range []any{IntentRequest{}, Detections{}, ResumeRequest{}, nothing{}} {
			want, got := reflect.New(reflect.TypeOf(kind)).Interface(), reflect.New(reflect.TypeOf(kind)).Interface()
			wrong := expected(text, want)
			err := decode(&http.Request{Body: io.NopCloser(strings.NewReader(text))}, got)
			if (err == nil) != (wrong == nil) || err == nil && !reflect.DeepEqual(got, want) {
				t.Fatalf("%T %q: %v, %v; want %v, %v", kind, text, got, err, want, wrong)
			}
			if err != nil && json.Valid([]byte(text)) && err.Error() != wrong.Error() {
				t.Fatalf("%T %q: %v; want %v", kind, text, err, wrong)
			}
		}
	})
}
