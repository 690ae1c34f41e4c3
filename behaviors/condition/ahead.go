package condition

// Own reports whether evaluating c runs no code of an author, so that it may be evaluated anywhere in the tick: c is of this package, and
// so is every part of it, and none is a [Func] or a pattern of an intent with a predicate. It is decided when c is built and set active,
// and only read here. A type that embeds a condition of this package is an author's.
func Own(c Condition) bool {
	in := ours(c)
	return in != nil && !in.base().authored
}

// Ready reports whether Met runs no code of an author and does not panic: c is [Own] and active.
func Ready(c Condition) bool {
	in := ours(c)
	return in != nil && !in.base().closed()
}

// Ahead returns the answer that Met would give at v, and changes nothing, so that a condition may be asked before its turn or in vain. It
// reports !ok if that cannot be known: c runs code of an author, is inactive (Met panics), or uses one memory in two places. What else
// evaluates or sets c active in between may change the answer, as may another View.
func Ahead(c Condition, v *View) (met, ok bool) {
	if l, leaf := c.(*leaf); leaf {
		return l.ahead(v)
	}
	if in := ours(c); in != nil {
		return in.ahead(v)
	}
	return false, false
}

// ours returns c if its type is one of this package, else nil. It looks at the type and not at methods: a type that embeds one of ours has
// these methods too.
func ours(c Condition) inner {
	switch c := c.(type) {
	case *leaf:
		return c
	case *compound:
		return c
	case *UserIntentPending:
		return c
	case *UserIntentActive:
		return c
	case *anyIntent:
		return c
	case *Timer:
		return c
	case *dedup:
		return c
	case *becameTrue:
		return c
	case *objectKnown:
		return c
	case *cliff:
		return c
	case *stateful:
		return c
	case *UnitTest:
		return c
	case *adopted:
		return c
	case *told:
		return c
	default:
		return nil
	}
}

// closed reports that ahead cannot answer.
func (c *core) closed() bool { return !c.active || c.authored }

// authored reports whether evaluating any of the conditions runs code of an author.
func authored(cs ...Condition) bool {
	for _, c := range cs {
		if !Own(c) {
			return true
		}
	}
	return false
}

// tangled reports whether a condition with a memory stands in more than one place of a tree. Then one evaluation asks it twice, and the
// second answer depends on the first.
func tangled(ops []Condition) bool {
	seen := map[Condition]bool{}
	var twice func(cs ...Condition) bool
	twice = func(cs ...Condition) bool {
		for _, c := range cs {
			switch c := c.(type) {
			case *compound:
				if twice(parts(c)...) {
					return true
				}
				continue
			case *told:
				if twice(c.sub.Condition) {
					return true
				}
				continue
			case *dedup, *becameTrue, *objectKnown, *cliff, *stateful:
			default:
				continue
			}
			if seen[c] {
				return true
			}
			seen[c] = true
			if twice(parts(c)...) {
				return true
			}
		}
		return false
	}
	return twice(ops...)
}

// parts lists the conditions that c asks.
func parts(c Condition) []Condition {
	switch c := c.(type) {
	case *compound:
		out := make([]Condition, len(c.parts))
		for i := range c.parts {
			out[i] = c.parts[i].Condition
		}
		return out
	case *dedup:
		return []Condition{c.sub.Condition}
	case *becameTrue:
		return []Condition{c.sub.Condition}
	default:
		return nil
	}
}
