package engine

import (
	"fmt"
	"maps"

	"github.com/robotd/robotd/behaviors/condition"
)

// Limits of the console variables.
const (
	maxVars    = 256
	maxVarName = 64
)

// TimeMultiplier is the console variable by which TimerInRange counts faster and cooldowns are shorter.
const (
	TimeMultiplier = "TimeMultiplier"
	maxMultiplier  = 300
)

// setVar gives a console variable a value. The map of older views stays as it is.
func (e *Engine) setVar(name string, value int32) (text, err string) {
	switch _, known := e.view.Vars[name]; {
	case name == TimeMultiplier && (value < 1 || value > maxMultiplier):
		return "", fmt.Sprintf("%s is %d; it must be between 1 and %d", name, value, maxMultiplier)
	case name == "":
		return "", "a console variable needs a name"
	case len(name) > maxVarName:
		return "", fmt.Sprintf("the name of a console variable has %d bytes; at most %d are allowed", len(name), maxVarName)
	case !known && len(e.view.Vars) >= maxVars:
		return "", fmt.Sprintf("there are %d console variables already, as many as may be", maxVars)
	}
	vars := maps.Clone(e.view.Vars)
	if vars == nil {
		vars = map[string]int32{}
	}
	vars[name] = value
	e.change(func(v *condition.View) {
		if v.Vars = vars; name == TimeMultiplier {
			v.TimeMultiplier = value
		}
	})
	return fmt.Sprintf("%s is %d", name, value), ""
}
