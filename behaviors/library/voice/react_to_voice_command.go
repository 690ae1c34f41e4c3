package voice

import (
	"time"

	"github.com/robotd/robotd/actions/express"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/library/gesture"
	"github.com/robotd/robotd/behaviors/library/recent"
	"github.com/robotd/robotd/behaviors/param"
	"github.com/robotd/robotd/hardware"
)

// Behaviors that finish a trigger word which led to nothing.
const (
	idUnmatched = "IntentUnmatched"
	idNothing   = "TriggerWordWithoutIntent"
	idNoCloud   = "NoCloud"
	idNoWifi    = "NoWifi"
)

// Intents that are none.
const (
	intentUnmatched = "unmatched_intent"
	intentSilence   = "silence"
	// intentSimple carries the answer to a command with itself.
	intentSimple = "simple_voice_response"
)

// WordNoTurn tells a ReactToVoiceCommand not to turn to the voice in this tick.
const WordNoTurn behaviors.Word = "do not turn to the voice"

// Limits of listening.
const (
	getInLimit  = 3 * time.Second  // until the answer to the trigger word has played
	leastListen = 5 * time.Second  // always granted
	mostListen  = 10 * time.Second // from the start of the stream, or of listening without one
)

// A ReactToVoiceCommand answers the trigger word: it listens until a command comes or the time is over, turns to the voice if it may, and
// leaves the command to the behavior that is meant by it. What is no command it answers itself.
type ReactToVoiceCommand struct {
	params  wakeParams
	allowed *condition.UserIntentPending // nil: every intent
	cloud   recent.Occurrence
	pushed  bool // the response to the trigger word

	phase wakePhase
	since time.Time // of the phase
	heard heard
	tag   string
}

type wakeParams struct {
	Begin     string       `key:"earConAudioEventBegin" default:"" why:"the get-in may have a sound of its own" doc:"sound with the get-in"`
	Success   string       `key:"earConAudioEventSuccess" default:"" why:"the get-out may have a sound of its own" doc:"sound after a command"`
	Neutral   string       `key:"earConAudioEventNeutral" default:"" why:"the get-out may have a sound of its own" doc:"sound after anything else"`
	Lights    bool         `key:"backpackLights" default:"true" why:"people see that they are heard" doc:"light the back while it listens"`
	Turn      string       `key:"behaviorOnIntent" ref:"behavior" delegate:"true" default:"" why:"without one it does not turn" doc:"turns to the voice after a command"`
	GetIn     string       `key:"animListeningGetIn" ref:"trigger" default:"VC_ListeningGetIn" why:"the usual clip" doc:"played at once at the trigger word"`
	Loop      string       `key:"animListeningLoop" ref:"trigger" default:"VC_ListeningLoop" why:"the usual clip" doc:"played while it listens"`
	GetOut    string       `key:"animListeningGetOut" ref:"trigger" default:"VC_ListeningGetOut" why:"the usual clip" doc:"played when it stops listening"`
	OnlyGetIn bool         `key:"exitAfterGetIn" default:"false" why:"it is there to listen" doc:"end after the get-in"`
	NeedsOpen bool         `key:"exitAfterListeningIfNotStreaming" default:"false" why:"commands also come without a stream" doc:"end quietly if no stream was open"`
	Push      bool         `key:"pushResponse" default:"true" why:"the word needs an answer" doc:"answer the trigger word with the get-in while in scope"`
	Wifi      *recent.Rule `key:"notifyOnWifiErrors" default:"none" why:"the robot tells no errors of its network apart" doc:"how many errors of the network lead to NoWifi; the robot knows of none, so all count as those of the cloud"`
	Cloud     *recent.Rule `key:"notifyOnCloudErrors" default:"none" why:"without it nobody is told" doc:"how many commands without an answer lead to NoCloud"`
}

// ReactToVoiceCommandClass is the class ReactToVoiceCommand.
func ReactToVoiceCommandClass() behaviors.Class {
	return behaviors.Class{
		Name: "ReactToVoiceCommand",
		Doc:  "Answers the trigger word: listens, turns to the voice, and leaves the command to others.",
		New: func(cfg *behaviors.Config) behaviors.Behavior {
			r := &ReactToVoiceCommand{allowed: cfg.Patterns(cfg.ObjectsOr("whiteListedIntents"))}
			param.ReadConfig(cfg, &r.params)
			cfg.Describe("whiteListedIntents", "intents that count; any other is not understood")
			cfg.MayDelegateTo(idUnmatched, idNothing, idNoCloud, idNoWifi)
			for _, key := range []string{"notifyOnWifiErrors", "notifyOnCloudErrors"} {
				if !cfg.Has(key) {
					cfg.KeyWarnf(key, "key-missing", "is not given: errors of that kind are never told")
				}
			}
			return r
		},
	}
}

// Modify lets it run anywhere, and stay without a delegate.
func (*ReactToVoiceCommand) Modify(m *behaviors.Modifiers, _ func(id string) behaviors.Modifiers) {
	m.WhenCarryingObject, m.WhenOffTreads, m.WhenOnCharger, m.AlwaysDelegates = true, true, true, false
}

// OnEnteredScope pushes the response to the trigger word.
func (r *ReactToVoiceCommand) OnEnteredScope(c *behaviors.Control) { r.push(c) }

// OnLeftScope withdraws it.
func (r *ReactToVoiceCommand) OnLeftScope(c *behaviors.Control) {
	if r.pushed {
		r.pushed = false
		c.TriggerWord().Withdraw()
	}
}

func (r *ReactToVoiceCommand) push(c *behaviors.Control) {
	if !r.params.Push || r.pushed {
		return
	}
	r.pushed = true
	c.TriggerWord().Respond(condition.Response{GetIn: r.params.GetIn, Sound: r.params.Begin, MinStreaming: leastListen})
}

// WantsToBeActivated is true while the trigger word is pending.
func (r *ReactToVoiceCommand) WantsToBeActivated(c *behaviors.Control) bool {
	if c.View().TriggerWord {
		return true
	}
	c.Because("nobody said the trigger word")
	return false
}

// OnActivated takes the word and waits for the end of its answer.
func (r *ReactToVoiceCommand) OnActivated(c *behaviors.Control) {
	c.TriggerWord().Clear()
	c.Emotions().TriggerIfKnown("ReactToTriggerWord")
	r.heard, r.tag = heardNothing, ""
	if r.allowed != nil {
		r.allowed.SetActive(c.View(), true)
	}
	r.enter(c, wakeGetIn)
}

// OnDeactivated lets a command that waits wait no longer. The base layer takes the response back, so that it is pushed again later.
func (r *ReactToVoiceCommand) OnDeactivated(c *behaviors.Control) {
	c.Intents().SetTimeout(true)
	if r.allowed != nil {
		r.allowed.SetActive(c.View(), false)
	}
	r.pushed = false
	r.phase = wakeIdle
}

// Update listens.
func (r *ReactToVoiceCommand) Update(c *behaviors.Control) {
	if !c.Activated() {
		r.push(c)
		return
	}
	r.hear(c)
	switch r.phase {
	case wakeGetIn:
		if !c.View().Services.GetIn || c.Now().Sub(r.since) >= getInLimit {
			r.afterGetIn(c)
		}
	case wakeListening:
		if r.heard != heardNothing || r.silent(c) {
			r.stop(c)
		}
	}
}

// wakePhase is what it does.
type wakePhase uint8

const (
	wakeIdle wakePhase = iota
	wakeGetIn
	wakeListening
	wakeGetOut
	wakeReacting
)

var wakeStates = [...]string{"", "getting in", "listening", "getting out", "reacting"}

func (r *ReactToVoiceCommand) enter(c *behaviors.Control, p wakePhase) {
	r.phase, r.since = p, c.Now()
	c.SetState(wakeStates[p])
}

func (r *ReactToVoiceCommand) afterGetIn(c *behaviors.Control) {
	if r.params.OnlyGetIn {
		c.CancelSelf()
		return
	}
	r.enter(c, wakeListening)
	if r.params.Lights {
		c.Lights().Show(hardware.LightsBackpack, listeningLights())
	}
	r.loop(c, behaviors.Outcome{})
}

// loop plays the listening clip again and again.
func (r *ReactToVoiceCommand) loop(c *behaviors.Control, _ behaviors.Outcome) {
	if r.phase == wakeListening {
		c.Act(gesture.Trigger(c, r.params.Loop), r.loop)
	}
}

// listeningLights are blue all along the back.
func listeningLights() behaviors.LightPattern {
	blue := hardware.RGB{G: 120, B: 255}
	return behaviors.LightPattern{On: [5]hardware.RGB{blue, blue, blue, blue, blue}}
}

// silent reports whether it listened long enough for nothing.
func (r *ReactToVoiceCommand) silent(c *behaviors.Control) bool {
	s := c.View().Services.Stream
	listened := c.Now().Sub(r.since)
	switch {
	case listened < leastListen:
		return false
	case s.Open:
		return c.Now().Sub(s.Since) >= mostListen
	case r.streamed(c), r.params.NeedsOpen:
		return true // it was open, and has closed without a command; or nobody streams
	}
	return listened >= mostListen
}

// streamed reports whether the stream was open for this trigger word.
func (r *ReactToVoiceCommand) streamed(c *behaviors.Control) bool {
	return r.since.Sub(c.View().Services.Stream.Since) <= getInLimit+mostListen && !c.View().Services.Stream.Since.IsZero()
}

// stop ends listening.
func (r *ReactToVoiceCommand) stop(c *behaviors.Control) {
	quiet := r.params.NeedsOpen && r.heard == heardNothing && !r.streamed(c)
	r.enter(c, wakeGetOut)
	c.TriggerWord().StopListening()
	c.CancelDelegates()
	if r.params.Lights {
		c.Lights().Remove(hardware.LightsBackpack)
	}
	if quiet {
		c.CancelSelf()
		return
	}
	c.Act(gesture.InTurn("StopListening", r.getOut(c)...), r.react)
}

// earCon is the sound of a result; empty for none.
func (r *ReactToVoiceCommand) earCon() string {
	if r.heard == heardCommand {
		return r.params.Success
	}
	return r.params.Neutral
}

// earConLength is the length of such a sound.
const earConLength = 500 * time.Millisecond

// earConOf is the action that plays one.
func earConOf(name string) *express.PlaySound {
	return express.NewPlaySound(express.SoundParams{Clip: name, Duration: earConLength})
}
