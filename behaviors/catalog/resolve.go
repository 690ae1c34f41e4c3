package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

// resolve checks every reference and every declared delegate against what exists.
func (b *builder) resolve(docs []*resources.Document) {
	known := map[string]wordSet{}
	if b.boot {
		boot := &b.cat.Boot
		known[behaviors.RefIntent], known[behaviors.RefTimer] = wordsOf(boot.Intents), wordsOf(boot.Timers)
		known[behaviors.RefFeature], known[behaviors.RefStat] = wordsOf(boot.Features), wordsOf(boot.Stats)
	}
	if b.hasMood {
		known[behaviors.RefEmotionEvent] = wordsOf(b.cat.Mood.EventNames())
	}
	if lib := b.cat.Animations; b.hasClips {
		known[behaviors.RefClip], known[behaviors.RefTrigger] = wordsOf(lib.ClipNames()), wordsOf(lib.Triggered())
	}
	bad := map[[2]string]bool{} // files and IDs already reported at their place
	b.tellUnsupported(docs)
	for _, d := range docs {
		for i, ref := range d.References() {
			if ref.Kind == behaviors.RefBehavior {
				if b.resolveBehavior(d.File(), i, ref) {
					bad[[2]string{d.File(), ref.Name}] = true
				}
				continue
			}
			words, checked := known[ref.Kind]
			if !checked || ref.Name == "" || words.has[ref.Name] {
				continue
			}
			names := words.list
			if ref.Kind == behaviors.RefFeature && activeFeature(d.Root(), ref.Pos) {
				names = append(slices.Clip(names), behaviors.NoFeature)
			}
			if b.unsure[ref.Kind] && (!b.hints() || resources.DidYouMean(ref.Name, names) == "") {
				continue // it may be a word that could not be read
			}
			b.report(d.File(), ref.Pos, codeOf(ref.Kind), fmt.Sprintf("there is no %s %q", ref.Kind, ref.Name), ref.Name, names)
		}
	}
	for _, p := range b.deleg {
		ids := slices.Concat(p.entry.Delegates, p.entry.Links)
		slices.Sort(ids)
		for _, id := range slices.Compact(ids) {
			if bad[[2]string{p.entry.File, id}] {
				continue
			}
			if _, ok := b.files[id]; !ok && !b.isBroken(id) {
				b.report(p.entry.File, p.pos, "delegate-unresolved",
					fmt.Sprintf("class %s of %s needs behavior %q, which no file defines", p.entry.Class.Name, p.entry.ID, id), id, b.visible("", 0))
			}
			if id == p.entry.ID {
				b.reportSelf(p.entry.File, p.pos, id)
			}
		}
	}
}

// activeFeature reports whether the value at a place is an associatedActiveFeature, which may be NoFeature, of a behavior or of an
// anonymous one in it.
func activeFeature(o *resources.Object, at resources.Pos) bool {
	if v, ok := o.Peek("associatedActiveFeature"); ok && v.Pos() == at {
		return true
	}
	list, ok := o.Peek(keyAnonymous)
	if !ok {
		return false
	}
	elems, _ := list.Array()
	return slices.ContainsFunc(elems, func(v resources.Value) bool {
		inner, ok := v.Object()
		return ok && activeFeature(inner, at)
	})
}

// tellUnsupported tells each condition type that this robot does not support once, at its first place, with the number of its uses.
func (b *builder) tellUnsupported(docs []*resources.Document) {
	first, uses, seen := map[string]resources.Reference{}, map[string]int{}, map[resources.Reference]bool{}
	for _, d := range docs {
		for _, ref := range d.References() {
			if ref.Kind != condition.RefUnsupported || seen[ref] {
				continue
			}
			seen[ref] = true
			if uses[ref.Name]++; uses[ref.Name] == 1 {
				first[ref.Name] = ref
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(first)) {
		ref, times := first[name], ""
		if n := uses[name]; n > 1 {
			times = fmt.Sprintf(" (the first of %d uses)", n)
		}
		b.diags.Add(resources.Diagnostic{
			File: ref.File, Line: ref.Pos.Line, Col: ref.Pos.Col, Severity: resources.Info, Code: "condition-unsupported",
			Message: fmt.Sprintf("condition type %s is not supported on this robot: it is never met%s", name, times),
		})
	}
}

// codeOf is the diagnostic code of a reference whose name is not declared.
func codeOf(kind string) string {
	return map[string]string{
		behaviors.RefIntent: "intent-unknown", behaviors.RefTimer: "timer-unknown", behaviors.RefFeature: "feature-unknown", behaviors.RefStat: "stat-unknown",
		behaviors.RefEmotionEvent: "emotion-unknown", behaviors.RefClip: "clip-unknown", behaviors.RefTrigger: "trigger-unknown",
	}[kind]
}

// resolveBehavior reports reference i of a file if there is no such behavior, if it is an anonymous one of another behavior, or
// if a behavior names itself.
func (b *builder) resolveBehavior(file string, i int, ref resources.Reference) (reported bool) {
	switch {
	case ref.Name == "" || b.isBroken(ref.Name):
		return false
	case ref.Written == "" && strings.Contains(ref.Name, anonymousMark) && !b.isFile(ref.Name):
		b.report(file, ref.Pos, "delegate-unresolved", fmt.Sprintf("%q is private to its owner", ref.Name), "", nil)
		return true
	case b.files[ref.Name] == file && b.cat.Find(ref.Name).lists(ref.Name):
		b.reportSelf(file, ref.Pos, ref.Name)
		return true
	case b.files[ref.Name] == "":
		b.report(file, ref.Pos, "delegate-unresolved", fmt.Sprintf("there is no behavior %q", ref.Name), ref.Name, b.visible(file, i))
		return true
	}
	return false
}

// isFile reports whether a file gives a behavior this ID, which need not be one that it can have.
func (b *builder) isFile(id string) bool {
	e := b.cat.Find(id)
	return e != nil && e.Owner == ""
}

func (b *builder) reportSelf(file string, pos resources.Pos, id string) {
	b.report(file, pos, "delegate-cycle", fmt.Sprintf("%s lists itself as a delegate (L-36)", id), "", nil)
}

func (b *builder) report(file string, pos resources.Pos, code, msg, word string, names []string) {
	d := resources.Diagnostic{File: file, Line: pos.Line, Col: pos.Col, Severity: resources.Error, Code: code, Message: msg}
	if file := b.empty[strings.ToLower(word)]; file != "" && code == "delegate-unresolved" {
		d.Hint = file + " is empty"
	} else if word != "" && b.hints() {
		b.hinted += len(names)
		d.Hint = resources.DidYouMean(word, names)
	}
	b.diags.Add(d)
}

// codeWait are the intents that the code of one behavior waits for.
type codeWait struct {
	entry *Entry
	pos   resources.Pos
	tags  []string
}

// checkWaits reports intents that code waits for and the boot configuration does not declare.
func (b *builder) checkWaits() {
	if !b.boot || b.unsure[behaviors.RefIntent] {
		return
	}
	intents := wordsOf(b.cat.Boot.Intents)
	for _, w := range b.waits {
		for _, tag := range w.tags {
			if !intents.has[tag] {
				b.report(w.entry.File, w.pos, "intent-unknown",
					fmt.Sprintf("class %s of %s waits for intent %q, which %s does not declare", w.entry.Class.Name, w.entry.ID, tag, BootFile), tag, b.cat.Boot.Intents)
			}
		}
	}
}

// checkSubscriptions reports names that a class subscribes to and no event has.
func (b *builder) checkSubscriptions(e *Entry, heard []string, pos resources.Pos) {
	for _, name := range heard {
		if names := behaviors.EventNames(); !slices.Contains(names, name) {
			b.report(e.File, pos, "event-unknown",
				fmt.Sprintf("class %s of %s subscribes to event %q, which does not exist", e.Class.Name, e.ID, name), name, names)
		}
	}
}

// A wordSet is what references of one kind may name.
type wordSet struct {
	list []string
	has  map[string]bool
}

func wordsOf(list []string) wordSet {
	v := wordSet{list, make(map[string]bool, len(list))}
	for _, w := range list {
		v.has[w] = true
	}
	return v
}

// maxHinted bounds the names that one build compares for hints. A full catalog has hints for 64 mistakes, an ordinary one for all.
const maxHinted = 64 * maxBehaviors

// hints reports whether a hint is still looked for: the finding is kept, and the search has not taken long already.
func (b *builder) hints() bool { return !b.diags.Full() && b.hinted < maxHinted }
