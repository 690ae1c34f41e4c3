package barrier

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actors/actorstest"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/catalog"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/hardware"
)

// A blocker blocks each hook that calls step until the test ends, and counts them.
type blocker struct {
	release chan struct{}
	steps   atomic.Int32
}

func (m *blocker) step() {
	m.steps.Add(1)
	<-m.release
}

// hanging hangs in one place: "wants", "start", "update", "scope" or "action", after some requests.
type hanging struct {
	id, where string
	blocker   *blocker
}

func (s *hanging) WantsToBeActivated(c *behaviors.Control) bool {
	if s.id == "B" && s.where == "wants" && c.Tick() == 2 {
		c.Wants("C")
		s.blocker.step()
	}
	return true
}

func (s *hanging) OnActivated(c *behaviors.Control) {
	if s.id != "B" {
		return
	}
	c.Tracks().Lock("k", actions.Lift)
	c.Send(hardware.ShowFace{Face: "happy"})
	c.PlayEmergencyGetOut(&stint{left: 3, tracks: actions.Face})
	c.Lights().Show(hardware.LightsBackpack, behaviors.LightPattern{On: [5]hardware.RGB{{G: 1}}})
	c.Power().Save()
	c.TriggerWord().Respond(condition.Response{Effect: condition.StreamingDisabled})
	if s.where == "start" && c.Tick() == 2 {
		if c.Wants("C") && c.DelegateTo("C", nil) {
			s.blocker.step()
		}
	}
	if s.where == "action" && c.Tick() == 2 {
		c.Act(&hangingAction{s.blocker}, func(c *behaviors.Control, o behaviors.Outcome) { c.Suggest("back " + o.Completion.Result.String()) })
	}
}

func (s *hanging) Update(c *behaviors.Control) {
	switch {
	case s.id == "A" && c.InControl() && c.Tick() > 1:
		if c.Wants("B") {
			c.DelegateTo("B", nil)
		}
	case s.id == "B" && s.where == "update" && c.Tick() == 3:
		c.Tracks().Lock("l", actions.Body)
		c.CancelSelf()
		s.blocker.step()
	case s.id == "C" && s.where == "scope" && c.Tick() == 3:
		c.Wants("D")
		s.blocker.step()
	}
}

func (s *hanging) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

// hangingAction hangs after it sent a command.
type hangingAction struct{ blocker *blocker }

func (s *hangingAction) Name() string                     { return "hanging" }
func (s *hangingAction) Type() actions.Type               { return actions.TypeWait }
func (s *hangingAction) Tracks() actions.Tracks           { return actions.Head }
func (s *hangingAction) Init(*actions.Env) actions.Result { return actions.Success }
func (s *hangingAction) CheckIfDone(env *actions.Env) actions.Result {
	env.Send(hardware.MoveHead{ID: env.NextID(), AngleRad: env.Rand.Float64()})
	s.blocker.step()
	env.Send(hardware.MoveHead{ID: env.NextID()}) // this has no effect
	return actions.Running
}

func hangingCatalog(t *testing.T, where string, m *blocker) *catalog.Catalog {
	t.Helper()
	reg := behaviors.NewRegistry(behaviors.Class{Name: "Hanging", New: func(cfg *behaviors.Config) behaviors.Behavior {
		cfg.MayDelegateTo(map[string][]string{"A": {"B", "C", "D"}, "B": {"C"}}[cfg.ID()]...)
		return &hanging{cfg.ID(), where, m}
	}})
	file := func(id string) string { return actorstest.File("Hanging", id) }
	return actorstest.Catalog(t, reg, "A", "A", file("A"), file("B"), file("C"), file("D"))
}

// A hook or action that hung is given up in the replay at the same place, after the same requests, and is not run: it would hang
// again. Verdicts of the wall clock are inputs that are recorded, so that a replay is exact.
func TestReplayGivesUpRecordedHangs(t *testing.T) {
	for _, where := range []string{"wants", "start", "update", "scope", "action"} {
		t.Run(where, func(t *testing.T) {
			m := &blocker{release: make(chan struct{})}
			cat := hangingCatalog(t, where, m)
			rec := &tape.Tape{}
			b, stop := start(t, 30*time.Millisecond)
			defer stop()
			eng, err := engine.New(engine.Options{Catalog: cat, Hooks: b, Recorder: tape.NewRecorder(rec.Add)})
			if err != nil {
				t.Fatal(err)
			}
			if err := eng.Start(actorstest.Epoch); err != nil {
				t.Fatal(err)
			}
			for tick := range 6 {
				now := actorstest.Epoch.Add(time.Duration(tick+1) * period)
				eng.Step(engine.Input{Tick: uint64(tick + 1), Now: now, World: hardware.Snapshot{Now: now}, Seed: 1})
				b.EndTick()
			}
			if got := b.Stats(); got.Hangs != 1 || m.steps.Load() != 1 {
				t.Fatalf("%+v after %d hooks blocked", got, m.steps.Load())
			}
			close(m.release)
			replayHang(t, cat, rec, eng)
			if n := m.steps.Load(); n != 1 {
				t.Errorf("%d hooks blocked: the replay ran what hung", n)
			}
		})
	}
}

func replayHang(t *testing.T, cat *catalog.Catalog, rec *tape.Tape, was *engine.Engine) {
	t.Helper()
	messages, err := rec.Encode()
	if err != nil {
		t.Fatal(err)
	}
	rec, err = tape.Decode(messages)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tape.NewReplay(rec.Entries[0], tape.ReplayOptions{Options: engine.Options{Catalog: cat}})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range rec.Entries[1:] {
		if _, err := r.Step(e); err != nil {
			t.Fatal(err)
		}
	}
	held := func(e *engine.Engine) string {
		return fmt.Sprint(e.Stack().Depth(), e.Actions().Tracks().Holders(), e.View().Suggestions)
	}
	if a, b := held(was), held(r.Engine()); a != b {
		t.Errorf("after the recording %s, after the replay %s", a, b)
	}
}
