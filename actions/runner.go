package actions

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// A Runner executes one queued action, or one child of a compound. It holds the tag, the state and the times of the
// action. The goroutine that updates the list owns it; a child belongs to the goroutine of the compound's call.
//
// State is a Result: NOT_STARTED until the first update, RUNNING, INTERRUPTED, or the final result.
type Runner struct {
	action     Action
	tag        Tag // the custom tag if there is one
	autoTag    Tag // the engine tag; it stays reserved beside a custom tag (TAG-2)
	owner      string
	name       string
	actionType Type
	holder     string // its name in the track table: name#tag
	state      Result
	retries    int
	suppress   bool // leaves the track locks to an owner (TRK-13)

	profile   Profile   // in force when it started
	held      Tracks    // locked by this runner itself
	since     time.Time // queued, then started
	timed     bool      // startedAt is set
	startedAt time.Time // first update of this attempt
	initTried bool      // Init was called, so Stop must be called
	initDone  bool
	treads    hardware.Treads // at the last step
	adopted   bool            // the host knows the runner
	broken    bool            // the action panicked or hung; no method of it may be called again
	hung      bool            // the action did not return in time
	// getters holds the last values of the action's getters. It is not read once the action is broken: a goroutine that
	// hangs may still write it.
	getters  *getterValues
	unlocked bool // a child whose tracks were freed between two attempts
	canceled bool // during its own call
	first    bool // begins before the others
	detail   string

	phase, shown string // of a child: the newest status, alone and with the name

	sub        []Result
	why        because
	childLocks []childLock
	childTags  []Tag
}

// A because is the newest result of a child of a compound that told more than the result.
type because struct {
	result Result
	detail string
}

// A childLock records the tracks that one child of a compound holds.
type childLock struct {
	holder string
	tracks Tracks
}

// Action returns the author's action. Hosts call it through Do.
func (r *Runner) Action() Action { return r.action }

// Tag returns the tag that names the runner.
func (r *Runner) Tag() Tag { return r.tag }

// Owner returns the name of the behavior or client that queued the action.
func (r *Runner) Owner() string { return r.owner }

// Name returns the name that the action had when it was queued.
func (r *Runner) Name() string { return r.name }

// Type returns the newest type of the action.
func (r *Runner) Type() Type { return r.actionType }

// State is NOT_STARTED, RUNNING, INTERRUPTED or the final result.
func (r *Runner) State() Result { return r.state }

// status describes the phase after the last step, for display.
func (r *Runner) status() string {
	switch {
	case r.state == NotStarted:
		return "pending"
	case r.state == Interrupted:
		return "interrupted"
	case r.broken:
		return "failed"
	case !r.initDone:
		return "checking preconditions"
	case r.getters.status != "":
		return r.getters.status
	}
	return "running"
}
