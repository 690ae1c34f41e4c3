package animation

import (
	"maps"
	"slices"
	"sync"

	"github.com/robotd/robotd/resources"
)

// A Library holds the animations of a resource tree. It is immutable.
type Library struct {
	clips    map[string]*Clip
	groups   map[string]*Group
	triggers map[string]string // name → group
}

var builtIn struct {
	once sync.Once
	lib  *Library
}

// BuiltIn are the animations inside the binary.
func BuiltIn() *Library {
	builtIn.once.Do(func() {
		files, diags := Load(resources.Embedded())
		builtIn.lib = Read(files)
		for _, d := range files.Documents() {
			diags = append(diags, d.Diagnostics()...)
		}
		if len(diags) > 0 {
			panic("animation: the built-in files: " + diags.String())
		}
	})
	return builtIn.lib
}

// Clip returns a clip, not to be modified; nil if there is none of that name.
func (l *Library) Clip(name string) *Clip { return l.clips[name] }

// Group returns a group, not to be modified; nil if there is none of that name.
func (l *Library) Group(name string) *Group { return l.groups[name] }

// Trigger returns the group that a trigger stands for; nil if there is no such trigger.
func (l *Library) Trigger(name string) *Group { return l.groups[l.triggers[name]] }

// ClipNames lists the clips, sorted.
func (l *Library) ClipNames() []string { return slices.Sorted(maps.Keys(l.clips)) }

// GroupNames lists the groups, sorted.
func (l *Library) GroupNames() []string { return slices.Sorted(maps.Keys(l.groups)) }

// TriggerNames lists the triggers, sorted.
func (l *Library) TriggerNames() []string { return slices.Sorted(maps.Keys(l.triggers)) }

// Triggered lists what may be given where a trigger is wanted, sorted: the triggers, and the clips, each of which stands for itself unless
// a trigger has its name.
func (l *Library) Triggered() []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(l.TriggerNames(), l.ClipNames()))))
}

// Sounds lists the sounds that clips play, sorted.
func (l *Library) Sounds() []string {
	names := map[string]bool{}
	for _, c := range l.clips {
		for _, f := range c.Frames {
			if s, ok := f.Do.(Sound); ok {
				names[s.Clip] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// clone returns a copy that definitions may be added to.
func (l *Library) clone() *Library {
	return &Library{clips: maps.Clone(l.clips), groups: maps.Clone(l.groups), triggers: maps.Clone(l.triggers)}
}

func empty() *Library {
	return &Library{clips: map[string]*Clip{}, groups: map[string]*Group{}, triggers: map[string]string{}}
}
