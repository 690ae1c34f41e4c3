package condition

import (
	"fmt"
	"strings"

	"github.com/robotd/robotd/resources"
)

// operator is one of the words that combine conditions.
type operator string

const (
	opNot operator = "not"
	opAnd operator = "and"
	opOr  operator = "or"
)

const (
	// minOperands is the least number of conditions that "and" and "or" combine.
	minOperands = 2

	// maxBare is how deep operators may nest without naming a conditionType, the outermost included (data/3.2b).
	// A nested Compound starts its own count.
	maxBare = 2
)

// Not returns the opposite of c.
func Not(c Condition) Condition { return newCompound(opNot, []Condition{c}) }

// And returns a condition that is met when all operands are. There must be at least two.
func And(cs ...Condition) Condition { return newCompound(opAnd, atLeastTwo(opAnd, cs)) }

// Or returns a condition that is met when any operand is. There must be at least two.
func Or(cs ...Condition) Condition { return newCompound(opOr, atLeastTwo(opOr, cs)) }

func atLeastTwo(op operator, cs []Condition) []Condition {
	if len(cs) < minOperands {
		panic(fmt.Sprintf("condition: %s of %d operands", op, len(cs)))
	}
	return cs
}

// compound combines conditions. It evaluates every operand on every call, in order, before it combines the answers, so that an operand
// with a memory advances whatever the others answer.
type compound struct {
	core
	op      operator
	parts   []part
	tangled bool // an operand with a memory stands in two places
}

func newCompound(op operator, ops []Condition) *compound {
	names, parts := make([]string, len(ops)), make([]part, len(ops))
	for i, c := range ops {
		parts[i] = newPart(c)
		names[i] = parts[i].name
	}
	name := string(op) + "(" + strings.Join(names, ", ") + ")"
	return &compound{core: core{name: name, authored: authored(ops...)}, op: op, parts: parts, tangled: tangled(ops)}
}

// SetActive implements [Condition].
func (c *compound) SetActive(v *View, active bool) {
	c.core.SetActive(v, active)
	c.authored = false
	for i := range c.parts {
		c.parts[i].SetActive(v, active)
		c.authored = c.authored || authored(c.parts[i].Condition)
	}
}

// Met implements [Condition].
func (c *compound) Met(v *View) bool {
	c.check()
	met := 0
	for i := range c.parts {
		if c.parts[i].ask(v) {
			met++
		}
	}
	return c.answer(v, c.combine(met))
}

func (c *compound) ahead(v *View) (met, ok bool) {
	if c.closed() || c.tangled {
		return false, false
	}
	n := 0
	for i := range c.parts {
		met, ok := Ahead(c.parts[i].Condition, v)
		if !ok {
			return false, false
		}
		if met {
			n++
		}
	}
	return c.combine(n), true
}

// combine decides from the number of operands that are met.
func (c *compound) combine(met int) bool {
	switch c.op {
	case opNot:
		return met == 0
	case opAnd:
		return met == len(c.parts)
	default:
		return met > 0
	}
}

func (c *compound) part(i int) *part {
	if i == len(c.parts) {
		return nil
	}
	return &c.parts[i]
}

// tell repeats the sentence of a single operand as it is. Of several operands it names those that decide: the false ones of a false "and",
// the true ones of a true "or".
func (c *compound) tell(f *Finding, _ *Note) {
	var decide []string
	for _, p := range f.Parts {
		if p.Met == f.Met {
			decide = append(decide, p.Name+": "+p.Text)
		}
	}
	f.Values = one("logic", string(c.op))
	if c.op == opNot {
		f.Text = f.Parts[0].Text
		return
	}
	f.Text = strings.Join(decide, "; ")
}

// compound reads an object with one operator.
func (r *reader) compound() Condition { return r.operation(1) }

// operation reads the operator of r's object; depth counts the operators from the last conditionType on.
func (r *reader) operation(depth int) Condition {
	var found []operator
	for _, op := range []operator{opNot, opAnd, opOr} {
		if r.Has(string(op)) {
			found = append(found, op)
		}
	}
	if len(found) != 1 {
		msg := "needs one of not, and, or"
		if len(found) > 1 {
			msg = fmt.Sprintf("has %s and %s: keep one operator", found[0], found[1])
		}
		return r.invalid("", "%s", msg)
	}
	op := found[0]
	ops := r.operands(op, depth)
	if r.bad {
		return nil
	}
	return newCompound(op, ops)
}

// operands reads the conditions behind an operator. It reads every one, so that all mistakes are reported at once.
func (r *reader) operands(op operator, depth int) []Condition {
	key := string(op)
	if op == opNot {
		if r.Required(key).Kind() == resources.KindArray {
			r.fail(key, "takes one condition, not an array")
			return nil
		}
		o, ok := r.ObjectOr(key)
		r.bad = r.bad || !ok
		return r.each(ok, depth, o)
	}
	list := r.objects(key)
	if !r.bad && len(list) < minOperands {
		r.fail(key, "needs at least %d conditions, found %d", minOperands, len(list))
	}
	return r.each(true, depth, list...)
}

func (r *reader) each(ok bool, depth int, list ...*resources.Object) []Condition {
	if !ok {
		return nil
	}
	out := make([]Condition, 0, len(list))
	for _, o := range list {
		c := r.operand(o, depth)
		if c == nil {
			r.bad = true
			continue
		}
		out = append(out, c)
	}
	return out
}

// operand reads a condition, or a bare operator object.
func (r *reader) operand(o *resources.Object, depth int) Condition {
	if o.Has(keyType) || o.Has(keyCustom) || !(o.Has(string(opNot)) || o.Has(string(opAnd)) || o.Has(string(opOr))) {
		return r.parser.Parse(o)
	}
	sub := &reader{Object: o, parser: r.parser}
	if depth >= maxBare {
		o.Declare(o.Keys()...)
		return sub.invalid(`write {"conditionType": "Compound", …} here`, "operators nest deeper than %d without a conditionType", maxBare)
	}
	c := sub.operation(depth + 1)
	sub.unknown("a bare operator", []string{string(opNot), string(opAnd), string(opOr)})
	if sub.bad {
		return nil
	}
	return c
}
