package actions

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/robotd/robotd/actions/animation"
	"github.com/robotd/robotd/hardware"
)

// Defaults of every runner (RUN-4), and the value that switches the timeout off.
const (
	DefaultTimeout = 30 * time.Second
	NoTimeout      = time.Duration(math.MaxInt64)
)

// An Action is a one-shot physical job. The runner calls it; at any time at most one of its methods runs. A panic ends
// it with ABORT.
//
// Every method is author code, getters included: it runs where the [Host] calls it, and a method that does not return
// ends the action. Name and Type are read when the action is queued, on the goroutine of the hook that queues it.
type Action interface {
	// Name appears in logs and on the page.
	Name() string
	// Type may change while the action runs.
	Type() Type
	// Tracks is the set to lock. It is read when the action starts.
	Tracks() Tracks
	// Init checks the preconditions and sends the first commands. RUNNING means not yet: it is called again in the next
	// tick. SUCCESS means ready: CheckIfDone follows in the same tick. Any other result ends the action (RUN-1).
	Init(env *Env) Result
	// CheckIfDone is called once per tick until it returns something other than RUNNING.
	CheckIfDone(env *Env) Result
}

// Optional interfaces of an Action.
type (
	// A Timeouter has a timeout other than DefaultTimeout, measured from the first update of each attempt. It is read
	// again every tick (RUN-3). A timeout of zero or less has passed at once; use NoTimeout for none.
	Timeouter interface{ Timeout() time.Duration }
	// A StartDelayer waits before its Init.
	StartDelayer interface{ StartDelay() time.Duration }
	// A CheckDelayer waits before its second CheckIfDone; the first one comes in the tick of Init (RUN-5).
	CheckDelayer interface{ CheckDelay() time.Duration }
	// A Stopper cleans up. Stop is called once when the action ends after Init was called, however it ends, unless the
	// action panicked or hung. The runner itself stops the motors of the tracks that it holds.
	Stopper interface{ Stop(env *Env) }
	// A Resetter returns to its initial state, so that Init may be called again (RUN-8). Tracks stay locked.
	Resetter interface{ Reset() }
	// An Interruptible action may be interrupted and started again later (RUN-10).
	Interruptible interface{ Interruptible() bool }
	// An OffTreadsFailer ends with INVALID_OFF_TREADS_STATE when the robot leaves its treads (RUN-7).
	OffTreadsFailer interface{ FailOffTreads() bool }
	// A Payloader adds facts to its completion. Payload is asked once, before Stop (RUN-14).
	Payloader interface{ Payload() any }
	// A Statuser describes its current phase in a few words (RUN-16).
	Statuser interface{ Status() string }
	// A Looker names the vision modes that it needs. They are on from the success of its Init to its end (RUN-6).
	Looker interface{ Looks() hardware.Look }
	// A Refuser says in words why its Init failed, for people.
	Refuser interface{ Refusal() string }
	// A Needer is an action whose parts lock tracks, and says which they will need.
	Needer interface{ Needs() Tracks }
	// A TrackSuppressor is told whether its children must leave the track locks to an owner (CPD-3).
	TrackSuppressor interface{ SuppressTracks(on bool) }
)

// An Env holds the inputs and effects that an action has in one call. It is valid only during the call; everything in
// it is safe to use on the goroutine of the call.
//
// The Env handed to [List.Update] needs only Now, World and Send. The list provides Tracks, Tags, Ended and Profile. It
// replaces a nil Rand by one seeded from Seed, the runner's tag and Tick, and a nil NextID by its own counter.
type Env struct {
	Now    time.Time
	World  *hardware.World
	Rand   *rand.Rand
	Send   func(hardware.Command)
	NextID func() uint64 // for motion segments, servo and sound commands
	Tracks Locker        // for the children of compounds
	Tags   Tagger        // for the children of compounds
	Ended  func(Completion)
	Seed   uint64 // of the run
	Tick   uint64
	// Profile is the motion profile that was in force when the action started.
	Profile Profile
	// Animations are those of the resource tree; nil: the built-in ones.
	Animations *animation.Library
	// Paths plans ways; nil: nobody does, and drives go straight.
	Paths Paths

	by       *Runner       // the action or child whose call runs; nil for that of the list
	giveBack func(*Runner) // what it showed and looked for
	lookFor  func(*Runner, hardware.Look)
}

// Clip returns a clip of the resource tree, not to be modified; nil if there is none of that name.
func (e *Env) Clip(name string) *animation.Clip {
	if e.Animations == nil {
		return animation.BuiltIn().Clip(name)
	}
	return e.Animations.Clip(name)
}

// Attribute says that what is done through outer from now on is done by who acts through e, the action or a child of it. Who hands on a copy
// of an Env with effects of its own calls it before each of them.
func (e *Env) Attribute(outer *Env) { outer.by = e.by }

// A Completion reports the end of one runner.
type Completion struct {
	Tag     Tag
	Owner   string // who queued it, usually a behavior ID
	Name    string
	Type    Type
	Result  Result
	Sub     []Result // distinct results of all children, children of children included, in order of first appearance
	Payload any
	Detail  string // for people: the holder of the track, the text of the panic
	Hung    bool   // its code did not return, so a goroutine is lost
}

// Known reports whether c records the end of an action. The zero Completion does not, although its Result reads SUCCESS
// (C-9).
func (c Completion) Known() bool { return c.Tag != InvalidTag }
