// Package reference says what behavior files and their relatives may hold: every class with its keys, every condition type, the common keys,
// the other files, and the names that each kind of reference may have. It knows nothing by itself: it runs the code that reads files on probes
// (see [resources.Explore]). From that it makes JSON Schemas, examples and a page of documentation.
//
//	reference.go   the account
//	names.go       the words that a resource folder adds
//	example.go     an example of each class and condition type, which the loader accepts
//	schema.go      JSON Schemas for editors
//	markdown.go    the page
package reference

import (
	"slices"
	"strings"

	"github.com/robotd/robotd/actions/animation"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

// A Reference is what files may hold.
type Reference struct {
	// Instance are the keys that say which behavior it is; Common are those that every class has.
	Instance   []resources.KeyInfo `json:"instance"`
	Common     []resources.KeyInfo `json:"common"`
	Classes    []Class             `json:"classes"`    // by name
	Conditions []Condition         `json:"conditions"` // by name
	Files      []File              `json:"files"`

	registry *behaviors.Registry
}

// A Class is what files of a class may hold.
type Class struct {
	Name string              `json:"name"`
	Doc  string              `json:"doc"`
	Keys []resources.KeyInfo `json:"keys"`
	// State is "real", "stand-in" or "inert".
	State string `json:"state"`
	// Fixed are the behaviors that its code names; one with @ before its name must be among the file's anonymous ones.
	Fixed []string `json:"fixed_delegates,omitempty"`
	// Intents are those that its code waits for.
	Intents []string `json:"intents,omitempty"`
	// Timers are those that its code relies on.
	Timers []string `json:"timers,omitempty"`
	// Broken says why its keys are not all known; empty if they are.
	Broken string `json:"broken,omitempty"`
}

// A Condition is a condition type.
type Condition struct {
	Name string              `json:"name"`
	Doc  string              `json:"doc"`
	Keys []resources.KeyInfo `json:"keys"`
	// Unsupported says that this robot does not have the facts: it is never met.
	Unsupported bool `json:"unsupported,omitempty"`
}

// A File is a file of a resource folder that is no behavior.
type File struct {
	Name    string              `json:"name"`
	Pattern string              `json:"pattern"` // path in the folder
	Doc     string              `json:"doc"`
	Keys    []resources.KeyInfo `json:"keys"`
}

// Of makes the reference of the classes of a registry.
func Of(registry *behaviors.Registry) *Reference {
	r := &Reference{Instance: catalog.InstanceKeys(), Common: behaviors.CommonKeys(), registry: registry}
	for _, name := range registry.Names() {
		r.Classes = append(r.Classes, classOf(registry.Find(name)))
	}
	for _, name := range condition.Types() {
		r.Conditions = append(r.Conditions, Condition{Name: name, Doc: condition.DocOf(name), Keys: condition.Accepts(name), Unsupported: slices.Contains(condition.Unsupported(), name)})
	}
	added := registry.Conditions()
	for _, name := range added.Types() {
		r.Conditions = append(r.Conditions, Condition{Name: name, Doc: added.DocOf(name), Keys: added.Accepts(name)})
	}
	slices.SortFunc(r.Conditions, func(a, b Condition) int { return strings.Compare(a.Name, b.Name) })
	r.Files = []File{
		{"behavior_config", catalog.BootFile, "What the robot starts with, and the words that its behaviors may use.", catalog.BootKeys()},
		{"user_intent_map", catalog.IntentFile, "What the names of a cloud and an app stand for.", catalog.IntentKeys()},
		{reactionsName, behaviors.ReactionsFile, "From which behaviors people choose the reaction to a condition.", behaviors.ReactionKeys()},
		{"mood_config", catalog.MoodFile, "How emotions fade.", catalog.MoodKeys()},
		{"animation", animation.Dir + "/**.json", "Clips with keyframes by track, groups of clips, and triggers that stand for groups.", resources.Explore(animation.Describe)},
		{"emotion_events", catalog.EmotionsDir + "/*.json", "What moves emotions.", catalog.EventKeys()},
	}
	return r
}

func classOf(c *behaviors.Class) Class {
	a, err := behaviors.Accepts(c)
	out := Class{Name: c.Name, Doc: c.Doc, Keys: a.Keys, State: c.State.String(), Fixed: a.Delegates, Intents: a.Intents, Timers: a.Timers}
	if err != nil {
		out.Broken = err.Error()
	}
	return out
}

// Class returns the account of a class, or nil.
func (r *Reference) Class(name string) *Class {
	i := slices.IndexFunc(r.Classes, func(c Class) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return &r.Classes[i]
}

// Condition returns the account of a condition type, or nil.
func (r *Reference) Condition(name string) *Condition {
	i := slices.IndexFunc(r.Conditions, func(c Condition) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return &r.Conditions[i]
}
