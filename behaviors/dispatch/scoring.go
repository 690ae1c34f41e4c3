package dispatch

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/param"
)

// A Scoring gives control to the behavior with the highest score above zero among those that have it or want it; of equal
// ones to the earlier (P-7). Scores follow the mood, or are flat. A behavior that has had control for long, or had it
// just now, may score less. The penalty for repetition counts from the end of a behavior as a delegate of this dispatcher.
type Scoring struct {
	politely
	params  scoringParams
	list    *behaviors.Candidates // the behaviors of the entries
	runs    []run                 // of the entries
	running int                   // index of the entry that has control, or none
	since   time.Time             // it has had control since
	updated time.Time             // previous Update
	resumes int                   // index of the entry that lost control with this dispatcher and goes on, or none
	left    int                   // entry that had control when this dispatcher lost it, or none
}

type scoringParams struct {
	Interruption interruption `inline:"true"`
	Behaviors    []scored     `key:"behaviors" doc:"the one with the highest score that wants control gets it"`
}

type scored struct {
	Behavior string `key:"behaviorID" delegate:"true" doc:"the behavior"`
	Score    scorer `key:"scoring" doc:"how its score is computed"`
}

// A run is the newest one of an entry.
type run struct {
	ran   bool
	ended time.Time
}

// ScoringClass is the class DispatcherScoring.
func ScoringClass() behaviors.Class {
	return behaviors.Class{
		Name: "DispatcherScoring",
		Doc:  "Gives control to the behavior that suits the mood best.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			d := &Scoring{running: none, resumes: none, left: none}
			param.ReadConfig(cfg, &d.params)
			ids := make([]string, len(d.params.Behaviors))
			for i := range ids {
				ids[i] = d.params.Behaviors[i].Behavior
			}
			d.list, d.runs = behaviors.NewCandidates(ids...), make([]run, len(ids))
			return d
		},
	}
}

// Choosing implements behaviors.Chooser.
func (d *Scoring) Choosing() behaviors.Choosing {
	c := behaviors.Choosing{Key: "behaviors", IDs: d.list.IDs}
	for i := range d.params.Behaviors {
		c.Weights = append(c.Weights, d.params.Behaviors[i].Score.highest())
	}
	return c
}

// Modify implements behaviors.Modifier.
func (d *Scoring) Modify(m *behaviors.Modifiers, of func(id string) behaviors.Modifiers) {
	join(m, of, d.list.IDs)
}

// OnActivated starts without a delegate.
func (d *Scoring) OnActivated(*behaviors.Control) { d.running, d.resumes = none, none }

// OnResumed gives control back to the entry that lost it, before scores count again.
func (d *Scoring) OnResumed(*behaviors.Control) { d.running, d.resumes = none, d.left }

// UpdateWhileActivated notes the end of the delegate, then chooses.
func (d *Scoring) UpdateWhileActivated(c *behaviors.Control) {
	if d.running != none && !c.IsControlDelegated() {
		d.end(d.updated) // it ended after this dispatcher's previous Update, in the same tick
	}
	d.updated = c.Now()
	if !d.params.Interruption.now(c) {
		return
	}
	if i := d.resumes; i != none && d.running == none {
		d.resumes = none
		if id := d.params.Behaviors[i].Behavior; c.Wants(id) && give(c, id) {
			d.running, d.since = i, c.Now()
			return
		}
	}
	if i := d.best(c); i != none && i != d.running {
		d.end(c.Now())
		if give(c, d.params.Behaviors[i].Behavior) {
			d.running, d.since = i, c.Now()
		}
	}
}

// OnDeactivated ends the delegate with the dispatcher.
func (d *Scoring) OnDeactivated(c *behaviors.Control) {
	d.left = d.running
	d.end(c.Now())
}

func (d *Scoring) end(at time.Time) {
	if d.running != none {
		d.runs[d.running] = run{true, at}
		d.running = none
	}
}

// best asks every behavior whose score could win, in order.
func (d *Scoring) best(c *behaviors.Control) int {
	for i := range d.params.Behaviors {
		d.list.Scores[i] = d.score(c, i)
	}
	return c.BestWanting(d.list, d.running)
}

func (d *Scoring) score(c *behaviors.Control, i int) float64 {
	score := &d.params.Behaviors[i].Score
	switch {
	case i == d.running:
		return score.whileActive(c.View(), c.Now().Sub(d.since))
	case d.runs[i].ran:
		return score.after(c.View(), c.Now().Sub(d.runs[i].ended))
	}
	return score.base(c.View())
}
