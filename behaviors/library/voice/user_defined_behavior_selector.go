package voice

import (
	"strings"
	"unicode"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/library/performing"
)

// Behaviors and intents of choosing a reaction.
const (
	idReactionSpeech  = "UserDefinedBehaviorTreeTextToSpeech"
	idReactionConfirm = "UserDefinedBehaviorTreeConfirmNewBehavior"
	intentYes         = "imperative_affirmative"
	intentNo          = "imperative_negative"
)

// A UserDefinedBehaviorSelector lets a person choose the reaction to a condition: it says what it could do, does it, and asks whether that shall
// be the reaction. After a no it offers the next option. A yes ends it, and so does everything else that it hears, or silence; then
// the reaction stays as it was. Whoever asks it says for which condition; without that it is the first one that has no reaction.
type UserDefinedBehaviorSelector struct {
	m        *behaviors.ReactionMap
	reaction *behaviors.Reaction // of the newest question; nil without a map
	option   int                 // that is offered
}

// UserDefinedBehaviorSelectorClass is the class UserDefinedBehaviorSelector.
func UserDefinedBehaviorSelectorClass() behaviors.Class {
	return behaviors.Class{
		Name:   "UserDefinedBehaviorSelector",
		Doc:    "Lets a person choose a reaction.",
		New:    func(cfg *behaviors.Config) behaviors.Behavior { return newSelector(cfg, nil) },
		Reacts: newSelector,
	}
}

func newSelector(cfg *behaviors.Config, m *behaviors.ReactionMap) behaviors.Behavior {
	cfg.MayDelegateTo(append(m.Options(), idReactionSpeech, idReactionConfirm)...)
	return &UserDefinedBehaviorSelector{m: m}
}

// Modify lets it decide for itself when it ends.
func (*UserDefinedBehaviorSelector) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

// WantsToBeActivated is true if there is something to choose.
func (s *UserDefinedBehaviorSelector) WantsToBeActivated(c *behaviors.Control) bool {
	s.reaction = nil
	for _, conditionType := range s.m.Conditions() {
		if s.reaction == nil || c.View().Reactions[s.reaction.Condition] != "" && c.View().Reactions[conditionType] == "" {
			s.reaction = s.m.Find(conditionType)
		}
	}
	return s.offers(c)
}

// WantsToBeActivatedWith takes the condition.
func (s *UserDefinedBehaviorSelector) WantsToBeActivatedWith(c *behaviors.Control, data any) bool {
	asked, _ := data.(Asked)
	s.reaction = s.m.Find(asked.Condition)
	return s.offers(c)
}

func (s *UserDefinedBehaviorSelector) offers(c *behaviors.Control) bool {
	if s.reaction != nil && len(s.reaction.Options) > 0 {
		return true
	}
	c.Because("no file offers reactions")
	return false
}

// OnActivated offers the first option.
func (s *UserDefinedBehaviorSelector) OnActivated(c *behaviors.Control) {
	s.option = 0
	s.offer(c)
}

// offer says what the robot could do.
func (s *UserDefinedBehaviorSelector) offer(c *behaviors.Control) {
	if s.option >= len(s.reaction.Options) {
		c.SetState("nothing is chosen")
		c.CancelSelf()
		return
	}
	id := s.reaction.Options[s.option]
	c.SetState("offering " + id)
	text := "After " + spoken(s.reaction.Condition) + " I could " + spoken(id) + "."
	if c.TakesData(idReactionSpeech) && c.WantsWith(idReactionSpeech, performing.Utterance{Text: text}) && c.DelegateTo(idReactionSpeech, s.show) {
		return
	}
	c.Act(gesture.Say(text), s.show)
}

// show does what it offers, if that wants to be done now.
func (s *UserDefinedBehaviorSelector) show(c *behaviors.Control, o behaviors.Outcome) {
	if id := s.reaction.Options[s.option]; c.Wants(id) && c.DelegateTo(id, s.ask) {
		c.SetState("showing " + id)
		return
	}
	s.ask(c, o)
}

// ask asks whether that shall be the reaction.
func (s *UserDefinedBehaviorSelector) ask(c *behaviors.Control, _ behaviors.Outcome) {
	c.SetState("asking")
	var wants bool
	if c.TakesData(idReactionConfirm) {
		wants = c.WantsWith(idReactionConfirm, Prompt{Text: "Shall I do that?"})
	} else {
		wants = c.Wants(idReactionConfirm)
	}
	if !wants || !c.DelegateTo(idReactionConfirm, s.answered) {
		c.CancelSelf()
	}
}

// answered takes a yes or a no. Another intent stays for the behavior that is meant.
func (s *UserDefinedBehaviorSelector) answered(c *behaviors.Control, _ behaviors.Outcome) {
	tag := ""
	if pending := c.View().Intent.Pending; pending != nil {
		tag = pending.Tag
	}
	switch tag {
	case intentYes:
		c.Intents().Drop(tag)
		c.ChooseReaction(s.reaction.Condition, s.reaction.Options[s.option])
		c.CancelSelf()
	case intentNo:
		c.Intents().Drop(tag)
		s.option++
		s.offer(c)
	default:
		c.CancelSelf()
	}
}

// spoken turns a name such as ReactToCliff into words: "react to cliff".
func spoken(name string) string {
	var b strings.Builder
	for i, r := range strings.ReplaceAll(name, "_", " ") {
		if i > 0 && unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
