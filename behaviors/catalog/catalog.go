// Package catalog reads the behaviors of a resource folder, with its boot configuration and mood data, and checks all of them
// together: a [Catalog] is complete, or there is none and each mistake is reported at its place. It knows files; the keys of one
// behavior are read by package behaviors and by its class.
//
// Its place is before the first tick. In a tick the engine only reads a catalog, and makes a fresh incarnation of an [Entry] when one
// was lost.
//
// [Build] does it all: build.go reads each file, anonymous.go the behaviors inside other behaviors, boot.go, vocabulary.go and mood.go
// the other files, and resolve.go checks every name that one of them mentions.
package catalog

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/animation"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/intents"
	"github.com/robotd/robotd/resources"
)

// maxBehaviors bounds a catalog, and so the delegates of one behavior.
const maxBehaviors = 4096

// An Entry is one behavior definition of a catalog.
type Entry struct {
	ID        string
	Class     *behaviors.Class
	File      string
	Line      int      // of its object in the file
	Delegates []string // sorted
	Links     []string // sorted
	Intents   []string // tags that it responds to, sorted
	// Owner is the ID of the behavior that an anonymous one belongs to; empty for the others.
	Owner string
	// Label is short and unique: the ID, or for an anonymous behavior "@" and its name, counted from the second one on (B-4).
	Label string
	// Analyzer is the name of the analyzer that the entry is; empty for a behavior.
	Analyzer string
	// Doing says for people what the robot does while the behavior is active, such as "Exploring"; without the key it is made from the ID.
	Doing string

	// Origin says where the file comes from, if the resource folder lies over another one; empty if not.
	Origin string

	json     string    // of its own object
	priority *[]string // its delegates, as Priority lists them; nil without any
	private  privates  // names of its own anonymous behaviors
	lenient  bool      // it was made for another robot

	first atomic.Pointer[behaviors.Instance] // from the check, until it is taken
}

// JSON is the behavior's own object in the file as standard JSON, without blanks.
func (e *Entry) JSON() []byte {
	var b bytes.Buffer
	if json.Compact(&b, []byte(e.json)) != nil {
		return []byte("{}")
	}
	return b.Bytes()
}

// order notes the order in which the file names the delegates; those that only the class names come last.
func (e *Entry) order(read []resources.Reference) {
	if len(e.Delegates) == 0 {
		return
	}
	priority := make([]string, 0, len(e.Delegates))
	placed := make([]bool, len(e.Delegates))
	for _, r := range read {
		if i, delegate := slices.BinarySearch(e.Delegates, r.Name); delegate && !placed[i] {
			placed[i] = true
			priority = append(priority, r.Name)
		}
	}
	for i, id := range e.Delegates {
		if !placed[i] {
			priority = append(priority, id)
		}
	}
	e.priority = &priority
}

// Priority lists the delegates in the order in which the file names them, which is the order in which dispatchers ask.
func (e *Entry) Priority() []string {
	if e.priority == nil {
		return []string{}
	}
	return slices.Clone(*e.priority)
}

// lists reports whether id is a delegate of the behavior, or linked to it.
func (e *Entry) lists(id string) bool {
	if e == nil {
		return false
	}
	_, delegate := slices.BinarySearch(e.Delegates, id)
	_, link := slices.BinarySearch(e.Links, id)
	return delegate || link
}

// New makes a fresh incarnation. The definition was checked when the catalog was built.
func (e *Entry) New() *behaviors.Instance {
	o := resources.Reread(e.File, e.json).Root() // which nobody else has
	e.prepare(o)
	return behaviors.NewInstance(e.ID, e.Class, o)
}

// First returns the instance that was made when the definition was checked, to be the first incarnation: once, and then nil. Safe for
// concurrent use.
func (e *Entry) First() *behaviors.Instance { return e.first.Swap(nil) }

// look returns an instance to be read, which is not taken into use.
func (e *Entry) look() *behaviors.Instance {
	if i := e.first.Load(); i != nil {
		return i
	}
	return e.New()
}

// prepare declares the keys that the catalog reads, and lets names of o mean the behavior's own anonymous behaviors.
func (e *Entry) prepare(o *resources.Object) {
	o.Document().SetLenient(e.lenient)
	o.Has("behaviorClass")
	o.Has(e.idKey())
	o.Has(keyAnonymous)
	o.Has(keyDoing)
	if len(e.private) > 0 {
		o.Document().Translate(e.private.resolve)
	}
}

// A Catalog is a complete, checked set of definitions: every reference in it resolves. It is immutable.
type Catalog struct {
	Entries []*Entry // by ID
	Boot    Boot
	// Sum tells these definitions from others: those of equal files have equal ones, in any process.
	Sum string
	// Answer makes the action that shows a response to the trigger word; nil if the classes came without one.
	Answer func(r condition.Response) actions.Action
	Mood   Mood
	// Intents translates what a cloud or an app sends.
	Intents *intents.Map
	// Reactions are what people choose reactions from; nil without that file.
	Reactions *behaviors.ReactionMap
	// Animations are the clips, groups and triggers that behaviors may name.
	Animations *animation.Library
}

// sumOf is the sum of some definitions, with the places where they stand, and of files that have a say in who delegates to whom.
func sumOf(entries []*Entry, others ...*resources.Document) string {
	h := fnv.New64a()
	var b []byte
	write := func(texts ...string) {
		b = b[:0]
		for _, text := range texts {
			b = append(append(b, text...), 0)
		}
		_, _ = h.Write(b) // a hash has no errors
	}
	for _, e := range entries {
		write(e.ID, e.Class.Name, e.File, strconv.Itoa(e.Line), e.json)
	}
	for _, d := range others {
		if d != nil {
			write(d.File(), d.JSON())
		}
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// Find returns the definition with an ID, or nil.
func (c *Catalog) Find(id string) *Entry {
	if i, ok := slices.BinarySearchFunc(c.Entries, id, func(e *Entry, id string) int { return cmp.Compare(e.ID, id) }); ok {
		return c.Entries[i]
	}
	return nil
}

// IDs lists all behavior IDs, sorted.
func (c *Catalog) IDs() []string {
	ids := make([]string, len(c.Entries))
	for i, e := range c.Entries {
		ids[i] = e.ID
	}
	return ids
}
