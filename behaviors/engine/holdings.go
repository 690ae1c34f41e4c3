package engine

import (
	"maps"
	"slices"
)

// Holdings lists in words what a behavior holds at this moment, in the order of the releases. Most of it may be held only while
// activated; a look and a response already in scope. For observers, between two ticks.
func (e *Engine) Holdings(c *Cell) []string {
	s := &e.services
	var held []string
	note := func(has bool, what string) {
		if has {
			held = append(held, what)
		}
	}
	note(c.action != 0, "action")
	note(s.profile.has(c), "motion profile")
	for _, key := range slices.Sorted(maps.Keys(c.smart.locks)) {
		note(true, "tracks "+key)
	}
	for _, object := range slices.Sorted(maps.Keys(s.lights.on)) {
		note(s.lights.of(object).has(c), "lights "+object)
	}
	note(c.smart.intent != "", "intent "+c.smart.intent)
	note(e.feedback.owner == c, "feedback")
	note(s.responses.has(c), "response")
	note(s.deaf.has(c), "trigger-word lock")
	note(s.power.requests.has(c), "power-save request")
	note(slices.ContainsFunc(s.cube.users, func(u cubeUser) bool { return u.by == c }), "cube")
	note(s.face.has(c), "keep-face-alive lock")
	note(c.smart.feature != "", "feature "+c.smart.feature)
	for _, f := range e.mood.fixes {
		note(f.cell == c, "emotion "+f.emotion.String()+" "+f.key)
	}
	for _, key := range slices.Sorted(maps.Keys(c.smart.suppressed)) {
		note(true, "suppression "+key)
	}
	for _, label := range slices.Sorted(maps.Keys(c.smart.looks)) {
		note(true, "look "+label)
	}
	return held
}
