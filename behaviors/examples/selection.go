package examples

import (
	"slices"
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/param"
)

// A Selection is controlled by an outside program. The program takes control, selects one behavior of the list after the other, and gives
// control back or sends nothing for a while. The robot decides nothing in that time. The program sends user intents:
//
//	take_control                    (respondToUserIntents in the file)
//	select behavior=ID              run that one now
//	give_control                    the end
type Selection struct {
	params selectionParams
	spoken time.Time // instant of the newest intent from outside
}

type selectionParams struct {
	Behaviors []string      `key:"behaviors" delegate:"true" doc:"behaviors that can be selected"`
	Silence   time.Duration `key:"silence_s" doc:"ends after so long without an intent"`
}

// Tags of the intents that a Selection understands while it has control.
const (
	intentSelect = "select"
	intentGive   = "give_control"
	dataBehavior = "behavior" // key of select's data
)

// SelectionClass is the class Selection.
func SelectionClass() behaviors.Class {
	return behaviors.Class{
		Name: "Selection",
		Doc:  "Runs what an outside program selects.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			s := &Selection{}
			param.ReadConfig(cfg, &s.params)
			return s
		},
	}
}

// Modify keeps it activated while it waits for an intent.
func (*Selection) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenOffTreads, m.AlwaysDelegates = true, false
}

// OnActivated waits for the first intent.
func (s *Selection) OnActivated(c *behaviors.Control) {
	s.spoken = c.Now()
	c.SetState("waiting")
}

// UpdateWhileActivated checks what breaks the present state: an intent from outside, or none for too long.
func (s *Selection) UpdateWhileActivated(c *behaviors.Control) {
	if word := c.View().Intent.Pending; word != nil && slices.Contains([]string{intentSelect, intentGive}, word.Tag) {
		c.Intents().Claim(word.Tag) // no other behavior answers it then
		s.spoken = c.Now()
		if word.Tag == intentGive {
			c.CancelSelf()
			return
		}
		s.run(c, word.Data[dataBehavior])
	}
	if c.Now().Sub(s.spoken) > s.params.Silence {
		c.CancelSelf()
	}
}

// run gives control to what was selected, if it is on the list and wants it.
func (s *Selection) run(c *behaviors.Control, id string) {
	switch {
	case !slices.Contains(s.params.Behaviors, id):
		c.SetState("no such behavior: " + id)
	case !c.CancelAndDelegateIfWanted(id, s.ran):
		c.SetState(id + " does not want to")
	default:
		c.SetState("running " + id)
	}
}

func (*Selection) ran(c *behaviors.Control, _ behaviors.Outcome) { c.SetState("waiting") }
