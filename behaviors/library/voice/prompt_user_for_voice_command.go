package voice

import (
	"cmp"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/motion"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/library/performing"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// A Prompt is the data of a question to a PromptUserForVoiceCommand: what to say in place of the texts of its file.
type Prompt struct{ Text, Again string }

// A PromptUserForVoiceCommand asks a person something and listens for the answer without a trigger word. A command stays pending for the
// behavior that is meant by it; after silence, or words that mean nothing, it asks again. The robot has one language, so the keys of the
// texts are the texts.
type PromptUserForVoiceCommand struct {
	params promptParams
	prompt Prompt // given by the one who asks; for one activation

	phase promptPhase
	began time.Time // listening
	heard heard
	again int // reprompts so far
}

type promptParams struct {
	Stream  string `key:"streamType" doc:"what is listened for, such as Normal or Blackjack"`
	Success string `key:"earConAudioEventSuccess" default:"" why:"the answer may be heard by itself" doc:"sound after a command"`
	Neutral string `key:"earConAudioEventNeutral" default:"" why:"the answer may be heard by itself" doc:"sound after anything else"`
	Turns   bool   `key:"shouldTurnToFaceBeforePrompting" default:"false" why:"the robot may stand anywhere" doc:"turn to a known face first"`
	Speech  string `key:"textToSpeechBehaviorID" delegate:"true" default:"DefaultTextToSpeechLoop" why:"the usual way to speak" doc:"says the texts"`
	Text    string `key:"vocalPromptKey" default:"" why:"the one who asks may give it" doc:"what it asks"`
	Again   string `key:"vocalRepromptKey" default:"" why:"it may ask the same again" doc:"what it asks after a wrong answer"`
	Good    string `key:"vocalResponseToIntentKey" default:"" why:"whoever carries out the command may answer" doc:"what it says to a command"`
	Bad     string `key:"vocalResponseToBadIntentKey" default:"" why:"asking again says enough" doc:"what it says to anything else"`
	Stops   bool   `key:"stopListeningOnIntents" default:"true" why:"a command is the answer" doc:"stop listening at a command or silence"`
	Most    int    `key:"maxNumberOfReprompts" range:"0..1000" default:"0" why:"asking twice is a nuisance" doc:"how often it asks again"`
	GetIn   bool   `key:"playListeningGetIn" default:"true" why:"people see that it listens" doc:"play the clip of beginning to listen"`
	GetOut  bool   `key:"playListeningGetOut" default:"true" why:"people see that it listens no more" doc:"play the clip of listening no more"`
}

// promptPhase is what it does.
type promptPhase uint8

const (
	promptTurning promptPhase = iota
	promptAsking
	promptListening
	promptThinking
	promptAnswering
)

var promptStates = [...]string{"turning", "asking", "listening", "thinking", "answering"}

// Clips of listening.
const (
	clipGetIn  = "VC_ListeningGetIn"
	clipLoop   = "VC_ListeningLoop"
	clipGetOut = "VC_ListeningGetOut"
)

// PromptUserForVoiceCommandClass is the class PromptUserForVoiceCommand.
func PromptUserForVoiceCommandClass() behaviors.Class {
	return behaviors.Class{
		Name: "PromptUserForVoiceCommand",
		Doc:  "Asks a person something and listens for the answer.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			p := &PromptUserForVoiceCommand{}
			param.ReadConfig(cfg, &p.params)
			return p
		},
	}
}

// Modify lets it run anywhere, and stay without a delegate.
func (p *PromptUserForVoiceCommand) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOffTreads, m.WhenOnCharger, m.AlwaysDelegates = true, true, true, false
	if p.params.Turns {
		m.LookActive = hardware.LookFor(hardware.SeeFaces, hardware.Standard)
	}
}

// WantsToBeActivated is true if there is something to ask.
func (p *PromptUserForVoiceCommand) WantsToBeActivated(c *behaviors.Control) bool {
	p.prompt = Prompt{}
	if p.params.Text != "" {
		return true
	}
	c.Because("it has nothing to ask")
	return false
}

// WantsToBeActivatedWith takes the texts of the one who asks.
func (p *PromptUserForVoiceCommand) WantsToBeActivatedWith(c *behaviors.Control, data any) bool {
	given, ok := data.(Prompt)
	if !ok || given.Text == "" {
		c.Because("it is given nothing to ask")
		return false
	}
	p.prompt = given
	return true
}

// OnActivated answers the trigger word in the usual way meanwhile, and turns or asks.
func (p *PromptUserForVoiceCommand) OnActivated(c *behaviors.Control) {
	p.again = 0
	c.TriggerWord().Respond(condition.Response{GetIn: clipGetIn, MinStreaming: leastListen})
	if _, known := c.World().Face(time.Minute); p.params.Turns && known {
		p.enter(c, promptTurning)
		c.Act(motion.NewTurnTowards(motion.TowardsParams{Target: motion.FaceTarget{MaxAge: time.Minute}}), p.ask)
		return
	}
	p.ask(c, behaviors.Outcome{})
}

// OnDeactivated leaves a command to the behavior that is meant, and listens no more.
func (p *PromptUserForVoiceCommand) OnDeactivated(c *behaviors.Control) {
	c.Intents().SetTimeout(true)
	c.TriggerWord().StopListening()
	p.prompt = Prompt{}
}

func (p *PromptUserForVoiceCommand) enter(c *behaviors.Control, to promptPhase) {
	p.phase = to
	c.SetState(promptStates[to])
}

// ask says the prompt, the first time or again.
func (p *PromptUserForVoiceCommand) ask(c *behaviors.Control, _ behaviors.Outcome) {
	p.heard = heardNothing
	p.enter(c, promptAsking)
	text := cmp.Or(p.prompt.Text, p.params.Text)
	if p.again > 0 {
		text = cmp.Or(p.prompt.Again, p.params.Again, text)
	}
	p.say(c, text, p.listen)
}

// say speaks by the behavior that speaks, or plainly if that does not want to.
func (p *PromptUserForVoiceCommand) say(c *behaviors.Control, text string, then behaviors.Callback) {
	if id := p.params.Speech; c.TakesData(id) && c.WantsWith(id, performing.Utterance{Text: text}) && c.DelegateTo(id, then) {
		return
	}
	c.Act(gesture.Say(text), then)
}

// listen opens the stream, and shows that it listens.
func (p *PromptUserForVoiceCommand) listen(c *behaviors.Control, _ behaviors.Outcome) {
	p.enter(c, promptListening)
	p.began = c.Now()
	c.TriggerWord().Listen(p.params.Stream)
	if p.params.GetIn {
		c.Act(gesture.Trigger(c, clipGetIn), p.loop)
		return
	}
	p.loop(c, behaviors.Outcome{})
}

func (p *PromptUserForVoiceCommand) loop(c *behaviors.Control, _ behaviors.Outcome) {
	if p.phase == promptListening {
		c.Act(gesture.Trigger(c, clipLoop), p.loop)
	}
}

// UpdateWhileActivated hears, while it listens and a moment after.
func (p *PromptUserForVoiceCommand) UpdateWhileActivated(c *behaviors.Control) {
	if p.phase != promptListening && p.phase != promptThinking {
		return
	}
	p.hear(c)
	stops := p.params.Stops && (p.heard == heardCommand || p.heard == heardSilence)
	if p.phase == promptListening && (stops || c.Now().Sub(p.began) >= mostListen) {
		p.think(c)
	}
}

// hear takes what is no command from the slot. A command stays there, and its timeout waits.
func (p *PromptUserForVoiceCommand) hear(c *behaviors.Control) {
	pending := c.View().Intent.Pending
	if pending == nil || p.heard == heardCommand {
		return
	}
	switch pending.Tag {
	case intentUnmatched:
		p.heard = heardUnmatched
		c.Intents().Drop(pending.Tag)
		if p.phase == promptListening {
			c.TriggerWord().Listen(p.params.Stream) // words that mean nothing end no answer
		}
	case intentSilence:
		p.heard = heardSilence
		c.Intents().Drop(pending.Tag)
	default:
		p.heard = heardCommand
		c.Intents().SetTimeout(false)
	}
}

// think shows that it listens no more.
func (p *PromptUserForVoiceCommand) think(c *behaviors.Control) {
	p.enter(c, promptThinking)
	c.TriggerWord().StopListening()
	var parts []actions.Action
	if p.params.GetOut {
		parts = append(parts, gesture.Trigger(c, clipGetOut))
	}
	sound := p.params.Neutral
	if p.heard == heardCommand {
		sound = p.params.Success
	}
	if sound != "" {
		parts = append(parts, earConOf(sound))
	}
	if len(parts) == 0 {
		parts = append(parts, gesture.Wait(0))
	}
	c.CancelDelegates()
	c.Act(gesture.InTurn("StopListening", parts...), p.resolve)
}

// resolve answers, and asks again if it heard no command.
func (p *PromptUserForVoiceCommand) resolve(c *behaviors.Control, o behaviors.Outcome) {
	p.enter(c, promptAnswering)
	switch {
	case p.heard == heardCommand && p.params.Good != "":
		p.say(c, p.params.Good, end)
	case p.heard == heardCommand:
		c.CancelSelf()
	case p.heard != heardSilence && p.params.Bad != "":
		p.say(c, p.params.Bad, p.reprompt)
	default:
		p.reprompt(c, o)
	}
}

// reprompt asks again as often as it may.
func (p *PromptUserForVoiceCommand) reprompt(c *behaviors.Control, o behaviors.Outcome) {
	if p.again >= p.params.Most {
		c.CancelSelf()
		return
	}
	p.again++
	p.ask(c, o)
}
