package catalog

import (
	"cmp"
	"slices"
	"strings"

	"github.com/robotd/robotd/resources"
)

// canonical is the text of a condition without blanks, with the keys of each object in order: equal texts mean the same.
func canonical(v resources.Value) string {
	var w strings.Builder
	writeCanonical(&w, v)
	return w.String()
}

func canonicalText(json string) string {
	return canonical(resources.Reread("", json).Root().Value())
}

func writeCanonical(w *strings.Builder, v resources.Value) {
	if elems, ok := v.Array(); ok {
		w.WriteByte('[')
		for _, e := range elems {
			writeCanonical(w, e)
			w.WriteByte(',')
		}
		w.WriteByte(']')
		return
	}
	o, ok := v.Object()
	if !ok {
		w.WriteString(v.Raw())
		return
	}
	keys := o.Keys()
	slices.Sort(keys)
	bare := !slices.Contains(keys, keyConditionType) && slices.ContainsFunc(keys, isOperator)
	w.WriteByte('{')
	if bare { // short for a Compound
		w.WriteString(`"conditionType":"Compound",`)
	}
	for _, key := range keys {
		w.WriteString(`"` + key + `":`)
		member, _ := o.Peek(key)
		writeCanonical(w, member)
		w.WriteByte(',')
	}
	w.WriteByte('}')
}

const keyConditionType = "conditionType"

func isOperator(key string) bool { return key == "not" || key == "and" || key == "or" }

// lintConditions looks through the conditions of a file for operands that contradict or repeat each other.
func (b *builder) lintConditions(d *resources.Document) {
	if text := d.JSON(); !strings.Contains(text, `"and"`) && !strings.Contains(text, `"or"`) || d.Errors() > 0 {
		return
	}
	b.lintOperands(d.File(), d.Root().Value())
}

// lintOperands descends into every value; nesting is bounded by the parser.
func (b *builder) lintOperands(file string, v resources.Value) {
	if elems, ok := v.Array(); ok {
		for _, e := range elems {
			b.lintOperands(file, e)
		}
		return
	}
	o, ok := v.Object()
	if !ok {
		return
	}
	for _, key := range o.Keys() {
		member, _ := o.Peek(key)
		if key == "and" || key == "or" {
			b.lintOperator(file, key, member)
		}
		b.lintOperands(file, member)
	}
}

// lintOperator compares the operands of one operator.
func (b *builder) lintOperator(file, op string, list resources.Value) {
	elems, _ := list.Array()
	seen := make(map[string]bool, 2*len(elems)) // what stands there, and what is said to be false
	for _, e := range elems {
		text := canonical(e)
		denied, isNot := strings.CutPrefix(text, canonicalNot)
		switch {
		case seen[text]:
			b.found(file, e.Pos(), resources.Warning, "condition-twice", "remove it", "%s: this condition stands in the list already", list.Path())
		case isNot && seen[strings.TrimSuffix(denied, ",}")], seen[canonicalNot+text+",}"]:
			what := "never met"
			severity := resources.Error
			if op == "or" {
				what, severity = "always met", resources.Warning
			}
			b.found(file, e.Pos(), severity, "condition-conflict", "one of the two was meant to be another", "%s: a condition and its opposite stand in one list: it is %s", cmp.Or(list.Path(), op), what)
		}
		seen[text] = true
	}
}

// canonicalNot begins the text of the opposite of a condition, which follows and ends with ",}".
const canonicalNot = `{"conditionType":"Compound","not":`
