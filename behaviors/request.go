package behaviors

import (
	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// RequestKind names what a behavior asks of the engine.
type RequestKind uint8

// The requests.
const (
	ReqDelegate RequestKind = iota
	ReqAct
	ReqCancelDelegates
	ReqCancelSelf
	ReqAsk
	ReqReleaseDelegate // B-12 (3): cancel own action without callback
	ReqReleaseSmart    // B-12 (8…18)
	ReqLockTracks
	ReqUnlockTracks
	ReqActivateIntent
	ReqDeactivateIntent
	ReqSuppress      // SetDontActivateThisTick (B-10)
	ReqSmartSuppress // named suppression lock
	ReqSmartRelease  // release a named suppression lock
	ReqResetTimer
	ReqSuggest
	ReqClearSuggestions
	ReqState
	ReqCommand // one device command outside an action: acknowledge a cliff, lights
	ReqStopAfterDelegate
	ReqGentle    // may the present delegate be interrupted gently?
	ReqSucceed   // a helper did its task
	ReqDelegates // whom the layer lists
	ReqForget    // place and sightings
	ReqModifiers // the operation modifiers that the code of To gives (P-3)
	ReqTriggerEmotion
	ReqFixEmotion
	ReqUnfixEmotion
	ReqSetFeature // SmartSetActiveFeatureOnActivated
	ReqClearTriggerWord
	ReqIntentTimeout
	ReqResetStarted
)

// A Request is one call of a behavior to the engine. It is filled by Control, answered in place, and valid during the
// hook only.
type Request struct {
	Kind    RequestKind
	To      string
	To2     []string
	Key     string
	Tracks  actions.Tracks
	Action  actions.Action
	Label   actions.Label // of Action, read by whoever asks
	Retries int
	Command hardware.Command
	Data    any          // of a question
	Helper  bool         // ReqDelegate: the target must be a helper
	Body    *BodyRequest // of requests for facilities of the body
	Emotion condition.Emotion
	Value   float64
	On      bool
	Light   Feedback

	// The answer.
	Misuse    *Misuse
	OK        bool
	Refusal   *stack.Refusal
	Text      string
	List      []string
	Done      *Outcome // ReqDelegate: how the delegate ended, if it ended inside the call; not to be modified
	Intent    *condition.Intent
	Modifiers Modifiers
	Facts     Facts
	View      *condition.View
}

// Facts is what a behavior may know of its own place; exact at every moment of a hook, because nothing changes it but the
// hook's own requests.
type Facts struct {
	Activated bool
	Delegated bool   // on the stack, and not the top or waiting for an action; false while a question is answered
	InControl bool   // may delegate now
	Stopping  bool   // was told to end with its present delegate
	Started   uint64 // activations since the start or the newest reset
	Delegate  string // ID of the behavior delegated to; empty for none or an action
}

// A Port carries requests to the engine and returns when they are answered, nested hooks included.
type Port interface {
	Do(r *Request)
}
