package engine_test

import (
	"testing"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/actiontest"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
	"github.com/robotd/robotd/hardware"
)

// An action that sends nothing at all, as a command, harms nobody who listens: the recording, its replay and the hash go on.
func TestACommandThatIsNoneIsWorded(t *testing.T) {
	hash := tape.NewHasher()
	none := hash.Sum()
	r, rec := recorded(t, "R+", func(r *rig) {
		r.of("R").start = func(c *behaviors.Control) {
			act := actiontest.NewStub("act", actions.Head)
			act.OnCheck = func(env *actions.Env) { env.Send(nil) }
			c.Act(act, nil)
		}
	}, 3)
	if _, err := replay(r, rec, tape.ReplayOptions{}); err != nil {
		t.Error(err)
	}
	out := &engine.Output{Tick: 1, Commands: []hardware.Command{nil, (*hardware.Drive)(nil)}}
	if hash.Add(out); hash.Sum() == none {
		t.Error("they are not part of the hash")
	}
	log := tape.LogOf(out)
	if want := []string{">  <nil>", ">  (*hardware.Drive)(nil)"}; len(log.Lines) != 2 || log.Lines[0] != want[0] || log.Lines[1] != want[1] {
		t.Errorf("%q, want %q", log.Lines, want)
	}
}
