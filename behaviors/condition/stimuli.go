package condition

import (
	"strings"
	"time"
)

// A stimulus is a key of AnyStimuli, with the condition that it enables.
type stimulus struct {
	name  string
	build func() Condition
}

func allStimuli() []stimulus {
	return []stimulus{
		{"MotionDetected", func() Condition { return newMotion("Any", "Low") }},
		{"FaceKnown", func() Condition { return newFaceKnown(2000, noLimit, false) }},
		{"FacePositionUpdated", func() Condition { return newFacePosition() }},
		{"RobotTouched", func() Condition { return newTouched(100 * time.Millisecond) }},
		{"RobotShaken", func() Condition { return newShaken(shakenMMPS2) }},
		{"RobotPoked", func() Condition { return newPoked(200 * time.Millisecond) }},
	}
}

// stimuli are the keys of AnyStimuli.
func stimuli() []string {
	var names []string
	for _, s := range allStimuli() {
		names = append(names, s.name)
	}
	return names
}

// anyStimuli is met while one of the stimuli that are true is. Each key must be there, and one be true.
func (r *reader) anyStimuli() Condition {
	var list []Condition
	for _, s := range allStimuli() {
		if r.flag(s.name) || r.Probing() {
			list = append(list, s.build())
		}
	}
	if len(list) == 0 {
		if !r.bad {
			r.invalid("", "needs at least one stimulus that is true")
		}
		return nil
	}
	c := newCompound(opOr, list)
	c.name = "AnyStimuli(" + strings.TrimPrefix(c.name, string(opOr)+"(")
	return c
}
