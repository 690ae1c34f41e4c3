package format

import (
	"maps"
	"slices"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

// A reading is what the file of a behavior says, read by the keys of a row.
type reading struct {
	cfg       *behaviors.Config
	row       *Row
	delegates []string       // in the order of the file, then those of the code
	values    map[string]any // what Bool and Texts hold, by path; true for a Text or Behavior that is there
	ends      []condition.Condition
}

// read reads everything that the row names, and declares what the behavior refers to.
func read(cfg *behaviors.Config, row *Row) *reading {
	r := &reading{cfg: cfg, row: row, values: map[string]any{}}
	r.object(cfg.Object, "", row.Keys)
	r.delegate(row.Fixed...)
	for _, f := range row.FixedIf {
		if r.holds(f) {
			r.delegate(f.ID)
		}
	}
	for _, name := range row.FixedAnonymous {
		r.delegate(cfg.Own(name))
	}
	if row.Links {
		cfg.Link(r.delegates...)
	}
	for _, tag := range row.Intents {
		cfg.WaitForIntent(tag)
	}
	return r
}

// holds reports whether a key says that code names the delegate.
func (r *reading) holds(f FixedIf) bool {
	v, given := r.values[f.Key]
	switch words, isWords := v.([]string); {
	case f.Not:
		return v != true
	case f.Word != "":
		return isWords && slices.Contains(words, f.Word)
	}
	return given
}

func (r *reading) delegate(ids ...string) {
	for _, id := range ids {
		if id != "" && !slices.Contains(r.delegates, id) {
			r.delegates = append(r.delegates, id)
		}
	}
	r.cfg.MayDelegateTo(ids...)
}

// object reads the keys of one object. At is its path, with a dot behind it, or empty for the root.
func (r *reading) object(o *resources.Object, at string, keys []Key) {
	for i := range keys {
		k := keys[i]
		if k.RequiredIf != "" {
			k.Required = k.Required || o.BoolOr(k.RequiredIf, defaultOf(keys, k.RequiredIf))
		}
		o.Describe(k.Name, k.Doc)
		r.key(o, at, &k)
	}
}

func defaultOf(keys []Key, name string) bool {
	for i := range keys {
		if keys[i].Name == name {
			return keys[i].Default == true
		}
	}
	return false
}

// key reads one key.
func (r *reading) key(o *resources.Object, at string, k *Key) {
	switch k.Type {
	case Any:
		if k.Required {
			o.Required(k.Name)
		} else {
			o.Declare(k.Name)
		}
	case Bool:
		r.values[at+k.Name] = either(k, o.Bool, o.BoolOr)
	case Int:
		readInt(o, k)
	case Float:
		readFloat(o, k)
	case Text:
		r.given(at, k, either(k, o.String, o.StringOr))
	case Enum:
		either(k, func(name string) string { return o.Enum(name, k.Words) }, func(name, def string) string { return o.EnumOr(name, def, k.Words) })
	case Behavior:
		id := ref(o, k, behaviors.RefBehavior)
		r.given(at, k, id)
		r.delegate(id)
	case Behaviors:
		r.delegate(refs(o, k, behaviors.RefBehavior)...)
	case Known:
		ref(o, k, behaviors.RefBehavior)
	case KnownOnes:
		refs(o, k, behaviors.RefBehavior)
	case Trigger:
		ref(o, k, behaviors.RefTrigger)
	case Triggers:
		refs(o, k, behaviors.RefTrigger)
	case Intent:
		ref(o, k, behaviors.RefIntent)
	case Timer:
		ref(o, k, behaviors.RefTimer)
	case Emotion:
		ref(o, k, behaviors.RefEmotionEvent)
	case Condition:
		r.condition(o, k)
	case Intents:
		r.cfg.Patterns(either(k, o.Objects, func(name string, _ []*resources.Object) []*resources.Object { return o.ObjectsOr(name) }))
	case Numbers:
		either(k, o.Floats, o.FloatsOr)
	case Texts:
		r.values[at+k.Name] = readTexts(o, k)
	default:
		r.nested(o, at, k)
	}
}

// given notes that a text is there.
func (r *reading) given(at string, k *Key, text string) {
	if text != "" {
		r.values[at+k.Name] = true
	}
}

// nested reads a key that holds objects.
func (r *reading) nested(o *resources.Object, at string, k *Key) {
	var list []*resources.Object
	switch {
	case k.Type == Objects && k.Required:
		list = o.Objects(k.Name)
	case k.Type == Objects:
		list = o.ObjectsOr(k.Name)
	case k.Required:
		list = append(list, o.Object(k.Name))
	default:
		if sub, ok := o.ObjectOr(k.Name); ok {
			list = append(list, sub)
		}
	}
	for _, sub := range list {
		switch {
		case sub == nil:
		case k.Type == Map:
			for _, name := range sub.Keys() {
				sub.String(name)
			}
		default:
			r.object(sub, at+k.Name+".", k.Keys)
			if k.Open {
				sub.Declare(sub.Keys()...)
			}
			sub.Finish()
		}
	}
}

func (r *reading) condition(o *resources.Object, k *Key) {
	var sub *resources.Object
	if k.Required {
		sub = o.Object(k.Name)
	} else {
		sub, _ = o.ObjectOr(k.Name)
	}
	if sub == nil {
		return
	}
	if c := r.cfg.ParseCondition(sub); c != nil && k.Ends {
		r.ends = append(r.ends, c)
	}
}

// either reads a key as required or not.
func either[T any](k *Key, required func(string) T, optional func(string, T) T) T {
	if k.Required {
		return required(k.Name)
	}
	def, _ := k.Default.(T)
	return optional(k.Name, def)
}

func readInt(o *resources.Object, k *Key) {
	if k.Low == 0 && k.High == 0 {
		either(k, o.Int, o.IntOr)
		return
	}
	low, high := int(k.Low), int(k.High)
	either(k, func(name string) int { return o.IntRange(name, low, high) }, func(name string, def int) int { return o.IntRangeOr(name, def, low, high) })
}

func readFloat(o *resources.Object, k *Key) {
	if k.Low == 0 && k.High == 0 {
		either(k, o.Float, o.FloatOr)
		return
	}
	either(k, func(name string) float64 { return o.FloatRange(name, k.Low, k.High) },
		func(name string, def float64) float64 { return o.FloatRangeOr(name, def, k.Low, k.High) })
}

func readTexts(o *resources.Object, k *Key) []string {
	if len(k.Words) == 0 {
		return either(k, o.Strings, o.StringsOr)
	}
	return either(k, func(name string) []string { return o.Enums(name, k.Words) },
		func(name string, def []string) []string { return o.EnumsOr(name, def, k.Words) })
}

func ref(o *resources.Object, k *Key, kind string) string {
	return either(k, func(name string) string { return o.Ref(name, kind) }, func(name, def string) string { return o.RefOr(name, kind, def) })
}

func refs(o *resources.Object, k *Key, kind string) []string {
	if k.Required {
		return o.Refs(k.Name, kind)
	}
	return o.RefsOr(k.Name, kind)
}

// letters are the modifiers of the row for this file.
func (r *reading) letters() string {
	all := r.row.Modifiers
	for _, key := range slices.Sorted(maps.Keys(r.row.ModifiersIf)) {
		said := r.values[key] == true
		if key[0] == '-' {
			_, given := r.values[key[1:]]
			said = !given
		}
		if said {
			all += r.row.ModifiersIf[key]
		}
	}
	return all
}
