package behaviors

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

// An Analyzer works something out of the facts of a tick that several behaviors want to know: the free space around the robot, whether
// somebody is about to leave. Make one with [NewAnalysis], and list it in [Class.Analyzers] of each class that reads it. It runs while a
// behavior of such a class is in scope, once a tick, before any behavior is updated or asked (T-21).
type Analyzer interface {
	Name() string
	class() *Class
}

// An Analysis is an [Analyzer] whose result is a T. It is immutable; what the analyzer remembers belongs to an incarnation, like the
// fields of a behavior.
type Analysis[T any] struct {
	name string
	look hardware.Look
	only *Class
}

// NewAnalysis returns an analyzer. begin makes one incarnation: a function that is called with the view of each tick, and what it
// remembers between the calls. It forgets everything when no behavior needs it any more, and when it fails: it may panic and hang like a hook,
// and costs itself its incarnation like one. A result must not be changed after it was returned.
//
//	var crowd = behaviors.NewAnalysis("Crowd", "How many people are near.", func() func(v *condition.View) int {
//		return func(v *condition.View) int { return len(v.World.Faces) }
//	})
func NewAnalysis[T any](name, doc string, begin func() func(v *condition.View) T) *Analysis[T] {
	if name == "" || begin == nil {
		panic(fmt.Sprintf("behaviors: analyzer %q without a name or a function", name))
	}
	a := &Analysis[T]{name: name}
	untyped := func() func(v *condition.View) any {
		analyze := begin()
		return func(v *condition.View) any { return analyze(v) }
	}
	a.only = &Class{Name: AnalyzerID(a), Doc: doc, New: func(*Config) Behavior { return &analyzer{look: a.look, begin: untyped} }}
	return a
}

// Looking says what the robot looks for while the analyzer runs. It returns a.
func (a *Analysis[T]) Looking(l hardware.Look) *Analysis[T] {
	a.look = l
	return a
}

// Name is the name given to NewAnalysis.
func (a *Analysis[T]) Name() string { return a.name }

// Of is the result in a view: that of this tick, in every hook of a behavior in scope whose class lists the analyzer. It is not ok if the analyzer failed, or
// if the class does not list it.
func (a *Analysis[T]) Of(v *condition.View) (result T, ok bool) {
	value, found := v.Analyses.Find(a.name)
	if !found {
		return result, false
	}
	result, ok = value.(T)
	return result, ok
}

func (a *Analysis[T]) class() *Class { return a.only }

// AnalyzerID is the ID under which an analyzer is in scope, beside the behaviors. No file can define it, because its name has a colon.
func AnalyzerID(a Analyzer) string { return "analyzer:" + a.Name() }

// AnalyzerClass is the class whose only instance is the analyzer, for the catalog.
func AnalyzerClass(a Analyzer) *Class { return a.class() }

// analyzer is what the engine runs: a behavior that is in scope like others and never wants control.
type analyzer struct {
	look    hardware.Look
	begin   func() func(v *condition.View) any
	analyze func(v *condition.View) any // with what it remembers; nil out of scope
	born    uint64                      // tick of Init
	tick    uint64                      // of result
	result  any
}

// Modify looks for what the analyzer needs.
func (a *analyzer) Modify(m *Modifiers, _ func(id string) Modifiers) {
	m.LookInScope = a.look
}

// WantsToBeActivated is false.
func (a *analyzer) WantsToBeActivated(c *Control) bool {
	c.Because("an analyzer never wants control")
	return false
}

// Init keeps the tick.
func (a *analyzer) Init(c *Control) { a.born = c.Tick() }

// OnEnteredScope makes the first result, before anybody is asked. One that takes the place of a lost incarnation begins with the next tick,
// because what made that fail may still hold in this one.
func (a *analyzer) OnEnteredScope(c *Control) {
	if a.born != c.Tick() {
		a.run(c)
	}
}

// Update makes the result of the tick, unless it was made when the analyzer entered scope.
func (a *analyzer) Update(c *Control) {
	if a.tick != c.Tick() {
		a.run(c)
	}
}

func (a *analyzer) run(c *Control) {
	if a.analyze == nil {
		a.analyze = a.begin()
	}
	a.result, a.tick = a.analyze(c.View()), c.Tick()
}

// OnLeftScope forgets everything.
func (a *analyzer) OnLeftScope(*Control) { a.analyze, a.result = nil, nil }

// Analysis is the newest result of an analyzer's instance.
func (i *Instance) Analysis() (any, bool) {
	a, ok := i.impl.(*analyzer)
	if !ok {
		return nil, false
	}
	return a.result, true
}

// checkAnalyzers refuses two analyzers of one name, since their results would be mixed up.
func checkAnalyzers(classes map[string]*Class) {
	seen := map[string]Analyzer{}
	for _, c := range classes {
		for _, a := range c.Analyzers {
			if first := seen[a.Name()]; first != nil && first != a {
				panic(fmt.Sprintf("behaviors: there are two analyzers of the name %s", a.Name()))
			}
			seen[a.Name()] = a
		}
	}
}

// Analyzers lists the analyzers of all classes, by name.
func (r *Registry) Analyzers() []Analyzer {
	var all []Analyzer
	for _, c := range r.byName {
		all = append(all, c.Analyzers...)
	}
	slices.SortFunc(all, func(a, b Analyzer) int { return cmp.Compare(a.Name(), b.Name()) })
	return slices.Compact(all)
}
