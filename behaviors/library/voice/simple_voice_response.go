package voice

import (
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
)

// A SimpleVoiceResponse answers a command that carries its answer with itself: the clip to play, and what is felt about it.
type SimpleVoiceResponse struct{}

// SimpleVoiceResponseClass is the class SimpleVoiceResponse.
func SimpleVoiceResponseClass() behaviors.Class {
	return behaviors.Class{
		Name: "SimpleVoiceResponse",
		Doc:  "Plays the clip that a command names.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			cfg.WaitForIntent(intentSimple)
			return &SimpleVoiceResponse{}
		},
	}
}

// OnActivated plays the clip; the behavior ends with it. The base layer has claimed the intent.
func (*SimpleVoiceResponse) OnActivated(c *behaviors.Control) {
	intent := c.View().Intent.Active
	if intent == nil {
		return
	}
	if event := intent.Data["emotion_event"]; event != "" {
		c.Emotions().TriggerIfKnown(event)
	}
	if feature := intent.Data["active_feature"]; c.View().Features[feature] {
		c.SetActiveFeature(feature)
	}
	clip := intent.Data["anim_group"]
	c.SetState("answering with " + clip)
	c.Act(gesture.Trigger(c, clip), nil)
}
