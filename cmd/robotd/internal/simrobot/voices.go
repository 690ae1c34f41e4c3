package simrobot

import (
	"slices"
	"sync/atomic"

	"github.com/robotd/robotd/actors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/behaviors/engine"
	"github.com/robotd/robotd/hardware/sim"
)

// voices hands what simulated people say to the next tick, as a speech service does: the wake word, and intents.
type voices struct {
	ears atomic.Pointer[ears]
}

type ears struct {
	said    func() []sim.Utterance
	inbox   *actors.Inbox
	intents []string // that the tree knows
}

// hear begins to listen if the world has people who speak.
func (r *Robot) hear(inbox *actors.Inbox, intents []string) {
	if w, ok := r.Rig.(interface{ Said() []sim.Utterance }); ok {
		r.voices.ears.Store(&ears{said: w.Said, inbox: inbox, intents: intents})
	}
}

// listen passes on what was said since the last tick. Posting never blocks; a full inbox refuses, like a service that is not heard. What the tree has
// no intent for is not understood.
func (v *voices) listen() {
	e := v.ears.Load()
	if e == nil {
		return
	}
	for _, u := range e.said() {
		switch {
		case u.Wake:
			_, _ = e.inbox.Post(engine.Command{Kind: engine.WakeWord})
		case slices.Contains(e.intents, u.Intent):
			_, _ = e.inbox.Post(engine.Command{Kind: engine.PostIntent, Intent: &condition.Intent{Tag: u.Intent, Source: "person"}})
		}
	}
}
