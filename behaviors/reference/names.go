package reference

import (
	"maps"
	"slices"
	"strings"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/animation"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/resources"
)

// Names are the names of things by the kind that a reference names: "behavior", "intent", "timer". A kind without an entry has names that
// are not known here.
type Names map[string][]string

// Kinds of names that no key refers to yet, and those that every folder has.
const (
	KindGroup   = "animation group"
	KindSound   = "sound"
	KindFace    = "face"
	KindEmotion = "emotion"
	KindAction  = "action"
)

// fixedNames are the names of kinds that no folder changes.
func fixedNames() Names {
	return Names{
		KindFace:    slices.Sorted(slices.Values(hardware.Expressions)),
		KindEmotion: slices.Sorted(slices.Values(condition.EmotionNames())),
		KindAction:  slices.Sorted(slices.Values(actions.TypeNames())),
	}
}

// NamesIn lists the names that the files of a resource folder define, as far as they can be read: one that has mistakes still has names for
// completion.
func NamesIn(docs []*resources.Document, boot *resources.Document, mood *catalog.MoodFiles, clips *animation.Library) Names {
	n := Names{}
	if clips != nil {
		n[behaviors.RefClip], n[behaviors.RefTrigger] = clips.ClipNames(), clips.Triggered()
		n[KindGroup], n[KindSound] = clips.GroupNames(), clips.Sounds()
	}
	for _, d := range docs {
		n.instance(d.Root(), "behaviorID")
	}
	if boot != nil {
		root := boot.Root()
		for key, kind := range map[string]string{
			"userIntents": behaviors.RefIntent, "timers": behaviors.RefTimer, "features": behaviors.RefFeature, "behaviorStats": behaviors.RefStat,
		} {
			n[kind] = append(n[kind], texts(root, key)...)
		}
		n[behaviors.RefStat] = append(n[behaviors.RefStat], catalog.StatActivated)
	}
	if mood != nil {
		n.events(mood)
	}
	for kind := range n {
		slices.Sort(n[kind])
		n[kind] = slices.Compact(n[kind])
	}
	return n
}

// instance adds the name of a behavior and of those inside it.
func (n Names) instance(o *resources.Object, key string) {
	if v, ok := o.Optional(key); ok {
		if id, ok := v.Text(); ok && id != "" && !strings.Contains(id, "@") {
			n[behaviors.RefBehavior] = append(n[behaviors.RefBehavior], id)
		}
	}
	for _, a := range objects(o, "anonymousBehaviors") {
		n.instance(a, "behaviorName")
	}
}

func (n Names) events(mood *catalog.MoodFiles) {
	var roots []*resources.Object
	for _, d := range mood.Events {
		roots = append(roots, d.Root())
	}
	if mood.Config != nil {
		if v, ok := mood.Config.Root().Optional("eventMapper"); ok {
			if o, ok := v.Object(); ok {
				roots = append(roots, o)
			}
		}
	}
	n[behaviors.RefEmotionEvent] = nil
	for _, o := range roots {
		for _, e := range append(objects(o, "emotionEvents"), o) {
			if v, ok := e.Optional("name"); ok {
				if name, ok := v.Text(); ok && name != "" {
					n[behaviors.RefEmotionEvent] = append(n[behaviors.RefEmotionEvent], name)
				}
			}
		}
	}
}

// objects are the objects of a list, without a report about what else stands there.
func objects(o *resources.Object, key string) (out []*resources.Object) {
	for _, e := range elements(o, key) {
		if sub, ok := e.Object(); ok {
			out = append(out, sub)
		}
	}
	return out
}

func texts(o *resources.Object, key string) (out []string) {
	for _, e := range elements(o, key) {
		if s, ok := e.Text(); ok && s != "" {
			out = append(out, s)
		}
	}
	return out
}

func elements(o *resources.Object, key string) []resources.Value {
	v, _ := o.Optional(key)
	elems, _ := v.Array()
	return elems
}

// All lists the names of a kind, whether the folder defines them or every folder has them.
func (n Names) All(kind string) []string { return fixedNames().with(n)[kind] }

// with returns the names of both; those of more count where both have a kind.
func (n Names) with(more Names) Names {
	out := maps.Clone(n)
	maps.Copy(out, more)
	return out
}
