package facts

import (
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/cmd/robotd/internal/control"
	"github.com/robotd/robotd/cmd/robotd/internal/feed"
	"github.com/robotd/robotd/hardware"
	"github.com/robotd/robotd/hardware/sim"
)

// raw is the state of the robot at the end of one tick, copied and not yet worded. Its memory is used again. What rarely changes is nil
// or empty if it did not change since the raw before.
type raw struct {
	tick               uint64
	at                 time.Duration
	duration, lateness time.Duration
	missed, skipped    uint64 // since start

	catalog   *catalog.Catalog
	layers    []rawLayer
	scope     []*engine.Cell // nil with sameScope
	sameScope bool
	answers   *behaviors.Answers
	disabled  []string // behaviors in scope that failed too often
	actions   []actions.Info
	done      []rawDone
	tracks    []actions.TrackHolders // nil: unchanged
	world     hardware.World
	mood      condition.Mood
	face      engine.FaceLayer
	pending   string
	active    string
	feature   engine.FeatureRun
	stats     []control.StatState    // nil: unchanged
	services  *control.ServicesState // nil: unchanged
	settings  *control.SettingsState // nil: unchanged
	boot      bootValue
	stop      control.StopState
	events    []stack.Event
	replies   []string
	features  []engine.FeatureChange
	troubles  *control.TroubleState // nil: unchanged
	devices   []feed.DeviceCounts   // nil: unchanged; by hardware.Names
	counters  control.CounterState
	notes     []note
	lines     []control.LogEntry
	truth     *truth // nil: to be asked off the tick, or there is none
}

type rawLayer struct {
	cell  *engine.Cell
	state string
	since time.Time
}

// A rawDone is the end of an action.
type rawDone struct {
	tag                         uint64
	owner, name, result, detail string
}

// A note is an event that no tick told.
type note struct {
	at time.Duration
	eventValue
}

// truth is what is true in the simulated world.
type truth struct {
	view   sim.View
	stats  sim.Stats
	faults []sim.Fault
}

// reset makes r empty and keeps its memory. What was handed on is not used again.
func (r *raw) reset() {
	*r = raw{
		layers: r.layers[:0], scope: r.scope[:0], answers: r.answers, disabled: r.disabled[:0], actions: r.actions[:0], done: r.done[:0], events: r.events[:0],
		replies: r.replies[:0], features: r.features[:0], notes: r.notes[:0], lines: r.lines[:0],
	}
}
