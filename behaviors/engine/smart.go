package engine

import (
	"maps"
	"slices"

	"github.com/robotd/robotd/actions"
	"github.com/robotd/robotd/behaviors"
	"github.com/robotd/robotd/behaviors/condition"
	"github.com/robotd/robotd/hardware"
)

// smart is what a behavior holds and loses by itself when it is deactivated or fails.
type smart struct {
	locks      map[string]actions.Tracks
	intent     string                   // tag claimed; empty for none
	activation uint64                   // of the intent claimed
	feature    string                   // set from code for this activation
	suppressed map[string][]string      // key → IDs
	looks      map[string]hardware.Look // vision sets of the behavior ("") and its conditions (B-22, B-23)
}

func (e *Engine) serveSmart(c *Cell, r *behaviors.Request) {
	switch r.Kind {
	case behaviors.ReqReleaseDelegate:
		e.releaseDelegate(c)
		r.OK = true
	case behaviors.ReqReleaseSmart:
		e.releaseSmart(c, r.Key)
		r.OK = true
	case behaviors.ReqLockTracks:
		r.OK = e.lockTracks(c, r.Key, r.Tracks)
	case behaviors.ReqUnlockTracks:
		r.OK = e.unlockTracks(c, r.Key)
	case behaviors.ReqActivateIntent:
		r.Intent, r.OK = e.activateIntent(c, r.To, r.Light)
	case behaviors.ReqDeactivateIntent:
		r.OK = e.deactivateIntent(c)
	case behaviors.ReqSuppress:
		for _, id := range r.To2 {
			if d := e.cells[id]; d != nil {
				d.suppress, d.suppTick = c.Node.ID, e.view.Tick
			}
		}
		r.OK = true
	case behaviors.ReqSmartSuppress:
		r.OK = e.smartSuppress(c, r.Key, r.To2)
	case behaviors.ReqSmartRelease:
		_, r.OK = c.smart.suppressed[r.Key]
		delete(c.smart.suppressed, r.Key)
	case behaviors.ReqResetTimer:
		e.change(func(v *condition.View) { v.Timers = with(v.Timers, r.Key, v.Now) })
		r.OK = true
	case behaviors.ReqSuggest:
		e.suggest(r.Key)
		r.OK = true
	case behaviors.ReqClearSuggestions:
		e.clearSuggestions()
		r.OK = true
	case behaviors.ReqState:
		c.state = r.Key
		r.OK = true
	case behaviors.ReqCommand:
		if r.Command != nil && c.Node.Activated() && !e.halted {
			e.send(r.Command)
			r.OK = true
		}
	default:
		if r.Kind >= behaviors.ReqLook {
			e.serveBody(c, r)
		} else {
			e.serveLife(c, r)
		}
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

// lockTracks holds tracks under a key; the same key twice is refused (TRK-12).
func (e *Engine) lockTracks(c *Cell, key string, t actions.Tracks) bool {
	if _, taken := c.smart.locks[key]; taken || !c.Node.Activated() {
		return false
	}
	if c.smart.locks == nil {
		c.smart.locks = map[string]actions.Tracks{}
	}
	c.smart.locks[key] = t
	e.actions.Tracks().Lock(lockName(c, key), t)
	return true
}

func (e *Engine) unlockTracks(c *Cell, key string) bool {
	if _, held := c.smart.locks[key]; !held {
		return false
	}
	delete(c.smart.locks, key)
	e.actions.Tracks().Unlock(lockName(c, key))
	return true
}

func lockName(c *Cell, key string) string { return c.Node.ID + "/" + key }

func (e *Engine) smartSuppress(c *Cell, key string, ids []string) bool {
	if _, taken := c.smart.suppressed[key]; taken || !c.Node.Activated() {
		return false
	}
	if c.smart.suppressed == nil {
		c.smart.suppressed = map[string][]string{}
	}
	c.smart.suppressed[key] = slices.Clone(ids)
	return true
}

// suppressor names who keeps c from being activated now: a coordinator this tick, or the holder of a suppression lock.
func (e *Engine) suppressor(c *Cell) string {
	if c.suppTick == e.view.Tick && c.suppress != "" {
		return c.suppress
	}
	for i := range e.stack.Layers() {
		d := e.cells[e.stack.Layers()[i].Node().ID]
		for _, ids := range d.smart.suppressed {
			if slices.Contains(ids, c.Node.ID) {
				return d.Node.ID
			}
		}
	}
	return ""
}

// A release undoes one thing that a behavior may hold. Each is idempotent.
type release struct {
	rule string // of B-12
	undo func(e *Engine, c *Cell)
}

// releases are B-12 (8)…(18) in their order. What comes before (8) is the business of the instance, while it lives.
var releases = [...]release{
	{"8 motion profile", func(e *Engine, c *Cell) { e.clearProfile(c) }},
	{"9 track locks", func(e *Engine, c *Cell) {
		for _, key := range slices.Sorted(maps.Keys(c.smart.locks)) {
			e.unlockTracks(c, key)
		}
	}},
	{"10 custom lights", func(e *Engine, c *Cell) { e.services.lights.drop(e, c) }},
	{"11 suggestion", func(e *Engine, c *Cell) { e.suggest(c.suggests) }},
	{"12 intent", func(e *Engine, c *Cell) { e.deactivateIntent(c) }},
	{"13 trigger-word response", func(e *Engine, c *Cell) { e.popResponse(c) }},
	{"14 trigger-word lock", func(e *Engine, c *Cell) {
		e.services.deaf.drop(c)
		e.tellHearing()
	}},
	{"15 power save", func(e *Engine, c *Cell) { e.services.power.drop(e, c) }},
	{"16 cube", func(e *Engine, c *Cell) { e.services.cube.unsubscribe(c) }},
	{"17 keep face alive", func(e *Engine, c *Cell) { e.unlockFace(c) }},
	{"18 active feature", func(_ *Engine, c *Cell) { c.smart.feature = "" }},
	{"fixed emotions", func(e *Engine, c *Cell) { e.releaseMood(c) }},
}

// releaseSmart undoes everything that c holds while activated (B-12.8…18), and offers its suggestion if it ended in good order.
// It is idempotent, and runs here and not in the behavior when its incarnation was lost.
func (e *Engine) releaseSmart(c *Cell, suggestion string) {
	c.suggests = suggestion
	for i := range releases {
		releases[i].undo(e, c)
	}
	c.suggests = ""
	clear(c.smart.suppressed)
	c.stopAfter = false
}

// releaseScope undoes what c may hold in scope already: what it and its conditions look for, and a response.
func (e *Engine) releaseScope(c *Cell) {
	e.services.looks.drop(c)
	e.popResponse(c)
}

func (e *Engine) suggest(name string) {
	if name != "" {
		e.change(func(v *condition.View) { v.Suggestions = with(v.Suggestions, name, v.Tick) })
	}
}
