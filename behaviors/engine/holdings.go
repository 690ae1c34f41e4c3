package engine

import (
	"maps"
	"slices"
)

// Holdings lists in words what a behavior holds, in the order of the releases. Most of it may be held only while
// activated; a look and a response already in scope. For observers, between two ticks.
func (e *Engine) Holdings(c *Cell) []string {
	var held []string
	note := func(has bool, what string) {
		if has {
			held = append(held, what)
		}
	}
	note(c.action != 0, "action")
	note(e.profile.claims.has(c), "motion profile")
	for _, key := range slices.Sorted(maps.Keys(c.locks)) {
		note(true, "tracks "+key)
	}
	for _, object := range slices.Sorted(maps.Keys(e.lights.on)) {
		note(e.lights.of(object).has(c), "lights "+object)
	}
	note(c.intent != "", "intent "+c.intent)
	note(e.intents.feedback.owner == c, "feedback")
	note(e.responses.claims.has(c), "response")
	note(e.responses.deaf.has(c), "trigger-word lock")
	note(e.power.claims.has(c), "power-save request")
	note(slices.ContainsFunc(e.cube.users, func(u cubeUser) bool { return u.by == c }), "cube")
	note(e.face.still.has(c), "keep-face-alive lock")
	note(e.face.held.has(c), "expression")
	note(e.lights.held.has(c), "light colors")
	note(c.feature != "", "feature "+c.feature)
	for _, f := range e.mood.fixes {
		note(f.cell == c, "emotion "+f.emotion.String()+" "+f.key)
	}
	for _, key := range slices.Sorted(maps.Keys(c.suppressed)) {
		note(true, "suppression "+key)
	}
	for _, label := range slices.Sorted(maps.Keys(c.looks)) {
		note(true, "look "+label)
	}
	return held
}
