// Package enginetest runs traces on an engine: those of package stack and those of package engine, by direct calls,
// through any other hook runner such as real actors, and from a recording of such a run that went through bytes. The same file
// must give the same lines in each. It is imported by tests only.
package enginetest

import (
	"math"
	"time"

	"github.com/robotd/robotd/behaviors"

	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/behaviors/stack"
	"github.com/robotd/robotd/hardware"
)

// A Runner is what an engine of a trace runs on. Rest is called after each call of the engine; nil means nothing.
type Runner struct {
	engine.HookRunner
	Rest func()
}

// Direct is the hook runner of direct calls.
func Direct() Runner { return Runner{HookRunner: &engine.Direct{}} }

// Epoch is the instant at which traces begin, Period the time between two of their ticks.
var Epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// Period is the time between two ticks of a trace.
const Period = 60 * time.Millisecond

// unlimited is a number of failures that no trace reaches.
const unlimited = math.MaxInt32

// bench is an engine with what a trace needs to know of it. It decides for itself, or from the entries of a tape.
type bench struct {
	open     func() Runner
	recorder engine.Recorder // of an engine that is recorded
	entry    *tape.Entry     // of a replay: what is decided next
	lost     func(*tape.Verdict, func() *behaviors.Request)

	eng    *engine.Engine
	replay *tape.Replay
	hooks  Runner
	tick   uint64
	bad    []string // what parted from the recording
}

// start makes the engine, and returns the events of the start.
func (b *bench) start(cat *catalog.Catalog, failures int) ([]stack.Event, error) {
	if failures == 0 {
		failures = unlimited
	}
	b.hooks = b.open()
	o := engine.Options{Catalog: cat, Hooks: b.hooks.HookRunner, Recorder: b.recorder, MaxFailures: failures}
	if b.entry != nil {
		o.MaxFailures = 0 // the recording says
		r, err := tape.NewReplay(b.entry, tape.ReplayOptions{Options: o, Lost: b.lost})
		if err != nil {
			return nil, err
		}
		b.replay, b.eng = r, r.Engine()
	} else {
		e, err := engine.New(o)
		if err != nil {
			return nil, err
		}
		b.eng = e
		if err := e.Start(Epoch); err != nil {
			return nil, err
		}
	}
	b.rest()
	return b.eng.Stack().TakeEvents(nil), nil
}

func (b *bench) rest() {
	if b.hooks.Rest != nil {
		b.hooks.Rest()
	}
}

// call makes one call of the engine, or decides the entry that was given.
func (b *bench) call(f func() (*engine.Output, error)) (*engine.Output, error) {
	defer b.rest()
	if b.replay == nil {
		return f()
	}
	out, err := b.replay.Step(b.entry)
	if err != nil && out != nil {
		b.bad = append(b.bad, err.Error())
		err = nil
	}
	return out, err
}

// step runs one tick.
func (b *bench) step(events []behaviors.Event, commands []engine.Command) *engine.Output {
	b.tick++
	now := Epoch.Add(time.Duration(b.tick) * Period)
	out, err := b.call(func() (*engine.Output, error) {
		return b.eng.Step(engine.Input{
			Tick: b.tick, Now: now, World: hardware.Snapshot{Now: now}, Events: events, Commands: commands, Seed: 1,
		}), nil
	})
	if err != nil {
		b.bad = append(b.bad, err.Error())
		return &engine.Output{}
	}
	return out
}

func (b *bench) shutdown() *engine.Output {
	out, err := b.call(func() (*engine.Output, error) { return b.eng.Shutdown(), nil })
	if err != nil {
		b.bad = append(b.bad, err.Error())
		return &engine.Output{}
	}
	return out
}

func (b *bench) resetNow(base string) (*engine.Output, error) {
	return b.call(func() (*engine.Output, error) { return b.eng.ResetNow(base) })
}

// violations are those of the stack, and what parted from the recording.
func (b *bench) violations() []string {
	bad := append(b.eng.Stack().Violations(), b.bad...)
	b.bad = nil
	return bad
}
