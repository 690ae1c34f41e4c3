package behaviortest

import (
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/enginetest"
	"github.com/robotd/robotd/behaviors/engine/tape"
)

// start makes the engine of a scenario, and says how it decides.
func (e *Env) start(cat *catalog.Catalog, o Options) {
	e.t.Helper()
	if !o.Taped {
		e.Engine = e.live(cat, o, nil)
		e.decide = func(in engine.Input) *engine.Output {
			out := e.Engine.Step(in)
			rest(o)
			return out
		}
		return
	}
	rec := enginetest.NewTape()
	live := e.live(cat, o, tape.NewRecorder(rec.Write))
	next := func() *tape.Entry {
		entry, err := rec.Next()
		if err != nil {
			e.t.Fatal(err)
		}
		return entry
	}
	replay, err := tape.NewReplay(next(), tape.ReplayOptions{Options: engine.Options{Catalog: cat}})
	if err != nil {
		e.t.Fatal(err)
	}
	e.Engine = replay.Engine()
	e.decide = func(in engine.Input) *engine.Output {
		live.Step(in)
		rest(o)
		out, err := replay.Step(next())
		if err != nil {
			e.t.Fatalf("tick %d: %v", in.Tick, err)
		}
		return out
	}
}

// live starts an engine that decides for itself.
func (e *Env) live(cat *catalog.Catalog, o Options, r engine.Recorder) *engine.Engine {
	e.t.Helper()
	eng, err := engine.New(engine.Options{Catalog: cat, Base: o.Base, Hooks: o.Hooks, Recorder: r})
	if err != nil {
		e.t.Fatal(err)
	}
	if err := eng.Start(e.now); err != nil {
		e.t.Fatal(err)
	}
	rest(o)
	return eng
}

func rest(o Options) {
	if o.Rest != nil {
		o.Rest()
	}
}
