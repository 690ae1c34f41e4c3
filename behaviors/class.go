package behaviors

import (
	"fmt"
	"maps"
	"slices"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

// A Class is the Go code of a kind of behavior. Instances are made from JSON files that name it.
type Class struct {
	// Name is what "behaviorClass" says.
	Name string
	// Doc is one sentence for `robotd graph` and the page.
	Doc string
	// New reads the parameters and makes the author's value. It reads everything once; a key that it does not read is
	// unknown. It reports mistakes through the Config and always returns a value.
	New func(cfg *Config) Behavior
	// Reacts takes the place of New where the files have a map of reactions, for a class that lets people choose from it. Nil for others.
	Reacts func(cfg *Config, m *ReactionMap) Behavior
	// Predicates are the tests that "_lambda" of an intent pattern may name in instances of the class (data/1.7c). They must
	// change nothing.
	Predicates map[string]func(*condition.Intent) bool
	// Analyzers are those whose results the code reads.
	Analyzers []Analyzer
	// State is what the class is on this robot. The zero State is Real.
	State State

	conditions *condition.Set // those of its registry
}

// State is what a class is on this robot.
type State uint8

// The states.
const (
	Real    State = iota // its code does what the class is for
	StandIn              // gates, scope, intents and delegates are real; in place of its task it shows its name for a while
	Inert                // its file is read, and it never wants control
)

// StateNames are the names of the states, by state.
var StateNames = []string{"real", "stand-in", "inert"}

func (s State) String() string { return StateNames[s] }

// A Registry holds classes by name. It is filled before use and then only read.
type Registry struct {
	byName     map[string]*Class
	conditions *condition.Set // beside the built-in ones
	answer     func(r condition.Response) actions.Action
}

// NewRegistry returns a registry with the given classes. A name that is a duplicate, or none, is a programmer error and panics.
func NewRegistry(classes ...Class) *Registry {
	r := &Registry{byName: make(map[string]*Class, len(classes))}
	for _, c := range classes {
		if c.Name == "" || c.New == nil {
			panic(fmt.Sprintf("behaviors: class %q without a name or constructor", c.Name))
		}
		if !ClassName(c.Name) {
			panic(fmt.Sprintf("behaviors: %q is no name of a class: want letters and digits, with a capital first, such as %q", c.Name, "DoDishes"))
		}
		if r.byName[c.Name] != nil {
			panic(fmt.Sprintf("behaviors: class %s registered twice", c.Name))
		}
		r.byName[c.Name] = &c
	}
	checkAnalyzers(r.byName)
	return r
}

// ClassName reports whether a class can have this name: ASCII letters and digits, with a capital letter first, like its Go type.
func ClassName(name string) bool { return condition.TypeName(name) }

// WithConditions lets the files of all classes name further condition types. It returns r.
func (r *Registry) WithConditions(types *condition.Set) *Registry {
	r.conditions = types
	for _, c := range r.byName {
		c.conditions = types
	}
	return r
}

// Conditions are the condition types beside the built-in ones; nil for none.
func (r *Registry) Conditions() *condition.Set { return r.conditions }

// WithAnswer tells how to make the action that shows a response to the trigger word. Without it nothing answers the word by itself. It
// returns r.
func (r *Registry) WithAnswer(answer func(r condition.Response) actions.Action) *Registry {
	r.answer = answer
	return r
}

// With returns a registry in which classes take the place of stand-ins of the same name. Classes that have code stay.
func (r *Registry) With(classes ...Class) *Registry {
	out := &Registry{}
	*out = *r
	out.byName = maps.Clone(r.byName)
	for _, c := range classes {
		if old := r.byName[c.Name]; old == nil || old.State != Real {
			c.conditions = r.conditions
			out.byName[c.Name] = &c
		}
	}
	return out
}

// Answer is the function given to [Registry.WithAnswer]. The catalog reads it.
func (r *Registry) Answer() func(r condition.Response) actions.Action { return r.answer }

// Find returns the class of that name, or nil.
func (r *Registry) Find(name string) *Class { return r.byName[name] }

// Names lists the class names, sorted.
func (r *Registry) Names() []string {
	names := make([]string, 0, len(r.byName))
	for n := range r.byName {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// A Config reads the JSON of one instance. It is the decoder of package resources with what only behaviors have:
// delegates, links and conditions.
type Config struct {
	*resources.Object
	id        string
	class     *Class
	delegates idSet
	links     idSet
	waits     waits
	keys      keys // those of every class

	streamlined bool
}

// ID is the instance's behaviorID.
func (c *Config) ID() string { return c.id }

// Delegate reads a required behavior ID and declares it as a delegate.
func (c *Config) Delegate(key string) string {
	id := c.Ref(key, RefBehavior)
	c.MayDelegateTo(id)
	return id
}

// DelegateOr reads an optional behavior ID and declares it, or def, as a delegate; an empty def means none.
func (c *Config) DelegateOr(key, def string) string {
	id := c.RefOr(key, RefBehavior, def)
	c.MayDelegateTo(id)
	return id
}

// DelegateList reads a required list of behavior IDs and declares them as delegates.
func (c *Config) DelegateList(key string) []string {
	ids := c.Refs(key, RefBehavior)
	c.MayDelegateTo(ids...)
	return ids
}

// MayDelegateTo declares delegates that are fixed in code or were read from a nested object.
func (c *Config) MayDelegateTo(ids ...string) {
	c.delegates.add(ids)
}

// Link declares behaviors that share scope with this one, so that it may ask them before it is activated (L-20).
func (c *Config) Link(ids ...string) {
	c.links.add(ids)
}

// An idSet collects IDs. The empty ID is none.
type idSet []string

// add does not look for what is there already: a constructor runs within the budget of one hook, and a file may name thousands.
func (s *idSet) add(ids []string) {
	*s = slices.Grow(*s, len(ids))
	for _, id := range ids {
		if id != "" {
			*s = append(*s, id)
		}
	}
}

// sorted lists each ID once.
func (s idSet) sorted() []string {
	slices.Sort(s)
	return slices.Compact(s)
}

// Own is the ID of the anonymous behavior that this one has under a name. Code that needs one of a fixed name delegates to it by this ID.
func (c *Config) Own(name string) string { return c.id + "@" + name }

// Condition reads a required condition object.
func (c *Config) Condition(key string) condition.Condition {
	o := c.Object.Object(key)
	if o == nil {
		return nil
	}
	return c.parser().Parse(o)
}

// ParseCondition reads the condition that an object says.
func (c *Config) ParseCondition(o *resources.Object) condition.Condition { return c.parser().Parse(o) }

// Patterns builds the condition on intents that a list of patterns describes, as those of respondToUserIntents do; nil if there are none.
func (c *Config) Patterns(list []*resources.Object) *condition.UserIntentPending {
	return c.parser().ParseIntentPatterns(list)
}

// ConditionOr reads an optional condition object; nil if it is not there.
func (c *Config) ConditionOr(key string) condition.Condition {
	if !c.Has(key) {
		return nil
	}
	return c.Condition(key)
}

// Kinds of references between files.
const (
	RefBehavior = "behavior"
	RefIntent   = "intent"
	RefTimer    = "timer"
	RefFeature  = condition.RefFeature
	// RefEmotionEvent is an event of the mood data.
	RefEmotionEvent = "emotion event"
	// RefStat is a counter of what the robot did in its life.
	RefStat = "behavior stat"
	// RefClip is an animation clip.
	RefClip = "clip"
	// RefTrigger is an animation trigger, which stands for one of several clips.
	RefTrigger = "animation trigger"
)
