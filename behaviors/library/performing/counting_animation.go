package performing

import (
	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
)

// A Count is what a CountingAnimation does in its next activation. The parent gives it with its question: c.WantsWith(id, count). It is
// good for one activation.
type Count struct {
	To int
	// Announce is said before, Conclude after the counting; empty for nothing.
	Announce, Conclude string
}

// The triggers of a CountingAnimation.
const (
	countGetIn  = "CountGetIn"
	countSlow   = "CountSlow"
	countFast   = "CountFast"
	countGetOut = "CountGetOut"
)

// A CountingAnimation counts up to a number: slowly at the beginning and at the end, fast between.
type CountingAnimation struct {
	params countParams
	count  Count
	at     int // counted so far
}

type countParams struct {
	Begin int `key:"SlowLoopBeginSize" range:"0..1000" doc:"how many are counted slowly at the beginning"`
	End   int `key:"SlowLoopEndSize" range:"0..1000" doc:"how many are counted slowly at the end"`
}

// CountingAnimationClass is the class CountingAnimation.
func CountingAnimationClass() behaviors.Class {
	return behaviors.Class{
		Name: "CountingAnimation",
		Doc:  "Counts up to a number that its parent gives.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			n := &CountingAnimation{}
			param.ReadConfig(cfg, &n.params)
			cfg.Promise(behaviors.RefTrigger, countGetIn, countSlow, countFast, countGetOut)
			return n
		},
	}
}

// Modify lets it count off treads.
func (*CountingAnimation) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenOffTreads = true
}

// WantsToBeActivatedWith takes the number.
func (n *CountingAnimation) WantsToBeActivatedWith(c *behaviors.Control, data any) bool {
	count, ok := data.(Count)
	if !ok {
		c.Because("it was given a %T, not a count", data)
		return false
	}
	n.count = count
	return n.WantsToBeActivated(c)
}

// WantsToBeActivated is true if there is a number to count to.
func (n *CountingAnimation) WantsToBeActivated(c *behaviors.Control) bool {
	if n.count.To > 0 {
		return true
	}
	c.Because("it was given no number to count to")
	return false
}

// OnActivated announces.
func (n *CountingAnimation) OnActivated(c *behaviors.Control) {
	n.at = 0
	if n.count.To <= 0 { // activated as a base
		return
	}
	if n.count.Announce == "" {
		n.getIn(c, behaviors.Outcome{})
		return
	}
	c.SetState("announcing")
	c.Act(gesture.Say(n.count.Announce), n.getIn)
}

func (n *CountingAnimation) getIn(c *behaviors.Control, _ behaviors.Outcome) {
	c.SetState("getting in")
	c.Act(gesture.Trigger(c, countGetIn), n.next)
}

// next counts one, or gets out after the last.
func (n *CountingAnimation) next(c *behaviors.Control, _ behaviors.Outcome) {
	switch {
	case n.at >= n.count.To:
		n.getOut(c)
	case n.at < n.params.Begin || n.count.To-n.at <= n.params.End:
		c.SetState("counting slowly")
		n.at++
		c.Act(gesture.Trigger(c, countSlow), n.next)
	default:
		c.SetState("counting fast")
		n.at++
		c.Act(gesture.Trigger(c, countFast), n.next)
	}
}

func (n *CountingAnimation) getOut(c *behaviors.Control) {
	c.SetState("getting out")
	parts := []actions.Action{gesture.Trigger(c, countGetOut)}
	if n.count.Conclude != "" {
		parts = append(parts, gesture.Say(n.count.Conclude))
	}
	c.Act(gesture.Together("Conclude", parts...), nil)
}

// OnDeactivated forgets the number.
func (n *CountingAnimation) OnDeactivated(*behaviors.Control) { n.count = Count{} }
