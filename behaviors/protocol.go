package behaviors

import (
	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/resources"
)

// This file is what the engine and the catalog need of this package beside [Instance]: the protocol between Control and the engine, and
// the making of instances. Authors do not need it.

// RequestKind names what a behavior asks of the engine. One row of the engine's table of requests (behaviors/engine/requests.go) says
// which behaviors may send it, whether it starts something, and what it does.
type RequestKind uint8

// The requests, with the fields that they use beside Kind.
const (
	ReqDelegate          RequestKind = iota // ID
	ReqDelegateToHelper                     // ID
	ReqAct                                  // Action, Label, Retries
	ReqCancelDelegates                      //
	ReqCancelSelf                           //
	ReqSucceed                              // a helper did its task
	ReqAsk                                  // ID, Data
	ReqAskFirst                             // Among: the first that has control or wants it
	ReqAskEach                              // Among: each of them
	ReqAskBest                              // Among: the one with the highest score that has control or wants it
	ReqGentle                               // may the present delegate be interrupted gently?
	ReqDelegates                            // whom the layer lists
	ReqStopAfterDelegate                    // ID
	ReqModifiers                            // ID: the operation modifiers that its code gives (P-3)
	ReqReleaseDelegate                      // B-12 (3): cancel the own action without callback
	ReqReleaseHoldings                      // B-12 (8…18); Key: the suggestion to offer

	ReqLockTracks        // Key, Args: actions.Tracks
	ReqUnlockTracks      // Key
	ReqClaimIntent       // Key: tag, Args: Feedback
	ReqReleaseIntent     //
	ReqIntentTimeout     // On
	ReqClearTriggerWord  //
	ReqSuppressThisTick  // IDs (B-10)
	ReqSuppress          // Key, IDs
	ReqUnsuppress        // Key
	ReqTriggerEmotion    // Key; On: one that nothing declares is no mistake
	ReqFixEmotion        // Key, Args: EmotionFix
	ReqUnfixEmotion      // Key
	ReqSetFeature        // Key
	ReqResetTimer        // Key
	ReqSuggest           // Key
	ReqClearSuggestions  //
	ReqResetStarted      //
	ReqState             // Key
	ReqForget            // place and sightings
	ReqCommand           // Args: hardware.Command
	ReqLook              // Key: "" for the behavior, else the label of a condition; Args: hardware.Look
	ReqSetProfile        // Args: actions.Profile
	ReqClearProfile      //
	ReqShowLights        // Key: object; Args: LightPattern
	ReqRemoveLights      // Key: object
	ReqIgnoreTriggerWord //
	ReqHeedTriggerWord   //
	ReqPushResponse      // Args: condition.Response
	ReqAlterResponse     // Args: condition.StreamEffect
	ReqPopResponse       //
	ReqSavePower         //
	ReqSpendPower        //
	ReqKeepFaceStill     //
	ReqKeepFaceAlive     //
	ReqGetOut            // Action, Label
	ReqSubscribeCube     // Args: CubeSubscription
	ReqSubscribe         // Key: the event's name; On: Init runs
	ReqHoldFace          // Key: expression
	ReqReleaseFace       //
	ReqChooseClip        // Key: trigger, Args: float64, a draw from [0, 1); answered by Clip
	ReqInstances         // Key: class; the answer is a List
	ReqActivated         // Among: which of them are on the stack
	ReqTell              // Key: word, IDs
	ReqTold              // Key: word
	ReqEmotionAtLeast    // Args: EmotionFix
	ReqDropIntent        // Key: tag
	ReqListen            // Key: what for
	ReqStopListening     //
	ReqSetAlarm          // Args: time.Duration
	ReqClearAlarm        //
	ReqTakes             // ID: does its class answer questions with data?
	ReqChooseReaction    // Key: type of the condition, ID: behavior; empty for none
	Requests             = int(ReqChooseReaction) + 1
)

// A Request is one call of a behavior to the engine. Control fills it, the engine answers in place, and it is valid during the hook
// only.
type Request struct {
	Kind    RequestKind
	ID      string   // of the behavior that it is about
	IDs     []string // of several
	Key     string   // any other word
	Action  actions.Action
	Label   actions.Label // of Action, read by the goroutine of the hook
	Retries int
	On      bool
	Data    any // of a question
	Among   *Candidates
	Args    any // what else the kind needs; one of the types that the kinds name

	// The answer.
	OK        bool
	Refusal   *stack.Refusal // nil if nothing was refused
	Op        stack.Op       // what the request is called in a refusal
	List      []string
	Done      *Outcome // ReqDelegate, ReqGetOut: how the delegate ended, if it ended inside the call; not to be modified
	Intent    *condition.Intent
	Clip      string
	Modifiers Modifiers
	Facts     Facts
	View      *condition.View
}

// EmotionFix are the arguments of ReqFixEmotion.
type EmotionFix struct {
	Emotion condition.Emotion
	Value   float64
}

// A CubeSubscription is the argument of ReqSubscribeCube.
type CubeSubscription struct {
	Requirement CubeRequirement
	Background  bool
}

// Facts is what a behavior may know of its own place; exact at every moment of a hook, because only the requests of that hook
// change it.
type Facts struct {
	Activated bool
	Delegated bool   // to a behavior or an action; false while a question is answered
	InControl bool   // may delegate now
	Stopping  bool   // was told to end with its present delegate
	Started   uint64 // activations since the start or the newest reset
	Delegate  string // ID of the behavior delegated to; empty for none or an action
}

// A Port carries requests to the engine and returns when they are answered, nested hooks included.
type Port interface {
	Do(r *Request)
}

// An Invocation is one hook to run: its arguments, and room for its answer.
//
// What every hook reads comes first, and with its Control an Invocation fills two cache lines.
type Invocation struct {
	Hook stack.Hook
	// Resumed makes HookActivated the return from an interrupt.
	Resumed bool
	// Answer is the answer to HookWants.
	Answer bool
	// Alone is set by the engine while the hook of a question waits: what was prepared for the questions after it does not hold any
	// more, and the hook runner runs none of them.
	Alone bool
	// Placed says that more of Facts than Started may be other than zero.
	Placed bool
	// From is the number of conditions that are known to be met, in a question; the gates before them are open.
	From   int32
	View   *condition.View
	Seed   uint64 // of the robot's chance
	Serial uint64 // of this invocation among those of the behavior in the tick; 0 for a question
	Events []Event
	Facts  Facts
	Done   *Outcome // of the last delegate; nil if none ended. Not to be modified
	// Data came with the question; nil for a plain one.
	Data any
	// Code is the answer to HookModify: the modifiers that class code gives alone.
	Code *Modifiers
}

// NewControl makes the control of an incarnation, which is used for each of its hooks. It speaks through port.
func NewControl(i *Instance, port Port) *Control { return &Control{inst: i, port: port} }

// InitControl does so in place.
func InitControl(c *Control, i *Instance, port Port) { c.inst, c.port = i, port }

// PortOf is the port that a control speaks through.
func PortOf(c *Control) Port { return c.port }

// Feedback says what the back lights do while an intent is active that a behavior claimed.
type Feedback struct {
	Show    bool // the lights are on
	AutoOff bool // they go off after a while although the intent is still active
}

// NoFeature is what associatedActiveFeature says to keep a behavior out of the search for the active feature. It is also
// the active feature when no behavior on the stack has one.
const NoFeature = "NoFeature"

// NewInstance makes a fresh incarnation of the behavior with that ID from its object in a file. The object was checked before, by
// ReadReferences. The caller declares the keys that it read itself.
func NewInstance(id string, class *Class, o *resources.Object) *Instance {
	i, _ := newInstance(id, class, o)
	return i
}

// References are the behaviors, intents and events that a definition names, in JSON or in code. All lists but Awaited and Heard are sorted.
type References struct {
	Delegates []string  // IDs
	Links     []string  // IDs
	Intents   []string  // tags that it responds to
	Awaited   []string  // tags among them that class code waits for
	Heard     []string  // names of events that the class subscribes to, in its order
	Instance  *Instance // the one that was made to read them
}

// ReadReferences reads a definition for the first time. What is wrong with it is reported to its document. The instance is a fresh
// incarnation like those of [NewInstance], good for use if nothing is wrong.
func ReadReferences(id string, class *Class, o *resources.Object) (References, *Instance) {
	i, cfg := newInstance(id, class, o)
	r := References{Delegates: cfg.delegates.sorted(), Links: cfg.links.sorted(), Awaited: cfg.waitTags(), Heard: i.Subscriptions(), Instance: i}
	if p := i.intent(); p != nil {
		r.Intents = p.Tags()
	}
	return r, i
}
