package actions

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// A Runner is one queued action, or one child of a compound: its tag, its state and its time gates. It lives on the
// goroutine of the list (a child: on that of the compound's call).
//
// State is a Result: NOT_STARTED until the first update, RUNNING, INTERRUPTED, or the final one.
type Runner struct {
	action   Action
	tag      Tag // the custom tag if there is one
	auto     Tag // stays reserved beside a custom tag (TAG-2)
	owner    string
	name     string
	kind     Type
	who      string // holder name in the track table: name#tag
	state    Result
	retries  int
	suppress bool // TRK-13

	profile  Profile   // in force when it started
	held     Tracks    // locked by this runner itself
	since    time.Time // queued, then started
	begun    bool      // start is stamped
	start    time.Time // first update of this attempt
	touched  bool      // Init was attempted: Stop is due
	initDone bool
	treads   hardware.Treads
	adopted  bool
	broken   bool   // panicked or overran: the action must not be touched again
	hung     bool   // overran
	said     *facts // what its getters said last; not read once broken, for who hangs may still write it
	rested   bool   // a child whose tracks were freed between two attempts
	canceled bool   // by itself, in the middle of its own call
	detail   string

	sub        []Result
	childLocks []childLock
	childTags  []Tag
}

// childLock is what one child of a compound holds.
type childLock struct {
	who    string
	tracks Tracks
}

// Action is the user's code. Hosts call it through Do.
func (r *Runner) Action() Action { return r.action }

// Tag is the name of the runner.
func (r *Runner) Tag() Tag { return r.tag }

// Owner is who queued it.
func (r *Runner) Owner() string { return r.owner }

// Name is the action's name when it was queued.
func (r *Runner) Name() string { return r.name }

// Type is the newest type of the action.
func (r *Runner) Type() Type { return r.kind }

// State is NOT_STARTED, RUNNING, INTERRUPTED or the final result.
func (r *Runner) State() Result { return r.state }

// status is the phase for display, as of the last step.
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
	case r.said.status != "":
		return r.said.status
	}
	return "running"
}
