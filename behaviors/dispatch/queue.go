package dispatch

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/param"
)

// A Queue gives control to each behavior of its list once, in order. It skips a behavior that does not want control when its turn comes
// (P-6).
type Queue struct {
	politely
	params queueParams
	next   int // index of the first behavior whose turn has not come
}

type queueParams struct {
	Interruption uninterrupted `inline:"true"`
	Behaviors    []string      `key:"behaviors" delegate:"true" doc:"get control one after the other"`
}

// QueueClass is the class DispatcherQueue.
func QueueClass() behaviors.Class {
	return behaviors.Class{
		Name: "DispatcherQueue",
		Doc:  "Gives control to each behavior of its list once, in order, leaving out those that do not want it.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			d := &Queue{}
			param.ReadConfig(cfg, &d.params)
			return d
		},
	}
}

// Choosing implements behaviors.Chooser.
func (d *Queue) Choosing() behaviors.Choosing {
	return behaviors.Choosing{Key: "behaviors", IDs: d.params.Behaviors}
}

// Modify implements behaviors.Modifier.
func (d *Queue) Modify(m *behaviors.Modifiers, of func(id string) behaviors.Modifiers) {
	join(m, of, d.params.Behaviors)
}

// OnActivated starts with the first.
func (d *Queue) OnActivated(*behaviors.Control) { d.next = 0 }

// UpdateWhileActivated goes on to the next that wants control once the present one has ended.
func (d *Queue) UpdateWhileActivated(c *behaviors.Control) {
	if c.IsControlDelegated() {
		return
	}
	for d.next < len(d.params.Behaviors) {
		id := d.params.Behaviors[d.next]
		d.next++
		if c.Wants(id) {
			give(c, id)
			return
		}
	}
}
