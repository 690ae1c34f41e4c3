package engine

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/registry"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// An Input is everything that happened since the last tick.
type Input struct {
	Tick     uint64
	Now      time.Time            // constant for the whole tick
	World    hardware.Snapshot    // latest sample per device, with its age and quality
	Events   []behaviors.Event    // ordered by (Source, Seq)
	Commands []Command            // operator requests, in order of arrival
	Plans    []actions.PathAnswer // ways that earlier ticks asked for, in the order in which they were found
	Seed     uint64               // of the robot's chance
}

// An Output is everything that shall happen. It is valid until the next Step.
type Output struct {
	Tick       uint64
	Commands   []hardware.Command   // in order
	Events     []stack.Event        // lifecycle, in order
	Done       []actions.Completion // actions that ended in this tick
	Replies    []Reply              // to operator commands
	Violations []string             // invariants that do not hold
	Dropped    int                  // events beyond the limit
	Updated    int                  // behaviors called in the in-scope pass
	Misuses    []stack.Refusal      // requests for facilities that should not have been made, in order
	Look       hardware.Look        // what the eyes shall look for from the next tick on (T-2)
	Warnings   []Warning            // at most 64
	Features   []FeatureChange      // features that ended or started
	States     []StateChange        // debug states that changed, in order; at most 256
	MoreStates int                  // debug states that changed beyond them
	Swapped    *catalog.Plan        // what a Reload did in this tick; nil if there was none
	Plans      []actions.PathOrder  // ways to be planned, for Input.Plans of the next tick or a later one
}

// CommandKind is the kind of an operator command.
type CommandKind uint8

// The operator commands.
const (
	RunBehavior CommandKind = iota // make the named behavior the base until it ends (L-34)
	Cancel                         // back to the boot behavior
	PostIntent                     // a user intent becomes pending
	WakeWord                       // the trigger word was heard
	EStop                          // everything stops; no action starts until Resume
	Resume                         // ends the emergency stop that it names, and those before it (L-43)
	CancelActions
	SetStage      // another stage of life (L-32)
	SetBoot       // another boot behavior: at once, or from the next reset to it on (L-32)
	BeginSelfTest // the self-test base, until it ends (L-33)
	EndSelfTest
	SetChecks    // the invariants are checked after each tick, or not
	Reload       // other definitions take the place of the present ones (L-44)
	SetVar       // a console variable has a value
	DoAction     // queue the action that ID names, with Params
	CancelAction // end the action of Tag, or that of an empty one: all of the operator
	SetFeature   // a feature is on or off whatever the files say, or as they say
	SetReaction  // a behavior answers a condition of the map of reactions, or none does
	SteerBody    // drive wheels, head and lift directly, for registry.SteerTime
)

// movesBase reports whether a command is to make another behavior the base, now or soon. During an emergency stop it is refused.
func (k CommandKind) movesBase() bool {
	switch k {
	case RunBehavior, Cancel, SetBoot, SetStage, BeginSelfTest, EndSelfTest:
		return true
	}
	return false
}

// A Command is one operator request; Reply carries the answer with the same number.
type Command struct {
	Number uint64
	Kind   CommandKind
	ID     string            // RunBehavior, SetBoot, SetVar; SetFeature: the feature; SetReaction: the type of the condition
	Value  int32             // SetVar
	Force  Override          // SetFeature
	To     string            // SetReaction: the behavior; empty for none
	Times  int               // RunBehavior: how often; 0 is once, negative for ever
	Stop   uint64            // EStop, Resume: number of the emergency stop
	Stage  Stage             // SetStage
	Now    bool              // SetBoot: reset the stack to it
	On     bool              // SetChecks
	Intent *condition.Intent // PostIntent
	Gate   string            // PostIntent: the feature without which the unmatched intent takes its place; empty for none
	// EndsMute says that the WakeWord ends a mute: it stays pending for 120 ticks instead of 3 (T-20).
	EndsMute bool
	// Reload: the number of the set of definitions, and what a replay needs to make it: the files that differ from those of the set
	// before, with their content, and those that are gone.
	Set   uint64
	Files map[string]string
	Gone  []string
	// DoAction: the texts of its parameters (actions/registry), its place in the queues, and whether the actions that hold what it needs
	// end for it. CancelAction has the tag alone.
	Params    map[string]string
	At        actions.Position
	Interrupt bool
	Tag       actions.Tag
	Steer     registry.Steering // SteerBody, with Interrupt
}

// A Reply answers one command.
type Reply struct {
	Number uint64
	Text   string
	Err    string // empty if done
}
