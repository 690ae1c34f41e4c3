package intents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/robotd/robotd/behaviors/condition"
)

// Sources of intents.
const (
	SourceVoice = "voice"
	SourceApp   = "app"
)

// paramOfApp is the name of the one parameter of an app's message.
const paramOfApp = "param"

// A Heard is what a message means.
type Heard struct {
	Intent *condition.Intent
	// Ignored are parameters that the intent does not carry, sorted.
	Ignored []string
	// Gate is the feature without which the message means nothing; empty for none. [Map.Unmatched] stands for it then.
	Gate string
}

// Open says that every feature is on. It is for a caller who looks at [Heard.Gate] later.
func Open(string) bool { return true }

// A value is a parameter: its text, and whether it was a number or a flag rather than a text.
type value struct {
	text string
	kind condition.PayloadKind
}

// message is what the cloud sends: expanded with params, or raw with parameters, which is JSON in a text.
type message struct {
	Type       string                     `json:"type"`
	Intent     *string                    `json:"intent"`
	Params     map[string]json.RawMessage `json:"params"`
	Parameters string                     `json:"parameters"`
}

var errNoIntent = errors.New(`the message has no "intent"`)

// Cloud translates a message of the cloud, expanded or raw. enabled says which features are on. A message without an intent, or one that lacks what
// its intent carries, is an error.
func (m *Map) Cloud(raw []byte, enabled func(feature string) bool) (Heard, error) {
	var msg message
	if err := json.Unmarshal(raw, &msg); err != nil {
		return Heard{}, fmt.Errorf("the message is no JSON object of a cloud: %w", err)
	}
	if msg.Intent == nil || *msg.Intent == "" {
		return Heard{}, errNoIntent
	}
	if text := strings.TrimSpace(msg.Parameters); text != "" {
		if err := json.Unmarshal([]byte(text), &msg.Params); err != nil {
			return Heard{}, fmt.Errorf(`"parameters" is no JSON object in a text: %w`, err)
		}
	}
	params := make(map[string]value, len(msg.Params))
	for _, name := range slices.Sorted(maps.Keys(msg.Params)) {
		v, err := valueOf(msg.Params[name])
		if err != nil {
			return Heard{}, fmt.Errorf("parameter %q: %w", name, err)
		}
		params[name] = v
	}
	return m.hear(m.cloud[*msg.Intent], SourceVoice, params, enabled)
}

// App translates a message of an app, whose one parameter may be empty.
func (m *Map) App(name, param string, enabled func(feature string) bool) (Heard, error) {
	if name == "" {
		return Heard{}, errNoIntent
	}
	params := map[string]value{}
	if param != "" {
		params[paramOfApp] = value{text: param}
	}
	return m.hear(m.app[name], SourceApp, params, enabled)
}

// valueOf reads a parameter.
func valueOf(raw json.RawMessage) (value, error) {
	switch text := string(bytes.TrimSpace(raw)); {
	case strings.HasPrefix(text, `"`):
		var s string
		err := json.Unmarshal(raw, &s)
		return value{text: s}, err
	case text == "true" || text == "false":
		return value{text, condition.PayloadFlag}, nil
	case text == "null" || strings.HasPrefix(text, "{") || strings.HasPrefix(text, "["):
		return value{}, errors.New("want a string, a number or a boolean")
	default:
		return value{text, condition.PayloadWhole}, nil
	}
}

// hear makes the intent that a side means.
func (m *Map) hear(s *side, source string, params map[string]value, enabled func(feature string) bool) (h Heard, err error) {
	defer func() {
		if s != nil {
			h.Gate = s.gate
		}
	}()
	if s == nil || s.gate != "" && !enabled(s.gate) {
		return Heard{Intent: &condition.Intent{Tag: m.Unmatched, Source: source}}, nil
	}
	if s.simple != nil {
		return Heard{Intent: &condition.Intent{Tag: s.tag, Source: source, Data: maps.Clone(s.simple)}, Ignored: slices.Sorted(maps.Keys(params))}, nil
	}
	if err := s.number(params); err != nil {
		return Heard{}, err
	}
	for _, from := range slices.Sorted(maps.Keys(s.renames)) {
		v, there := params[from]
		if _, taken := params[s.renames[from]]; there && !taken {
			params[s.renames[from]] = v
			delete(params, from)
		}
	}
	return s.fill(source, params)
}

// number makes numbers of the texts of some parameters, which have the names of the wire.
func (s *side) number(params map[string]value) error {
	for _, name := range s.numbers {
		v, there := params[name]
		if !there || v.kind != condition.PayloadText {
			continue
		}
		var err error
		if strings.Contains(v.text, ".") {
			_, err = strconv.ParseFloat(v.text, 64)
		} else {
			_, err = strconv.ParseInt(v.text, 10, 64)
		}
		if err != nil {
			return fmt.Errorf("parameter %q: %q is no number", name, v.text)
		}
		params[name] = value{v.text, condition.PayloadWhole}
	}
	return nil
}

// fill takes the parameters that the intent carries; each of them is needed. An intent of the tree's own takes all.
func (s *side) fill(source string, params map[string]value) (Heard, error) {
	h := Heard{Intent: &condition.Intent{Tag: s.tag, Source: source}}
	fields, known := condition.Payload(s.tag)
	if !known {
		for name, v := range params {
			set(h.Intent, name, v.text)
		}
		return h, nil
	}
	for _, f := range fields {
		v, there := params[f.Name]
		if !there {
			return Heard{}, fmt.Errorf("intent %s needs %q", s.tag, f.Name)
		}
		if err := fits(f, v); err != nil {
			return Heard{}, fmt.Errorf("intent %s: %q: %w", s.tag, f.Name, err)
		}
		set(h.Intent, f.Name, v.text)
		delete(params, f.Name)
	}
	h.Ignored = slices.Sorted(maps.Keys(params))
	return h, nil
}

func set(i *condition.Intent, name, text string) {
	if i.Data == nil {
		i.Data = map[string]string{}
	}
	i.Data[name] = text
}

// fits reports why a value cannot be that of a field.
func fits(f condition.PayloadField, v value) error {
	switch {
	case v.kind != f.Kind:
		return fmt.Errorf("want %s, found %s", kindName[f.Kind], quote(v.text))
	case f.Words != nil && !slices.Contains(f.Words, v.text):
		return fmt.Errorf("%s is none of %s", quote(v.text), strings.Join(f.Words, ", "))
	case f.Kind != condition.PayloadWhole:
		return nil
	}
	if _, err := strconv.ParseUint(v.text, 10, 32); err != nil {
		return fmt.Errorf("%s is no whole number that fits", quote(v.text))
	}
	return nil
}

var kindName = map[condition.PayloadKind]string{
	condition.PayloadText: "a text", condition.PayloadWhole: "a number", condition.PayloadFlag: "true or false",
}

func quote(s string) string {
	const most = 64
	if len(s) > most {
		s = s[:most] + "…"
	}
	return strconv.Quote(s)
}
