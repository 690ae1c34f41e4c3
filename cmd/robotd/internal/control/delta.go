package control

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"
)

// slowKeys are the keys of a state view that change with nearly every tick in a way nobody reads at that pace: ages, counts, tick times.
// A stream sends each at most so often; every other key is sent whenever it changed.
var slowKeys = map[string]time.Duration{
	"devices": streamSlowKey, "scope": streamSlowKey, "map": streamSlowKey, "mood": streamSlowKey, "services": streamSlowKey, "stats": streamSlowKey,
	"counters": streamSlowKey, "troubles": streamSlowKey, "latency": 2 * streamSlowKey,
}

// streamSlowKey is twice a second: fast enough for a reading, slow enough to be read.
const streamSlowKey = 500 * time.Millisecond

// A part is one top-level key of a state view and its JSON.
type part struct {
	key  string
	json []byte
}

// stateField says where a top-level key is in a State.
type stateField struct {
	key       string
	index     int
	omitEmpty bool
}

// stateFields are the top-level keys of a State in their order.
var stateFields = func() []stateField {
	t := reflect.TypeFor[State]()
	fields := make([]stateField, 0, t.NumField())
	for i := range t.NumField() {
		name, rest, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name == "" || name == "-" {
			panic("control: State." + t.Field(i).Name + " has no JSON name") // a mistake in this package
		}
		fields = append(fields, stateField{key: name, index: i, omitEmpty: rest == "omitempty"})
	}
	return fields
}()

// partsOf encodes each top-level key of a state view. A key that is left out when empty has no part then.
func partsOf(s *State) ([]part, error) {
	v := reflect.ValueOf(s).Elem()
	parts := make([]part, 0, len(stateFields))
	for _, f := range stateFields {
		field := v.Field(f.index)
		if f.omitEmpty && field.IsZero() {
			continue
		}
		b, err := json.Marshal(field.Interface())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.key, err)
		}
		parts = append(parts, part{key: f.key, json: b})
	}
	return parts, nil
}

// join returns the object that has the parts as its keys.
func join(parts []part) []byte {
	size := 2
	for _, p := range parts {
		size += len(p.key) + len(p.json) + 4
	}
	b := append(make([]byte, 0, size), '{')
	for i, p := range parts {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '"')
		b = append(b, p.key...)
		b = append(b, '"', ':')
		b = append(b, p.json...)
	}
	return append(b, '}')
}

// A delta remembers what one stream was sent.
type delta struct{ sent map[string]sentPart }

type sentPart struct {
	json []byte
	at   time.Time
}

// event returns the name and the data of the next event: first the whole state view, then what changed since.
func (d *delta) event(f *Frame, now time.Time) (name string, data []byte) {
	parts := f.parts()
	if parts == nil { // it could not be encoded: the data says why
		d.sent = nil
		return "state", f.JSON()
	}
	if d.sent == nil {
		d.sent = make(map[string]sentPart, len(stateFields))
		for _, p := range parts {
			d.sent[p.key] = sentPart{p.json, now}
		}
		return "state", f.JSON()
	}
	return "change", join(d.changed(parts, now))
}

// changed returns the parts that differ from what was sent, and notes them as sent. A key that is gone becomes null.
func (d *delta) changed(parts []part, now time.Time) []part {
	var out []part
	here := make(map[string]bool, len(parts))
	for _, p := range parts {
		here[p.key] = true
		old, known := d.sent[p.key]
		if bytes.Equal(old.json, p.json) || known && now.Sub(old.at) < slowKeys[p.key] {
			continue
		}
		d.sent[p.key] = sentPart{p.json, now}
		out = append(out, p)
	}
	for _, f := range stateFields {
		if _, known := d.sent[f.key]; known && !here[f.key] {
			delete(d.sent, f.key)
			out = append(out, part{key: f.key, json: []byte("null")})
		}
	}
	return out
}
