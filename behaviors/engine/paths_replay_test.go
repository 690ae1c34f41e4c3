package engine_test

import (
	"fmt"
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/hardware"
)

// wayfinder asks for a way, says what it sees of it, and may panic after it asked.
type wayfinder struct {
	*actiontest.Stub
	panics bool
	id     uint64
}

func (a *wayfinder) Init(env *actions.Env) actions.Result {
	a.id = env.Paths.Ask(actions.PathQuestion{Goals: []hardware.Pose{{XMM: 150}}})
	if a.panics {
		panic("after it asked")
	}
	return actions.Success
}

func (a *wayfinder) CheckIfDone(env *actions.Env) actions.Result {
	way, state := env.Paths.Look(a.id)
	if state == actions.PathComputing {
		return actions.Running
	}
	env.Send(hardware.PlaySound{Text: fmt.Sprint(state, way.Points)})
	env.Paths.Drop(a.id)
	return actions.Success
}

func asking(panics bool) func(r *rig) {
	return func(r *rig) {
		r.of("R").update = func(c *behaviors.Control) {
			if c.InControl() {
				c.Act(&wayfinder{Stub: actiontest.NewStub("ask", actions.Body), panics: panics}, nil)
			}
		}
	}
}

// A replay has the plans that came, and needs nobody who plans.
func TestReplayNeedsNoPlanner(t *testing.T) {
	for _, panics := range []bool{false, true} {
		_, rec := recorded(t, "R+", asking(panics), 12)
		came, verdicts := 0, 0
		for _, e := range rec.Entries {
			came += len(e.Input.Plans)
			verdicts += len(e.Verdicts)
		}
		if came < 3 || panics && verdicts < 3 {
			t.Errorf("panics %v: %d plans came, %d verdicts", panics, came, verdicts)
		}
		again := newRig(t, "R+", asking(panics))
		p, err := tape.NewReplay(rec.Entries[0], tape.ReplayOptions{Options: engine.Options{Catalog: again.opts.Catalog}})
		if err != nil {
			t.Fatal(err)
		}
		ordered := 0
		for _, e := range rec.Entries[1:] {
			out, err := p.Step(e)
			if err != nil {
				t.Fatalf("panics %v: %v", panics, err)
			}
			ordered += len(out.Plans)
		}
		if ordered < came {
			t.Errorf("panics %v: the replay ordered %d plans, the recording got %d", panics, ordered, came)
		}
	}
}

// A plan that came otherwise is another life, and the replay of the first says where.
func TestReplayNamesAnotherPlan(t *testing.T) {
	_, rec := recorded(t, "R+", asking(false), 12)
	for _, e := range rec.Entries {
		for i := range e.Input.Plans {
			e.Input.Plans[i].State = actions.PathImpossible
		}
	}
	if _, err := replay(newRig(t, "R+", asking(false)), rec, tape.ReplayOptions{}); err == nil {
		t.Error("the replay found no difference")
	}
}
