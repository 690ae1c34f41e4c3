package engine

import (
	"maps"

	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
)

// A release undoes one thing that a behavior may hold. Each is idempotent.
type release struct {
	rule string // of B-12
	undo func(e *Engine, c *Cell, suggestion string)
}

// releases are B-12 (8)…(18) in their order. The instance itself does the steps before (8), unless it is lost.
var releases = [...]release{
	{"8 motion profile", func(e *Engine, c *Cell, _ string) { e.profile.drop(c) }},
	{"9 track locks", func(e *Engine, c *Cell, _ string) { e.locks.drop(c) }},
	{"10 custom lights", func(e *Engine, c *Cell, _ string) { e.lights.drop(c) }},
	{"11 suggestion", func(e *Engine, _ *Cell, suggestion string) { e.suggest(suggestion) }},
	{"12 intent", func(e *Engine, c *Cell, _ string) { _, _ = e.intents.drop(c) }},
	{"13 trigger-word response", func(e *Engine, c *Cell, _ string) { e.responses.pop(c) }},
	{"14 trigger-word lock", func(e *Engine, c *Cell, _ string) { e.responses.heed(c) }},
	{"15 power save", func(e *Engine, c *Cell, _ string) { e.power.drop(c) }},
	{"16 cube", func(e *Engine, c *Cell, _ string) { e.cube.unsubscribe(c) }},
	{"17 face", func(e *Engine, c *Cell, _ string) { e.face.drop(c) }},
	{"18 active feature", func(e *Engine, c *Cell, _ string) { e.feature.drop(c) }},
	{"fixed emotions", func(e *Engine, c *Cell, _ string) { e.mood.drop(c) }},
}

// serveReleaseHoldings is the end of an ordinary deactivation.
func (e *Engine) serveReleaseHoldings(c *Cell, r *behaviors.Request) { e.releaseHoldings(c, r.Key) }

// releaseHoldings undoes everything that c holds while activated (B-12.8…18), and offers its suggestion if it ended in good order.
// It is idempotent, and runs here and not in the behavior when its incarnation was lost.
func (e *Engine) releaseHoldings(c *Cell, suggestion string) {
	for i := range releases {
		releases[i].undo(e, c, suggestion)
	}
	e.locked -= len(c.suppressed)
	clear(c.suppressed)
	c.stopAfter = false
}

// releaseScope undoes what c may hold in scope already: what it and its conditions look for, and a response.
func (e *Engine) releaseScope(c *Cell) {
	e.looks.drop(c)
	e.responses.pop(c)
}

// releaseActivation releases everything that c holds because it is activated.
func (e *Engine) releaseActivation(c *Cell) {
	e.helpEnds(c)
	e.releaseDelegate(c)
	e.releaseHoldings(c, "")
	c.by = nil
	c.forgetInterrupts()
}

// release releases everything that a lost incarnation held. Memory that its code may still read, if it hangs, is not used again.
func (e *Engine) release(c *Cell) {
	c.events = nil
	e.buffers.drop()
	e.releaseActivation(c)
	e.releaseScope(c)
	e.getOut.lose(c)
}

// lose marks the incarnation of c as lost and releases everything that it held. If it was on the stack, its delegator is told of
// a loss and not of an ordinary end.
func (e *Engine) lose(c *Cell, activated bool) {
	c.Lose()
	e.losses++
	if activated && c.by != nil {
		c.by.outcome = nil
	}
	e.release(c)
}

// stamp sets a named timer to now.
func (e *Engine) stamp(name string) {
	e.change(func(v *condition.View) { v.Timers = with(v.Timers, name, v.Now) })
}

// suggest offers a post-behavior suggestion; "" is none.
func (e *Engine) suggest(name string) {
	if name != "" {
		e.change(func(v *condition.View) { v.Suggestions = with(v.Suggestions, name, v.Tick) })
	}
}

// clearSuggestions forgets what was suggested.
func (e *Engine) clearSuggestions() {
	e.change(func(v *condition.View) { v.Suggestions = map[string]uint64{} })
}

func with[V any](m map[string]V, key string, value V) map[string]V {
	c := make(map[string]V, len(m)+1)
	maps.Copy(c, m)
	c[key] = value
	return c
}
