package control

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"strings"
)

// An Answer is what every POST returns.
type Answer struct {
	OK    bool   `json:"ok"`
	Text  string `json:"text,omitempty"`
	Error string `json:"error,omitempty"`
	Stop  uint64 `json:"stop,omitempty"` // number of the emergency stop that a POST to /v1/estop made
}

func deny(w http.ResponseWriter, status int, text string) {
	writeJSON(w, status, Answer{Error: text})
}

// writeJSON sends one value. It ignores the error, which means that the client is gone.
func writeJSON(w http.ResponseWriter, status int, v any) {
	writeRaw(w, status, encoded(v))
}

// encoded is the JSON of an answer. All of them can be encoded; one that cannot has no body.
func encoded(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return append(data, '\n')
}

func writeRaw(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// quote quotes and shortens text from a client.
func quote(s string) string {
	const enough = 80
	if len(s) > enough {
		s = s[:enough] + "…"
	}
	return strconv.Quote(s)
}

// decode reads one JSON object, strictly; a misspelled key is answered with the nearest known one.
func decode(r *http.Request, into any) error {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return wordOf(err)
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return errors.New("body: empty; a JSON object is expected")
	}
	if err := strict(raw, reflect.TypeOf(into).Elem()); err != nil {
		return wordOf(err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return wordOf(err)
	}
	return nil
}

// wordOf describes what is wrong with a body. Errors of the strict reader stay as they are.
func wordOf(err error) error {
	var kind *json.UnmarshalTypeError
	switch {
	case strings.HasPrefix(err.Error(), "body: "):
		return err
	case errors.As(err, &kind):
		field := kind.Field
		if field == "" {
			field = "a JSON object is expected"
		}
		article := "a"
		if kind.Value == "array" || kind.Value == "object" {
			article = "an"
		}
		return fmt.Errorf("body: %s: %s %s does not fit", field, article, kind.Value)
	}
	return fmt.Errorf("body: %w", err)
}
