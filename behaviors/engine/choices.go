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

// choose answers a behavior which clip a trigger stands for now.
func (h *choices) choose(r *behaviors.Request) { r.Clip = h.clip(r.Key, r.Args.(float64)) }

// clip is what a trigger stands for now; the cooldown of that clip begins. A clip without a trigger of its name stands for itself; it is
// empty if there is neither.
func (h *choices) clip(trigger string, roll float64) string {
	lib := h.core.catalog.Animations
	g := lib.Trigger(trigger)
	if g == nil {
		if lib.Clip(trigger) == nil {
			return ""
		}
		return trigger
	}
	v := h.core.view
	i := g.Choose(animation.Moment{Now: v.Now, Mood: int(v.Mood.Simple()), HeadRad: v.World.Servos.Value.HeadRad, Roll: roll},
		func(clip string) time.Time { return h.used[choice{g.Name, clip}] })
	if i < 0 {
		return ""
	}
	if h.used == nil {
		h.used = map[choice]time.Time{}
	}
	clip := g.Entries[i].Clip
	h.used[choice{g.Name, clip}] = v.Now
	return clip
}
