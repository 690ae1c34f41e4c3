// Package event holds the plain records that actors report, and the one-method Observer that receives them, so that
// observers never see the actor runtime. Standard library only.
package event

import "time"

// An Observer receives records. Observe is called on the reporting actor's goroutine, possibly on several at once; it must
// be safe for concurrent use, quick, and must not block.
type Observer interface {
	Observe(r Record)
}

// A Record is one of the types of this package.
type Record interface{ record() }

// A Tick is the timing of one tick. Wall-clock durations; zero in virtual time. It is reported by pointer and valid during Observe only.
type Tick struct {
	N        uint64
	Start    time.Time     // the tick's instant on the robot's clock
	Lateness time.Duration // start after its deadline
	Duration time.Duration
	Skipped  uint64 // deadlines coalesced into this one
	Missed   bool   // longer than the period
	Phases   []Span // in their order; valid during Observe only
}

// A Span is one phase of a tick and how long it took.
type Span struct {
	Phase    string
	Duration time.Duration
}

// A Failure is the loss of an incarnation of a behavior, an action or a device actor.
type Failure struct {
	Actor  string // "behavior/GreetFace", "action/DriveStraight", "device/motors"
	Group  string // "behavior", "action", "device"
	Reason string // "panic", "hang", "goexit", "io", "timeout", "config", "wrong_id", ...
	Where  string // hook or operation
	Text   string
	Stack  Stack // of a panic or a runtime.Goexit
}

// A Restart is a fresh incarnation that works.
type Restart struct {
	Actor    string
	Group    string
	Reason   string // of the failure before it
	Downtime time.Duration
}

// A Retry is an attempt to restart that is waiting.
type Retry struct {
	Actor string
	Delay time.Duration
	Tries int
	Down  bool // counted as down: it failed several times in a row
}

// A DeadLetter is a message to no actor, or one from an unauthorized sender that the actor refused.
type DeadLetter struct{ To, Type string }

// A Slow is a hook that returned, but took a good part of its budget.
type Slow struct {
	Actor string        // "behavior/GreetFace", "action/DriveStraight"
	Where string        // hook or operation
	Took  time.Duration // measured, to a millisecond or two
}

// Zombies counts the goroutines that are lost in hooks which have not returned, whenever the count changes. At Limit the
// process ends.
type Zombies struct{ N, Limit int }

// Stale counts requests that were refused because they belong to no running hook: N since the last record. By is the
// behavior of the newest.
type Stale struct {
	N  uint64
	By string
}

// Dropped counts events that were dropped because more came than one tick may take: N since the last record.
type Dropped struct{ N uint64 }

// An Overdue is a part of the robot that did not stop in time. The stop went on without it.
type Overdue struct {
	Actor string // "stack", "device/motors"
	Stage string // "drain", "halt", "end"
	Limit time.Duration
}

// A Sample is one publication of a device actor. It is reported by pointer and valid during Observe only, because there are
// hundreds a second.
type Sample struct {
	Device                                            string
	At                                                time.Time
	Good                                              bool
	Reads, Errors, Retries, Reinits, Rejected, Frozen uint64 // totals of the incarnation
}

// A Pace is a device that is polled at another period than it wants, or wants again: the speed of its bus was measured.
type Pace struct {
	Device string
	Period time.Duration
}

// A Lapse is a time in which a device completed no control cycle, so that hardware outside of this process cut its power. The
// process stood still: it was stopped, swapped out, or the machine was loaded beyond measure.
type Lapse struct {
	Device string
	For    time.Duration
}

// A Command is a command that a device refused.
type Command struct {
	Device, Type, Text string
}

// A Reload is what came of a change of the definitions. It is reported by the program around the actors.
type Reload struct {
	Cause  string // signal, operator, edit or rollback
	Result string // applied, unchanged, invalid, refused or failed
	Text   string // what changed, or why nothing did
}

func (Reload) record()     {}
func (*Tick) record()      {}
func (Failure) record()    {}
func (Restart) record()    {}
func (Retry) record()      {}
func (DeadLetter) record() {}
func (*Sample) record()    {}
func (Command) record()    {}
func (Slow) record()       {}
func (Zombies) record()    {}
func (Stale) record()      {}
func (Dropped) record()    {}
func (Overdue) record()    {}
func (Lapse) record()      {}
func (Pace) record()       {}

// Tee passes every record to each observer in order.
type Tee []Observer

// Observe implements Observer.
func (t Tee) Observe(r Record) {
	for _, o := range t {
		o.Observe(r)
	}
}
