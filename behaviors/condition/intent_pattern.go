package condition

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/robotd/robotd/resources"
)

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

// patterns reads all elements. One that equals another could match nothing that the other does not.
func (p Parser) patterns(list []*resources.Object) (ps []pattern, ok bool) {
	ok = true
	before := make(map[string]bool, len(list))
	for _, o := range list {
		r := &reader{Object: o, parser: p}
		q := r.pattern()
		if is := q.text(); !r.bad && q.test == nil && before[is] {
			r.invalid("", "intent %q is listed twice%s", q.tag, yesNo(q.fields == nil, "", " with the same data"))
		} else if q.test == nil {
			before[is] = true
		}
		ok = ok && !r.bad
		ps = append(ps, q)
	}
	return ps, ok
}

// text is equal for two patterns of tag and fields that match the same intents.
func (p *pattern) text() string {
	texts := make([]string, len(p.fields))
	for i, f := range p.fields {
		if f.numeric {
			f.text = strconv.FormatFloat(f.number, 'g', -1, 64)
		}
		texts[i] = fmt.Sprintf("%q %t %q", f.key, f.numeric, f.text)
	}
	slices.Sort(texts)
	return fmt.Sprintf("%q %q", p.tag, texts)
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
