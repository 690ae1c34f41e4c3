package engine

import (
	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

// A tickBuffer is the memory of one tick's view and world.
type tickBuffer struct {
	view  condition.View
	world hardware.World
}

// tickBuffers hands out the memory of the ticks: that of the last one stays whole during the next, because stops of actions
// outside their phase still see it, and then it is used again. After a lost incarnation or action both are dropped, because
// a hook that never returned may read its own for ever.
//
// The history of the mood has two tapes of samples in the same way: while one is written, the other is still what the views of
// the last ticks show.
type tickBuffers struct {
	last, spare *tickBuffer

	mood, oldMood condition.MoodHistory // the whole length of each
}

const (
	// moodTicks is how far back the history of the mood goes: scorers look 60 ticks back.
	moodTicks = 64
	// moodTape is how many samples are written before the newest are copied to the other tape.
	moodTape = 4 * moodTicks
)

// felt appends a sample to a history. The samples before it belong to views that hooks may still hold; the new one lies behind the
// end of theirs.
func (m *tickBuffers) felt(h condition.MoodHistory, now condition.Mood) condition.MoodHistory {
	h = h[max(0, len(h)-moodTicks):]
	if len(h) == cap(h) {
		if m.oldMood == nil {
			m.oldMood = make(condition.MoodHistory, 0, moodTape)
		}
		m.mood, m.oldMood = m.oldMood, m.mood
		h = append(m.mood, h...)
	}
	return append(h, now)
}

// next is the memory of the tick that begins.
func (m *tickBuffers) next() *tickBuffer {
	if m.spare == nil {
		m.spare = &tickBuffer{}
	}
	m.last, m.spare = m.spare, m.last
	return m.last
}

// drop forgets the memory of both ticks.
func (m *tickBuffers) drop() { *m = tickBuffers{} }

// actionHost is the engine between the action list and the hooks: it is told of lost actions, whose code may still read the world
// that it was given.
type actionHost Engine

// Adopt implements actions.Host.
func (h *actionHost) Adopt(r *actions.Runner) { h.hooks.Adopt(r) }

// Release implements actions.Host.
func (h *actionHost) Release(r *actions.Runner) { h.hooks.Release(r) }

// Call implements actions.Host.
func (h *actionHost) Call(r *actions.Runner, op actions.Op, env *actions.Env) (actions.Result, error) {
	res, err := h.hooks.Call(r, op, env)
	if err != nil {
		h.buffers.drop()
	}
	return res, err
}
