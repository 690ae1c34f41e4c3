package dispatch

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/param"
)

// A Random draws one behavior of its list by weight among those that want control and do not pause, gives it control, and
// ends with it (P-6). If all that want it pause, it takes the one whose pause ends first.
type Random struct {
	politely
	params  randomParams
	pauses  []pause               // of the entries
	list    *behaviors.Candidates // their behaviors
	running int                   // index of the entry drawn in this activation, or none
	resumes bool                  // that one goes on after an interrupt
}

type randomParams struct {
	Interruption uninterrupted `inline:"true"`
	Behaviors    []weighted    `key:"behaviors" doc:"one of them is drawn by weight"`
}

// weighted is an entry with a chance.
type weighted struct {
	entry
	Weight float64 `key:"weight" range:"0..1000000" doc:"chance, in proportion to the weights of the others"` // bounded so that sums stay exact enough
}

// RandomClass is the class DispatcherRandom.
func RandomClass() behaviors.Class {
	return behaviors.Class{
		Name: "DispatcherRandom",
		Doc:  "Draws one behavior of its list by weight and ends with it.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			d := &Random{running: none}
			param.ReadConfig(cfg, &d.params)
			d.pauses = pausesOf(d.params.Behaviors, func(e *weighted) *entry { return &e.entry })
			d.list = candidatesOf(d.pauses)
			return d
		},
	}
}

// Choosing implements behaviors.Chooser.
func (d *Random) Choosing() behaviors.Choosing {
	c := behaviors.Choosing{Key: "behaviors", IDs: d.list.IDs, Weights: make([]float64, len(d.params.Behaviors))}
	for i := range d.params.Behaviors {
		c.Weights[i] = d.params.Behaviors[i].Weight
	}
	return c
}

// Modify implements behaviors.Modifier.
func (d *Random) Modify(m *behaviors.Modifiers, of func(id string) behaviors.Modifiers) {
	join(m, of, d.list.IDs)
}

// OnActivated forgets the last draw.
func (d *Random) OnActivated(*behaviors.Control) { d.running, d.resumes = none, false }

// OnResumed gives control back to the behavior that lost it, without a draw.
func (d *Random) OnResumed(*behaviors.Control) { d.resumes = d.running != none }

// UpdateWhileActivated draws once per activation.
func (d *Random) UpdateWhileActivated(c *behaviors.Control) {
	if d.resumes && !c.IsControlDelegated() {
		d.resumes = false
		if id := d.pauses[d.running].Behavior; c.Wants(id) && give(c, id) {
			return
		}
		d.running = none
	}
	if c.IsControlDelegated() || d.running != none {
		return
	}
	if i := d.draw(c); i != none && give(c, d.pauses[i].Behavior) {
		d.running = i
	}
}

// OnDeactivated starts the pause: the drawn behavior has ended, or ends with the dispatcher.
func (d *Random) OnDeactivated(c *behaviors.Control) {
	if d.running != none {
		d.pauses[d.running].start(c)
	}
}

// draw asks every entry, in order, so that the draw does not change who is asked.
func (d *Random) draw(c *behaviors.Control) int {
	var sum float64
	soonest, least := none, time.Duration(0)
	free := make([]int, 0, len(d.pauses))
	for i := range d.pauses {
		d.list.Skip[i] = d.pauses[i].spent
	}
	c.AskEach(d.list)
	for i := range d.pauses {
		e := &d.pauses[i]
		switch {
		case !d.list.Wants[i]:
		case !e.on(c.Now()):
			free = append(free, i)
			sum += d.params.Behaviors[i].Weight
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
		w := d.params.Behaviors[i].Weight
		if w == 0 {
			continue
		}
		last = i
		if at -= w; at < 0 {
			break
		}
	}
	return last
}
