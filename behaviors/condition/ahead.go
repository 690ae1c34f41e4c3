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
	case *UnitTest:
		return c
	default:
		return nil
	}
}

// closed reports that ahead cannot answer.
func (c *core) closed() bool { return !c.active || c.authored }

func (l *leaf) ahead(v *View) (met, ok bool) {
	if l.closed() {
		return false, false
	}
	return l.test(v), true
}

func (c *compound) ahead(v *View) (met, ok bool) {
	if c.closed() || c.tangled {
		return false, false
	}
	n := 0
	for _, o := range c.ops {
		met, ok := Ahead(o, v)
		if !ok {
			return false, false
		}
		if met {
			n++
		}
	}
	return c.combine(n), true
}

func (c *intentCondition) ahead(v *View) (met, ok bool) {
	if c.closed() {
		return false, false
	}
	return c.peek(v), true
}

func (t *Timer) ahead(v *View) (met, ok bool) {
	if t.closed() {
		return false, false
	}
	return t.peek(v), true
}

func (d *dedup) ahead(v *View) (met, ok bool) {
	if d.closed() {
		return false, false
	}
	if v.Now.Before(d.next) {
		return false, true
	}
	return Ahead(d.sub, v)
}

func (b *becameTrue) ahead(v *View) (met, ok bool) {
	if b.closed() {
		return false, false
	}
	is, ok := Ahead(b.sub, v)
	return is && b.known && !b.was, ok
}

// ahead has no answer when an evaluation might forget a sighting on its way.
func (o *objectKnown) ahead(v *View) (met, ok bool) {
	if o.closed() || o.maxAge == thisTick && len(o.seen)+len(v.World.Objects) > maxSightings {
		return false, false
	}
	return o.any(v), true
}

func (c *cliff) ahead(v *View) (met, ok bool) {
	if c.closed() {
		return false, false
	}
	return c.peek(v), true
}

func (u *UnitTest) ahead(*View) (met, ok bool) {
	if u.closed() {
		return false, false
	}
	return u.Value, true
}

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
				if twice(c.ops...) {
					return true
				}
				continue
			case *dedup, *becameTrue, *objectKnown, *cliff:
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
		return c.ops
	case *dedup:
		return []Condition{c.sub}
	case *becameTrue:
		return []Condition{c.sub}
	default:
		return nil
	}
}
