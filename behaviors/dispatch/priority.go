package dispatch

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/param"
)

// A StrictPriority gives control to the first behavior of its list that has it or wants it (P-4). With
// interruptActiveBehavior, one further up takes over as soon as it wants to.
type StrictPriority struct {
	politely
	params priorityParams
	list   *behaviors.Candidates
	chosen bool // in this activation
}

type priorityParams struct {
	Interruption interruption `inline:"true"`
	Behaviors    []string     `key:"behaviors" delegate:"true" doc:"the first that wants control gets it"`
	LinkScope    bool         `key:"linkScope" default:"false" why:"most lists end with a behavior that always wants control" doc:"wants control only if one of the behaviors does"`
	AsSelector   bool         `key:"actAsSelector" default:"false" why:"a list of priorities goes on choosing unless it says otherwise" doc:"chooses once in an activation"`
}

// StrictPriorityClass is the class DispatcherStrictPriority.
func StrictPriorityClass() behaviors.Class {
	return behaviors.Class{
		Name: "DispatcherStrictPriority",
		Doc:  "Gives control to the first behavior of its list that wants it.",
		New:  func(cfg *behaviors.Config) behaviors.Behavior { return NewStrictPriority(cfg) },
	}
}

// NewStrictPriority reads a StrictPriority. Another class may embed it to keep state while the behaviors of the list come and go.
func NewStrictPriority(cfg *behaviors.Config) *StrictPriority {
	d := &StrictPriority{}
	param.ReadConfig(cfg, &d.params)
	d.list = behaviors.NewCandidates(d.params.Behaviors...)
	if d.params.LinkScope {
		cfg.Link(d.list.IDs...)
	}
	return d
}

// Choosing implements behaviors.Chooser.
func (d *StrictPriority) Choosing() behaviors.Choosing {
	return behaviors.Choosing{Key: "behaviors", IDs: d.list.IDs, Ranked: true}
}

// AlwaysWants implements behaviors.AlwaysWanter.
func (d *StrictPriority) AlwaysWants() bool { return !d.params.LinkScope }

// Modify implements behaviors.Modifier.
func (d *StrictPriority) Modify(m *behaviors.Modifiers, of func(id string) behaviors.Modifiers) {
	join(m, of, d.list.IDs)
}

// WantsToBeActivated is true, or with linkScope whether any of the list wants to be activated.
func (d *StrictPriority) WantsToBeActivated(c *behaviors.Control) bool {
	if !d.params.LinkScope || c.FirstWanting(d.list) != none {
		return true
	}
	c.Because("none of its delegates wants control: %v", d.list.Names())
	return false
}

// OnActivated lets a selector choose anew.
func (d *StrictPriority) OnActivated(*behaviors.Control) { d.chosen = false }

// UpdateWhileActivated chooses.
func (d *StrictPriority) UpdateWhileActivated(c *behaviors.Control) {
	if d.params.AsSelector && d.chosen || !d.params.Interruption.now(c) {
		return
	}
	i := c.FirstWanting(d.list)
	d.chosen = i != none && give(c, d.list.IDs[i])
}
