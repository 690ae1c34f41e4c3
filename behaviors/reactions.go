package behaviors

import (
	"slices"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

// ReactionsFile is the name of the map of reactions in a resource folder, which may be absent.
const ReactionsFile = "conditionToBehaviorMap.json"

// Keys of the map of reactions.
const (
	keyReactions = "conditionToBehaviorMap"
	keyEdit      = "editModeTrigger"
	keyType      = "conditionType"
	keyCustom    = "customCondition"
	keyOptions   = "behaviorOptions"
)

// A ReactionMap says from which behaviors people choose the reaction to a condition. What they chose is in the view
// ([condition.View.Reactions]). It is immutable.
type ReactionMap struct {
	Reactions []Reaction // in the order of the file, which is that in which the conditions are looked at
	edit      string     // JSON of the condition that lets people choose; empty without one
	file      string
}

// A Reaction is one condition of the map.
type Reaction struct {
	Condition string   // its type, by which it is chosen for
	Options   []string // behaviors, in the order in which they are offered
	json      string   // of the condition, with its parameters
}

// Find returns the entry of a type of condition; nil if there is none. The map may be nil.
func (m *ReactionMap) Find(conditionType string) *Reaction {
	if m == nil {
		return nil
	}
	i := slices.IndexFunc(m.Reactions, func(r Reaction) bool { return r.Condition == conditionType })
	if i < 0 {
		return nil
	}
	return &m.Reactions[i]
}

// Conditions are the types of conditions that have options, in the order of the map, which may be nil.
func (m *ReactionMap) Conditions() (types []string) {
	if m != nil {
		for _, r := range m.Reactions {
			types = append(types, r.Condition)
		}
	}
	return types
}

// Options are all behaviors that are offered, each once, sorted. The map may be nil.
func (m *ReactionMap) Options() []string {
	var all []string
	if m != nil {
		for _, r := range m.Reactions {
			all = append(all, r.Options...)
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(all)))
}

// ReadReactions reads a map of reactions. Its conditions are of the types of a registry. Mistakes are reported to the document. The map offers
// those behaviors only that exist.
func ReadReactions(d *resources.Document, types *Registry, exists func(id string) bool) *ReactionMap {
	root, m := d.Root(), &ReactionMap{file: d.File()}
	parser := condition.Parser{Types: types.Conditions(), Besides: []string{keyOptions}}
	m.edit = readEdit(root, parser)
	for _, o := range reactionsOf(root) {
		r := Reaction{Condition: o.StringOr(keyType, ""), Options: readOptions(o), json: o.Value().Raw()}
		whole := readType(o, parser)
		switch {
		case r.Condition == "" || !whole:
			continue
		case len(r.Options) == 0 && o.Has(keyOptions) && !o.Spoilt(keyOptions):
			o.KeyErrorf(keyOptions, resources.CodeKeyRange, "the list is empty; offer at least one behavior")
			continue
		case m.Find(r.Condition) != nil:
			o.KeyErrorf(keyType, "id-duplicate", "%s has its options already; the first entry counts", r.Condition)
			continue
		}
		r.Options = slices.DeleteFunc(r.Options, func(id string) bool { return !exists(id) })
		m.Reactions = append(m.Reactions, r)
	}
	d.Finish()
	return m
}

// readOptions reads what an entry offers. A behavior that is offered twice is a slip, and nothing changes by it.
func readOptions(o *resources.Object) (options []string) {
	all := o.Refs(keyOptions, RefBehavior)
	list, _ := o.Peek(keyOptions)
	elems, _ := list.Array()
	seen := make(map[string]bool, len(all))
	for i, id := range all {
		if !seen[id] {
			seen[id], options = true, append(options, id)
			continue
		}
		if len(elems) == len(all) { // else a mistake was told, which counts
			o.Warnf(elems[i].Pos(), "entry-twice", "%s.%s[%d]: %s is offered already", o.Path(), keyOptions, i, id)
		}
	}
	return options
}

// readType reads the condition of an entry and reports whether it is one. People choose by its type: one that code provides has none.
func readType(o *resources.Object, parser condition.Parser) bool {
	if o.Has(keyCustom) && !o.Has(keyType) && !o.Lenient() {
		o.KeyErrorf(keyCustom, condition.CodeInvalid, "people choose by the type of a condition: give %s in place of %s", keyType, keyCustom)
		o.Declare(o.Keys()...)
		return false
	}
	return parser.Parse(o) != nil || o.Lenient()
}

// ReactionKeys lists the keys of the map. An entry also has the keys of its condition.
func ReactionKeys() []resources.KeyInfo {
	return resources.Explore(func(o *resources.Object) {
		o.Describe(keyEdit, "while it is met people may choose with the reaction itself: a type of condition, or a condition")
		o.Describe(keyReactions, "for each condition what may be its reaction, in the order in which the conditions are looked at")
		o.StringOr(keyEdit, "")
		if edit, ok := o.ObjectOr(keyEdit); ok {
			edit.ProbeAs(resources.KindCondition)
		}
		for _, e := range o.Objects(keyReactions) {
			e.Describe(keyType, "its type, by which people choose; beside it the keys of the condition")
			e.Describe(keyOptions, "what people choose from")
			e.String(keyType)
			e.Refs(keyOptions, RefBehavior)
		}
	})
}

// reactionsOf is the list of the map. Another robot may call it otherwise.
func reactionsOf(root *resources.Object) []*resources.Object {
	if root.Lenient() {
		for _, key := range root.Keys() {
			if v, _ := root.Peek(key); key != keyEdit && v.Kind() == resources.KindArray {
				return root.ObjectsOr(key)
			}
		}
		return nil
	}
	list := root.Objects(keyReactions)
	if len(list) == 0 && root.Has(keyReactions) && !root.Spoilt(keyReactions) {
		root.KeyErrorf(keyReactions, resources.CodeKeyRange, "the list is empty; name at least one condition")
	}
	return list
}

// readEdit reads the condition that lets people choose. A text is a type of condition without parameters.
func readEdit(root *resources.Object, parser condition.Parser) string {
	v, there := root.Peek(keyEdit)
	if name, ok := v.Text(); there && ok {
		root.StringOr(keyEdit, "")
		text := `{"` + keyType + `": ` + v.Raw() + `}`
		d := resources.Reread(root.File(), text)
		if parser.Parse(d.Root()) == nil {
			for _, found := range d.Diagnostics() {
				root.KeyErrorf(keyEdit, found.Code, "condition %q: %s", name, found.Message)
			}
			return ""
		}
		return text
	}
	o, ok := root.ObjectOr(keyEdit)
	if !ok || parser.Parse(o) == nil {
		return ""
	}
	return o.Value().Raw()
}

// EditCondition makes the condition that lets people choose a reaction; nil without one.
func (m *ReactionMap) EditCondition(cfg *Config) condition.Condition {
	if m == nil || m.edit == "" {
		return nil
	}
	return cfg.ParseCondition(resources.Reread(m.file, m.edit).Root())
}

// ConditionOf makes the condition of an entry; nil if it is a foreign one that this robot does not know.
func (m *ReactionMap) ConditionOf(cfg *Config, r *Reaction) condition.Condition {
	d := resources.Reread(m.file, r.json)
	d.SetLenient(cfg.Lenient())
	d.Root().Declare(keyOptions)
	parser := cfg.parser()
	parser.Besides = []string{keyOptions}
	return parser.Parse(d.Root())
}

// Reacting returns a registry whose classes that let people choose reactions know the map.
func (r *Registry) Reacting(m *ReactionMap) *Registry {
	out := &Registry{}
	*out = *r
	out.byName = make(map[string]*Class, len(r.byName))
	for name, c := range r.byName {
		if reacts := c.Reacts; reacts != nil {
			bound := *c
			bound.New = func(cfg *Config) Behavior { return reacts(cfg, m) }
			c = &bound
		}
		out.byName[name] = c
	}
	return out
}

// ChooseReaction makes a behavior the reaction to a type of condition of the map of reactions, in place of the one before; an empty ID
// means none. It lasts beyond the robot's life. It reports whether the map offers that.
func (c *Control) ChooseReaction(conditionType, id string) bool {
	return c.do(Request{Kind: ReqChooseReaction, Key: conditionType, ID: id}).OK
}
