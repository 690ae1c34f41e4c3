package control

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/robotd/robotd/resources"
)

// An Answer is what every POST returns.
type Answer struct {
	OK    bool   `json:"ok"`
	Text  string `json:"text,omitempty"`
	Error string `json:"error,omitempty"`
}

func deny(w http.ResponseWriter, status int, text string) {
	writeJSON(w, status, Answer{Error: text})
}

// writeJSON sends one value. An error means that the client has gone, which concerns nobody.
func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// quote shortens what a stranger sent.
func quote(s string) string {
	const enough = 80
	if len(s) > enough {
		s = s[:enough] + "…"
	}
	return strconv.Quote(s)
}

// decode reads one JSON object with known keys only; a misspelled key is answered with the nearest known one.
func decode(r *http.Request, into any, keys []string) error {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return wordOf(err, keys)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("body: more than one JSON value")
	}
	return nil
}

func wordOf(err error, keys []string) error {
	var large *http.MaxBytesError
	var kind *json.UnmarshalTypeError
	if key, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		key = strings.Trim(key, `"`)
		msg := fmt.Sprintf("body: unknown key %s", quote(key))
		if near, found := resources.Nearest(key, keys); found {
			msg += fmt.Sprintf("; did you mean %q?", near)
		}
		return errors.New(msg)
	}
	switch {
	case errors.As(err, &large):
		return fmt.Errorf("body: more than %d bytes", large.Limit)
	case errors.As(err, &kind):
		return fmt.Errorf("body: %s: a %s does not fit", kind.Field, kind.Value)
	case errors.Is(err, io.EOF):
		return errors.New("body: empty; a JSON object is expected")
	}
	return fmt.Errorf("body: %w", err)
}
