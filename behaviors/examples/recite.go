package examples

import (
	"fmt"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
)

// A Recite says a poem, line by line. After a short interrupt that changed nothing (a startle) it resumes: it goes on with
// the line in which it was interrupted. After a longer interrupt (a command) it begins at the first line.
type Recite struct {
	params reciteParams
	next   int // the line that is said, or would be next
}

type reciteParams struct {
	Lines []string `key:"lines" length:"1.." doc:"lines of the poem"`
}

// ReciteClass is the class Recite.
func ReciteClass() behaviors.Class {
	return behaviors.Class{
		Name: "Recite",
		Doc:  "Says a poem, and goes on where it was interrupted for a moment.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			r := &Recite{}
			param.ReadConfig(cfg, &r.params)
			return r
		},
	}
}

// OnActivated begins at the first line.
func (r *Recite) OnActivated(c *behaviors.Control) {
	r.next = 0
	r.say(c)
}

// OnResumed goes on with the present line. It checks nothing, because a resumable interrupt leaves the world as it was.
func (r *Recite) OnResumed(c *behaviors.Control) { r.say(c) }

func (r *Recite) say(c *behaviors.Control) {
	if r.next >= len(r.params.Lines) {
		return // nothing delegated: the end
	}
	if c.Act(gesture.Say(r.params.Lines[r.next]), r.said) { // refused if it shall end with the line before
		c.SetState(fmt.Sprintf("line %d", r.next+1))
	}
}

func (r *Recite) said(c *behaviors.Control, _ behaviors.Outcome) {
	r.next++
	r.say(c)
}
