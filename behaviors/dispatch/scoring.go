package dispatch

import (
	"time"

	"github.com/robotd/robotd/behaviors"
)

// A Scoring gives control to the behavior with the highest score above zero among those that have it or want it; of equal
// ones to the earlier (P-7). Scores follow the mood, or are flat. A behavior that has had control for long, or had it
// just now, may score less. The penalty for repetition counts from the end of a behavior as a delegate of this dispatcher.
type Scoring struct {
	politely
	entries   []scored
	list      *behaviors.Candidates // their behaviors
	interrupt interruption

	running int       // index of the entry that has control, or none
	since   time.Time // it has had control since
	updated time.Time // previous Update
}

type scored struct {
	id    string
	score scorer
	ran   bool
	ended time.Time // the newest time
}

// ScoringClass is the class DispatcherScoring.
func ScoringClass() behaviors.Class {
	return behaviors.Class{
		Name: "DispatcherScoring",
		Doc:  "Gives control to the behavior that suits the mood best.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			d := &Scoring{running: none, interrupt: readInterruption(cfg)}
			for _, o := range cfg.Objects("behaviors") {
				e := scored{id: o.Ref("behaviorID", behaviors.RefBehavior)}
				cfg.MayDelegateTo(e.id)
				if s := o.Object("scoring"); s != nil {
					e.score = readScorer(s)
				}
				o.Finish()
				d.entries = append(d.entries, e)
			}
			d.list = candidatesOf(d.entries, func(e *scored) string { return e.id })
			return d
		},
	}
}

// Modify implements behaviors.Modifier.
func (d *Scoring) Modify(m *behaviors.Modifiers, of func(id string) behaviors.Modifiers) {
	join(m, of, d.list.IDs)
}

// OnActivated starts without a delegate.
func (d *Scoring) OnActivated(*behaviors.Control) { d.running = none }

// Update notes the end of the delegate, then chooses.
func (d *Scoring) Update(c *behaviors.Control) {
	if !c.Activated() {
		return
	}
	if d.running != none && !c.IsControlDelegated() {
		d.end(d.updated) // it ended after this dispatcher's previous Update, in the same tick
	}
	d.updated = c.Now()
	if !d.interrupt.now(c) {
		return
	}
	if i := d.best(c); i != none && i != d.running {
		d.end(c.Now())
		if give(c, d.entries[i].id) {
			d.running, d.since = i, c.Now()
		}
	}
}

// OnDeactivated ends the delegate with the dispatcher.
func (d *Scoring) OnDeactivated(c *behaviors.Control) { d.end(c.Now()) }

func (d *Scoring) end(at time.Time) {
	if d.running != none {
		e := &d.entries[d.running]
		e.ran, e.ended = true, at
		d.running = none
	}
}

// best asks every behavior whose score could win, in order.
func (d *Scoring) best(c *behaviors.Control) int {
	for i := range d.entries {
		d.list.Scores[i] = d.score(c, i)
	}
	return c.BestWanting(d.list, d.running)
}

func (d *Scoring) score(c *behaviors.Control, i int) float64 {
	e := &d.entries[i]
	switch {
	case i == d.running:
		return e.score.whileActive(c.View(), c.Now().Sub(d.since))
	case e.ran:
		return e.score.after(c.View(), c.Now().Sub(e.ended))
	}
	return e.score.base(c.View())
}
