package record

import (
	"cmp"
	"slices"
)

// A held value is the newest message of a key. Without data its key is gone, which is told until it is saved.
type held struct {
	Message
	saved bool
	told  bool // a value of it was saved, so its end must be told
	void  bool // it came and went unsaved: nobody ever hears of it
}

// A table keeps the values that hold now, so that a keyframe can repeat them.
type table struct {
	values map[value]*held
	fresh  []*held // changed since the last settle, void ones too
	voids  int     // among them
}

func newTable() *table { return &table{values: map[value]*held{}} }

// apply takes a message, which is not saved yet.
func (t *table) apply(m *Message) {
	if m.Instant {
		return
	}
	name := value{m.Topic, m.Key}
	h := t.values[name]
	if h == nil {
		h = &held{saved: true}
		t.values[name] = h
	} else if m.Data == nil && !h.told {
		t.drop(name, h)
		return
	}
	if h.Message = *m; h.saved {
		h.saved = false
		t.fresh = append(t.fresh, h)
	}
}

// drop forgets a key that came and went unsaved. While the disk takes nothing, those of actions would pile up.
func (t *table) drop(name value, h *held) {
	delete(t.values, name)
	h.void = true
	if t.voids++; t.voids > 64 && t.voids > len(t.fresh)/2 {
		t.fresh, t.voids = slices.DeleteFunc(t.fresh, func(h *held) bool { return h.void }), 0
	}
}

// settle says that everything is saved.
func (t *table) settle() {
	for i, h := range t.fresh {
		h.saved, h.told = true, true
		if h.Data == nil && !h.void {
			delete(t.values, value{h.Topic, h.Key})
		}
		t.fresh[i] = nil
	}
	t.fresh, t.voids = t.fresh[:0], 0
}

// keyframe returns the values that hold, by topic and key, and behind them what changed unsaved, in order.
func (t *table) keyframe() []entry {
	all := make([]entry, 0, len(t.values))
	for _, h := range t.values {
		if h.saved {
			all = append(all, entry{h.Message, repeated})
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Key, b.Key)) })
	old := len(all)
	for _, h := range t.fresh {
		if !h.void {
			all = append(all, entry{h.Message, changed})
		}
	}
	slices.SortStableFunc(all[old:], func(a, b entry) int { return cmp.Compare(a.Tick, b.Tick) })
	return all
}
