package performing

import (
	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/compound"
	"github.com/robotd/robotd/actions/express"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/param"
)

// An Utterance is what a TextToSpeechLoop says in its next activation. The parent gives it with its question: c.WantsWith(id, utterance).
// It is good for one activation.
type Utterance struct{ Text string }

// A TextToSpeechLoop says a text while it repeats an animation. Speech is ready as soon as the speaker is free.
type TextToSpeechLoop struct {
	params   speechParams
	text     string
	speaking bool // from the end of the get-in to the end of the text
	ended    bool // it ends with the next Update
}

type speechParams struct {
	Loop      string `key:"loopAnimation" ref:"trigger" doc:"animation that is repeated while the robot speaks"`
	Idle      string `key:"idleAnimation" ref:"trigger" default:"" why:"speech is usually ready at once" doc:"animation that is repeated until the speech is ready"`
	GetIn     string `key:"getInAnimation" ref:"trigger" default:"" why:"the robot may speak right away" doc:"animation before it"`
	GetOut    string `key:"getOutAnimation" ref:"trigger" default:"" why:"the robot may end with the last word" doc:"animation after it"`
	Emergency string `key:"emergencyGetOutAnimation" ref:"trigger" default:"" why:"the robot may end at once" doc:"animation in place of the rest when nothing can be said"`
	Still     bool   `key:"lockTreads" default:"false" why:"an animation plays whole" doc:"the animations do not move the body"`
	Text      string `key:"DEV_TEST_UTTERANCE" default:"" why:"the parent gives the text" doc:"text that is said when the parent gives none, for tests"`
}

// TextToSpeechLoopClass is the class TextToSpeechLoop.
func TextToSpeechLoopClass() behaviors.Class {
	return behaviors.Class{
		Name: "TextToSpeechLoop",
		Doc:  "Says a text that its parent gives, with animations before, during and after it.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			s := &TextToSpeechLoop{}
			param.ReadConfig(cfg, &s.params)
			return s
		},
	}
}

// Modify lets it speak off treads, and decide for itself when it ends.
func (*TextToSpeechLoop) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenOffTreads, m.AlwaysDelegates = true, false
}

// WantsToBeActivatedWith takes the text.
func (s *TextToSpeechLoop) WantsToBeActivatedWith(c *behaviors.Control, data any) bool {
	u, ok := data.(Utterance)
	if !ok {
		c.Because("it was given a %T, not an utterance", data)
		return false
	}
	s.text = u.Text
	return s.WantsToBeActivated(c)
}

// WantsToBeActivated is true if there is something to say.
func (s *TextToSpeechLoop) WantsToBeActivated(c *behaviors.Control) bool {
	if s.text+s.params.Text != "" {
		return true
	}
	c.Because("it was given nothing to say")
	return false
}

// OnActivated begins with the idle loop or the get-in.
func (s *TextToSpeechLoop) OnActivated(c *behaviors.Control) {
	s.speaking, s.ended = false, false
	if s.text == "" {
		s.text = s.params.Text
	}
	switch {
	case s.text == "", !c.World().Speaker.OK():
		s.bailOut(c, behaviors.Outcome{})
	case c.World().Speaker.Value.Busy && s.params.Idle != "":
		s.idle(c, behaviors.Outcome{})
	default:
		s.getIn(c)
	}
}

// idle waits for the speaker.
func (s *TextToSpeechLoop) idle(c *behaviors.Control, _ behaviors.Outcome) {
	switch sp := c.World().Speaker; {
	case !sp.OK():
		s.bailOut(c, behaviors.Outcome{})
	case sp.Value.Busy:
		c.SetState("idle")
		c.Act(s.animation(c, s.params.Idle, 1), s.idle)
	default:
		s.getIn(c)
	}
}

func (s *TextToSpeechLoop) getIn(c *behaviors.Control) {
	if s.params.GetIn == "" {
		s.speak(c, behaviors.Outcome{})
		return
	}
	c.SetState("getting in")
	c.Act(s.animation(c, s.params.GetIn, 1), s.speak)
}

// speak says the text; the animation beside it ends with the last word.
func (s *TextToSpeechLoop) speak(c *behaviors.Control, _ behaviors.Outcome) {
	c.SetState("speaking")
	s.speaking = true
	c.Act(compound.NewParallel(compound.Params{Name: "Speak", EndWithFirst: true, Children: []compound.Child{
		{Action: gesture.Say(s.text)}, {Action: s.animation(c, s.params.Loop, express.Forever)},
	}}), s.spoken)
}

// spoken ends with the get-out, or at once if the text could not be said.
func (s *TextToSpeechLoop) spoken(c *behaviors.Control, o behaviors.Outcome) {
	s.speaking = false
	switch {
	case !o.Succeeded():
		s.bailOut(c, o)
	case s.params.GetOut == "":
		c.CancelSelf()
	default:
		c.SetState("getting out")
		c.Act(s.animation(c, s.params.GetOut, 1), s.over)
	}
}

// bailOut ends early.
func (s *TextToSpeechLoop) bailOut(c *behaviors.Control, _ behaviors.Outcome) {
	c.SetState("nothing can be said")
	if s.params.Emergency == "" || !c.Act(s.animation(c, s.params.Emergency, 1), s.over) {
		s.ended = true
	}
}

func (s *TextToSpeechLoop) over(c *behaviors.Control, _ behaviors.Outcome) { c.CancelSelf() }

// UpdateWhileActivated ends what could not begin.
func (s *TextToSpeechLoop) UpdateWhileActivated(c *behaviors.Control) {
	if s.ended && !c.IsControlDelegated() {
		c.CancelSelf()
	}
}

// OnDeactivated forgets the text. Speech that still plays ends with its action.
func (s *TextToSpeechLoop) OnDeactivated(*behaviors.Control) { s.text = "" }

// animation plays a trigger; while the robot speaks, without its sounds, which would take the speaker away.
func (s *TextToSpeechLoop) animation(c *behaviors.Control, trigger string, loops int) actions.Action {
	p := still(s.params.Still)
	p.Loops = loops
	if s.speaking {
		p.TracksToLock |= actions.Audio
	}
	return gesture.TriggerWith(c, trigger, p)
}
