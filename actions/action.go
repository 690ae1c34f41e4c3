package actions

import (
	"math"
	"math/rand/v2"
	"time"

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
// All of it is author code, the getters too: it runs where the [Host] lets it run, and one that does not return costs
// the action. Name and Type are read when the action is queued, by whoever queues it.
type Action interface {
	// Name is for logs and pages.
	Name() string
	// Type may change while the action runs.
	Type() Type
	// Tracks is the set to lock. It is read when the action starts.
	Tracks() Tracks
	// Init checks the preconditions and gives the first orders: RUNNING = not yet, ask again in the next tick;
	// SUCCESS = met, CheckIfDone follows in the same tick; anything else ends the action (RUN-1).
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
	// A Stopper cleans up. Stop is called once when the action ends in whatever way after Init was attempted, except
	// when the action panicked or overran. The runner itself stops the motors of the tracks it holds.
	Stopper interface{ Stop(env *Env) }
	// A Resetter forgets its attempt, so that Init may be called anew (RUN-8). Tracks stay locked.
	Resetter interface{ Reset() }
	// An Interruptible action may be set aside and started anew later (RUN-10).
	Interruptible interface{ Interruptible() bool }
	// An OffTreadsFailer ends with INVALID_OFF_TREADS_STATE when the robot leaves its treads (RUN-7).
	OffTreadsFailer interface{ FailOffTreads() bool }
	// A Payloader adds facts to its completion. Payload is asked once, before Stop (RUN-14).
	Payloader interface{ Payload() any }
	// A Statuser describes its present phase in a few words (RUN-16).
	Statuser interface{ Status() string }
	// A TrackSuppressor is told whether its children must leave the track locks to an owner (CPD-3).
	TrackSuppressor interface{ SuppressTracks(on bool) }
)

// An Env is what an action may see and do in one step. It is valid only during the call; everything in it is safe to
// use on the goroutine that the call runs on.
//
// In the Env handed to [List.Update] only Now, World and Send are needed. The list provides Tracks, Tags, Ended and Profile; a
// nil Rand is replaced by one seeded from Seed, the runner's tag and Tick; a nil NextID by the list's own counter.
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
}

// A Completion reports the end of one runner.
type Completion struct {
	Tag     Tag
	Owner   string // who queued it, usually a behavior ID
	Name    string
	Type    Type
	Result  Result
	Sub     []Result // distinct results of all children, children of children included, in order of first appearance
	Payload any
	Detail  string // for people: who holds the track, what panicked
	Hung    bool   // its code did not return, and a goroutine is lost with it
}

// Known reports whether c is the record of an action at all. The zero Completion is not, although its Result reads
// SUCCESS (stack/C-9).
func (c Completion) Known() bool { return c.Tag != InvalidTag }
