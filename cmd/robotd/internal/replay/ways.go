package replay

import (
	"reflect"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/actions/path"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/behaviors/engine/tape"
)

// ways answers the questions for a way that only the side with other behaviors asks. The recording has no answers to them, and without one a drive
// gives up after 6 s, which would say nothing of the other behaviors. They are planned here and come in the tick after the question, as in
// virtual time. Answers that both sides asked for are the recorded ones, when they came.
type ways struct{ due []actions.PathAnswer }

// into is the entry with the answers that are due, if it is that of a tick.
func (w *ways) into(e *tape.Entry) *tape.Entry {
	if len(w.due) == 0 || e.Kind != engine.CallStep {
		return e
	}
	with := *e
	with.Input.Plans = append(w.due, e.Input.Plans...) // the first answer to a question counts
	w.due = nil
	return &with
}

// plan answers what here was asked in a tick and not in the recording, for the robot that the recording says.
func (w *ways) plan(e *tape.Entry, was, here *engine.Output) {
	if e.Kind != engine.CallStep {
		return
	}
	body := e.Input.World.Motors.Value.Outline()
	for i := range here.Plans {
		if o := &here.Plans[i]; !asked(was, o) {
			w.due = append(w.due, path.Plan(o, path.Outline{FrontMM: float64(body.FrontMM), BackMM: float64(body.BackMM), WidthMM: float64(body.WidthMM)}))
		}
	}
}

// asked reports whether a question was asked in the recording, too: with the same number, for the same.
func asked(was *engine.Output, o *actions.PathOrder) bool {
	for i := range was.Plans {
		if p := &was.Plans[i]; p.ID == o.ID {
			return p.From == o.From && p.Carried == o.Carried && reflect.DeepEqual(p.Question, o.Question)
		}
	}
	return false
}
