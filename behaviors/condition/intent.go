package condition

import (
	"slices"
	"strconv"
	"strings"
)

// UserIntentPending is met when the pending user intent matches one of its patterns.
type UserIntentPending struct{ intentCondition }

// UserIntentActive is met when the active user intent matches one of its patterns.
type UserIntentActive struct{ intentCondition }

// NewUserIntentPending returns a condition on the tags alone, whatever the payload.
func NewUserIntentPending(tags ...string) *UserIntentPending {
	return &UserIntentPending{newIntentCondition("UserIntentPending", pendingIntent, tagPatterns(tags))}
}

// NewUserIntentActive returns a condition on the tags alone, whatever the payload.
func NewUserIntentActive(tags ...string) *UserIntentActive {
	return &UserIntentActive{newIntentCondition("UserIntentActive", activeIntent, tagPatterns(tags))}
}

// An AwaitedIntent is an intent that code waits for: by the tag alone, with a predicate, or with exactly this data.
type AwaitedIntent struct {
	Tag   string
	Test  func(*Intent) bool // nil means none; it must change nothing
	Data  map[string]string
	Whole bool // Data must be equal
}

// Add appends patterns, before the condition is used.
func (c *UserIntentPending) Add(waits ...AwaitedIntent) {
	ps := c.patterns
	for _, w := range waits {
		p := pattern{tag: w.Tag, test: w.Test}
		if w.Whole {
			p.fields = []field{}
			for _, key := range sortedKeys(w.Data) {
				p.fields = append(p.fields, field{key: key, text: w.Data[key]})
			}
		}
		ps = append(ps, p)
	}
	c.intentCondition = newIntentCondition("UserIntentPending", pendingIntent, ps)
}

func pendingIntent(v *View) *Intent { return v.Intent.Pending }
func activeIntent(v *View) *Intent  { return v.Intent.Active }

// intentCondition is the part that UserIntentPending and UserIntentActive share.
type intentCondition struct {
	core
	of       func(v *View) *Intent
	patterns []pattern
	matched  string

	has bool   // there was an intent at the newest evaluation
	tag string // of it, if there was one
}

func newIntentCondition(name string, of func(*View) *Intent, ps []pattern) intentCondition {
	tags := make([]string, len(ps))
	for i := range ps {
		tags[i] = ps[i].tag
	}
	own := core{name: name + "(" + strings.Join(tags, ", ") + ")"}
	own.authored = slices.ContainsFunc(ps, func(p pattern) bool { return p.test != nil })
	return intentCondition{core: own, of: of, patterns: ps}
}

// Matched is the tag that matched last; empty if none did since the newest SetActive.
func (c *intentCondition) Matched() string { return c.matched }

// Tags lists the tags of the patterns, sorted, each once.
func (c *intentCondition) Tags() []string {
	tags := make([]string, len(c.patterns))
	for i := range c.patterns {
		tags[i] = c.patterns[i].tag
	}
	slices.Sort(tags)
	return slices.Compact(tags)
}

// SetActive implements [Condition]. Every call forgets the match.
func (c *intentCondition) SetActive(v *View, active bool) {
	c.core.SetActive(v, active)
	c.matched = ""
}

// Met implements [Condition]. The first pattern that matches decides.
func (c *intentCondition) Met(v *View) bool {
	c.check()
	in := c.of(v)
	c.has = in != nil
	if in == nil {
		return c.answer(v, false)
	}
	c.tag = in.Tag
	met := c.match(in)
	if met {
		c.matched = in.Tag
	}
	return c.answer(v, met)
}

func (c *intentCondition) match(in *Intent) bool {
	for i := range c.patterns {
		if c.patterns[i].match(in) {
			return true
		}
	}
	return false
}

func (c *intentCondition) ahead(v *View) (met, ok bool) {
	if c.closed() {
		return false, false
	}
	in := c.of(v)
	return in != nil && c.match(in), true
}

func (c *intentCondition) note(n *Note) {
	if n.facts.a = c.has; c.has {
		n.word = c.tag
	}
}

func (c *intentCondition) tell(f *Finding, n *Note) {
	f.Text, f.Values = tellIntent(n.facts.a, "intent", n.word)
}

func (c *UserIntentPending) need(n *Note, want bool) string { return c.needs("pending", n, want) }

func (c *UserIntentActive) need(n *Note, want bool) string { return c.needs("active", n, want) }

func (c *intentCondition) needs(what string, n *Note, want bool) string {
	is := ""
	if n.facts.a {
		is = it(strconv.Quote(n.word))
	}
	tags := c.Tags()
	for i, tag := range tags {
		tags[i] = strconv.Quote(tag)
	}
	return must("the "+what+" intent", want, "be "+strings.Join(tags, " or ")) + is
}

// tellIntent says which intent there was.
func tellIntent(has bool, what, tag string) (string, Values) {
	if !has {
		return "no intent", nil
	}
	return what + " is " + strconv.Quote(tag), one(what, tag)
}

// anyIntent is met while an intent is pending or active.
type anyIntent struct {
	core
	what string // pending or active, at the newest evaluation
	tag  string
}

func (r *reader) anyIntent() Condition { return &anyIntent{core: core{name: "AnyUserIntent"}} }

// Met implements [Condition].
func (a *anyIntent) Met(v *View) bool {
	a.check()
	switch in := &v.Intent; {
	case in.Pending != nil:
		a.what, a.tag = "pending", in.Pending.Tag
	case in.Active != nil:
		a.what, a.tag = "active", in.Active.Tag
	default:
		return a.answer(v, false)
	}
	return a.answer(v, true)
}

func (a *anyIntent) ahead(v *View) (met, ok bool) {
	if a.closed() {
		return false, false
	}
	return v.Intent.Pending != nil || v.Intent.Active != nil, true
}

func (a *anyIntent) note(n *Note) {
	if a.met {
		n.word, n.facts.a = a.tag, a.what == "pending"
	}
}

func (a *anyIntent) tell(f *Finding, n *Note) {
	f.Text, f.Values = tellIntent(f.Met, yesNo(n.facts.a, "pending", "active"), n.word)
}

func (a *anyIntent) need(n *Note, want bool) string {
	return yesNo(want, "an intent must be pending or active", "the intent "+strconv.Quote(n.word)+" must be over")
}

func (r *reader) triggerWord() Condition {
	return newFlag("TriggerWordPending",
		func(v *View, f *facts) { *f = facts{a: v.TriggerWord} },
		func(f *facts) (string, Values) {
			return yesNo(f.a, "wake word heard", "no wake word"), one("heard", f.a)
		}).needing(func(_ *facts, yes bool) string {
		return yesNo(yes, "say the wake word", "the wake word must be dealt with")
	})
}
