package catalog

import (
	"fmt"
	"maps"
	"slices"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/resources"
)

// accept takes the words of another robot for words of this one, so that every name in its files is declared.
func (b *builder) accept(docs []*resources.Document, assumed *Boot) {
	if assumed != nil {
		b.cat.Boot = *assumed
	}
	b.settleBoot()
	words := map[string]map[string]bool{}
	known := b.words()
	for _, d := range docs {
		for _, ref := range d.References() {
			b.acceptWord(ref, known, words)
		}
	}
	for _, w := range b.waits {
		for _, tag := range w.tags {
			add(words, behaviors.RefIntent, tag)
		}
	}
	boot := &b.cat.Boot
	boot.Intents = with(boot.Intents, words[behaviors.RefIntent])
	boot.Timers = with(boot.Timers, words[behaviors.RefTimer])
	boot.Features = with(boot.Features, words[behaviors.RefFeature])
	boot.Stats = with(boot.Stats, words[behaviors.RefStat])
	for name := range words[behaviors.RefEmotionEvent] {
		if b.cat.Mood.Events[name] == nil {
			b.cat.Mood.Events[name] = &EmotionEvent{Name: name, Penalty: noPenalty()}
		}
	}
}

// words are those that are declared, by the kind of reference.
func (b *builder) words() map[string]wordSet {
	boot := &b.cat.Boot
	return map[string]wordSet{
		behaviors.RefIntent: wordsOf(boot.Intents), behaviors.RefTimer: wordsOf(boot.Timers), behaviors.RefFeature: wordsOf(boot.Features),
		behaviors.RefStat: wordsOf(boot.Stats), behaviors.RefEmotionEvent: wordsOf(b.cat.Mood.EventNames()), behaviors.RefClip: wordsOf(b.cat.Animations.ClipNames()),
		behaviors.RefTrigger: wordsOf(b.cat.Animations.Triggered()),
	}
}

// acceptWord notes what a reference names if that is foreign.
func (b *builder) acceptWord(ref resources.Reference, known map[string]wordSet, words map[string]map[string]bool) {
	l := b.lenient
	switch ref.Kind {
	case condition.RefUnsupported, condition.RefForeign:
		l.note(NoteUnsupported, ref.Name, ref.File, ref.Pos, fmt.Sprintf("condition %s is not supported on this robot: it is never met", ref.Name))
	case condition.RefMappedKind:
		l.note(NoteMapped, ref.Name, ref.File, ref.Pos, "kind of object: "+ref.Name)
	case condition.RefForeignKind:
		l.note(NoteIgnored, ref.Name, ref.File, ref.Pos, fmt.Sprintf("this robot knows no kind of object %q", ref.Name))
	}
	if set, checked := known[ref.Kind]; checked && ref.Name != "" && !set.has[ref.Name] {
		add(words, ref.Kind, ref.Name)
		l.note(NoteKept, ref.Kind, ref.File, ref.Pos, fmt.Sprintf("nothing declares the %s %q", ref.Kind, ref.Name))
	}
}

func add(words map[string]map[string]bool, kind, word string) {
	if words[kind] == nil {
		words[kind] = map[string]bool{}
	}
	words[kind][word] = true
}

// with adds words to a sorted list.
func with(list []string, more map[string]bool) []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(list, slices.Collect(maps.Keys(more))))))
}

// settleBoot gives the roles that have no behavior to another one: a robot needs a base.
func (b *builder) settleBoot() {
	boot, l := &b.cat.Boot, b.lenient
	for _, role := range []*string{&boot.Onboarding, &boot.PostOnboarding, &boot.Dev, &boot.Factory, &boot.SelfTest, &boot.ResetSafely, &boot.EmergencyStop, &boot.Base, &boot.Fallback} {
		if *role != "" && b.cat.Find(*role) == nil {
			l.note(NoteDropped, *role, BootFile, resources.Pos{}, fmt.Sprintf("there is no behavior %q: the role has none", *role))
			*role = ""
		}
	}
	if boot.Base == "" {
		if boot.Base = b.widest(); boot.Base != "" {
			l.note(NoteMapped, "base", BootFile, resources.Pos{}, fmt.Sprintf("no configuration names a base: it is %s, which leads to most behaviors", boot.Base))
		}
	}
	if boot.Fallback == "" {
		boot.Fallback = boot.Base
		if b.cat.Find("Wait") != nil {
			boot.Fallback = "Wait"
		}
		l.note(NoteMapped, "fallback", BootFile, resources.Pos{}, "no configuration names a fallback: it is "+boot.Fallback)
	}
}

// widest is the behavior from which most others are reached; the first by name of several.
func (b *builder) widest() (best string) {
	most := 0
	for _, e := range b.cat.Entries {
		if n := len(b.cat.Reach(e.ID)); n > most && e.Owner == "" {
			best, most = e.ID, n
		}
	}
	return best
}

// Reach are the behaviors that paths of delegates lead to from one of them, which is among them.
func (c *Catalog) Reach(from string) map[string]bool {
	seen := map[string]bool{}
	todo := []string{from}
	for len(todo) > 0 {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		e := c.Find(id)
		if e == nil || seen[id] {
			continue
		}
		seen[id] = true
		todo = append(todo, e.Delegates...)
	}
	return seen
}
