package replay

import (
	"errors"
	"time"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/metrics/record"
)

// A Verdict is what came of deciding a life again.
type Verdict struct {
	Ticks  uint64        // that were decided and agree
	Lived  time.Duration // robot time until the last of them
	Took   time.Duration // wall time
	Parted *Parted       // nil if every tick agrees
	// Unreadable is why the recording could not be decided to its end; nil if it could.
	Unreadable error
}

// A Parted is the first tick that was decided otherwise.
type Parted struct {
	At record.Instant
	*tape.DiffError
}

// Speed is how many times faster than real time it was.
func (v *Verdict) Speed() float64 { return float64(v.Lived) / float64(max(v.Took, 1)) }

// Changes makes the changes of definitions of a recorded life; see engine.Options.
type Changes func(c *engine.Command) (*catalog.Change, error)

// Verify decides a recorded life again, with the behaviors that it was lived with, until a tick differs from the recording.
func Verify(h record.History, cat *catalog.Catalog, changes Changes) (*Verdict, error) {
	v, begin := &Verdict{}, time.Now()
	var r *tape.Replay
	var failed error
	v.Unreadable = each(h, func(at record.Instant, e *tape.Entry) bool {
		if r == nil {
			r, failed = start(e, cat, changes)
		} else {
			_, failed = r.Step(e)
		}
		var differs *tape.DiffError
		if errors.As(failed, &differs) {
			v.Parted, failed = &Parted{at, differs}, nil
			return false
		}
		if e.Kind == engine.CallStep && failed == nil {
			v.Ticks, v.Lived = v.Ticks+1, at.At
		}
		return failed == nil
	})
	v.Took = time.Since(begin)
	return v, failed
}

// start begins a replay with some behaviors. A base that they do not have is left to their boot configuration.
func start(e *tape.Entry, cat *catalog.Catalog, changes Changes) (*tape.Replay, error) {
	o := tape.ReplayOptions{Options: engine.Options{Catalog: cat, Changes: changes}}
	if cat.Find(e.Base) == nil {
		o.Base = cat.Boot.Base
	}
	return tape.NewReplay(e, o)
}
