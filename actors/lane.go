package actors

import (
	"time"

	"github.com/robotd/robotd/hardware"
)

// A Timeline is the one clock of a robot: it tells time and runs what is due. [Live] is monotonic, [Conductor] virtual.
type Timeline interface {
	Now() time.Time
	// Lane opens the place where one participant's work runs, one piece at a time. At one instant lanes of lower rank
	// go first, then those of lower name. Names are unique.
	Lane(name string, rank int) Lane
}

// Ranks of the participants at one instant: devices by name, then their supervisor, then the tick.
const (
	rankDevice     = 1
	rankHardware   = 2
	rankSupervisor = 3
)

// A Lane runs the work of one participant in order. Work may sleep on the lane's clock; nobody else may.
type Lane interface {
	hardware.Clock
	// Post runs f as soon as the lane is free.
	Post(f func())
	// At runs f at instant t, or as soon as the lane is free afterwards. The returned function cancels it if it has not
	// begun.
	At(t time.Time, f func()) (cancel func())
	// Watch calls f, on a goroutine of its own, unless the returned function was called within d: for work that may never
	// return. In virtual time, where a hang stops the conductor for everybody to see, it does nothing.
	Watch(d time.Duration, f func()) (done func())
	// Close ends the lane when its present work is done. Work that waits is dropped.
	Close()
}

// laneDispatcher runs protoactor mailboxes on a lane. A long-lived goroutine keeps its grown stack, which is most of what
// a message costs.
type laneDispatcher struct{ lane Lane }

// Schedule implements actor.Dispatcher.
func (d laneDispatcher) Schedule(fn func()) { d.lane.Post(fn) }

// Throughput implements actor.Dispatcher: how many messages run before others get a chance. A lane has no others.
func (d laneDispatcher) Throughput() int { return 300 }
