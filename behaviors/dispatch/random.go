package dispatch

import (
	"time"

	"github.com/robotd/robotd/behaviors"
)

// A Random draws one behavior of its list by weight among those that want control and do not pause, gives it control, and
// ends with it (P-6). If all that want it pause, it takes the one whose pause ends first.
type Random struct {
	politely
	entries []weighted
	list    *behaviors.Candidates // their behaviors
	running int                   // index of the entry drawn in this activation, or none
}

// weighted is an entry with a chance.
type weighted struct {
	entry
	weight float64
}

// maxWeight bounds a weight, so that sums stay exact enough.
const maxWeight = 1e6

// RandomClass is the class DispatcherRandom.
func RandomClass() behaviors.Class {
	return behaviors.Class{
		Name: "DispatcherRandom",
		Doc:  "Draws one behavior of its list by weight and ends with it.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			refuseInterruption(cfg, "DispatcherRandom")
			d := &Random{running: none}
			for _, o := range cfg.Objects("behaviors") {
				d.entries = append(d.entries, weighted{entry: readEntry(cfg, o), weight: o.FloatRange("weight", 0, maxWeight)})
				o.Finish()
			}
			d.list = candidatesOf(d.entries, func(e *weighted) string { return e.id })
			return d
		},
	}
}

// Modify implements behaviors.Modifier.
func (d *Random) Modify(m *behaviors.Modifiers, of func(id string) behaviors.Modifiers) {
	join(m, of, d.list.IDs)
}

// OnActivated forgets the last draw.
func (d *Random) OnActivated(*behaviors.Control) { d.running = none }

// Update draws once per activation.
func (d *Random) Update(c *behaviors.Control) {
	if !c.Activated() || c.IsControlDelegated() || d.running != none {
		return
	}
	if i := d.draw(c); i != none && give(c, d.entries[i].id) {
		d.running = i
	}
}

// OnDeactivated starts the pause: the drawn behavior has ended, or ends with the dispatcher.
func (d *Random) OnDeactivated(c *behaviors.Control) {
	if d.running != none {
		d.entries[d.running].start(c.Now(), c.Rand())
	}
}

// draw asks every entry, in order, so that the draw does not change who is asked.
func (d *Random) draw(c *behaviors.Control) int {
	var sum float64
	soonest, least := none, time.Duration(0)
	free := make([]int, 0, len(d.entries))
	for i := range d.entries {
		d.list.Skip[i] = d.entries[i].spent
	}
	c.AskEach(d.list)
	for i := range d.entries {
		e := &d.entries[i]
		switch {
		case !d.list.Wants[i]:
		case !e.on(c.Now()):
			free = append(free, i)
			sum += e.weight
		case soonest == none || e.left(c.Now()) < least:
			soonest, least = i, e.left(c.Now())
		}
	}
	if sum == 0 {
		return soonest
	}
	at := c.Rand().Float64() * sum
	last := none
	for _, i := range free {
		if d.entries[i].weight == 0 {
			continue
		}
		last = i
		if at -= d.entries[i].weight; at < 0 {
			break
		}
	}
	return last
}
