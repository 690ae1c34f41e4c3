package condition

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/robotd/robotd/resources"
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

// A pattern is one way to match an intent: the tag alone, with every payload field, or with a predicate.
type pattern struct {
	tag    string
	fields []field
	test   func(*Intent) bool
}

func tagPatterns(tags []string) []pattern {
	ps := make([]pattern, len(tags))
	for i, t := range tags {
		ps[i].tag = t
	}
	return ps
}

func (p *pattern) match(in *Intent) bool {
	switch {
	case in.Tag != p.tag:
		return false
	case p.test != nil:
		return p.test(in)
	case p.fields == nil:
		return true
	case len(p.fields) != len(in.Data):
		return false
	}
	for i := range p.fields {
		if data, ok := in.Data[p.fields[i].key]; !ok || !p.fields[i].equal(data) {
			return false
		}
	}
	return true
}

// A field is one payload value that an intent must carry. Payloads are text; a number in the file equals any text that
// means the same number.
type field struct {
	key, text string
	numeric   bool
	number    float64
}

func (f *field) equal(data string) bool {
	if data == f.text {
		return true
	}
	if !f.numeric || data == "" || strings.Trim(data, "0123456789+-.eE") != "" {
		return false
	}
	n, err := strconv.ParseFloat(data, 64)
	return err == nil && n == f.number
}

// ParseIntentPatterns builds the condition of "respondToUserIntents" (data/1.7a) from its elements. Tags are recorded as
// references of kind [RefIntent]. It returns nil when the list is empty or an error was reported.
func ParseIntentPatterns(list []*resources.Object) *UserIntentPending {
	return Parser{}.ParseIntentPatterns(list)
}

// ParseIntentPatterns is the package's [ParseIntentPatterns] with what p provides.
func (p Parser) ParseIntentPatterns(list []*resources.Object) *UserIntentPending {
	ps, ok := p.patterns(list)
	if !ok || len(ps) == 0 {
		return nil
	}
	return &UserIntentPending{newIntentCondition("UserIntentPending", pendingIntent, ps)}
}

func (r *reader) intentPending() Condition {
	return &UserIntentPending{newIntentCondition("UserIntentPending", pendingIntent, r.patterns())}
}

func (r *reader) intentActive() Condition {
	return &UserIntentActive{newIntentCondition("UserIntentActive", activeIntent, r.patterns())}
}

func (r *reader) patterns() []pattern {
	ps, ok := r.parser.patterns(r.objects("list"))
	r.bad = r.bad || !ok
	return ps
}

// patterns reads all elements. A tag may be listed once with a payload and once without; any further one could never match.
func (p Parser) patterns(list []*resources.Object) (ps []pattern, ok bool) {
	ok = true
	type listed struct {
		tag   string
		plain bool // without a payload
	}
	before := make(map[listed]bool, len(list))
	for _, o := range list {
		r := &reader{Object: o, parser: p}
		q := r.pattern()
		if is := (listed{q.tag, q.fields == nil}); !r.bad && q.test == nil && before[is] {
			r.invalid("", "intent %q is listed twice", q.tag)
		} else if q.test == nil {
			before[is] = true
		}
		ok = ok && !r.bad
		ps = append(ps, q)
	}
	return ps, ok
}

const (
	keyTag    = "type"
	keyLambda = "_lambda"
)

func (r *reader) pattern() pattern {
	q := pattern{tag: r.name(keyTag, RefIntent)}
	lambda := r.Has(keyLambda)
	r.Describe(keyTag, "the intent")
	r.Describe(keyLambda, "a test of the class that the intent has to pass")
	keys := r.Keys()
	if !r.Has(keyTag) {
		keys = r.notLike(keyTag)
	}
	for _, key := range keys {
		if key == keyTag || key == keyLambda {
			continue
		}
		if lambda {
			r.Declare(key)
			r.fail(key, "a pattern has payload fields or %s, not both", keyLambda)
			continue
		}
		q.fields = append(q.fields, r.field(key))
	}
	if lambda {
		q.test = r.predicate()
	}
	r.payload(q)
	r.Finish()
	return q
}

// payload compares the fields of a pattern with those that intents of its tag carry: one of another name, or too few, never match.
func (r *reader) payload(q pattern) {
	fields, known := Payload(q.tag)
	if !known || q.fields == nil {
		return
	}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	given := map[string]bool{}
	strange := false
	for _, f := range q.fields {
		if given[f.key] = true; !slices.Contains(names, f.key) {
			strange, r.bad = true, true
			at := r.KeyPos(f.key)
			r.Report(resources.Diagnostic{
				Line: at.Line, Col: at.Col, Severity: resources.Error, Code: CodeInvalid,
				Message: fmt.Sprintf("%sintent %s has no field %.64q", r.prefix(), q.tag, f.key), Hint: resources.DidYouMean(f.key, names),
			})
		}
	}
	for _, name := range names {
		if !strange && !given[name] {
			r.invalid("", "give every field of the intent or none; %q is missing", name)
		}
	}
}

func (r *reader) field(key string) field {
	v, _ := r.Optional(key)
	f := field{key: key}
	switch v.Kind() {
	case resources.KindString:
		f.text, _ = v.Text()
	case resources.KindNumber:
		f.text = v.Raw()
		f.number, f.numeric = v.Float()
	case resources.KindBool:
		f.text = v.Raw()
	default:
		r.fail(key, "a payload field is a string, a number or a boolean")
	}
	return f
}

func (r *reader) predicate() func(*Intent) bool {
	name, ok := r.Required(keyLambda).Text()
	if !ok {
		r.bad = true
		r.StringOr(keyLambda, "") // reports the type
		return nil
	}
	test := r.parser.Predicates[name]
	if test == nil {
		r.noneNamed(keyLambda, "predicate", name, sortedKeys(r.parser.Predicates))
	}
	return test
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
