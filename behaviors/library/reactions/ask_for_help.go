package reactions

import (
	"time"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
)

// An AskForHelp shows again and again that the robot needs help, until somebody else takes control.
type AskForHelp struct{}

const (
	helpClip = "sad_no_face"
	// helpPause is the time between two cries.
	helpPause = 6 * time.Second
)

// AskForHelpClass is the class AskForHelp.
func AskForHelpClass() behaviors.Class {
	return behaviors.Class{
		Name: "AskForHelp",
		Doc:  "Shows again and again that it needs help.",
		New:  func(*behaviors.Config) behaviors.Behavior { return &AskForHelp{} },
	}
}

// Modify lets it ask in the hand and with anything on the lift.
func (*AskForHelp) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOffTreads = true, true
}

// OnActivated asks for the first time.
func (h *AskForHelp) OnActivated(c *behaviors.Control) { h.ask(c, behaviors.Outcome{}) }

func (h *AskForHelp) ask(c *behaviors.Control, _ behaviors.Outcome) {
	c.SetState("asking for help")
	c.Act(gesture.InTurn("AskForHelp", gesture.PlayStill(helpClip), gesture.Wait(helpPause)), h.ask)
}
