package voice

import (
	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
)

// heard is what came of listening.
type heard uint8

const (
	heardNothing   heard = iota
	heardCommand         // stays pending for the behavior that is meant
	heardUnmatched       // words that mean nothing
	heardUnknown         // a command that is not on the white list: dropped
	heardSilence
)

// hear looks at the pending intent, the first time that there is one. Its timeout waits for the end of this behavior.
func (r *ReactToVoiceCommand) hear(c *behaviors.Control) {
	p := c.View().Intent.Pending
	if p == nil || r.heard != heardNothing {
		return
	}
	c.Intents().SetTimeout(false)
	r.tag = p.Tag
	switch {
	case p.Tag == intentUnmatched:
		r.heard = heardUnmatched
	case p.Tag == intentSilence:
		r.heard = heardSilence
	case r.allowed != nil && !r.allowed.Met(c.View()):
		r.heard = heardUnknown
		c.Intents().Drop(p.Tag)
	default:
		r.heard = heardCommand
	}
}

// getOut are the actions at the end of listening.
func (r *ReactToVoiceCommand) getOut(c *behaviors.Control) []actions.Action {
	parts := []actions.Action{gesture.Trigger(c, r.params.GetOut)}
	if name := r.earCon(); name != "" {
		parts = append(parts, earConOf(name))
	}
	return parts
}

// react turns to the voice after a command, if it may.
func (r *ReactToVoiceCommand) react(c *behaviors.Control, _ behaviors.Outcome) {
	r.enter(c, wakeReacting)
	if r.heard == heardCommand && r.mayTurn(c) && c.Wants(r.params.Turn) {
		c.SetState("turning to the voice")
		c.DelegateTo(r.params.Turn, r.finish)
		return
	}
	r.finish(c, behaviors.Outcome{})
}

// mayTurn reports whether nobody keeps it from turning, and the answer to the command needs no turn.
func (r *ReactToVoiceCommand) mayTurn(c *behaviors.Control) bool {
	if r.params.Turn == "" || c.Told(WordNoTurn) {
		return false
	}
	p := c.View().Intent.Pending
	return p == nil || p.Tag != intentSimple || p.Data["disable_wakeword_turn"] != "true"
}

// finish ends after a command, and answers what was none.
func (r *ReactToVoiceCommand) finish(c *behaviors.Control, _ behaviors.Outcome) {
	switch r.heard {
	case heardCommand:
		c.SetState("heard " + r.tag)
		c.CancelSelf()
	case heardUnmatched, heardUnknown:
		r.answer(c, idUnmatched)
	case heardSilence:
		r.answer(c, idNothing)
	default:
		r.nothing(c)
	}
}

// answer takes what is no command, and shows that it was heard in vain.
func (r *ReactToVoiceCommand) answer(c *behaviors.Control, id string) {
	if p := c.View().Intent.Pending; p != nil && p.Tag == r.tag && r.heard != heardUnknown {
		c.Intents().ClaimQuietly(r.tag)
	}
	c.Emotions().TriggerIfKnown("NoValidVoiceIntent")
	r.last(c, id)
}

// nothing counts a command that never came. The robot cannot tell an error of its network from one of the service behind it, so all count as
// errors of the service.
func (r *ReactToVoiceCommand) nothing(c *behaviors.Control) {
	if rule := r.params.Cloud; rule != nil {
		r.cloud.Note(*rule, c.Now())
		if r.cloud.Often(*rule, c.Now()) {
			r.last(c, idNoCloud)
			return
		}
	}
	c.SetState("nothing heard")
	c.CancelSelf()
}

// last gives control to the behavior with which the reaction ends.
func (r *ReactToVoiceCommand) last(c *behaviors.Control, id string) {
	c.SetState(id)
	if c.Wants(id) && c.DelegateTo(id, end) {
		return
	}
	c.CancelSelf()
}

func end(c *behaviors.Control, _ behaviors.Outcome) { c.CancelSelf() }
