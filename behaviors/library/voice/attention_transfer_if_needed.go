// Package voice holds the behaviors that answer voices: the trigger word, what follows it, and the timer, the weather and the prompts that
// people ask for.
package voice

import (
	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/library/recent"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// featureTransfer is the feature without which attention stays with the robot.
const featureTransfer = "AttentionTransfer"

// An AttentionTransferIfNeeded notes that something went wrong for a user. If it went wrong too often lately it draws the user's attention
// to the device that tells more; otherwise it plays its fallback.
type AttentionTransferIfNeeded struct {
	params transferParams
	wrong  recent.Occurrence
}

type transferParams struct {
	Reason   string      `key:"attentionTransferReason" words:"Invalid|NoCloudConnection|NoWifi|UnmatchedIntent" doc:"what went wrong"`
	Often    recent.Rule `key:"recentOccurrence" doc:"how often is too often"`
	Fallback []string    `key:"animsIfNotRecent" ref:"trigger" default:"" why:"it may say nothing while it is not too often" doc:"what it plays otherwise, in turn"`
}

// The clips of the chain that looks at the device.
var deviceChain = []string{"look_curious", "come_here_ack"}

// AttentionTransferIfNeededClass is the class AttentionTransferIfNeeded.
func AttentionTransferIfNeededClass() behaviors.Class {
	return behaviors.Class{
		Name: "AttentionTransferIfNeeded",
		Doc:  "Draws attention to the device when something went wrong too often, and plays a fallback otherwise.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			a := &AttentionTransferIfNeeded{}
			param.ReadConfig(cfg, &a.params)
			return a
		},
	}
}

// Modify lets it run in the hand. It looks for the user.
func (*AttentionTransferIfNeeded) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenOffTreads = true
	m.LookActive = hardware.LookFor(hardware.SeeFaces, hardware.Low)
}

// WantsToBeActivated is true if there is anything that it could do.
func (a *AttentionTransferIfNeeded) WantsToBeActivated(c *behaviors.Control) bool {
	if c.View().Features[featureTransfer] || len(a.params.Fallback) > 0 {
		return true
	}
	c.Because("the feature %v is off and there is no fallback", featureTransfer)
	return false
}

// OnActivated notes the occurrence, then decides.
func (a *AttentionTransferIfNeeded) OnActivated(c *behaviors.Control) {
	a.wrong.Note(a.params.Often, c.Now())
	if c.View().Features[featureTransfer] && a.wrong.Often(a.params.Often, c.Now()) {
		c.SetState("drawing attention to the device: " + a.params.Reason)
		c.Act(gesture.InTurn("LookAtDevice", gesture.PlayStill(deviceChain[0]), gesture.PlayStill(deviceChain[1])), nil)
		return
	}
	if len(a.params.Fallback) == 0 {
		c.SetState("not too often: nothing to play")
		return
	}
	c.SetState("not too often: playing the fallback")
	parts := make([]actions.Action, len(a.params.Fallback))
	for i, trigger := range a.params.Fallback {
		parts[i] = gesture.Trigger(c, trigger)
	}
	c.Act(gesture.InTurn("Fallback", parts...), nil)
}
