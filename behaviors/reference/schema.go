package reference

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/resources"
)

// A node is a JSON Schema.
type node = map[string]any

// dialect is what the schemas are written in.
const dialect = "https://json-schema.org/draft/2020-12/schema"

// BehaviorSchema is the file name of the schema of behavior files; the others are named like the files that they describe.
const BehaviorSchema = "behavior.schema.json"

// Schemas makes a JSON Schema for each kind of file, by file name. Names of a kind that names has are the only ones that a reference may be;
// without an entry any name is right.
func (r *Reference) Schemas(names Names) map[string]map[string]any {
	m := maker{r: r, names: fixedNames().with(names)}
	out := map[string]map[string]any{BehaviorSchema: m.behavior()}
	for _, f := range r.Files {
		m.defs = node{}
		s := m.object(f.Keys)
		if f.Name == reactionsName {
			m.reactions(s["properties"].(node))
		}
		if len(m.defs) > 0 {
			s["$defs"] = m.defs
		}
		s["properties"].(node)["$schema"] = node{"type": "string"}
		s["$schema"], s["title"], s["description"] = dialect, f.Pattern, f.Doc
		if f.Name == "emotion_events" { // one event alone, or a list of them
			s["required"] = nil
			delete(s, "required")
			s["anyOf"] = []any{node{"required": []string{"emotionEvents"}}, node{"required": []string{"name", "emotionAffectors"}}}
		}
		out[f.Name+".schema.json"] = s
	}
	return out
}

// Schema makes the JSON Schema of one object.
func Schema(keys []resources.KeyInfo, names Names) map[string]any {
	m := maker{names: names}
	s := m.object(keys)
	s["$schema"] = dialect
	s["properties"].(node)["$schema"] = node{"type": "string"}
	return s
}

type maker struct {
	r     *Reference
	names Names
	defs  node // of the file, besides those of behaviors; nil for none
}

// behavior is the schema of behavior files. What a class accepts depends on behaviorClass: a rule for each class, so that only the rules of
// the class that the file names are told.
func (m *maker) behavior() node {
	defs := node{
		"common": m.common(), "condition": m.condition(), "operand": operand(), "operator": operators(), "anonymous": m.anonymous(),
	}
	var rules []any
	for _, c := range m.r.Classes {
		name := "class." + c.Name
		defs[name] = m.class(c)
		rules = append(rules, rule("behaviorClass", c.Name, name))
	}
	for _, c := range m.r.Conditions {
		defs["condition."+c.Name] = m.conditionType(c)
	}
	defs["byClass"] = node{"allOf": rules}
	return node{
		"$schema": dialect, "title": "Behavior", "type": "object", "required": []string{"behaviorClass", "behaviorID"},
		"properties": node{"$schema": node{"type": "string"}, "behaviorID": m.name("behaviorID", "^[A-Za-z][A-Za-z0-9_]*$"), "behaviorName": false},
		"allOf":      []any{ref("common"), ref("byClass")},
		"$defs":      defs,
	}
}

func ref(name string) node { return node{"$ref": "#/$defs/" + name} }

// rule applies a definition where a key has a value.
func rule(key, value, then string) node {
	return node{
		"if":   node{"properties": node{key: node{"const": value}}, "required": []string{key}},
		"then": ref(then),
	}
}

// common are the keys of all behaviors.
func (m *maker) common() node {
	s := m.object(append(m.r.Instance[:len(m.r.Instance):len(m.r.Instance)], m.r.Common...))
	delete(s, "required")
	delete(s, "additionalProperties")
	p := s["properties"].(node)
	var classes, docs []string
	for _, c := range m.r.Classes {
		classes, docs = append(classes, c.Name), append(docs, c.Doc)
	}
	p["behaviorClass"] = node{"type": "string", "description": p["behaviorClass"].(node)["description"], "enum": classes, "enumDescriptions": docs}
	p["anonymousBehaviors"].(node)["items"] = ref("anonymous")
	if f, ok := p["doing"].(node); ok { // a few words that fit on a line
		f["maxLength"], f["pattern"] = catalog.MaxDoing, `^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$`
	}
	p["$schema"], p["behaviorID"], p["behaviorName"] = true, true, true
	if f, ok := p["associatedActiveFeature"].(node); ok && f["enum"] != nil {
		f["enum"] = append([]string{behaviors.NoFeature}, f["enum"].([]string)...)
	}
	return s
}

// class are the keys of a class, and no others but the common ones.
func (m *maker) class(c Class) node {
	s := m.object(c.Keys)
	delete(s, "type")
	s["description"] = c.Doc
	p := s["properties"].(node)
	delete(s, "additionalProperties")
	if len(p) == 0 {
		delete(s, "properties")
	}
	s["allOf"] = []any{ref("common")}
	if c.Broken == "" {
		s["unevaluatedProperties"] = false
	}
	return s
}

// name is the key that names a behavior: by an ID (catalog.ValidID), or by an anonymous name.
func (m *maker) name(key, pattern string) node {
	s := node{"type": "string", "minLength": 1, "pattern": pattern}
	for _, k := range m.r.Instance {
		if k.Name == key {
			s["description"] = k.Doc
		}
	}
	return s
}

func (m *maker) anonymous() node {
	return node{
		"type": "object", "required": []string{"behaviorClass", "behaviorName"},
		"properties": node{"behaviorName": m.name("behaviorName", "^[^@]*$"), "behaviorID": false, "$schema": false},
		"allOf":      []any{ref("common"), ref("byClass")},
	}
}

// condition is a condition object of any type.
func (m *maker) condition() node {
	var types, docs []string
	rules := []any{}
	for _, c := range m.r.Conditions {
		types, docs = append(types, c.Name), append(docs, c.Doc)
		rules = append(rules, rule("conditionType", c.Name, "condition."+c.Name))
	}
	return node{
		"type": "object",
		"properties": node{
			"conditionType":   node{"type": "string", "description": "what is asked", "enum": types, "enumDescriptions": docs},
			"customCondition": node{"type": "string", "description": "a condition that the code of the class provides, in place of conditionType"},
		},
		"if":    node{"required": []string{"customCondition"}},
		"then":  node{"properties": node{"conditionType": false}},
		"else":  node{"required": []string{"conditionType"}},
		"allOf": rules,
	}
}

func (m *maker) conditionType(c Condition) node {
	s := m.object(c.Keys)
	s["description"] = c.Doc
	p := s["properties"].(node)
	p["conditionType"], p["customCondition"] = true, true
	if c.Name == compound {
		p["not"] = described(ref("operand"), "one condition that must not be met")
		for op, doc := range map[string]string{"and": "conditions that must all be met", "or": "conditions of which one must be met"} {
			p[op] = described(node{"type": "array", "minItems": 2, "items": ref("operand")}, doc)
		}
		s["minProperties"], s["maxProperties"] = 2, 2
	}
	return s
}

// compound is the condition type whose operands may be bare operators.
const compound = "Compound"

func described(s node, doc string) node {
	s["description"] = doc
	return s
}

// operand is a condition, or an operator alone.
func operand() node {
	var is []any
	for _, op := range []string{"not", "and", "or"} {
		is = append(is, node{"required": []string{op}})
	}
	return node{
		"if":   node{"anyOf": is, "not": node{"anyOf": []any{node{"required": []string{"conditionType"}}, node{"required": []string{"customCondition"}}}}},
		"then": ref("operator"), "else": ref("condition"),
	}
}

func operators() node {
	list := node{"type": "array", "minItems": 2, "items": ref("operand")}
	return node{"type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false, "properties": node{"not": ref("operand"), "and": list, "or": list}}
}

// object is the schema of an object with these keys and no others.
func (m *maker) object(keys []resources.KeyInfo) node {
	p, required := node{}, []string{}
	s := node{"type": "object", "properties": p, "additionalProperties": false}
	for _, k := range keys {
		switch {
		case k.Name == resources.AnyKey:
			s["additionalProperties"] = m.key(k)
			continue
		case k.Refused:
			p[k.Name] = false
			continue
		}
		p[k.Name] = m.key(k)
		if k.Required {
			required = append(required, k.Name)
		}
	}
	m.share(keys, p)
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// manyAlike is the number of equal objects from which on they are written once.
const manyAlike = 8

// share writes objects once that all keys have alike.
func (m *maker) share(keys []resources.KeyInfo, p node) {
	if m.defs == nil || len(keys) < manyAlike || len(keys[0].Keys) == 0 {
		return
	}
	for _, k := range keys {
		if !reflect.DeepEqual(p[k.Name], p[keys[0].Name]) {
			return
		}
	}
	name := "like." + keys[0].Name
	m.defs[name] = p[keys[0].Name]
	for _, k := range keys {
		p[k.Name] = ref(name)
	}
}

// key is the schema of a value, with its documentation.
func (m *maker) key(k resources.KeyInfo) node {
	s := m.value(k)
	if len(k.Or) > 0 {
		forms := []any{s}
		for _, other := range k.Or {
			forms = append(forms, m.value(other))
		}
		s = node{"anyOf": forms}
	}
	if k.Only != nil {
		s["const"] = k.Only
	}
	if text := sentence(k); text != "" {
		s["description"] = text
	}
	if k.Default != nil {
		s["default"] = k.Default
	}
	return s
}

func (m *maker) value(k resources.KeyInfo) node {
	switch k.Kind {
	case resources.KindFlag:
		return node{"type": "boolean"}
	case resources.KindWhole:
		return limits(node{"type": "integer"}, k)
	case resources.KindReal, resources.KindDuration:
		return limits(node{"type": "number"}, k)
	case resources.KindText:
		return node{"type": "string"}
	case resources.KindWord:
		return node{"type": "string", "enum": k.Words}
	case resources.KindRef:
		s := node{"type": "string", "minLength": 1}
		if known, ok := m.names[k.Ref]; ok {
			s["enum"] = append([]string{}, known...)
		}
		return s
	case resources.KindList:
		return node{"type": "array", "items": m.key(*k.Elem)}
	case resources.KindKeys:
		return m.object(k.Keys)
	case resources.KindCondition:
		return ref("condition")
	}
	return node{}
}

func limits(s node, k resources.KeyInfo) node {
	if !math.IsInf(k.Low, -1) {
		s["minimum"] = k.Low
	}
	if !math.IsInf(k.High, 1) {
		s["maximum"] = k.High
	}
	return s
}

// sentence is the documentation of a key in one line.
func sentence(k resources.KeyInfo) string {
	var notes []string
	if k.Ref != "" {
		notes = append(notes, "name of "+article(k.Ref))
	}
	if e := k.Elem; e != nil && e.Ref != "" {
		notes = append(notes, "names: each of "+article(e.Ref))
	}
	if k.Unit != "" {
		notes = append(notes, "in "+k.Unit)
	}
	if text := between(k); text != "" {
		notes = append(notes, text)
	}
	text := k.Doc
	if len(notes) == 0 {
		return text
	}
	if text == "" {
		return strings.Join(notes, ", ")
	}
	return text + " (" + strings.Join(notes, ", ") + ")"
}

// between words the limits of a number; empty for none that a person would name.
func between(k resources.KeyInfo) string {
	switch low, high := named(k.Low), named(k.High); {
	case k.Low == 0 && k.High == 0:
		return ""
	case low && high:
		return fmt.Sprintf("%s to %s", number(k.Low), number(k.High))
	case low && k.Kind != resources.KindDuration:
		return "at least " + number(k.Low)
	case high:
		return "at most " + number(k.High)
	}
	return ""
}

// named reports whether a limit is one that somebody chose for the key.
func named(limit float64) bool {
	return math.Abs(limit) < math.MaxInt32 && math.Abs(limit) != resources.MaxDuration.Seconds()
}

func number(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return fmt.Sprintf("%.0f", f)
	}
	return fmt.Sprintf("%g", f)
}

func article(noun string) string {
	if strings.ContainsAny(noun[:1], "aeiou") {
		return "an " + noun
	}
	return "a " + noun
}
