package catalog

import (
	"cmp"
	"slices"
	"strings"

	"github.com/robotd/robotd/resources"
)

// canonical is the text of a condition without blanks, with the keys of each object in order: equal texts mean the same.
func canonical(v resources.Value) string { return new(normal).value(v) }

func canonicalText(json string) string { return canonical(resources.Reread("", json).Root().Value()) }

// normal writes values in their canonical form, bottom up, and tells of the operands of each operator on its way.
type normal struct {
	operands func(op string, list resources.Value, elems []resources.Value, texts []string) // nil: nobody is told
}

func (n *normal) value(v resources.Value) string {
	if elems, ok := v.Array(); ok {
		return "[" + strings.Join(n.values(elems), ",") + "]"
	}
	if o, ok := v.Object(); ok {
		return n.object(o)
	}
	return v.Raw()
}

func (n *normal) values(elems []resources.Value) []string {
	texts := make([]string, len(elems))
	for i, e := range elems {
		texts[i] = n.value(e)
	}
	return texts
}

func (n *normal) object(o *resources.Object) string {
	keys := o.Keys()
	slices.Sort(keys)
	var w strings.Builder
	w.WriteByte('{')
	if !slices.Contains(keys, keyConditionType) && slices.ContainsFunc(keys, isOperator) { // short for a Compound
		w.WriteString(`"conditionType":"Compound",`)
	}
	for _, key := range keys {
		w.WriteString(`"` + key + `":`)
		member, _ := o.Peek(key)
		elems, isList := member.Array()
		if !isList || key != "and" && key != "or" {
			w.WriteString(n.value(member) + ",")
			continue
		}
		texts := n.values(elems)
		if n.operands != nil {
			n.operands(key, member, elems, texts)
		}
		w.WriteString("[" + strings.Join(texts, ",") + "],")
	}
	return w.String() + "}"
}

const keyConditionType = "conditionType"

func isOperator(key string) bool { return key == "not" || key == "and" || key == "or" }

// lintConditions looks through the conditions of a file for operands that contradict or repeat each other.
func (b *builder) lintConditions(d *resources.Document) {
	if text := d.JSON(); !strings.Contains(text, `"and"`) && !strings.Contains(text, `"or"`) || d.Errors() > 0 {
		return
	}
	n := normal{operands: func(op string, list resources.Value, elems []resources.Value, texts []string) {
		b.lintOperator(d.File(), op, list, elems, texts)
	}}
	n.value(d.Root().Value())
}

// lintOperator compares the operands of one operator.
func (b *builder) lintOperator(file, op string, list resources.Value, elems []resources.Value, texts []string) {
	seen := make(map[string]bool, 2*len(elems)) // what stands there, and what is said to be false
	for i, e := range elems {
		text := texts[i]
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
