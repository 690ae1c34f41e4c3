// Package walk goes down every path of a tree of behaviors with the real hooks: each declared delegate is asked, pushed and popped below
// every behavior that lists it. A behavior that does not want control is put into one situation after the other (on the charger, in a
// hand, spoken to) until it does, and else pushed all the same. The result says what was reached, what failed and what stayed
// unwilling. `robotd check --walk` and [behaviortest.WalkTree] use it.
package walk

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
)

// maxStacks bounds a walk, if the options do not.
const maxStacks = 100_000

// Options say how to walk.
type Options struct {
	// Base is where the walk begins; empty for the base behavior of the boot configuration.
	Base string
	// Fixtures are situations of one behavior, by its ID, or of a class, by its name. They are tried before the others.
	Fixtures map[string]Situation
	// MaxStacks bounds the walk; 0 means 100 000.
	MaxStacks int
	Seed      uint64
}

// A Result is what a walk found. Lists are in the order of the walk: delegates by ID.
type Result struct {
	Base      string     `json:"base"`
	Behaviors []string   `json:"behaviors"` // reached, by ID
	Stacks    [][]string `json:"-"`         // every stack that was visited, base first
	Visited   int        `json:"stacks"`    // their number
	Longest   []string   `json:"longest"`
	Unwilling []Finding  `json:"unwilling"` // pushed against their will: first path of each behavior
	Failures  []Finding  `json:"failures"`  // pushes and pops that failed: first path of each
	Cut       bool       `json:"cut"`       // MaxStacks was reached
}

// A Finding is about one behavior on one path.
type Finding struct {
	ID    string   `json:"id"`
	Class string   `json:"class"`
	Path  []string `json:"path"` // base first, without the behavior
	Text  string   `json:"text"`
}

func (f *Finding) String() string {
	return fmt.Sprintf("%s (%s) below %s: %s", f.ID, f.Class, strings.Join(f.Path, " > "), f.Text)
}

// Tree walks the tree of a catalog. The error is about the options or the start; what fails on the way is in the result.
func Tree(cat *catalog.Catalog, o Options) (*Result, error) {
	if o.MaxStacks == 0 {
		o.MaxStacks = maxStacks
	}
	eng, err := engine.New(engine.Options{Catalog: cat, Base: o.Base, Unchecked: true})
	if err != nil {
		return nil, err
	}
	w := &walker{
		cat: cat, opts: o, now: time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC), Walker: engine.NewWalker(eng), reached: map[string]bool{},
		told: map[string]bool{}, liked: map[string]*Situation{}, result: Result{Unwilling: []Finding{}, Failures: []Finding{}},
	}
	if err := eng.Start(w.now); err != nil {
		return nil, err
	}
	w.moment(nil, nil)
	w.Clear()
	top := w.Top()
	if top == nil {
		return nil, errors.New("the base behavior does not start: " + strings.Join(w.Failures(), "; "))
	}
	w.result.Base = top.Node.ID
	w.visit([]string{top.Node.ID})
	for _, bad := range w.Violations() {
		w.fail(top.Node.ID, nil, "after the walk: "+bad)
	}
	for id := range w.reached {
		w.result.Behaviors = append(w.result.Behaviors, id)
	}
	slices.Sort(w.result.Behaviors)
	w.result.Visited = len(w.result.Stacks)
	return &w.result, nil
}

type walker struct {
	*engine.Walker
	cat     *catalog.Catalog
	opts    Options
	now     time.Time
	tick    uint64
	result  Result
	reached map[string]bool
	told    map[string]bool // findings, by behavior and kind
	liked   map[string]*Situation
}

// visit notes the present stack and walks below it.
func (w *walker) visit(path []string) {
	id := path[len(path)-1]
	w.reached[id] = true
	w.result.Stacks = append(w.result.Stacks, slices.Clone(path))
	if len(path) > len(w.result.Longest) {
		w.result.Longest = slices.Clone(path)
	}
	for _, d := range w.cat.Find(id).Delegates {
		if len(w.result.Stacks) >= w.opts.MaxStacks {
			w.result.Cut = true
			return
		}
		w.below(path, d)
	}
}

// below pushes one delegate of the top, walks below it, and pops it.
func (w *walker) below(path []string, id string) {
	depth := w.Depth()
	if why := w.persuade(id); why != "" {
		w.note(&w.result.Unwilling, "unwilling", id, path, why)
	}
	err := w.Push(id)
	lost := w.Failures()
	switch {
	case errors.Is(err, engine.ErrEnded):
		w.note(&w.result.Unwilling, "ended", id, path, err.Error())
		w.reached[id] = true
		return
	case err != nil:
		w.fail(id, path, strings.Join(append(lost, err.Error()), "; "))
		return
	}
	w.visit(append(path, id))
	if err := w.Pop(); err != nil {
		w.fail(id, path, err.Error())
	}
	if lost = append(lost, w.Failures()...); len(lost) > 0 {
		w.fail(id, path, strings.Join(lost, "; "))
	}
	if w.Depth() != depth {
		w.fail(id, path, fmt.Sprintf("after its pop the stack has %d behaviors instead of %d", w.Depth(), depth))
	}
}

// persuade looks for a situation in which a behavior wants control. It returns why the behavior does not in the last one, or "".
func (w *walker) persuade(id string) (why string) {
	entry := w.cat.Find(id)
	list := situations()
	if s, ok := w.opts.Fixtures[entry.Class.Name]; ok {
		list = slices.Insert(list, 0, s)
	}
	if s, ok := w.opts.Fixtures[id]; ok {
		list = slices.Insert(list, 0, s)
	}
	if s := w.liked[id]; s != nil {
		list = slices.Insert(list, 0, *s)
	}
	first := ""
	for i := range list {
		w.moment(&list[i], entry)
		yes, why := w.Ask(id)
		if yes {
			w.liked[id] = &list[i]
			return ""
		}
		if first == "" {
			first = why
		}
	}
	return "in none of " + fmt.Sprint(len(list)) + " situations; standing on the table: " + first
}

func (w *walker) note(list *[]Finding, kind, id string, path []string, text string) {
	if w.told[kind+id] {
		return
	}
	w.told[kind+id] = true
	*list = append(*list, Finding{ID: id, Class: w.cat.Find(id).Class.Name, Path: slices.Clone(path), Text: text})
}

func (w *walker) fail(id string, path []string, text string) {
	w.note(&w.result.Failures, "failed", id, path, text)
}
