package facts

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// path is a message path of Foxglove: a topic, then fields.
var path = regexp.MustCompile(`"(?:value|topicPath|topicToRender)": "(/[a-z/]+)((?:\.\w+|\[\d+\])*)"`)

// Every path of the layout for Foxglove leads to a field of a topic's schema.
func TestLayoutForFoxgloveNamesTopicsAndFieldsThatExist(t *testing.T) {
	text, err := os.ReadFile("../../../../resources/dashboards/foxglove-layout.json")
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(text) {
		t.Fatal("no JSON")
	}
	schemas := map[string]map[string]any{}
	for _, topic := range Topics() {
		var s map[string]any
		if err := json.Unmarshal(topic.JSONSchema(), &s); err != nil {
			t.Fatal(err)
		}
		schemas[topic.Name] = s
	}
	all := path.FindAllStringSubmatch(string(text), -1)
	if len(all) < 12 {
		t.Fatalf("only %d paths", len(all))
	}
	for _, m := range all {
		s, ok := schemas[m[1]]
		if !ok || !leads(s, strings.FieldsFunc(m[2], func(r rune) bool { return r == '.' })) {
			t.Errorf("%s%s leads nowhere", m[1], m[2])
		}
	}
	for _, topic := range []string{"/scene", "/pose", "/tf"} {
		if !strings.Contains(string(text), `"`+topic+`": {`) || schemas[topic] == nil {
			t.Errorf("the scene has no %s", topic)
		}
	}
}

// leads reports whether fields lead through a schema. An index goes into a list.
func leads(s map[string]any, fields []string) bool {
	if len(fields) == 0 {
		return true
	}
	if kinds, ok := s["anyOf"].([]any); ok {
		for _, k := range kinds {
			if leads(k.(map[string]any), fields) {
				return true
			}
		}
		return false
	}
	name, index, _ := strings.Cut(fields[0], "[")
	next, ok := s["additionalProperties"].(map[string]any)
	if p, is := s["properties"].(map[string]any); is {
		next, ok = p[name].(map[string]any)
	}
	if ok && index != "" {
		next, ok = next["items"].(map[string]any)
	}
	return ok && leads(next, fields[1:])
}
