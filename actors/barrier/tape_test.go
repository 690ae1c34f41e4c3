package barrier

import (
	"bytes"
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
	"github.com/robotd/robotd/hardware"
)

// A mire holds whoever steps into it until the test ends, and knows who was in it.
type mire struct {
	release chan struct{}
	steps   atomic.Int32
}

func (m *mire) step() {
	m.steps.Add(1)
	<-m.release
}

// sinker hangs in one place: "wants", "start", "update", "scope" or "action", after some requests.
type sinker struct {
	id, where string
	mire      *mire
}

func (s *sinker) WantsToBeActivated(c *behaviors.Control) bool {
	if s.id == "B" && s.where == "wants" && c.Tick() == 2 {
		c.Wants("C")
		s.mire.step()
	}
	return true
}

func (s *sinker) OnActivated(c *behaviors.Control) {
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
			s.mire.step()
		}
	}
	if s.where == "action" && c.Tick() == 2 {
		c.Act(&sinkingAction{s.mire}, func(c *behaviors.Control, o behaviors.Outcome) { c.Suggest("back " + o.Completion.Result.String()) })
	}
}

func (s *sinker) Update(c *behaviors.Control) {
	switch {
	case s.id == "A" && c.InControl() && c.Tick() > 1:
		if c.Wants("B") {
			c.DelegateTo("B", nil)
		}
	case s.id == "B" && s.where == "update" && c.Tick() == 3:
		c.Tracks().Lock("l", actions.Body)
		c.CancelSelf()
		s.mire.step()
	case s.id == "C" && s.where == "scope" && c.Tick() == 3:
		c.Wants("D")
		s.mire.step()
	}
}

func (s *sinker) Modify(m *behaviors.Modifiers, _ func(string) behaviors.Modifiers) {
	m.AlwaysDelegates = false
}

// sinkingAction hangs after it gave an order.
type sinkingAction struct{ mire *mire }

func (s *sinkingAction) Name() string                     { return "sinking" }
func (s *sinkingAction) Type() actions.Type               { return actions.TypeWait }
func (s *sinkingAction) Tracks() actions.Tracks           { return actions.Head }
func (s *sinkingAction) Init(*actions.Env) actions.Result { return actions.Success }
func (s *sinkingAction) CheckIfDone(env *actions.Env) actions.Result {
	env.Send(hardware.MoveHead{ID: env.NextID(), AngleRad: env.Rand.Float64()})
	s.mire.step()
	env.Send(hardware.MoveHead{ID: env.NextID()}) // nobody hears of it
	return actions.Running
}

func sinkers(t *testing.T, where string, m *mire) *catalog.Catalog {
	t.Helper()
	reg := behaviors.NewRegistry(behaviors.Class{Name: "Sinker", New: func(cfg *behaviors.Config) behaviors.Behavior {
		cfg.MayDelegateTo(map[string][]string{"A": {"B", "C", "D"}, "B": {"C"}}[cfg.ID()]...)
		return &sinker{cfg.ID(), where, m}
	}})
	file := func(id string) string { return actorstest.File("Sinker", id) }
	return actorstest.Catalog(t, reg, "A", "A", file("A"), file("B"), file("C"), file("D"))
}

// A hook or action that hung is given up in the replay at the same place, after the same requests, and is not run: it would hang
// again. Verdicts of the wall clock are inputs that are recorded, so that a replay is exact.
func TestReplayGivesUpRecordedHangs(t *testing.T) {
	for _, where := range []string{"wants", "start", "update", "scope", "action"} {
		t.Run(where, func(t *testing.T) {
			m := &mire{release: make(chan struct{})}
			cat := sinkers(t, where, m)
			tape := &engine.Tape{}
			j, stop := start(t, 30*time.Millisecond)
			defer stop()
			eng, err := engine.New(engine.Options{Catalog: cat, Hooks: j, Recorder: engine.NewRecorder(tape.Add)})
			if err != nil {
				t.Fatal(err)
			}
			if err := eng.Start(actorstest.Epoch); err != nil {
				t.Fatal(err)
			}
			for tick := range 6 {
				now := actorstest.Epoch.Add(time.Duration(tick+1) * period)
				eng.Step(engine.Input{Tick: uint64(tick + 1), Now: now, World: hardware.Snapshot{Now: now}, Seed: 1})
				j.EndTick()
			}
			if got := j.Stats(); got.Hangs != 1 || m.steps.Load() != 1 {
				t.Fatalf("%+v after %d steps into the mire", got, m.steps.Load())
			}
			close(m.release)
			replayHang(t, cat, tape, eng)
			if n := m.steps.Load(); n != 1 {
				t.Errorf("%d steps into the mire: the replay ran what hung", n)
			}
		})
	}
}

func replayHang(t *testing.T, cat *catalog.Catalog, tape *engine.Tape, was *engine.Engine) {
	t.Helper()
	var text bytes.Buffer
	if _, err := tape.WriteTo(&text); err != nil {
		t.Fatal(err)
	}
	tape, err := engine.ReadTape(&text)
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.NewReplay(tape.Entries[0], engine.ReplayOptions{Options: engine.Options{Catalog: cat}})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range tape.Entries[1:] {
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
