package engine

import (
	"time"

	"github.com/robotd/robotd/actions/animation"
	"github.com/robotd/robotd/behaviors"
)

// choices is when each clip of each group was chosen last, for the cooldowns.
type choices struct {
	core *core
	used map[choice]time.Time
}

// A choice is a clip of a group, by names: they outlive another catalog.
type choice struct{ group, clip string }

// choose answers which clip a trigger stands for now, and begins the cooldown of that clip. A clip without a trigger of its name stands
// for itself; the answer is empty if there is neither.
func (h *choices) choose(r *behaviors.Request) {
	lib := h.core.catalog.Animations
	g := lib.Trigger(r.Key)
	if g == nil {
		if lib.Clip(r.Key) != nil {
			r.Clip = r.Key
		}
		return
	}
	v := h.core.view
	i := g.Choose(animation.Moment{Now: v.Now, Mood: int(v.Mood.Simple()), HeadRad: v.World.Servos.Value.HeadRad, Roll: r.Args.(float64)},
		func(clip string) time.Time { return h.used[choice{g.Name, clip}] })
	if i < 0 {
		return
	}
	r.Clip = g.Entries[i].Clip
	if h.used == nil {
		h.used = map[choice]time.Time{}
	}
	h.used[choice{g.Name, r.Clip}] = v.Now
}
